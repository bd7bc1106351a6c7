import { describe, expect, test } from 'vitest'
import { brokenRules, settleAttempts } from '../../support/books.ts'
import { configures, offline } from '../../support/configurations.ts'
import { asks, newCode, newDevice } from '../../support/devices.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import {
  allowanceOf,
  forwards,
  listOffline,
  newOfflineCounter,
  newSigningKey,
  offlineBooks,
  outcomes,
  pairSigning,
  stores,
} from '../../support/offline.ts'
import { newGoverned, setPolicy } from '../../support/policy.ts'
import { resolve } from '../../support/review.ts'
import { adminSql } from '../../support/stack.ts'
import { ask, eventsOf, type InPerson, newCounter } from '../../support/terminal.ts'

const sql = adminSql('sandbox')

describe('what a reader has stored', () => {
  test('is forwarded: paid, with its tip, its card and its times', async () => {
    const counter = await newOfflineCounter()
    const { merchant, reader } = counter
    const stored = await stores(counter, { amount: '40000', amount_tip: '4000' })
    const reply = await forwards(counter, [stored])
    expect([reply.status, outcomes(reply)]).toEqual([200, ['succeeded']])
    const [kept] = await listOffline(merchant)
    expect(kept).toMatchObject({ status: 'succeeded', taken_at: stored.taken_at, loss: null })
    const at = `/v1/in-person-payments/${kept!.in_person_payment_id}`
    const sale = (await ask<InPerson & { offline: object }>(merchant, 'GET', at)).body
    expect(sale).toMatchObject({
      status: 'succeeded',
      device_id: reader.id,
      location_id: reader.location_id,
      amount: '44000',
      amount_tip: '4000',
      amount_captured: '44000',
      card: { brand: 'visa', reading: { entry_mode: 'contactless_emv' } },
      offline: { status: 'succeeded', stored_at: stored.taken_at },
    })
    expect((await ask(merchant, 'GET', `${at}/receipt`)).status).toBe(200)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    await expect.poll(() => eventsOf(merchant, 'offline_payment')).toEqual(['created', 'succeeded'])
  })

  test('is one payment, sent again, in parts, and in another order', async () => {
    const counter = await newOfflineCounter()
    const [first, second, third] = [await stores(counter), await stores(counter), await stores(counter)]
    const whole = await forwards(counter, [first, second], { has_more: true })
    expect((await forwards(counter, [third, first])).body.results[1]).toEqual(whole.body.results[0])
    expect(outcomes(await forwards(counter, [second, first, third]))).toEqual(Array(3).fill('succeeded'))
    expect(await offlineBooks(counter.merchant)).toMatchObject({
      payments: 3,
      captured: '36000',
      charged: '36000',
    })
  })

  test('is no other payment under its name, while the rest of its batch is taken', async () => {
    const counter = await newOfflineCounter()
    const stored = await stores(counter)
    await forwards(counter, [stored], { has_more: true })
    const other = await stores(counter, { id: stored.id, amount: '12002' })
    const reply = await forwards(counter, [other, await stores(counter)])
    expect(outcomes(reply)).toEqual(['not_recorded offline_payment_id_used', 'succeeded'])
    expect(reply.body.results[0]!.offline_payment_id).toBeNull()
    expect(await offlineBooks(counter.merchant)).toMatchObject({ payments: 2, captured: '24000' })
  })

  test.each([
    ['tok_sbx_decline_funds', {}, 'insufficient_funds'],
    ['tok_sbx_approve', { amount: '12001' }, 'card_declined'],
    ['tok_sbx_approve', { amount: '12055' }, 'authentication_failed'],
  ])('is a loss where the card is declined afterwards: %s %j', async (token, fields, reason) => {
    const counter = await newOfflineCounter()
    const { merchant } = counter
    const stored = await stores(counter, { token, ...fields })
    const send = () => forwards(counter, [stored])
    expect([outcomes(await send()), outcomes(await send())]).toEqual([['declined'], ['declined']])
    const [lost] = await listOffline(merchant, '?status=declined')
    expect(lost).toMatchObject({ loss: { reason, amount: stored.amount } })
    expect(await offlineBooks(merchant)).toMatchObject({
      payments: 1,
      captured: '0',
      losses: 1,
      lost: stored.amount,
    })
    const sale = await ask(merchant, 'GET', `/v1/in-person-payments/${lost!.in_person_payment_id}`)
    expect(sale.body.status).toBe('declined')
    await expect.poll(() => eventsOf(merchant, 'offline_payment')).toEqual(['created', 'declined'])
  })

  test.each(['lost', 'late'])(
    'is unknown, and not failed, until the bank has answered: %s',
    async (answer) => {
      const counter = await newOfflineCounter()
      const { merchant } = counter
      const stored = await stores(counter, { answer })
      expect(outcomes(await forwards(counter, [stored]))).toEqual(['unknown'])
      const [kept] = await listOffline(merchant)
      const at = `/v1/in-person-payments/${kept!.in_person_payment_id}`
      expect((await ask(merchant, 'GET', at)).body.status).toBe('unknown')
      if (answer === 'late') await ask(merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT7M' })
      await settleAttempts(merchant.tenantId, 4)
      expect(outcomes(await forwards(counter, [stored]))).toEqual(['succeeded'])
      expect(await offlineBooks(merchant)).toMatchObject({ payments: 1, captured: '12000', losses: 0 })
      await expect
        .poll(() => eventsOf(merchant, 'offline_payment'))
        .toEqual(['created', 'unknown', 'succeeded'])
    },
  )

  test('is unknown, and no loss, where the processor reports another amount', async () => {
    const counter = await newOfflineCounter()
    const { merchant } = counter
    const stored = await stores(counter, { token: 'tok_sbx_amount_mismatch' })
    expect(outcomes(await forwards(counter, [stored]))).toEqual(['unknown'])
    expect(await offlineBooks(merchant)).toMatchObject({ payments: 1, captured: '0', losses: 0 })
    const [kept] = await listOffline(merchant)
    expect((await resolve(merchant, kept!.payment_id!, 'settled_elsewhere')).status).toBe(200)
    expect(await listOffline(merchant)).toMatchObject([{ status: 'canceled', loss: null }])
  })

  test('is a loss where the processor reported another amount, and then a decline', async () => {
    const counter = await newOfflineCounter()
    const { merchant } = counter
    await forwards(counter, [await stores(counter, { token: 'tok_sbx_amount_mismatch' })])
    const [kept] = await listOffline(merchant)
    await sql(
      `update simulator.charges c set state = 'declined', decline_code = 'insufficient_funds'
       from payment_attempts a where a.id = c.reference and a.tenant_id = $1`,
      [merchant.tenantId],
    )
    await resolve(merchant, kept!.payment_id!, 'recheck')
    await expect
      .poll(() => listOffline(merchant))
      .toMatchObject([{ status: 'declined', loss: { reason: 'insufficient_funds', amount: '12000' } }])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('ends with its attempt, also where the card was forgotten meanwhile', async () => {
    const counter = await newOfflineCounter()
    const { merchant } = counter
    writtenByHand(merchant.tenantId)
    await forwards(counter, [await stores(counter, { answer: 'late' })])
    const attempts = `update payment_attempts set status = 'pending_customer' where tenant_id = $1`
    await sql(attempts, [merchant.tenantId])
    expect(await listOffline(merchant)).toMatchObject([{ status: 'unknown', loss: null }])
    await sql(
      `update payment_attempts set status = 'declined', decline_code = 'card_declined', resolved_at = now(),
         next_check_at = null where tenant_id = $1`,
      [merchant.tenantId],
    )
    expect(await listOffline(merchant)).toMatchObject([
      { status: 'declined', loss: { reason: 'card_declined' } },
    ])
  })

  test.each([-1, 1])('does not hang on the clock of the reader, %i day off', async (days) => {
    const counter = await newOfflineCounter()
    const taken_at = new Date(Date.now() + days * 86_400_000).toISOString()
    expect(outcomes(await forwards(counter, [await stores(counter, { taken_at })]))).toEqual(['succeeded'])
    expect(await listOffline(counter.merchant)).toMatchObject([{ taken_at, status: 'succeeded' }])
  })
})

describe('a stored payment is refused, kept as such, and charges nobody', () => {
  test.each([
    ['above the most of one payment', { amount: '50001' }, 'amount_above_maximum'],
    ['with its tip above the most of one', { amount: '26000', amount_tip: '25000' }, 'amount_above_maximum'],
    ['with a tip above the amount', { amount: '10000', amount_tip: '10001' }, 'tip_above_amount'],
    ['in another currency', { currency: 'usd' }, 'currency_unsupported'],
    ['below the least of a payment', { amount: '1' }, 'refused_by_policy'],
  ])('%s', async (_, fields, code) => {
    const counter = await newOfflineCounter()
    const stored = await stores(counter, fields)
    const send = () => forwards(counter, [stored])
    const first = await send()
    expect(outcomes(first)).toEqual([`refused ${code}`])
    expect((await send()).body.results).toEqual(first.body.results)
    expect(await listOffline(counter.merchant)).toMatchObject([{ refusal_code: code, payment_id: null }])
    expect(await offlineBooks(counter.merchant)).toMatchObject({ payments: 0, charged: '0', losses: 0 })
    expect(await eventsOf(counter.merchant, 'offline_payment')).toEqual(['refused'])
  })

  test('by the payment policy as it is now, and by no earlier one', async () => {
    const governed = await newGoverned()
    const counter = await newOfflineCounter(governed.merchant)
    const max = (amount: string) =>
      setPolicy(governed, { methods: { card_present: { amount_max: { mxn: amount } } } })
    await forwards(counter, [await stores(counter)], { has_more: true })
    await max('11999')
    const [second, third] = [await stores(counter), await stores(counter)]
    expect(outcomes(await forwards(counter, [second], { has_more: true }))).toEqual([
      'not_recorded policy_refuses_now',
    ])
    await max('12000')
    expect(outcomes(await forwards(counter, [second, third]))).toEqual(['succeeded', 'succeeded'])
  })

  test('beyond the most that the reader stores, while the rest is taken', async () => {
    const counter = await newOfflineCounter()
    const each = Array.from({ length: 5 }, () => stores(counter, { amount: '45000' }))
    const reply = await forwards(counter, await Promise.all(each))
    expect(outcomes(reply)).toEqual([...Array(4).fill('succeeded'), 'refused stored_amount_above_maximum'])
    expect(await offlineBooks(counter.merchant)).toMatchObject({ captured: '180000' })
  })

  test('under a place that another one has', async () => {
    const counter = await newOfflineCounter()
    const [first, second] = [await stores(counter, { sequence: 7 }), await stores(counter, { sequence: 7 })]
    const batch = await forwards(counter, [first, second], { has_more: true })
    expect(outcomes(batch)).toEqual(['succeeded', 'refused sequence_used'])
    const third = await stores(counter, { sequence: 7 })
    expect(outcomes(await forwards(counter, [third]))).toEqual(['refused sequence_used'])
  })

  test('signed by another key, or changed after it was signed', async () => {
    const counter = await newOfflineCounter()
    const stranger = await stores({ ...counter, key: await newSigningKey() })
    const changed = { ...(await stores(counter)), amount: '13000' }
    const other = await stores(counter)
    const card = { ...other, card: { ...other.card, token: 'tok_sbx_debit' } }
    expect(outcomes(await forwards(counter, [stranger, changed, card]))).toEqual(
      Array(3).fill('refused signature_invalid'),
    )
    expect(await offlineBooks(counter.merchant)).toMatchObject({ payments: 0 })
  })

  test('under the allowance of another reader, or of another workspace', async () => {
    const counter = await newOfflineCounter()
    const [beside, foreign] = [await newOfflineCounter(counter.merchant), await newOfflineCounter()]
    const named = await Promise.all(
      [beside, foreign].map(({ allowance }) => stores({ ...counter, allowance })),
    )
    expect(outcomes(await forwards(counter, named))).toEqual(Array(2).fill('refused allowance_not_found'))
  })
})

describe('what a reader may store', () => {
  test('is what its configuration says, until that says something else', async () => {
    const counter = await newOfflineCounter()
    const { merchant, reader, configuration, allowance } = counter
    expect(allowance).toMatchObject({
      amount_max: '50000',
      stored_amount_max: '200000',
      stored_hours_max: 24,
    })
    const before = await stores(counter, { amount: '50000' })
    const lower = { ...offline, amount_max: '10000' }
    await configures(merchant, 'PATCH', `/${configuration.id}`, { offline: lower })
    const now = (await allowanceOf(reader))!
    expect([now.amount_max, now.id === allowance.id]).toEqual(['10000', false])
    const after = await stores({ ...counter, allowance: now }, { amount: '10001' })
    expect(outcomes(await forwards(counter, [before, after]))).toEqual([
      'succeeded',
      'refused amount_above_maximum',
    ])
  })

  test('begins again when the reader holds nothing else', async () => {
    const counter = await newOfflineCounter()
    const { reader, allowance } = counter
    const half = await forwards(counter, [await stores(counter)], { has_more: true })
    expect(half.body.offline_allowance).toEqual(allowance)
    const { body } = await forwards(counter, [await stores(counter)])
    expect(body.offline_allowance).toEqual({ ...allowance, id: expect.not.stringMatching(allowance.id) })
    expect(await allowanceOf(reader)).toEqual(body.offline_allowance)
    const next = { ...counter, allowance: body.offline_allowance! }
    const full = await Promise.all(Array.from({ length: 4 }, () => stores(next, { amount: '50000' })))
    expect(outcomes(await forwards(counter, full))).toEqual(Array(4).fill('succeeded'))
  })

  test('ends with the hours that it may be kept, by our clock', async () => {
    const counter = await newOfflineCounter()
    const { merchant, configuration } = counter
    const [first, second] = [await stores(counter), await stores(counter)]
    await configures(merchant, 'POST', `/${configuration.id}/archive`)
    expect(await allowanceOf(counter.reader)).toBeNull()
    await ask(merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT23H' })
    expect(outcomes(await forwards(counter, [first]))).toEqual(['succeeded'])
    await ask(merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT2H' })
    expect(outcomes(await forwards(counter, [second]))).toEqual(['refused allowance_ended'])
  })

  test('is nothing without a key, for a phone, or where the configuration takes nothing offline', async () => {
    const { reader, merchant, configuration } = await newOfflineCounter()
    const plain = await newCounter()
    expect(await allowanceOf(plain.reader)).toBeNull()
    const phone = await newDevice(merchant, 'phone')
    await asks(merchant.apiKey, 'PATCH', `/v1/tap-to-pay/devices/${phone.id}`, {
      terminal_configuration_id: configuration.id,
    })
    const { body } = await pairSigning(await newCode(merchant, phone), await newSigningKey())
    expect(await allowanceOf({ credential: body.one_time_value! })).toBeNull()
    const disabled = { ...offline, enabled: false }
    await configures(merchant, 'PATCH', `/${configuration.id}`, { offline: disabled })
    expect(await allowanceOf(reader)).toBeNull()
  })

  test('ends while its location is archived, and what was stored before is taken', async () => {
    const counter = await newOfflineCounter()
    const { merchant, reader, allowance } = counter
    const stored = await stores(counter)
    const moves = (to: string) => ask(merchant, 'POST', `/v1/workspace/locations/${reader.location_id}/${to}`)
    await moves('archive')
    expect(await allowanceOf(reader)).toBeNull()
    expect(outcomes(await forwards(counter, [stored]))).toEqual(['succeeded'])
    await moves('restore')
    expect(await allowanceOf(reader)).toEqual({ ...allowance, id: expect.not.stringMatching(allowance.id) })
  })

  test('outlives another pairing of the same reader, which forwards what it has kept', async () => {
    const counter = await newOfflineCounter()
    const { merchant, reader, key, allowance } = counter
    const stored = await stores(counter)
    await asks(merchant.apiKey, 'POST', `/v1/terminal/readers/${reader.id}/unpair`)
    const { body } = await pairSigning(await newCode(merchant, reader), key)
    const again = { reader: { credential: body.one_time_value! } }
    expect((await allowanceOf(again.reader))!.id).not.toBe(allowance.id)
    expect(outcomes(await forwards(again, [stored]))).toEqual(['succeeded'])
  })

  test('follows the location that the reader stands at', async () => {
    const counter = await newOfflineCounter()
    const { merchant, reader, configuration } = counter
    const names = (at: string, id: string | null) =>
      asks(merchant.apiKey, 'PATCH', at, { terminal_configuration_id: id })
    await names(`/v1/terminal/readers/${reader.id}`, null)
    expect(await allowanceOf(reader)).toBeNull()
    await names(`/v1/workspace/locations/${reader.location_id}`, configuration.id)
    expect(await allowanceOf(reader)).toMatchObject({ amount_max: '50000' })
  })
})

test('payments in person are found by what became of them', async () => {
  const counter = await newOfflineCounter()
  const { merchant } = counter
  const tokens = ['tok_sbx_approve', 'tok_sbx_decline_funds']
  await forwards(counter, await Promise.all(tokens.map((token) => stores(counter, { token }))))
  await forwards(counter, [await stores(counter, { answer: 'late' })])
  const count = async (query: string) =>
    (await ask<{ data: unknown[] }>(merchant, 'GET', `/v1/in-person-payments${query}`)).body.data.length
  const counts = await Promise.all(
    [
      '',
      '?offline_status=succeeded',
      '?offline_status=declined',
      '?offline_status=unknown',
      '?offline_status=forwarding',
      '?status=declined',
      '?status=unknown',
      '?status=succeeded&offline_status=succeeded',
      '?status=declined&offline_status=succeeded',
      `?offline_status=declined&device_id=${counter.reader.id}`,
    ].map(count),
  )
  expect(counts).toEqual([3, 1, 1, 1, 0, 1, 1, 1, 0, 1])
})
