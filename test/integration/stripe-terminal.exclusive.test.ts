import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../functions/in-person/devices/kinds.ts'
import { brokenRules } from '../support/books.ts'
import { newMerchant } from '../support/merchant.ts'
import { placesOf } from '../support/places.ts'
import { trigger } from '../support/stack.ts'
import { deliver, server, sql, until, withStripe } from '../support/stripe-live.ts'
import { other, withOwnAccount } from '../support/stripe-own-accounts.ts'
import {
  actionIs,
  asksLive,
  booksAt,
  cancels,
  charges,
  lastReader,
  newCode,
  newLiveDevice,
  newStripeCounter,
  readsAction,
  readsSale,
  registers,
  type StripeCounter,
  settles,
} from '../support/stripe-readers.ts'
import { type Action, answerOf, type InPerson, refusal, times } from '../support/terminal.ts'

withStripe({ PROCESSOR_TIMEOUT_MS: '2500' })

/** What holds after every payment, however it went. */
async function sound({ merchant }: StripeCounter): Promise<void> {
  expect(server.complaints).toEqual([])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
}

const attemptOf = async ({ payment_id }: Action) =>
  (
    await sql<{ id: string; status: string; account_id: string | null }>(
      'select id, status, account_id from payment_attempts where payment_id = $1',
      [payment_id],
    )
  )[0]!

describe('a reader of Stripe', () => {
  test('is registered by the code that it shows, and is paired then', async () => {
    const merchant = await newMerchant({ environment: 'live' })
    const device = await newLiveDevice(merchant)
    const [code, key] = [newCode(), randomUUID()]
    const { status, body } = await registers(merchant, device, code, key)
    expect([status, body]).toMatchObject([
      200,
      { status: 'paired', connection: 'never_seen', model: 'stripe_s700', software_version: '2.42.0.0' },
    ])
    expect((await registers(merchant, device, code, key)).body).toEqual(body)
    expect(answerOf((await registers(merchant, device)) as never)).toBe('409 device_already_paired')
    const [place] = server.places.values()
    expect(place).toMatchObject({ address: { city: 'Ciudad de México', country: 'MX' } })
    const kept = await sql('select processor_ref from devices where tenant_id = $1', [merchant.tenantId])
    expect(kept).toEqual([{ processor_ref: lastReader() }])
    expect(await placesOf(code)).toEqual([])
    expect(server.complaints).toEqual([])
  })

  test('is one of many that ask with its code at once, and its location is made once', async () => {
    const merchant = await newMerchant({ environment: 'live' })
    const [device, code] = [await newLiveDevice(merchant), newCode()]
    const answers = (await times(() => registers(merchant, device, code))).map(({ status }) => status)
    expect(answers.filter((status) => status === 200)).toHaveLength(1)
    expect([server.places.size, server.readers.size]).toEqual([1, 1])
    const second = { name: 'Barra', location_id: device.location_id }
    const { body } = await asksLive<typeof device>(merchant, 'POST', kinds.reader.path, second)
    expect((await registers(merchant, body)).status).toBe(200)
    expect([server.places.size, server.readers.size]).toEqual([1, 2])
  })

  test('is refused by name', async () => {
    const merchant = await newMerchant({ environment: 'live' })
    const device = await newLiveDevice(merchant)
    expect(refusal((await registers(merchant, device, 'none')) as never)).toBe(
      '422 reader_code_refused registration_code',
    )
    const nowhere = await newLiveDevice(merchant, {})
    expect(answerOf((await registers(merchant, nowhere)) as never)).toBe('422 location_takes_no_readers')
    server.failNext(/POST \/v1\/terminal\/readers$/, '403')
    expect(answerOf((await registers(merchant, device)) as never)).toBe('422 reader_registration_refused')
    const stranger = await newMerchant({ environment: 'live' })
    expect(answerOf((await registers(stranger, device)) as never)).toBe('404 device_not_found')
    server.failNext(/POST \/v1\/terminal\/readers$/, 'cut_after', 9)
    const code = newCode()
    expect(answerOf((await registers(merchant, device, code)) as never)).toBe('503 outcome_unknown')
    server.forgetFaults()
    expect((await registers(merchant, device, code)).status).toBe(200)
    expect(await placesOf(code)).toEqual([])
  })

  test('that is unpaired takes nothing until it is registered again', async () => {
    const counter = await newStripeCounter()
    const { merchant, device } = counter
    await asksLive(merchant, 'POST', `${kinds.reader.path}/${device.id}/unpair`)
    expect(answerOf(await charges(counter))).toBe('409 device_not_paired')
    await registers(merchant, device)
    expect(answerOf(await charges(counter))).toBe('201 in_progress')
    expect(server.awaiting(lastReader())).toBeDefined()
  })
})

describe('what a reader of Stripe is asked', () => {
  test('is paid by the card that is held to it, and booked once, told twice and in any order', async () => {
    const counter = await newStripeCounter()
    const { body: action } = await charges(counter)
    expect((await readsAction(counter, action)).status).toBe('in_progress')
    expect((await readsSale(counter, action)).status).toBe('waiting_device')
    const { id } = await attemptOf(action)
    expect(server.intentFor(id)).toMatchObject({ amount: 120_000, type: 'card_present' })
    server.presentCard(counter.reader)
    for (const _ of [1, 2]) {
      await deliver(['terminal.reader.action_succeeded'])
      await deliver()
      for (const each of server.events.all) each.delivered = false
    }
    await until(actionIs(counter, action, 'succeeded'))
    const sale = await readsSale(counter, action)
    expect(sale).toMatchObject({
      status: 'succeeded',
      card: { last4: '4242', reading: { entry_mode: 'contactless_emv' } },
    })
    expect(await booksAt(counter)).toEqual([{ status: 'succeeded', captured: '120000', journals: 1 }])
    await sound(counter)
  })

  test('is authorized where it is captured later, and refunded as it came', async () => {
    const counter = await newStripeCounter()
    const { body: action } = await charges(counter, { capture_method: 'manual' })
    server.presentCard(counter.reader)
    await deliver()
    await until(actionIs(counter, action, 'succeeded'))
    const at = `/v1/in-person-payments/${action.in_person_payment_id}`
    expect((await readsSale(counter, action)).status).toBe('authorized')
    const { body } = await asksLive<InPerson>(counter.merchant, 'POST', `${at}/capture`, { amount: '70000' })
    expect([body.status, body.amount_captured]).toEqual(['succeeded', '70000'])
    const refund = { payment_id: action.payment_id, amount: '20000', reason: 'requested_by_customer' }
    expect((await asksLive(counter.merchant, 'POST', '/v1/refunds', refund)).status).toBe(201)
    await until(async () => server.refunds.size === 1)
    await sound(counter)
  })

  test.each([
    ['declines', 'failed', 'requires_payment_method'],
    ['gives up', 'canceled', 'canceled'],
  ])('ends as the reader tells: a buyer whose bank %s', async (how, status, paid) => {
    const counter = await newStripeCounter()
    const { body: action } = await charges(counter)
    if (how === 'declines') server.presentCard(counter.reader, 'pm_funds')
    else server.giveUp(counter.reader)
    await deliver(['terminal.reader.action_failed'])
    await until(actionIs(counter, action, status))
    expect((await readsAction(counter, action)).failure_code).toBe(
      how === 'declines' ? 'insufficient_funds' : null,
    )
    expect(await booksAt(counter)).toEqual([{ status: paid, captured: '0', journals: 0 }])
    expect(answerOf(await charges(counter))).toBe('201 in_progress')
    await sound(counter)
  })

  test.each(['offline', 'busy'] as const)('charges nothing where the reader is %s', async (next) => {
    const counter = await newStripeCounter()
    server.next = next
    const { body: action } = await charges(counter)
    expect(await readsAction(counter, action)).toMatchObject({
      status: 'canceled',
      failure_code: `reader_${next}`,
    })
    expect(answerOf(await charges(counter))).toBe('201 in_progress')
    await sound(counter)
  })

  test('charges nothing at a reader that Stripe no longer has, and says so: it is registered again', async () => {
    const counter = await newStripeCounter()
    const { merchant, device, reader } = counter
    server.readers.delete(reader)
    const { body: action } = await charges(counter)
    expect(await readsAction(counter, action)).toMatchObject({
      status: 'canceled',
      failure_code: 'reader_not_registered',
    })
    expect(await booksAt(counter)).toEqual([{ status: 'canceled', captured: '0', journals: 0 }])
    await asksLive(merchant, 'POST', `${kinds.reader.path}/${device.id}/unpair`)
    expect((await registers(merchant, device)).status).toBe(200)
    const { body: next } = await charges(counter)
    expect(server.presentCard(lastReader())).toBe(true)
    await settles(counter)
    expect(await readsAction(counter, next)).toMatchObject({ status: 'succeeded', failure_code: null })
    await sound(counter)
  })

  test('is refused by name where Stripe does not offer it', async () => {
    const counter = await newStripeCounter()
    const { merchant, device } = counter
    expect(refusal(await charges(counter, { installment_months: 3 }))).toBe(
      '422 installments_unavailable installment_months',
    )
    expect(answerOf(await charges(counter, { currency: 'usd' }))).toBe('422 payment_method_unavailable')
    expect(answerOf(await asksLive(merchant, 'POST', `${kinds.reader.path}/${device.id}/ping`, {}))).toBe(
      '422 reader_pays_alone',
    )
    const own = await newLiveDevice(merchant)
    const at = `${kinds.reader.path}/${own.id}/pairing-codes`
    const { body } = await asksLive<{ one_time_value: string }>(merchant, 'POST', at)
    await asksLive({ ...merchant, apiKey: body.one_time_value }, 'POST', '/v1/device/pair', {})
    expect(answerOf(await charges({ ...counter, device: own }))).toBe('409 reader_not_registered')
    expect(server.intents.size).toBe(0)
  })
})

test('no reader takes a card for an account that may take none', async () => {
  const counter = await newStripeCounter()
  const { capabilities } = server.settings()
  const asksAccount = async () => {
    await sql('update environment_accounts set next_check_at = now()')
    await trigger('live')
  }
  // Its publishable key is checked the first time.
  await asksAccount()
  capabilities.card_payments = 'inactive'
  await asksAccount()
  expect(answerOf(await charges(counter))).toBe('422 payment_method_inactive')
  capabilities.card_payments = 'active'
  server.settings().off.add('card')
  await asksAccount()
  const another = await newStripeCounter()
  expect(answerOf(await charges(another))).toBe('201 in_progress')
})

describe('where an answer is lost', () => {
  test.each([
    [/POST \/v1\/payment_intents$/, 'cut_after'],
    [/process_payment_intent/, 'time_out_after'],
    [/process_payment_intent/, '500_after'],
    [/process_payment_intent/, 'late'],
  ] as const)('%s %s: it is no failure, and the card pays once', async (pattern, fault) => {
    const counter = await newStripeCounter()
    if (fault === 'late') server.next = fault
    else server.failNext(pattern, fault)
    const { body: action } = await charges(counter)
    expect((await readsAction(counter, action)).status).toBe('in_progress')
    expect((await attemptOf(action)).status).toBe('unknown')
    const isHanded = fault !== 'cut_after'
    if (isHanded) server.presentCard(counter.reader)
    await settles(counter)
    const status = isHanded ? 'succeeded' : 'canceled'
    expect((await readsAction(counter, action)).status).toBe(status)
    const paid = isHanded ? { captured: '120000', journals: 1 } : { captured: '0', journals: 0 }
    expect(await booksAt(counter)).toEqual([{ status, ...paid }])
    await sound(counter)
  })

  test('a reader did not answer: what it was handed is asked about by its id, before search sees it', async () => {
    const counter = await newStripeCounter()
    server.next = 'late'
    const { body: action } = await charges(counter)
    const { id } = await attemptOf(action)
    const [kept] = await sql('select status, processor_ref from payment_attempts where id = $1', [id])
    expect(kept).toEqual({ status: 'unknown', processor_ref: server.intentFor(id)!.id })
    server.searchable = false
    server.presentCard(counter.reader)
    await settles(counter)
    expect((await readsAction(counter, action)).status).toBe('succeeded')
    await sound(counter)
  })

  test('nobody notified us: the poll finds what a card has paid', async () => {
    const counter = await newStripeCounter()
    const { body: action } = await charges(counter)
    server.presentCard(counter.reader)
    await settles(counter)
    expect((await readsAction(counter, action)).status).toBe('succeeded')
    await sound(counter)
  })

  test('it is told before Stripe has answered: booked once', async () => {
    const counter = await newStripeCounter()
    server.failNext(/process_payment_intent/, 'time_out_after')
    const asked = charges(counter)
    await until(async () => server.presentCard(counter.reader))
    await deliver()
    const { body: action } = await asked
    await until(actionIs(counter, action, 'succeeded'))
    expect(await booksAt(counter)).toEqual([{ status: 'succeeded', captured: '120000', journals: 1 }])
    await sound(counter)
  })

  test('at the deadline nothing was presented: it is over at Stripe too', async () => {
    const counter = await newStripeCounter()
    const { body: action } = await charges(counter)
    await settles(counter, true)
    expect((await readsAction(counter, action)).status).toBe('timed_out')
    expect(server.presentCard(counter.reader)).toBe(false)
    await sound(counter)
  })

  test('a card that was read before a silent deadline pays: unknown, and then succeeded', async () => {
    const counter = await newStripeCounter()
    const { body: action } = await charges(counter)
    server.presentCard(counter.reader)
    server.failNext(/GET \/v1\/payment_intents/, '500', 20)
    await settles(counter, true)
    expect((await readsAction(counter, action)).status).toBe('unknown')
    expect(answerOf(await charges(counter))).toBe('201 in_progress')
    server.forgetFaults()
    await settles(counter)
    expect((await readsAction(counter, action)).status).toBe('succeeded')
    await sound(counter)
  })
})

describe('at once', () => {
  test('fifty tills ask one reader: one waits, the others are told that it is busy', async () => {
    const counter = await newStripeCounter()
    const answers = (await times(() => charges(counter))).map(answerOf)
    expect(answers.filter((answer) => answer === '201 in_progress')).toHaveLength(1)
    expect(new Set(answers)).toEqual(new Set(['201 in_progress', '409 reader_busy']))
    expect(server.intents.size).toBe(1)
    await sound(counter)
  })

  test('fifty cancel while a card is held to it: one of both wins', async () => {
    const counter = await newStripeCounter()
    const { body: action } = await charges(counter)
    const canceled = times(() => cancels(counter, action))
    await until(async () =>
      server.seen.some((each) => /GET .*payment_intents/.test(`${each.method} ${each.path}`)),
    )
    server.presentCard(counter.reader)
    await deliver()
    const answers = (await canceled).map(answerOf)
    await settles(counter)
    const { status } = await readsAction(counter, action)
    const [paid] = await booksAt(counter)
    expect([status, paid!.journals]).toEqual(status === 'succeeded' ? ['succeeded', 1] : ['canceled', 0])
    if (status === 'succeeded') expect(answers).not.toContain('200 canceled')
    expect([...server.intents.values()].map((each) => each.status)).toEqual([status])
    await sound(counter)
  })
})

test('a reader stays with its account: after a change it is registered again, and what it took ends there', async () => {
  const { merchant, set } = await withOwnAccount()
  const counter = await newStripeCounter(merchant)
  const { body: action } = await charges(counter, { capture_method: 'manual' })
  expect((await attemptOf(action)).account_id).not.toBeNull()
  expect(server.ownerOf(counter.reader)).toBe('acct_own')
  server.presentCard(counter.reader)
  await settles(counter)
  await set(other)
  expect(answerOf(await charges(counter))).toBe('409 reader_not_registered')
  const at = `/v1/in-person-payments/${action.in_person_payment_id}/capture`
  expect((await asksLive<InPerson>(merchant, 'POST', at, {})).body.status).toBe('succeeded')
  const presented = [...server.intents.values()].filter(({ type }) => type === 'card_present')
  expect(presented.map(({ id }) => server.ownerOf(id))).toEqual(['acct_own'])
  await asksLive(merchant, 'POST', `${kinds.reader.path}/${counter.device.id}/unpair`)
  await registers(merchant, counter.device)
  expect(server.ownerOf(lastReader())).toBe('acct_other')
  expect(answerOf(await charges(counter))).toBe('201 in_progress')
  await sound(counter)
})
