import { describe, expect, test } from 'vitest'
import { asks } from '../../support/devices.ts'
import { overtaking } from '../../support/gate.ts'
import { call } from '../../support/merchant.ts'
import { control } from '../../support/stack.ts'
import {
  answerOf,
  ask,
  booksOf,
  cancel,
  eventsOf,
  newCounter,
  present,
  process,
  read,
} from '../../support/terminal.ts'

type Payment = Record<string, unknown> & { receipt_url: string }

const paymentOf = async (counter: Awaited<ReturnType<typeof newCounter>>, id: string) =>
  (await ask<Payment>(counter.merchant, 'GET', `/v1/payment-operations/payments/${id}`)).body

describe('a card payment at a reader', () => {
  test('is a payment as every other: policy, fees, journal, origin, metadata, receipt', async () => {
    const counter = await newCounter()
    const made = await process(counter, {
      description: 'Silla',
      client_reference_id: 'order-1',
      metadata: { order: '1' },
    })
    expect(answerOf(made)).toBe('201 in_progress')
    expect(made.headers.get('location')).toBe(`/v1/terminal/actions/${made.body.id}`)
    expect(await paymentOf(counter, made.body.payment_id)).toMatchObject({
      status: 'requires_action',
      method: 'card_present',
    })
    expect(answerOf(await present(counter))).toBe('200 succeeded')
    const payment = await paymentOf(counter, made.body.payment_id)
    expect(payment).toMatchObject({
      status: 'succeeded',
      amount: '120000',
      amount_captured: '120000',
      // 2.9 % of 1,200.00 and its IVA.
      amount_fee: '4037',
      amount_net: '115963',
      method_details: { brand: 'visa', last4: '4242' },
      origin: { type: 'in_person_payment', id: made.body.in_person_payment_id },
      location_id: counter.reader.location_id,
      client_reference_id: 'order-1',
      description: 'Silla',
      metadata: { order: '1' },
    })
    expect(await booksOf(counter.merchant)).toEqual([
      { status: 'succeeded', captured: '120000', journals: 1 },
    ])
    const page = await call('GET', new URL(payment.receipt_url).pathname)
    expect(page.status).toBe(200)
    expect(page.text).toContain('4242')
    const asked = await ask<{ data: object[] }>(
      counter.merchant,
      'GET',
      '/v1/in-person-payments?client_reference_id=order-1',
    )
    expect(asked.body.data).toEqual([
      expect.objectContaining({
        id: made.body.in_person_payment_id,
        device_id: counter.reader.id,
        amount: '120000',
      }),
    ])
  })

  test('is refunded as it came', async () => {
    const counter = await newCounter()
    const { payment_id } = (await process(counter)).body
    await present(counter)
    const refund = await ask<{ status: string; method: string }>(counter.merchant, 'POST', '/v1/refunds', {
      payment_id,
      reason: 'requested_by_customer',
    })
    expect([refund.status, refund.body.method]).toEqual([201, 'original'])
    const offline = await ask(counter.merchant, 'POST', '/v1/refunds', {
      payment_id,
      method: 'recorded_offline',
      reason: 'requested_by_customer',
    })
    expect(answerOf(offline)).toBe('422 refund_card_not_offline')
  })

  test.each([
    ['tok_sbx_decline_funds', '120000', 'insufficient_funds'],
    ['tok_sbx_approve', '120001', 'card_declined'],
    ['tok_sbx_approve', '120055', 'authentication_failed'],
  ])('with %s of %s is declined: %s', async (card, amount, code) => {
    const counter = await newCounter()
    const { body } = await process(counter, { amount })
    expect(answerOf(await present(counter, { card }))).toBe('200 failed')
    expect(await read(counter, body)).toMatchObject({ status: 'failed', failure_code: code })
    expect(await paymentOf(counter, body.payment_id)).toMatchObject({
      status: 'requires_payment_method',
      decline_code: code,
    })
    expect(answerOf(await process(counter))).toBe('201 in_progress')
  })

  test('has its term before the card is read; a debit card has none', async () => {
    const counter = await newCounter()
    expect(answerOf(await process(counter, { installment_months: 5 }))).toBe('422 installments_unavailable')
    expect(answerOf(await process(counter, { amount: '20000', installment_months: 3 }))).toBe(
      '422 installments_unavailable',
    )
    await process(counter, { installment_months: 3 })
    expect(answerOf(await present(counter, { card: 'tok_sbx_debit' }))).toBe('200 failed')
    const { body } = await process(counter, { installment_months: 3 })
    expect(answerOf(await present(counter, { card: 'tok_sbx_msi_3_6_9_12' }))).toBe('200 succeeded')
    expect(await paymentOf(counter, body.payment_id)).toMatchObject({ installments: { months: 3 } })
  })

  test.each([
    [{ amount: '999' }, '422 amount_below_minimum'],
    [{ amount: '0' }, '422 amount_below_minimum'],
    [{ amount: '999999999999' }, '422 amount_above_maximum'],
    [{ currency: 'eur' }, '422 currency_unsupported'],
    [{ currency: 'usd' }, '422 payment_method_unavailable'],
    [{ expires_in_seconds: 14 }, '422 parameter_invalid'],
    [{ expires_in_seconds: 301 }, '422 parameter_invalid'],
  ])('is refused with %j', async (body, code) => {
    expect(answerOf(await process(await newCounter(), body))).toBe(code)
  })

  test('names the currency where devices take no card in it', async () => {
    const { body } = await process(await newCounter(), { currency: 'usd' })
    expect(body.error).toMatchObject({ param: 'currency', message: 'No card is taken at a device in usd.' })
  })

  test('is taken by a paired reader alone', async () => {
    const counter = await newCounter()
    const at = `/v1/terminal/readers/${counter.reader.id}`
    await ask(counter.merchant, 'POST', `${at}/unpair`)
    expect(answerOf(await process(counter))).toBe('409 device_not_paired')
    await ask(counter.merchant, 'POST', `${at}/disable`)
    expect(answerOf(await process(counter))).toBe('409 device_disabled')
    const stranger = await newCounter()
    expect(answerOf(await process({ ...counter, merchant: stranger.merchant }))).toBe('404 device_not_found')
  })

  test('is refused by a reader that is unpaired meanwhile', async () => {
    const counter = await newCounter()
    const [, made] = await overtaking(
      counter.merchant,
      () => ask(counter.merchant, 'POST', `/v1/terminal/readers/${counter.reader.id}/unpair`),
      () => process(counter),
    )
    expect(answerOf(made)).toBe('409 device_not_paired')
    expect(await booksOf(counter.merchant)).toEqual([])
  })

  test('of 50 that are asked of one reader at once one is taken, and the others find it busy', async () => {
    const counter = await newCounter()
    const answers = await Promise.all(Array.from({ length: 50 }, () => process(counter)))
    expect(answers.filter((each) => answerOf(each) === '201 in_progress')).toHaveLength(1)
    expect(answers.filter((each) => answerOf(each) === '409 reader_busy')).toHaveLength(49)
    expect(await booksOf(counter.merchant)).toHaveLength(1)
  })

  test('is one for a key, also when 50 send it at once', async () => {
    const counter = await newCounter()
    const key = crypto.randomUUID()
    const answers = await Promise.all(Array.from({ length: 50 }, () => process(counter, {}, key)))
    expect(new Set(answers.map(({ body }) => body.id ?? body.error?.code)).size).toBe(1)
    expect(answerOf(await process(counter, { amount: '130000' }, key))).toBe('422 idempotency_key_reused')
    expect(await booksOf(counter.merchant)).toHaveLength(1)
  })
})

describe('an action of a reader', () => {
  test('is canceled while no card was read, and the reader takes the next', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    expect(answerOf(await cancel(counter, body))).toBe('200 canceled')
    expect(answerOf(await cancel(counter, body))).toBe('409 reader_action_over')
    expect(answerOf(await present(counter))).toBe('409 no_card_awaited')
    expect(await booksOf(counter.merchant)).toEqual([{ status: 'canceled', captured: '0', journals: 0 }])
    expect(answerOf(await process(counter))).toBe('201 in_progress')
  })

  test('that 50 cancel while 50 present a card ends once: canceled, or paid', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => (at % 2 ? cancel(counter, body) : present(counter))),
    )
    for (const answer of answers) expect([200, 409]).toContain(answer.status)
    const { status } = await read(counter, body)
    expect(['canceled', 'succeeded']).toContain(status)
    expect(await booksOf(counter.merchant)).toEqual([
      status === 'canceled'
        ? { status, captured: '0', journals: 0 }
        : { status, captured: '120000', journals: 1 },
    ])
  })

  test('whose payment is canceled ends with it', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    const { status } = await ask(counter.merchant, 'POST', `/v1/payments/${body.payment_id}/cancel`)
    expect(status).toBe(200)
    expect((await read(counter, body)).status).toBe('canceled')
  })

  test('times out at its deadline, which is no decline', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    await ask(counter.merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT5M' })
    expect(answerOf(await present(counter))).toBe('409 no_card_awaited')
    await control.trigger('sandbox')
    expect(await read(counter, body)).toMatchObject({ status: 'timed_out', failure_code: null })
    expect(await booksOf(counter.merchant)).toEqual([{ status: 'expired', captured: '0', journals: 0 }])
    expect(await eventsOf(counter.merchant, 'payment')).toEqual(['created', 'requires_action', 'expired'])
    expect(answerOf(await process(counter))).toBe('201 in_progress')
  })

  test('with a late approval is unknown at its deadline, frees the reader, and succeeds once', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    expect(answerOf(await present(counter, { answer: 'late' }))).toBe('200 in_progress')
    await ask(counter.merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT5M' })
    await control.trigger('sandbox')
    expect(await read(counter, body)).toMatchObject({ status: 'unknown', ended_at: null })
    expect(answerOf(await process(counter))).toBe('201 in_progress')
    await ask(counter.merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT1H' })
    await control.trigger('sandbox')

    await expect.poll(async () => (await read(counter, body)).status).toBe('succeeded')
    await control.trigger('sandbox')
    expect((await booksOf(counter.merchant))[0]).toEqual({
      status: 'succeeded',
      captured: '120000',
      journals: 1,
    })
    expect((await eventsOf(counter.merchant, 'reader_action')).filter((type) => type !== 'created')).toEqual(
      expect.arrayContaining(['unknown', 'succeeded']),
    )
  })

  test('whose acknowledgment is lost is found by the scheduled job', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    expect(answerOf(await present(counter, { answer: 'lost' }))).toBe('200 in_progress')
    expect(answerOf(await present(counter))).toBe('409 no_card_awaited')
    await ask(counter.merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT4M' })
    await control.trigger('sandbox')
    expect((await read(counter, body)).status).toBe('succeeded')
  })

  test('of a reader that goes offline is canceled by the processor', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    expect(answerOf(await present(counter, { answer: 'offline' }))).toBe('200 canceled')
    expect(await booksOf(counter.merchant)).toEqual([{ status: 'canceled', captured: '0', journals: 0 }])
    expect(await read(counter, body)).toMatchObject({ failure_code: null })
  })

  test('whose amount the processor contradicts is under review, and frees the reader', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    expect(answerOf(await present(counter, { card: 'tok_sbx_amount_mismatch' }))).toBe('200 unknown')
    expect(answerOf(await process(counter))).toBe('201 in_progress')
    expect((await booksOf(counter.merchant))[0]).toMatchObject({ captured: '0', journals: 0 })
    expect((await read(counter, body)).status).toBe('unknown')
  })

  test('announces its end once', async () => {
    const counter = await newCounter()
    await process(counter)
    await present(counter)
    await Promise.all([control.trigger('sandbox'), control.trigger('sandbox')])
    await expect.poll(() => eventsOf(counter.merchant, 'reader_action')).toEqual(['created', 'succeeded'])
  })
})

describe('a paired reader', () => {
  type Next = { action: { id: string; amount: string; object: string } | null; ask_again_seconds: number }
  const next = async (credential: string) =>
    (await asks<Next>(credential, 'GET', '/v1/device/next-action')).body
  const report = (credential: string, id: string, what: 'progress' | 'result', body: object) =>
    asks<{ error?: { code: string } }>(credential, 'POST', `/v1/device/actions/${id}/${what}`, body)

  test('is told what to do, says how far it is, and its word moves no money', async () => {
    const counter = await newCounter()
    const { credential } = counter.reader
    expect(await next(credential)).toEqual({
      object: 'next_action',
      action: null,
      ask_again_seconds: 2,
      configuration: null,
      offline_allowance: null,
    })
    const { body } = await process(counter)
    expect((await next(credential)).action).toMatchObject({
      id: body.id,
      object: 'device_action',
      amount: '120000',
    })
    await report(credential, body.id, 'progress', { step: 'reading_card' })
    expect((await report(credential, body.id, 'result', { outcome: 'completed' })).status).toBe(200)
    expect(await read(counter, body)).toMatchObject({
      status: 'in_progress',
      step: 'reading_card',
      reported_as: 'completed',
    })
    expect((await booksOf(counter.merchant))[0]).toMatchObject({ captured: '0', journals: 0 })
  })

  test('reports a result once: the same again is answered, another is refused, 50 at once are one', async () => {
    const counter = await newCounter()
    const { credential } = counter.reader
    const { body } = await process(counter)
    await present(counter, { answer: 'lost' })
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        report(credential, body.id, 'result', { outcome: at % 2 ? 'completed' : 'failed' }),
      ),
    )
    expect(results.filter(({ status }) => status === 200)).toHaveLength(25)
    expect(results.filter(({ body: { error } }) => error?.code === 'reader_action_reported')).toHaveLength(25)
    await expect.poll(async () => (await read(counter, body)).status).toBe('succeeded')
    expect(await booksOf(counter.merchant)).toEqual([
      { status: 'succeeded', captured: '120000', journals: 1 },
    ])
    expect((await report(credential, body.id, 'progress', { step: 'received' })).body.error?.code).toBe(
      'reader_action_over',
    )
  })

  test('sees neither the actions of others nor those of an earlier pairing', async () => {
    const counter = await newCounter()
    const other = await newCounter()
    const { body } = await process(counter)
    expect((await next(other.reader.credential)).action).toBeNull()
    expect((await report(other.reader.credential, body.id, 'result', { outcome: 'failed' })).status).toBe(404)
    const { newCode, pairWith } = await import('../../support/devices.ts')
    await ask(counter.merchant, 'POST', `/v1/terminal/readers/${counter.reader.id}/unpair`)
    const again = (await pairWith(await newCode(counter.merchant, counter.reader))).body.one_time_value!
    expect((await next(again)).action).toBeNull()
    expect((await report(again, body.id, 'result', { outcome: 'failed' })).status).toBe(404)
  })
})
