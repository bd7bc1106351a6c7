import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isClabe } from '../../../src/kernel/clabe.ts'
import {
  attemptsOf,
  balancesOf,
  brokenRules,
  journalsOf,
  pageState,
  settleAttempts,
} from '../../support/books.ts'
import { call, type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { deposit, depositsOf, lent, lentNow, standing, unappliedFundsOf } from '../../support/spei.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { statusOf } from './story.ts'

const advance = (merchant: Merchant, by: string) =>
  call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: by } })

/** The time of a CLABE and the bank days after it pass. */
async function expires(merchant: Merchant): Promise<void> {
  expect((await advance(merchant, 'P12D')).status).toBe(200)
  await trigger('sandbox')
}

const eventsOf = (merchant: Merchant) =>
  adminSql('sandbox')<{ type: string; object: Record<string, unknown> }>(
    'select type, object from events where tenant_id = $1 order by created_at, id, sequence',
    [merchant.tenantId],
  )

describe('a payment by SPEI', () => {
  test('waits on a CLABE of its own, which is right by its check digit', async () => {
    const merchant = await newMerchant()
    const { clabe, location, paymentId } = await lent(merchant)
    expect(clabe).toMatch(/^646180\d{12}$/)
    expect(isClabe(clabe)).toBe(true)
    expect(await standing(merchant, paymentId)).toBe('requires_action 0 assigned')
    expect((await pageState(location)).state).toBe('awaits_payment')
    expect(await journalsOf(merchant.tenantId)).toEqual({})
  })

  // Acceptance test 10: what arrives, the payment's outcome, what is unapplied.
  const stories: [name: string, arrives: number[], ends: string, unapplied: string[]][] = [
    ['exact', [120_000], 'succeeded 120000 quarantined', []],
    ['short', [50_000], 'requires_action 50000 assigned', []],
    ['short, then the rest', [50_000, 70_000], 'succeeded 120000 quarantined', []],
    [
      'in a hundred small steps of which the last is too much',
      [119_999, 2],
      'succeeded 120000 quarantined',
      ['overpaid 1/1'],
    ],
    ['over', [125_000], 'succeeded 120000 quarantined', ['overpaid 5000/5000']],
    [
      'again after it was paid',
      [120_000, 30_000],
      'succeeded 120000 quarantined',
      ['already_paid 30000/30000'],
    ],
  ]
  test.each(stories)('%s', async (_, arrives, ends, unapplied) => {
    const merchant = await newMerchant()
    const { link, clabe, location, paymentId } = await lent(merchant)
    for (const amount of arrives) {
      expect((await deposit(merchant, clabe, amount)).status).toBe(201)
      expect(await brokenRules(merchant.tenantId)).toEqual([])
    }
    expect(await standing(merchant, paymentId)).toBe(ends)
    expect(await unappliedFundsOf(merchant)).toEqual(unapplied)
    const paid = ends.startsWith('succeeded')
    expect(await statusOf(merchant, link)).toBe(paid ? 'paid' : 'active')
    expect((await pageState(location)).state).toBe(paid ? 'succeeded' : 'awaits_payment')
    expect(await journalsOf(merchant.tenantId)).toEqual({
      deposit: arrives.length,
      ...(paid ? { capture: 1 } : {}),
    })
    const received = arrives.reduce((sum, amount) => sum + amount, 0)
    expect((await balancesOf(merchant.tenantId))['mxn/processor_clearing']).toBe(BigInt(-received))
  })

  test('the fees of SPEI are on the amount, not on what arrived', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    await deposit(merchant, clabe, 130_000, { clave_rastreo: 'ABC123' })
    const { body } = await call<{ amount_net: string; fee_details: { processing: string; iva: string } }>(
      'GET',
      `/v1/payment-operations/payments/${paymentId}`,
      { bearer: merchant.apiKey },
    )
    expect(body).toMatchObject({
      status: 'succeeded',
      amount_received: '120000',
      amount_captured: '120000',
      method_details: { clabe, clave_rastreo: 'ABC123' },
    })
    const { processing, iva } = body.fee_details
    expect(BigInt(body.amount_net) + BigInt(processing) + BigInt(iva)).toBe(120_000n)
  })

  test('each part that arrives makes an event', async () => {
    const merchant = await newMerchant()
    const { clabe } = await lent(merchant)
    for (const amount of [20_000, 30_000, 70_000]) await deposit(merchant, clabe, amount)
    const told = (await eventsOf(merchant)).filter(({ type }) => type.startsWith('payment.'))
    expect(told.map(({ type, object }) => `${type} ${object.amount_received}`)).toEqual([
      'payment.created 0',
      'payment.requires_action 0',
      'payment.partially_funded 20000',
      'payment.partially_funded 50000',
      'payment.succeeded 120000',
    ])
  })

  test('the same transfer reported again changes nothing, whichever way it comes', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    const same = { clave_rastreo: 'MBAN01002606130001', operated_on: '2026-06-13' }
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => deposit(merchant, clabe, 50_000, same)),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    expect(await standing(merchant, paymentId)).toBe('requires_action 50000 assigned')
    expect(await depositsOf(merchant)).toHaveLength(1)
    // The same clave of another bank, day or amount is another transfer.
    await deposit(merchant, clabe, 10_000, same)
    await deposit(merchant, clabe, 50_000, { ...same, sender_bank: '40002' })
    expect(await standing(merchant, paymentId)).toBe('requires_action 110000 assigned')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a retry of the sandbox call is the same transfer', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    const key = { 'idempotency-key': randomUUID() }
    const first = await deposit(merchant, clabe, 50_000, {}, key)
    const again = await deposit(merchant, clabe, 50_000, {}, key)
    expect(again.body).toEqual(first.body)
    expect(await standing(merchant, paymentId)).toBe('requires_action 50000 assigned')
  })

  test('a retry after midnight of a call that died before its reply is the same transfer', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    const headers = { 'idempotency-key': randomUUID() }
    const evening = { operated_on: '2026-06-13' }
    const first = await deposit(merchant, clabe, 50_000, evening, headers)
    await adminSql('sandbox')('delete from idempotency_claims where tenant_id = $1 and operation = $2', [
      merchant.tenantId,
      'sandbox.spei.deposit',
    ])
    const again = await deposit(merchant, clabe, 50_000, {}, headers)
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body,
      null,
    ])
    expect(await standing(merchant, paymentId)).toBe('requires_action 50000 assigned')
    expect(await depositsOf(merchant)).toHaveLength(1)
  })

  test('each transfer that arrived can be read, with its sender', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    const sender = { sender_clabe: '646180111805034237', sender_name: 'Ana Torres', sender_bank: '90646' }
    await deposit(merchant, clabe, 130_000, { ...sender, clave_rastreo: 'ABC', operated_on: '2026-06-13' })
    await deposit(merchant, '012914002014112176', 5_000)
    const read = (query: string) =>
      call<{ data: object[] }>('GET', `/v1/payment-operations/spei-deposits${query}`, {
        bearer: merchant.apiKey,
      })
    expect((await read('')).body.data).toHaveLength(2)
    expect((await read(`?payment_id=${paymentId}`)).body.data).toMatchObject([
      {
        ...sender,
        clabe,
        amount: '130000',
        applied: '120000',
        clave_rastreo: 'ABC',
        operated_on: '2026-06-13',
      },
    ])
  })

  test('50 transfers at once: the sum is exact, one succeeds, the rest is unapplied', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    const amounts = Array.from({ length: 50 }, (_, at) => 2_000 + 37 * at)
    const replies = await Promise.all(amounts.map((amount) => deposit(merchant, clabe, amount)))
    expect(replies.map(({ status }) => status)).toEqual(amounts.map(() => 201))
    expect(await standing(merchant, paymentId)).toBe('succeeded 120000 quarantined')
    const deposits = await depositsOf(merchant)
    expect(deposits).toHaveLength(50)
    expect(deposits.reduce((sum, row) => sum + BigInt(row.applied_minor), 0n)).toBe(120_000n)
    const received = amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)
    expect((await balancesOf(merchant.tenantId))['mxn/unapplied_funds']).toBe(received - 120_000n)
    expect((await journalsOf(merchant.tenantId)).capture).toBe(1)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('50 small transfers at once are all counted', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    await Promise.all(Array.from({ length: 50 }, () => deposit(merchant, clabe, 2_399)))
    expect(await standing(merchant, paymentId)).toBe('requires_action 119950 assigned')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('money that no payment waits for', () => {
  test('the transfers that an expired payment received are unapplied, each by itself', async () => {
    const merchant = await newMerchant()
    const { clabe, location, paymentId } = await lent(merchant)
    await deposit(merchant, clabe, 40_000)
    await deposit(merchant, clabe, 30_000)
    await expires(merchant)
    expect(await standing(merchant, paymentId)).toBe('expired 0 quarantined')
    expect((await unappliedFundsOf(merchant)).sort()).toEqual([
      'incomplete 30000/30000',
      'incomplete 40000/40000',
    ])
    expect((await pageState(location)).state).toBe('expired')
    // A late transfer, to the quarantined CLABE.
    await deposit(merchant, clabe, 50_000)
    expect(await standing(merchant, paymentId)).toBe('expired 0 quarantined')
    expect(await unappliedFundsOf(merchant)).toContain('paid_late 50000/50000')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a transfer to a CLABE that was never assigned is unapplied', async () => {
    const merchant = await newMerchant()
    expect((await deposit(merchant, '012914002014112176', 5_000)).status).toBe(201)
    expect(await unappliedFundsOf(merchant)).toEqual(['unknown_clabe 5000/5000'])
    expect(await depositsOf(merchant)).toMatchObject([
      { amount_minor: '5000', applied_minor: '0', payment_id: null },
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test("another merchant's CLABE counts as never assigned, and the other merchant is not notified", async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()]
    const { clabe, paymentId } = await lent(other)
    const same = { clave_rastreo: 'X1', operated_on: '2026-06-13' }
    await deposit(merchant, clabe, 120_000, same)
    expect(await unappliedFundsOf(merchant)).toEqual(['unknown_clabe 120000/120000'])
    expect(await standing(other, paymentId)).toBe('requires_action 0 assigned')
    // It does not stand in for the other's own transfer either.
    await deposit(other, clabe, 120_000, same)
    expect(await standing(other, paymentId)).toBe('succeeded 120000 quarantined')
    for (const { tenantId } of [merchant, other]) expect(await brokenRules(tenantId)).toEqual([])
  })

  test('after 90 days a CLABE is released; before that no other payment gets it', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    await deposit(merchant, clabe, 120_000)
    await advance(merchant, 'P89D')
    await trigger('sandbox')
    expect(await standing(merchant, paymentId)).toBe('succeeded 120000 quarantined')
    await advance(merchant, 'P2D')
    await trigger('sandbox')
    expect(await standing(merchant, paymentId)).toBe('succeeded 120000 released')
    await deposit(merchant, clabe, 100)
    expect(await unappliedFundsOf(merchant)).toEqual(['unknown_clabe 100/100'])
  })
})

describe('other endings', () => {
  test('a transfer reported before the processor answered: the CLABE is recorded first', async () => {
    const merchant = await newMerchant()
    const { link, paymentId } = await lent(merchant, 120_000, {}, 'timeout_then_lent@example.com')
    const [attempt] = await attemptsOf(merchant.tenantId)
    expect(attempt!.status).toBe('unknown')
    const [lentThere] = await adminSql('sandbox')<{ clabe: string }>(
      'select clabe from simulator.clabes where reference = $1',
      [attempt!.id],
    )
    await deposit(merchant, lentThere!.clabe, 120_000)
    expect(await standing(merchant, paymentId)).toBe('succeeded 120000 quarantined')
    expect(await statusOf(merchant, link)).toBe('paid')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a processor that refuses a CLABE declines the payment; one that did not answer is asked again', async () => {
    const merchant = await newMerchant()
    const refused = await lent(merchant, 120_000, {}, 'clabe_refused@example.com')
    expect((await pageState(refused.location)).state).toBe('declined')
    const silent = await lent(merchant, 120_000, {}, 'timeout_then_lent@example.com')
    await settleAttempts(merchant.tenantId, 1)
    expect((await lentNow(merchant, silent.link)).clabe).toMatch(/^646180/)
    expect((await pageState(silent.location)).state).toBe('awaits_payment')
  })

  test('another way to pay: the CLABE is closed, what was received is unapplied, no second payment goes unseen', async () => {
    const merchant = await newMerchant()
    const { link, clabe, location, paymentId } = await lent(merchant)
    await deposit(merchant, clabe, 20_000)
    const retry = `?retry=${/spcs_[a-z0-9]{32}/.exec(location)![0]}`
    await pay(link.public_id, await openLink(link.public_id, retry), 'tok_sbx_approve')
    const all = 'select id, status, method from payments where tenant_id = $1 order by created_at'
    expect(await adminSql('sandbox')(all, [merchant.tenantId])).toMatchObject([
      { id: paymentId, status: 'canceled', method: 'spei' },
      { status: 'succeeded', method: 'card' },
    ])
    expect(await unappliedFundsOf(merchant)).toEqual(['incomplete 20000/20000'])
    await deposit(merchant, clabe, 100_000)
    expect((await unappliedFundsOf(merchant)).at(-1)).toBe('paid_late 100000/100000')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('money that arrived but was not reported yet wins over another way to pay', async () => {
    const merchant = await newMerchant()
    const { link, clabe, location, paymentId } = await lent(merchant)
    await arrivesUntold(merchant, clabe, 120_000)
    const retry = `?retry=${/spcs_[a-z0-9]{32}/.exec(location)![0]}`
    await pay(link.public_id, await openLink(link.public_id, retry), 'tok_sbx_approve')
    expect(await standing(merchant, paymentId)).toBe('succeeded 120000 quarantined')
    expect(await journalsOf(merchant.tenantId)).toEqual({ deposit: 1, capture: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('money that arrived and was never reported is found when the time is over, and counts', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    await arrivesUntold(merchant, clabe, 120_000, true)
    await expires(merchant)
    expect(await standing(merchant, paymentId)).toBe('succeeded 120000 quarantined')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a transfer whose notification was lost is found when the notification is repeated', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    await arrivesUntold(merchant, clabe, 50_000)
    await trigger('sandbox')
    expect(await standing(merchant, paymentId)).toBe('requires_action 50000 assigned')
  })

  test('transfers race the expiry: each is counted or unapplied, never both, never neither', async () => {
    for (let round = 0; round < 4; round++) {
      const merchant = await newMerchant()
      const { clabe, paymentId } = await lent(merchant)
      await advance(merchant, 'P12D')
      const amounts = Array.from({ length: 10 }, (_, at) => 11_000 + at)
      await Promise.all([...amounts.map((amount) => deposit(merchant, clabe, amount)), trigger('sandbox')])
      await settleAttempts(merchant.tenantId, 3)
      const ended = await standing(merchant, paymentId)
      expect(ended).toMatch(/^(expired 0|requires_action 110045|succeeded) /)
      expect(await brokenRules(merchant.tenantId)).toEqual([])
      const received = amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)
      expect((await balancesOf(merchant.tenantId))['mxn/unapplied_funds']).toBe(received)
    }
  })
})

/** A transfer whose notification from the processor is lost; `confirmed`: the processor believes that we have it. */
const arrivesUntold = (
  merchant: Merchant,
  clabe: string,
  amount: number,
  confirmed = false,
  clave = randomUUID().replaceAll('-', '').slice(0, 30),
) =>
  adminSql('sandbox')(
    `insert into simulator.spei_deposits (clabe, reference, account, amount_minor, clave_rastreo, sender_bank,
       operated_on, confirmed_at)
     select $1, c.reference, door.workspace_id($2), $3, $4, '40012', current_date, case when $5 then now() end
     from simulator.clabes c where c.clabe = $1`,
    [clabe, merchant.tenantId, amount, clave, confirmed],
  )

test('a tracking key that may be a card number: refused from a merchant, booked under another name from a bank', async () => {
  const merchant = await newMerchant()
  const { clabe } = await lent(merchant)
  const { status, body } = await deposit(merchant, clabe, 100, { clave_rastreo: '4111111111111111' })
  expect([status, body]).toMatchObject([
    422,
    { error: { code: 'card_number_refused', param: 'clave_rastreo' } },
  ])
  await arrivesUntold(merchant, clabe, 100, false, '4111111111111111')
  await trigger('sandbox')
  const { body: booked } = await call('GET', '/v1/payment-operations/spei-deposits', {
    bearer: merchant.apiKey,
  })
  expect(booked.data).toMatchObject([
    { clave_rastreo: expect.stringMatching(/^MASKED[A-P]{24}$/), amount: '100' },
  ])
})
