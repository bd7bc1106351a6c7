import { describe, expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { asks, newCode, newPaired, pairWith } from '../../support/devices.ts'
import { onPaper } from '../../support/escpos.ts'
import { newApiKey } from '../../support/merchant.ts'
import { control, stack } from '../../support/stack.ts'
import {
  type Action,
  answerOf,
  ask,
  asksFor,
  asksTip,
  booksOf,
  type Counter,
  cancel,
  choosesTip,
  eventsOf,
  many,
  newCounter,
  newPhoneCounter,
  paymentOf,
  present,
  process,
  read,
  refusal,
  reports,
  times,
} from '../../support/terminal.ts'

const nextOf = async ({ reader }: Counter) =>
  (await asks<{ action: Action | null }>(reader.credential, 'GET', '/v1/device/next-action')).body.action
const completed = { outcome: 'completed' }
const sold = { amount: '45000', currency: 'mxn' }

describe('a tip that a device asks for', () => {
  test.each([
    ['a preset', { preset: 1 }, { kind: 'preset', amount: '6750' }],
    ['a preset that is an amount', { preset: 2 }, { kind: 'preset', amount: '5000' }],
    ['an amount of their own', { other: '45000' }, { kind: 'other', amount: '45000' }],
    ['none', { none: true }, { kind: 'none', amount: '0' }],
  ])('is what the buyer chose: %s', async (_, tip, chosen) => {
    const counter = await newCounter()
    const { status, body } = await asksTip(counter)
    expect([status, body.status, body.payment_id]).toEqual([201, 'in_progress', null])
    const asked = [
      { bps: 1000, amount: '4500' },
      { bps: 1500, amount: '6750' },
      { bps: null, amount: '5000' },
    ]
    expect(await nextOf(counter)).toMatchObject({
      id: body.id,
      type: 'collect_tip',
      amount: null,
      tip: { amount: '45000', currency: 'mxn', presets: asked, chosen: null },
    })
    expect(answerOf(await reports(counter, body, { ...completed, tip }))).toBe('200 succeeded')
    const after = await read(counter, body)
    expect(after).toMatchObject({ status: 'succeeded', reported_as: 'completed', tip: { chosen } })
    expect(await nextOf(counter)).toBeNull()
    expect(await eventsOf(counter.merchant, 'reader_action')).toEqual(['created', 'succeeded'])
    expect(await booksOf(counter.merchant)).toEqual([])
  })

  test('is a part of the amount, rounded half up to the centavo', async () => {
    const counter = await newCounter()
    const { body } = await asksTip(counter, { amount: '10050', presets: [{ bps: 1500 }, { bps: 1000 }] })
    expect(body.tip?.presets.map(({ amount }) => amount)).toEqual(['1508', '1005'])
  })

  test.each([
    ['no such preset', {}, { preset: 3 }, 'tip.preset'],
    ['more than the amount', {}, { other: '45001' }, 'tip.other'],
    ['nothing as another amount', {}, { other: '0' }, 'tip.other'],
    ['another amount where none is taken', { allows_other: false }, { other: '100' }, 'tip.other'],
    ['none where one is asked for', { allows_none: false }, { none: true }, 'tip.none'],
  ])('is refused otherwise: %s', async (_, asked, tip, param) => {
    const counter = await newCounter()
    const { body } = await asksTip(counter, asked)
    expect(refusal(await reports(counter, body, { ...completed, tip }))).toBe(
      `422 parameter_invalid ${param}`,
    )
    expect((await read(counter, body)).status).toBe('in_progress')
  })

  test('is asked with something to choose, at most the amount', async () => {
    const counter = await newCounter()
    expect(refusal(await asksTip(counter, { presets: [], allows_other: false }))).toBe(
      '422 parameter_invalid presets',
    )
    expect(refusal(await asksTip(counter, { presets: [{ bps: 1000 }, { amount: '45001' }] }))).toBe(
      '422 parameter_invalid presets.1.amount',
    )
    expect(refusal(await asksTip(counter, { amount: '0' }))).toBe('422 parameter_invalid amount')
    for (const currency of ['usd', 'eur'])
      expect(refusal(await asksTip(counter, { currency }))).toBe('422 currency_unsupported currency')
    expect(refusal(await asksTip(counter, { presets: Array(5).fill({ bps: 1000 }) }))).toBe(
      '422 parameter_invalid presets',
    )
  })

  test('needs an answer with its result, and nothing else has one', async () => {
    const counter = await newCounter()
    const { body } = await asksTip(counter)
    expect(refusal(await reports(counter, body, completed))).toBe('422 parameter_missing tip')
    expect(refusal(await reports(counter, body, { outcome: 'failed', tip: { none: true } }))).toBe(
      '422 parameter_unknown tip',
    )
    expect(answerOf(await reports(counter, body, { outcome: 'failed' }))).toBe('200 failed')
    const taking = await process(counter)
    expect(refusal(await reports(counter, taking.body, { ...completed, tip: { none: true } }))).toBe(
      '422 parameter_unknown tip',
    )
  })

  test('is asked by a phone in its session', async () => {
    const counter = await newPhoneCounter()
    const action = await choosesTip(counter)
    expect(await read(counter, action)).toMatchObject({ status: 'succeeded', reader_id: counter.reader.id })
    const { body } = await process(counter, { ...sold, tip_action_id: action.id })
    await present(counter)
    expect(await paymentOf(counter, body)).toMatchObject({ amount: '49500', amount_tip: '4500' })
    await ask(counter.merchant, 'POST', `/v1/tap-to-pay/sessions/${counter.sessionId}/end`)
    expect(answerOf(await asksTip(counter))).toBe('409 tap_session_not_open')
  })
})

describe('a reader is asked to', () => {
  const lines = [{ name: 'Café', unit_amount: '5800', quantity: 2 }]

  test('show lines with their sum, or nothing', async () => {
    const counter = await newCounter()
    const { body } = await asksFor(counter, 'display', { line_items: lines, amount_tip: '1000' })
    const cart = {
      line_items: [{ name: 'Café', quantity: 2, amount_total: '11600' }],
      amount: '12600',
      amount_tip: '1000',
      currency: 'mxn',
    }
    expect(await nextOf(counter)).toMatchObject({ type: 'display', display: { cart } })
    expect(answerOf(await reports(counter, body, completed))).toBe('200 succeeded')
    const cleared = await asksFor(counter, 'display', { line_items: null })
    expect(cleared.body).toMatchObject({ type: 'display', display: { cart: null } })
    expect(refusal(await asksFor(counter, 'display', { line_items: lines, amount_tip: '11601' }))).toBe(
      '422 parameter_invalid amount_tip',
    )
    expect(refusal(await asksFor(counter, 'display', { line_items: null, amount_tip: '1' }))).toBe(
      '422 parameter_unknown amount_tip',
    )
    expect(refusal(await asksFor(counter, 'display'))).toBe('422 parameter_missing line_items')
    expect(refusal(await asksFor(counter, 'display', { line_items: Array(51).fill(lines[0]) }))).toBe(
      '422 parameter_invalid line_items',
    )
    const full = { line_items: Array(50).fill(lines[0]) }
    await reports(counter, cleared.body, completed)
    expect(answerOf(await asksFor(counter, 'display', full))).toBe('201 in_progress')
  })

  test('print a receipt, whose bytes it gets while it prints, and no other does', async () => {
    const counter = await newCounter()
    const { body: taken } = await process(counter, { amount: '11600', line_items: lines })
    const printing = { in_person_payment_id: taken.in_person_payment_id }
    expect(refusal(await asksFor(counter, 'print', printing))).toBe(
      '409 receipt_not_available in_person_payment_id',
    )
    await present(counter)
    const elsewhere = await newCounter()
    expect(refusal(await asksFor(elsewhere, 'print', printing))).toBe(
      '404 in_person_payment_not_found in_person_payment_id',
    )
    const { body: action } = await asksFor(counter, 'print', printing)
    const path = `/v1/device/actions/${action.id}/receipt.escpos`
    expect(await nextOf(counter)).toMatchObject({ type: 'print', print: { paper: '58mm', path } })
    const bytesBy = (credential: string) =>
      fetch(stack.sandbox.baseUrl + path, { headers: { authorization: `Bearer ${credential}` } })
    const paper = onPaper(new Uint8Array(await (await bytesBy(counter.reader.credential)).arrayBuffer()))
    expect(paper.isCut).toBe(true)
    expect(paper.lines.map(({ text }) => text).join('\n')).toMatch(/2 × Café +\$116\.00 MXN/)
    for (const line of paper.lines) expect(line.text.length).toBeLessThanOrEqual(32)
    const beside = await newPaired(counter.merchant)
    for (const { credential } of [elsewhere.reader, beside])
      expect((await bytesBy(credential)).status).toBe(404)
    await reports(counter, action, completed)
    expect((await bytesBy(counter.reader.credential)).status).toBe(409)
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  })

  test('print nothing that was canceled, or whose time is over', async () => {
    const counter = await newCounter()
    const { body: taken } = await process(counter)
    await present(counter)
    for (const end of [
      (action: Action) => cancel(counter, action),
      () => ask(counter.merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT2M' }),
    ]) {
      const { body } = await asksFor(counter, 'print', { in_person_payment_id: taken.in_person_payment_id })
      await end(body)
      const path = `/v1/device/actions/${body.id}/receipt.escpos`
      expect(answerOf(await asks<Action>(counter.reader.credential, 'GET', path))).toBe(
        '409 reader_action_over',
      )
    }
  })

  test('stop what takes no payment where it is unpaired: paired again, it is free', async () => {
    const counter = await newCounter()
    const { body } = await asksTip(counter)
    const unpair = () => ask(counter.merchant, 'POST', `/v1/terminal/readers/${counter.reader.id}/unpair`)
    const pair = async () => pairWith(await newCode(counter.merchant, counter.reader))
    await unpair()
    expect(await read(counter, body)).toMatchObject({ status: 'canceled', tip: { chosen: null } })
    await pair()
    const { body: taking } = await process(counter)
    expect(taking.status).toBe('in_progress')
    await control.trigger('sandbox')
    const types = ['created', 'created', 'canceled']
    await expect.poll(() => eventsOf(counter.merchant, 'reader_action')).toEqual(types)
    await unpair()
    expect((await read(counter, taking)).status).toBe('in_progress')
  })

  test('answer, which it does once: the same again is answered, another result is refused', async () => {
    const counter = await newCounter()
    const { body } = await asksFor(counter, 'ping')
    const results = await times((at) => reports(counter, body, { outcome: at % 2 ? 'completed' : 'failed' }))
    const [taken, refused] = [200, 409].map((status) => results.filter((each) => each.status === status))
    expect([taken?.length, refused?.length]).toEqual([25, 25])
    expect(new Set(refused?.map(({ body: { error } }) => error?.code))).toEqual(
      new Set(['reader_action_reported']),
    )
    const { status } = await read(counter, body)
    expect(await eventsOf(counter.merchant, 'reader_action')).toEqual(['created', status])
  })

  test('do something in time: then it is free, as soon as it asks or by the scheduled job', async () => {
    const counter = await newCounter()
    const late = async () => {
      const { body } = await asksFor(counter, 'ping')
      await ask(counter.merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT2M' })
      expect(answerOf(await reports(counter, body, completed))).toBe('409 reader_action_over')
      return body
    }
    const silent = await late()
    expect(answerOf(await asksFor(counter, 'ping'))).toBe('409 reader_busy')
    await control.trigger('sandbox')
    expect(await read(counter, silent)).toMatchObject({ status: 'timed_out', reported_as: null })
    const asking = await late()
    expect(await nextOf(counter)).toBeNull()
    await expect.poll(async () => (await read(counter, asking)).status).toBe('timed_out')
    const types = ['created', 'timed_out', 'created', 'timed_out']
    expect(await eventsOf(counter.merchant, 'reader_action')).toEqual(types)
    expect(answerOf(await asksFor(counter, 'ping'))).toBe('201 in_progress')
  })

  test('stop what it was asked, which it then no longer does', async () => {
    const counter = await newCounter()
    const { body } = await asksTip(counter)
    expect(answerOf(await cancel(counter, body))).toBe('200 canceled')
    expect(answerOf(await cancel(counter, body))).toBe('409 reader_action_over')
    expect(answerOf(await reports(counter, body, { ...completed, tip: { none: true } }))).toBe(
      '409 reader_action_over',
    )
    expect(await eventsOf(counter.merchant, 'reader_action')).toEqual(['created', 'canceled'])
  })

  test('do one thing at a time, of 50 of every type that are asked at once', async () => {
    const counter = await newCounter()
    await process(counter)
    await present(counter)
    const { body } = await ask<{ data: Action[] }>(counter.merchant, 'GET', '/v1/terminal/actions')
    const printing = { in_person_payment_id: body.data[0]!.in_person_payment_id }
    const asking = [
      () => process(counter),
      () => asksTip(counter),
      () => asksFor(counter, 'display', { line_items: lines }),
      () => asksFor(counter, 'print', printing),
      () => asksFor(counter, 'ping'),
    ]
    const answers = (await times((at) => asking[at % asking.length]!())).map(answerOf)
    expect(answers.filter((answer) => answer === '201 in_progress')).toHaveLength(1)
    expect(answers.filter((answer) => answer === '409 reader_busy')).toHaveLength(many - 1)
  })

  test('end once, where 50 cancel while the device answers', async () => {
    const counter = await newCounter()
    const { body } = await asksFor(counter, 'ping')
    const answers = await times((at) => (at % 2 ? cancel(counter, body) : reports(counter, body, completed)))
    const { status } = await read(counter, body)
    for (const answer of answers)
      expect([`200 ${status}`, '409 reader_action_over']).toContain(answerOf(answer))
    expect(['canceled', 'succeeded']).toContain(status)
    expect(await eventsOf(counter.merchant, 'reader_action')).toEqual(['created', status])
  })

  test('take no card by it: nobody presents one, and a receipt that fails declines no payment', async () => {
    const counter = await newCounter()
    const { body: taken } = await process(counter)
    await present(counter)
    const { body } = await asksFor(counter, 'print', { in_person_payment_id: taken.in_person_payment_id })
    expect(answerOf(await present(counter))).toBe('409 no_card_awaited')
    await reports(counter, body, { outcome: 'failed' })
    const listed = async (status: string) =>
      (await ask<{ data: object[] }>(counter.merchant, 'GET', `/v1/in-person-payments?status=${status}`)).body
        .data.length
    expect([await listed('declined'), await listed('succeeded')]).toEqual([0, 1])
  })
})

test('only a key for readers asks a reader, and only a paired one is asked', async () => {
  const counter = await newCounter()
  const { apiKey } = await newApiKey(counter.merchant, { scopes: ['tap_to_pay:write'] })
  const ofPhones = { ...counter, merchant: { ...counter.merchant, apiKey } }
  for (const answer of [
    await asksTip(ofPhones),
    await asksFor(ofPhones, 'display', { line_items: null }),
    await asksFor(ofPhones, 'print', { in_person_payment_id: counter.reader.id }),
    await asksFor(ofPhones, 'ping'),
  ])
    expect(answerOf(answer)).toBe('403 insufficient_scope')
  await ask(counter.merchant, 'POST', `/v1/terminal/readers/${counter.reader.id}/unpair`)
  expect(answerOf(await asksFor(counter, 'ping'))).toBe('409 device_not_paired')
  expect(answerOf(await asksTip(counter))).toBe('409 device_not_paired')
})

test('actions are listed by their type', async () => {
  const counter = await newCounter()
  const { body: first } = await asksFor(counter, 'ping')
  await reports(counter, first, completed)
  const { body: second } = await process(counter)
  const listed = async (query: string) =>
    (await ask<{ data: Action[] }>(counter.merchant, 'GET', `/v1/terminal/actions?${query}`)).body.data.map(
      ({ id }) => id,
    )
  expect(await listed('type=ping')).toEqual([first.id])
  expect(await listed('type=process_payment')).toEqual([second.id])
  expect(await listed('type=print')).toEqual([])
})
