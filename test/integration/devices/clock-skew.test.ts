import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { call } from '../../support/merchant.ts'
import { forwards, newOfflineCounter, outcomes, stores } from '../../support/offline.ts'
import {
  answerOf,
  ask,
  asksTip,
  booksOf,
  type Counter,
  newCounter,
  newPhoneCounter,
  present,
  process,
  read,
  type TapSession,
} from '../../support/terminal.ts'

const day = 86_400_000

/** The clock of a device, in every header that says a time. */
const saysIts = (now: Date) => ({
  date: now.toUTCString(),
  'if-modified-since': now.toUTCString(),
  'if-unmodified-since': now.toUTCString(),
  'x-timestamp': String(now.getTime()),
  'x-request-start': `t=${now.getTime()}`,
})

/** A request of a device whose clock is so many days off. */
const from = <Body = { status: string; error?: { code: string } }>(
  { reader }: Counter,
  days: number,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
) =>
  call<Body>(method, path, {
    bearer: reader.credential,
    headers: saysIts(new Date(Date.now() + days * day)),
    ...(body ? { body } : {}),
  })

const seconds = (text: string) => (Date.parse(text) - Date.now()) / 1000

test.each([-1, 1])('a reader whose clock is %i days off does all of it as any other', async (days) => {
  const counter = await newCounter()
  const heartbeat = await from<{ connection: string; last_seen_at: string | null }>(
    counter,
    days,
    'GET',
    '/v1/device',
  )
  expect([heartbeat.status, heartbeat.body.connection]).toEqual([200, 'online'])
  const { body: action } = await process(counter)
  const next = await from<{ action: { id: string; expires_at: string } }>(
    counter,
    days,
    'GET',
    '/v1/device/next-action',
  )
  expect(next.body.action).toMatchObject({ id: action.id, expires_at: action.expires_at })
  expect(seconds(action.expires_at)).toBeGreaterThan(0)
  const at = `/v1/device/actions/${action.id}`
  expect((await from(counter, days, 'POST', `${at}/progress`, { step: 'reading_card' })).status).toBe(200)
  expect(answerOf(await present(counter))).toBe('200 succeeded')
  expect((await from(counter, days, 'POST', `${at}/result`, { outcome: 'completed' })).status).toBe(200)
  expect((await from(counter, days, 'GET', at)).body.status).toBe('succeeded')
  const { ended_at } = await read(counter, action)
  expect(Math.abs(seconds(ended_at!))).toBeLessThan(600)
  expect(await booksOf(counter.merchant)).toEqual([{ status: 'succeeded', captured: '120000', journals: 1 }])
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test.each([-1, 1])(
  'a reader whose clock is %i days off neither ends an action early nor keeps it',
  async (days) => {
    const counter = await newCounter()
    const { body: tip } = await asksTip(counter)
    await ask(counter.merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT2M' })
    const at = `/v1/device/actions/${tip.id}/result`
    const late = await from(counter, days, 'POST', at, { outcome: 'completed', tip: { preset: 0 } })
    expect(`${late.status} ${late.body.error?.code}`).toBe('409 reader_action_over')
    expect(answerOf(await process(counter))).toBe('409 reader_busy')
    expect(
      (await from<{ action: null }>(counter, days, 'GET', '/v1/device/next-action')).body.action,
    ).toBeNull()
    await expect.poll(async () => (await read(counter, tip)).status).toBe('timed_out')
    expect(answerOf(await process(counter))).toBe('201 in_progress')
  },
)

test.each([-1, 1])(
  'a phone whose clock is %i days off redeems its token for twelve hours of ours',
  async (days) => {
    const counter = await newPhoneCounter()
    const { id, location_id } = counter.reader
    const token = () =>
      ask<{ secret: string }>(counter.merchant, 'POST', '/v1/tap-to-pay/connection_tokens', {
        device_id: id,
        location_id,
      })
    const redeem = (secret: string) =>
      from<{ session_id: string; error?: { code: string } }>(
        counter,
        days,
        'POST',
        '/v1/tap-to-pay/connection_tokens/redeem',
        {
          secret,
        },
      )
    const { secret } = (await token()).body
    const opened = await redeem(secret)
    expect(opened.status).toBe(200)
    const at = `/v1/tap-to-pay/sessions/${opened.body.session_id}`
    const session = (await ask<TapSession>(counter.merchant, 'GET', at)).body
    expect(session.status).toBe('open')
    const hours = seconds(session.expires_at) / 3_600
    expect([hours > 11.8, hours < 12.1]).toEqual([true, true])
    expect((await redeem(secret)).status).toBeGreaterThanOrEqual(400)
    // A token whose time is over stays so, whatever the phone's clock says.
    const { secret: old } = (await token()).body
    await ask(counter.merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT1H' })
    expect((await redeem(old)).status).toBeGreaterThanOrEqual(400)
    expect(answerOf(await process(counter))).toBe('201 in_progress')
    expect(answerOf(await present(counter))).toBe('200 succeeded')
  },
)

test.each([-1, 1])(
  'what a reader whose clock is %i days off has stored is one payment of our day',
  async (days) => {
    const counter = await newOfflineCounter()
    const taken_at = new Date(Date.now() + days * day).toISOString()
    const stored = await stores(counter, { taken_at })
    for (const _ of [1, 2]) expect(outcomes(await forwards(counter, [stored]))).toEqual(['succeeded'])
    const { body } = await ask<{ data: { created_at: string; succeeded_at: string }[] }>(
      counter.merchant,
      'GET',
      '/v1/payment-operations/payments',
    )
    expect(body.data).toHaveLength(1)
    for (const time of [body.data[0]!.created_at, body.data[0]!.succeeded_at])
      expect(Math.abs(seconds(time))).toBeLessThan(600)
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  },
)

test('a device has no field for its own time where money is concerned', async () => {
  const counter = await newCounter()
  const { body: action } = await process(counter)
  const at = `/v1/device/actions/${action.id}`
  const own = { at: new Date().toISOString() }
  for (const [path, body] of [
    [`${at}/progress`, { step: 'reading_card' }],
    [`${at}/result`, { outcome: 'completed' }],
  ] as const) {
    const reply = await from(counter, 0, 'POST', path, { ...body, ...own })
    expect(`${reply.status} ${reply.body.error?.code}`).toBe('422 parameter_unknown')
  }
})
