import { describe, expect, test } from 'vitest'
import { asks, type Device, newCode, newPaired, pairWith } from '../../support/devices.ts'
import { overtaking } from '../../support/gate.ts'
import { call, newApiKey, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'
import {
  answerOf,
  ask,
  booksOf,
  cancel,
  eventsOf,
  inPerson,
  newCounter,
  newPhoneCounter,
  opensSession,
  present,
  process,
  read,
  type TapSession,
} from '../../support/terminal.ts'

type PhoneCounter = Awaited<ReturnType<typeof newPhoneCounter>>

const sessions = '/v1/tap-to-pay/sessions'
const many = 50
const times = <T>(work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: many }, (_, at) => work(at)))
const stand = async (counter: PhoneCounter) =>
  (await ask<TapSession>(counter.merchant, 'GET', `${sessions}/${counter.sessionId}`)).body

describe('a phone takes a card', () => {
  test('as a reader does: a payment like every other, with the phone as its device', async () => {
    const counter = await newPhoneCounter()
    const made = await process(counter, { client_reference_id: 'mesa-4' })
    expect([answerOf(made), made.body.reader_id]).toEqual(['201 in_progress', counter.reader.id])
    const next = await asks<{ action: { id: string; amount: string } }>(
      counter.reader.credential,
      'GET',
      '/v1/device/next-action',
    )
    expect(next.body.action).toMatchObject({ id: made.body.id, amount: '120000' })
    expect(answerOf(await present(counter))).toBe('200 succeeded')
    const at = `/v1/device/actions/${made.body.id}`
    const told = await asks<{ status: string }>(counter.reader.credential, 'POST', `${at}/result`, {
      outcome: 'completed',
    })
    expect([told.status, told.body.status]).toEqual([200, 'succeeded'])
    expect((await inPerson(counter, made.body)).body).toMatchObject({
      status: 'succeeded',
      device_id: counter.reader.id,
      amount_captured: '120000',
    })
    expect(await booksOf(counter.merchant)).toEqual([
      { status: 'succeeded', captured: '120000', journals: 1 },
    ])
    await expect.poll(() => eventsOf(counter.merchant, 'reader_action')).toEqual(['created', 'succeeded'])
    // The till that has lost its answer gets the first result.
    expect((await process(counter, { client_reference_id: 'mesa-4' })).body.id).toBe(made.body.id)
  })

  test.each([
    ['tok_sbx_decline_funds', '120000', 'insufficient_funds'],
    ['tok_sbx_approve', '120055', 'authentication_failed'],
  ])('%s of %s is declined: %s', async (card, amount, code) => {
    const counter = await newPhoneCounter()
    const { body } = await process(counter, { amount })
    expect(answerOf(await present(counter, { card }))).toBe('200 failed')
    expect(await read(counter, body)).toMatchObject({ status: 'failed', failure_code: code })
  })

  test('with a key for phones alone: it takes, captures and cancels; one for readers asks no phone', async () => {
    const counter = await newPhoneCounter()
    const keyOf = async (scope: string) => ({
      ...counter,
      merchant: {
        ...counter.merchant,
        apiKey: (await newApiKey(counter.merchant, { scopes: [`${scope}:write`, `${scope}:read`] })).apiKey,
      },
    })
    const [ofPhones, ofReaders] = [await keyOf('tap_to_pay'), await keyOf('terminal')]
    expect(answerOf(await process(ofReaders))).toBe('403 insufficient_scope')
    const { body } = await process(ofPhones, { capture_method: 'manual' })
    expect(answerOf(await present(ofPhones))).toBe('200 succeeded')
    expect((await inPerson(ofPhones, body, 'capture')).body.status).toBe('succeeded')
    const second = await process(ofPhones)
    expect(answerOf(await cancel(ofPhones, second.body))).toBe('200 canceled')
  })

  test('is no reader: neither is found at the other’s address', async () => {
    const [phone, counter] = [await newPhoneCounter(), await newCounter()]
    const at = (path: string) => ask(phone.merchant, 'POST', path, { amount: '120000', currency: 'mxn' })
    expect(answerOf(await at(`/v1/terminal/readers/${phone.reader.id}/process-payment`))).toBe(
      '404 device_not_found',
    )
    expect(
      answerOf(
        await ask(counter.merchant, 'POST', `/v1/tap-to-pay/devices/${counter.reader.id}/process-payment`, {
          amount: '120000',
          currency: 'mxn',
        }),
      ),
    ).toBe('404 device_not_found')
    expect(answerOf(await at(`/v1/sandbox/devices/${phone.reader.id}/tap`))).toMatch(/^422/)
    expect(
      answerOf(await ask(phone.merchant, 'POST', `/v1/sandbox/devices/${phone.reader.id}/tap`, {})),
    ).toBe('409 no_card_awaited')
  })
})

describe('a session of a phone', () => {
  test('is opened by the token that the phone redeems, for twelve hours, and the one before it ends', async () => {
    const counter = await newPhoneCounter()
    const first = await stand(counter)
    expect(first).toMatchObject({ status: 'open', device_id: counter.reader.id, ended_at: null })
    const begun = Date.now()
    const { session_id: second } = (await opensSession(counter.merchant, counter.reader)).body
    expect((await stand(counter)).status).toBe('ended')
    const { body } = await ask<{ data: TapSession[] }>(
      counter.merchant,
      'GET',
      `${sessions}?device_id=${counter.reader.id}`,
    )
    expect(body.data.map(({ id, status }) => [id, status])).toEqual([
      [second, 'open'],
      [counter.sessionId, 'ended'],
    ])
    const hours = (Date.parse(body.data[0]!.expires_at) - begun) / 3_600_000
    expect([hours > 11.99, hours < 12.1]).toEqual([true, true])
  })

  const without: [string, (counter: PhoneCounter) => Promise<unknown>, string][] = [
    [
      'once you have ended it',
      ({ merchant, sessionId }) => ask(merchant, 'POST', `${sessions}/${sessionId}/end`),
      'ended',
    ],
    [
      'once its time is over',
      ({ merchant }) => ask(merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT12H' }),
      'expired',
    ],
    [
      'once its phone was paired again',
      async ({ merchant, reader }) => {
        await ask(merchant, 'POST', `/v1/tap-to-pay/devices/${reader.id}/unpair`)
        await pairWith(await newCode(merchant, reader as Device))
      },
      'ended',
    ],
  ]
  test.each(without)('takes nothing more %s', async (_when, end, status) => {
    const counter = await newPhoneCounter()
    await end(counter)
    expect(answerOf(await process(counter))).toBe('409 tap_session_not_open')
    expect((await stand(counter)).status).toBe(status)
    // The next one leaves what it was.
    if (status === 'expired') await opensSession(counter.merchant, counter.reader)
    expect(await stand(counter)).toMatchObject({
      status,
      ended_at: status === 'ended' ? expect.any(String) : null,
    })
    expect(await booksOf(counter.merchant)).toEqual([])
  })

  test('is needed: a phone that is only paired takes nothing', async () => {
    const merchant = await newMerchant()
    const counter = { merchant, reader: await newPaired(merchant, 'phone') }
    expect(answerOf(await process(counter))).toBe('409 tap_session_not_open')
    await opensSession(merchant, counter.reader)
    expect(answerOf(await process(counter))).toBe('201 in_progress')
  })

  test('ends once, and what the phone was asked for goes on', async () => {
    const counter = await newPhoneCounter()
    await process(counter)
    const end = () => ask<TapSession>(counter.merchant, 'POST', `${sessions}/${counter.sessionId}/end`)
    expect(answerOf(await end())).toBe('200 ended')
    expect(answerOf(await end())).toBe('409 tap_session_over')
    expect(answerOf(await present(counter))).toBe('200 succeeded')
  })

  test('of a stranger is not found', async () => {
    const [counter, stranger] = [await newPhoneCounter(), await newPhoneCounter()]
    const at = `${sessions}/${counter.sessionId}`
    for (const [method, path] of [
      ['GET', at],
      ['POST', `${at}/end`],
    ] as const)
      expect(answerOf(await ask<TapSession>(stranger.merchant, method, path))).toBe(
        '404 tap_session_not_found',
      )
    expect(answerOf(await process({ ...counter, merchant: stranger.merchant }))).toBe('404 device_not_found')
    expect((await call('POST', `${at}/end`, { bearer: counter.reader.credential })).status).toBe(401)
  })

  test('is one, however many tokens are made and redeemed at once', async () => {
    const counter = await newPhoneCounter()
    await times(() => opensSession(counter.merchant, counter.reader))
    const [open] = await adminSql('sandbox')<{ count: number }>(
      `select count(*)::int from tap_sessions where tenant_id = $1 and status = 'open'`,
      [counter.merchant.tenantId],
    )
    expect(open).toEqual({ count: 1 })
    expect(answerOf(await process(counter))).toBe('201 in_progress')
  })

  test.each([
    ['is ended', ({ sessionId }: PhoneCounter) => `${sessions}/${sessionId}/end`, '409 tap_session_not_open'],
    [
      'loses its phone',
      ({ reader }: PhoneCounter) => `/v1/tap-to-pay/devices/${reader.id}/unpair`,
      '409 device_not_paired',
    ],
    [
      'loses its place',
      ({ reader }: PhoneCounter) => `/v1/workspace/locations/${reader.location_id}/archive`,
      '409 location_archived',
    ],
  ])('that %s while a till asks its phone takes nothing', async (_how, pathOf, answer) => {
    const counter = await newPhoneCounter()
    const [, made] = await overtaking(
      counter.merchant,
      () => ask(counter.merchant, 'POST', pathOf(counter)),
      () => process(counter),
    )
    expect(answerOf(made)).toBe(answer)
    expect(await booksOf(counter.merchant)).toEqual([])
  })

  test('is not opened by a phone that is unpaired meanwhile', async () => {
    const counter = await newPhoneCounter()
    const [, opened] = await overtaking(
      counter.merchant,
      () => ask(counter.merchant, 'POST', `/v1/tap-to-pay/devices/${counter.reader.id}/unpair`),
      () => opensSession(counter.merchant, counter.reader),
    )
    expect(opened.status).toBeGreaterThanOrEqual(400)
    const { body } = await ask<{ data: TapSession[] }>(counter.merchant, 'GET', sessions)
    expect(body.data.map(({ status }) => status)).toEqual(['ended'])
  })

  const inItsSession = 'a phone takes cards in its session'
  const session = (of: string) => `jsonb_build_object('session_id', ${of})`
  const forged: [string, string, string][] = [
    ['no session', session('null'), 'reader_actions_phone'],
    [
      'an ended session',
      session(`(select id from tap_sessions where tenant_id = $1 and status = 'ended')`),
      inItsSession,
    ],
    [
      'the session of another phone',
      session('(select id from tap_sessions where tenant_id = $1 and device_id <> a.reader_id)'),
      inItsSession,
    ],
    [
      'a session whose time is over',
      `jsonb_build_object('created_at', a.created_at + interval '13 hours')`,
      inItsSession,
    ],
    ['the session of another pairing', `jsonb_build_object('pairing', a.pairing + 1)`, inItsSession],
  ]
  test.each(forged)('the database takes no action of a phone in %s', async (_which, change, says) => {
    const counter = await newPhoneCounter()
    await opensSession(counter.merchant, counter.reader)
    await opensSession(counter.merchant, await newPaired(counter.merchant, 'phone'))
    const { body } = await process(counter)
    await present(counter)
    await expect.poll(async () => (await read(counter, body)).status).toBe('succeeded')
    // A payment that no device was asked for.
    const link = await newLink(counter.merchant)
    await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
    const insert = (changed: string) =>
      adminSql('sandbox')(
        `insert into reader_actions select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
           'payment_id', (select id from payments where tenant_id = $1 and method = 'card')) || ${changed})).*
         from reader_actions a where a.tenant_id = $1`,
        [counter.merchant.tenantId],
      )
    await expect(insert(change)).rejects.toThrow(says)
    await insert("'{}'::jsonb")
  })
})
