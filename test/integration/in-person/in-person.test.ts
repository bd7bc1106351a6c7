import { describe, expect, test } from 'vitest'
import { asks, newPaired } from '../../support/devices.ts'
import { adminSql, control } from '../../support/stack.ts'
import {
  type Action,
  answerOf,
  ask,
  booksOf,
  type Counter,
  cancel,
  eventsOf,
  inPerson,
  newCounter,
  present,
  process,
  read,
} from '../../support/terminal.ts'

const statusOf = async (counter: Counter, action: Action) => (await inPerson(counter, action)).body.status

const advance = async ({ merchant }: Counter, by: string) => {
  await ask(merchant, 'POST', '/v1/sandbox/clock', { advance: by })
  await control.trigger('sandbox')
}

/** A payment that a card has authorized. */
async function authorized(body: object = {}) {
  const counter = await newCounter()
  const action = (await process(counter, { capture_method: 'manual', ...body })).body
  expect(answerOf(await present(counter))).toBe('200 succeeded')
  return { counter, action }
}

describe('the status of a payment in person', () => {
  test('waits for the device, is in progress with its first step, and succeeds', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    expect(await statusOf(counter, body)).toBe('waiting_device')
    await asks(counter.reader.credential, 'POST', `/v1/device/actions/${body.id}/progress`, {
      step: 'reading_card',
    })
    expect(await statusOf(counter, body)).toBe('in_progress')
    await present(counter)
    expect((await inPerson(counter, body)).body).toMatchObject({
      status: 'succeeded',
      payment_id: body.payment_id,
      amount_authorized: '120000',
      amount_captured: '120000',
      capture_method: 'automatic',
      capture_before: null,
    })
    const { body: page } = await ask<{ data: object[] }>(
      counter.merchant,
      'GET',
      `/v1/in-person-payments?device_id=${counter.reader.id}`,
    )
    expect(page.data).toEqual([(await inPerson(counter, body)).body])
  })

  test('is declined by the card alone', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    await present(counter, { card: 'tok_sbx_decline_funds' })
    expect(await statusOf(counter, body)).toBe('declined')
  })

  test('is canceled with its action', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    await cancel(counter, body)
    expect(await statusOf(counter, body)).toBe('canceled')
  })

  test('is timed out where no card came', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    await advance(counter, 'PT5M')
    expect(await statusOf(counter, body)).toBe('timed_out')
  })

  test('is unknown, and no decline, while the bank has not answered', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    await present(counter, { answer: 'late' })
    await advance(counter, 'PT5M')
    expect(await statusOf(counter, body)).toBe('unknown')
  })

  test('is unknown while the processor contradicts us', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    await present(counter, { card: 'tok_sbx_amount_mismatch' })
    expect(await statusOf(counter, body)).toBe('unknown')
  })
})

describe('a card that is authorized at a reader', () => {
  test('is captured later: all of it', async () => {
    const { counter, action } = await authorized()
    const before = (await inPerson(counter, action)).body
    expect(before).toMatchObject({
      status: 'authorized',
      amount_authorized: '120000',
      amount_captured: '0',
      capture_method: 'manual',
    })
    expect(before.capture_before).not.toBeNull()
    expect(await booksOf(counter.merchant)).toEqual([
      { status: 'requires_capture', captured: '0', journals: 0 },
    ])
    const captured = await inPerson(counter, action, 'capture')
    expect(answerOf(captured)).toBe('200 succeeded')
    expect((await inPerson(counter, action)).body).toEqual(captured.body)
    expect(await booksOf(counter.merchant)).toEqual([
      { status: 'succeeded', captured: '120000', journals: 1 },
    ])
  })

  test('is captured in part, and the rest is released', async () => {
    const { counter, action } = await authorized()
    const captured = await inPerson(counter, action, 'capture', { body: { amount: '50000' } })
    expect(captured.body).toMatchObject({ status: 'succeeded', amount_captured: '50000' })
    expect(await booksOf(counter.merchant)).toEqual([
      { status: 'partially_captured', captured: '50000', journals: 1 },
    ])
  })

  test.each([
    ['120001', '422 capture_exceeds_authorized'],
    ['0', '422 capture_amount_not_positive'],
  ])('is not captured for %s: %s', async (amount, answer) => {
    const { counter, action } = await authorized()
    expect(answerOf(await inPerson(counter, action, 'capture', { body: { amount } }))).toBe(answer)
    expect(await booksOf(counter.merchant)).toEqual([
      { status: 'requires_capture', captured: '0', journals: 0 },
    ])
  })

  test('is released by a cancellation, and captured no more', async () => {
    const { counter, action } = await authorized()
    expect(answerOf(await inPerson(counter, action, 'cancel'))).toBe('200 canceled')
    expect(answerOf(await inPerson(counter, action, 'capture'))).toBe('409 payment_not_capturable')
    expect(await booksOf(counter.merchant)).toEqual([{ status: 'canceled', captured: '0', journals: 0 }])
    // The reader has done what it was asked.
    expect((await read(counter, action)).status).toBe('succeeded')
  })

  test('is canceled once its authorization has lapsed', async () => {
    const { counter, action } = await authorized()
    await advance(counter, 'P8D')
    expect(await statusOf(counter, action)).toBe('canceled')
    expect(answerOf(await inPerson(counter, action, 'capture'))).toBe('409 authorization_expired')
  })

  test('is captured once for a key, also when 50 send it at once', async () => {
    const { counter, action } = await authorized()
    const key = crypto.randomUUID()
    await Promise.all(Array.from({ length: 50 }, () => inPerson(counter, action, 'capture', { key })))
    expect(answerOf(await inPerson(counter, action, 'capture', { key }))).toBe('200 succeeded')
    expect(await booksOf(counter.merchant)).toEqual([
      { status: 'succeeded', captured: '120000', journals: 1 },
    ])
  })

  test('that 50 capture or cancel ends once', async () => {
    const { counter, action } = await authorized()
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => inPerson(counter, action, at % 2 ? 'capture' : 'cancel')),
    )
    const status = await statusOf(counter, action)
    expect(['canceled', 'succeeded']).toContain(status)
    expect(await booksOf(counter.merchant)).toEqual([
      status === 'canceled'
        ? { status, captured: '0', journals: 0 }
        : { status, captured: '120000', journals: 1 },
    ])
  })
})

describe('a payment in person that waits for a card', () => {
  test('is canceled, and its action with it, which is announced', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    expect(answerOf(await inPerson(counter, body, 'cancel'))).toBe('200 canceled')
    expect((await read(counter, body)).status).toBe('canceled')
    await expect.poll(() => eventsOf(counter.merchant, 'reader_action')).toEqual(['created', 'canceled'])
    expect(answerOf(await inPerson(counter, body, 'cancel'))).toBe('409 payment_not_cancelable')
    expect(answerOf(await process(counter))).toBe('201 in_progress')
  })

  test('is not captured, and one that is paid is not canceled', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    expect(answerOf(await inPerson(counter, body, 'capture'))).toBe('409 payment_not_capturable')
    await present(counter)
    expect(answerOf(await inPerson(counter, body, 'cancel'))).toBe('409 payment_not_cancelable')
  })

  test('is nobody else’s', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    const stranger = { ...counter, merchant: (await newCounter()).merchant }
    for (const step of [undefined, 'capture', 'cancel'] as const)
      expect(answerOf(await inPerson(stranger, body, step))).toBe('404 in_person_payment_not_found')
  })
})

describe('a client_reference_id at one reader on one day', () => {
  const sale = { client_reference_id: 'order-1' }

  test.each([
    ['succeeded', {}],
    ['failed', { card: 'tok_sbx_decline_funds' }],
  ])('gets the first result again: %s', async (status, card) => {
    const counter = await newCounter()
    const first = (await process(counter, sale)).body
    await present(counter, card)
    const again = await process(counter, sale)
    expect(answerOf(again)).toBe(`201 ${status}`)
    expect(again.body.id).toBe(first.id)
    expect(again.headers.get('location')).toBe(`/v1/terminal/actions/${first.id}`)
    expect(await booksOf(counter.merchant)).toHaveLength(1)
  })

  test.each([
    { amount: '130000' },
    { installment_months: 3 },
    { capture_method: 'manual' },
    { currency: 'usd' },
  ])('is of one sale: another with %j is refused', async (other) => {
    const counter = await newCounter()
    await process(counter, sale)
    expect(answerOf(await process(counter, { ...sale, ...other }))).toBe('409 client_reference_id_used')
    expect(await booksOf(counter.merchant)).toHaveLength(1)
  })

  test('is another sale at another reader, and another day', async () => {
    const counter = await newCounter()
    const first = (await process(counter, sale)).body
    const other = { ...counter, reader: await newPaired(counter.merchant) }
    expect((await process(other, sale)).body.id).not.toBe(first.id)
    await present(counter)
    await adminSql('sandbox')(
      `update in_person_payments set created_at = created_at - interval '1 day' where id = $1 returning id`,
      [first.in_person_payment_id],
    )
    const next = await process(counter, sale)
    expect(answerOf(next)).toBe('201 in_progress')
    expect(next.body.id).not.toBe(first.id)
  })

  test('is one sale when 50 ask at once, each under a key of its own', async () => {
    const counter = await newCounter()
    const answers = await Promise.all(Array.from({ length: 50 }, () => process(counter, sale)))
    expect(new Set(answers.map((each) => `${answerOf(each)} ${each.body.id}`)).size).toBe(1)
    expect(answerOf(answers[0]!)).toBe('201 in_progress')
    expect(await booksOf(counter.merchant)).toHaveLength(1)
  })
})
