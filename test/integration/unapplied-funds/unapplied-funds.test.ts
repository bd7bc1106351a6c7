import { describe, expect, test } from 'vitest'
import { brokenRules, settleAttempts } from '../../support/books.ts'
import { newVoucher } from '../../support/cash.ts'
import { call, type Merchant, newMerchant, openLink, pay, type Reply } from '../../support/merchant.ts'
import { deposit, fundsOf, lent, standing, unappliedFundsOf } from '../../support/spei.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import { statusOf } from '../payments/story.ts'

const base = '/v1/payment-operations/unapplied-funds'
const unknownClabe = '012914002014112176'

/** Unapplied funds without a known payment. */
async function unmatchedDeposit(merchant: Merchant, amount: number): Promise<string> {
  await deposit(merchant, unknownClabe, amount)
  return (await fundsOf(merchant)).at(-1)!.id
}

const apply = (merchant: Merchant, id: string, paymentId: string, more: object = {}): Promise<Reply> =>
  call('POST', `${base}/${id}/apply`, {
    bearer: merchant.apiKey,
    body: { payment_id: paymentId, ...more },
  })

/** Each event's type, what is left of the funds after it, and what it says was before. */
const eventsOf = ({ tenantId }: Merchant, id: string) =>
  adminSql('sandbox')<{ type: string; left: string; previous: object }>(
    `select type, (object->>'remaining') || ' ' || (object->>'status') as left, previous_attributes as previous
     from events where tenant_id = $1 and resource_id = $2 order by sequence`,
    [tenantId, id],
  )

const destination = { clabe: '646180111805034237', holder: 'Ana Torres' }
const refund = (merchant: Merchant, id: string, more: object = {}): Promise<Reply> =>
  call('POST', `${base}/${id}/refund`, { bearer: merchant.apiKey, body: { destination, ...more } })

async function expires(merchant: Merchant): Promise<void> {
  await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: 'P12D' } })
  await trigger('sandbox')
}

const told = ({ status, body }: Reply) =>
  status < 300 ? `${status}` : `${status} ${(body as { error: { code: string } }).error.code}`

/** The text on the buyer's page about money that is not in the payment. */
const toldTo = async (location: string) => {
  const page = await fetch(`${stack.sandbox.directUrl}${location}`)
  return (
    /<p class="notice">(.*)<\/p>/.exec(await page.text())?.[1]?.replaceAll(/<\/?(strong|bdi)>/g, '') ?? null
  )
}

test('the buyer sees money that arrived but is not in the payment, and where it goes', async () => {
  const merchant = await newMerchant()
  const { clabe, location, paymentId } = await lent(merchant)
  await deposit(merchant, clabe, 50_000)
  await expires(merchant)
  expect(await toldTo(location)).toBe(
    'We received $500.00 MXN that is not part of this payment. $500.00 MXN is kept as unapplied funds. ' +
      'Café Azul can send it back: show them your receipt and the number on this page. ',
  )
  const [funds] = await fundsOf(merchant)
  await refund(merchant, funds!.id, { amount: '20000' })
  expect(await toldTo(location)).toContain('Café Azul has asked for $200.00 MXN to be sent back')
  await deposit(merchant, clabe, 130_000)
  const [incomplete, late] = await fundsOf(merchant)
  await apply(merchant, incomplete!.id, paymentId, { together_with: [late!.id] })
  // Of the 1,800.00 that came, 1,200.00 paid after all and 200.00 went back.
  expect(await toldTo(location)).toMatch(/^We received \$600\.00 MXN too much\. \$400\.00 MXN is kept/)

  const other = await lent(merchant)
  await deposit(merchant, other.clabe, 150_000)
  expect(await toldTo(other.location)).toMatch(/^We received \$300\.00 MXN too much\. \$300\.00 MXN is kept/)
})

describe('applying unapplied funds', () => {
  test('part of what a waiting payment misses, then the rest by transfer', async () => {
    const merchant = await newMerchant()
    const { link, clabe, paymentId } = await lent(merchant)
    const id = await unmatchedDeposit(merchant, 50_000)
    const reply = await apply(merchant, id, paymentId)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ amount: '50000', payment_status: 'requires_action' })
    expect(await standing(merchant, paymentId)).toBe('requires_action 50000 assigned')
    expect(await unappliedFundsOf(merchant)).toEqual(['unknown_clabe 0/50000'])
    expect((await fundsOf(merchant))[0]!.status).toBe('settled')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    await deposit(merchant, clabe, 70_000)
    expect(await standing(merchant, paymentId)).toBe('succeeded 120000 quarantined')
    expect(await statusOf(merchant, link)).toBe('paid')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('only what is missing is taken, and it completes the payment', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    await deposit(merchant, clabe, 100_000)
    const id = await unmatchedDeposit(merchant, 50_000)
    expect((await apply(merchant, id, paymentId)).body).toMatchObject({
      amount: '20000',
      payment_status: 'succeeded',
    })
    expect(await unappliedFundsOf(merchant)).toEqual(['unknown_clabe 30000/50000'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('what was applied to a payment that expires is unapplied again, where it came from', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    const id = await unmatchedDeposit(merchant, 50_000)
    await apply(merchant, id, paymentId, { amount: '20000' })
    await apply(merchant, id, paymentId)
    await deposit(merchant, clabe, 10_000)
    await expires(merchant)
    expect(await standing(merchant, paymentId)).toBe('expired 0 quarantined')
    expect((await unappliedFundsOf(merchant)).sort()).toEqual([
      'incomplete 10000/10000',
      'unknown_clabe 50000/50000',
    ])
    expect((await fundsOf(merchant)).map(({ status }) => status)).toEqual(['open', 'open'])
    expect((await eventsOf(merchant, id)).at(-1)).toEqual({
      type: 'unapplied_funds.application_reversed',
      left: '50000 open',
      previous: { remaining: '0', status: 'settled' },
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('an expired payment is honored by money in time and money too late, together', async () => {
    const merchant = await newMerchant()
    const { link, clabe, paymentId } = await lent(merchant)
    await deposit(merchant, clabe, 50_000)
    await expires(merchant)
    await deposit(merchant, clabe, 70_000)
    const [first, second] = await fundsOf(merchant)
    expect(told(await apply(merchant, first!.id, paymentId))).toBe('422 unapplied_funds_not_enough')
    const reply = await apply(merchant, first!.id, paymentId, {
      together_with: [second!.id, second!.id],
    })
    expect(reply.body).toMatchObject({ amount: '120000', payment_status: 'succeeded' })
    expect((reply.body as { parts?: unknown[] }).parts).toHaveLength(2)
    expect(await standing(merchant, paymentId)).toBe('succeeded 120000 quarantined')
    expect(await statusOf(merchant, link)).toBe('paid')
    expect((await unappliedFundsOf(merchant)).sort()).toEqual(['incomplete 0/50000', 'paid_late 0/70000'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('an expired payment at OXXO is honored by late cash from a till', async () => {
    const merchant = await newMerchant()
    const { link, reference } = await newVoucher(merchant)
    await expires(merchant)
    await call('POST', `/v1/sandbox/oxxo/${reference}/pay`, {
      bearer: merchant.apiKey,
      body: { late: true },
    })
    const [funds] = await fundsOf(merchant)
    expect(await unappliedFundsOf(merchant)).toEqual(['paid_late 120000/120000'])
    const reply = await apply(merchant, funds!.id, funds!.payment_id!)
    expect(reply.body).toMatchObject({ amount: '120000', payment_status: 'succeeded' })
    expect(await statusOf(merchant, link)).toBe('paid')
    expect(await unappliedFundsOf(merchant)).toEqual(['paid_late 0/120000'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a payment that unapplied funds completed is refunded like any other', async () => {
    const merchant = await newMerchant()
    const { paymentId } = await lent(merchant)
    await apply(merchant, await unmatchedDeposit(merchant, 120_000), paymentId)
    const body = { payment_id: paymentId, amount: '20000', reason: 'other', destination }
    const refunded = await call('POST', '/v1/refunds', { bearer: merchant.apiKey, body })
    expect([refunded.status, refunded.body.method]).toEqual([201, 'spei_out'])
    await settleRefunds(merchant)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a payment whose link another buyer paid meanwhile cannot be honored', async () => {
    const merchant = await newMerchant()
    const { link, clabe, paymentId } = await lent(merchant)
    await expires(merchant)
    await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
    await deposit(merchant, clabe, 120_000)
    const [funds] = await fundsOf(merchant)
    expect(told(await apply(merchant, funds!.id, paymentId))).toBe('409 origin_no_longer_available')
    expect(await unappliedFundsOf(merchant)).toEqual(['paid_late 120000/120000'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('each refusal has its own name', async () => {
    const merchant = await newMerchant()
    const { paymentId } = await lent(merchant)
    const done = await lent(merchant)
    await deposit(merchant, done.clabe, 120_000)
    const id = await unmatchedDeposit(merchant, 200_000)
    const small = await unmatchedDeposit(merchant, 100)
    await refund(merchant, small)
    const other = await newMerchant()
    const foreign = await unmatchedDeposit(other, 100)
    const cases: [Promise<Reply>, string][] = [
      [apply(merchant, id, paymentId, { amount: '200001' }), '422 unapplied_funds_exceeded'],
      [apply(merchant, id, paymentId, { amount: '120001' }), '422 unapplied_funds_beyond_missing'],
      [apply(merchant, id, paymentId, { amount: '0' }), '422 parameter_invalid'],
      [apply(merchant, id, done.paymentId), '409 payment_not_awaiting_funds'],
      [apply(merchant, id, foreign), '404 payment_not_found'],
      [apply(merchant, small, paymentId), '409 unapplied_funds_settled'],
      [apply(merchant, foreign, paymentId), '404 unapplied_funds_not_found'],
      [apply(merchant, id, paymentId, { together_with: [foreign] }), '404 unapplied_funds_not_found'],
      [refund(merchant, id, { amount: '200001' }), '422 unapplied_funds_exceeded'],
      [refund(merchant, small), '409 unapplied_funds_settled'],
      [refund(merchant, foreign), '404 unapplied_funds_not_found'],
      [
        refund(merchant, id, { destination: { ...destination, clabe: '646180111805034238' } }),
        '422 clabe_invalid',
      ],
    ]
    for (const [reply, expected] of cases) expect(told(await reply)).toBe(expected)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('sending unapplied funds back', () => {
  test('makes a transfer of its own, and what fails is unapplied again', async () => {
    const merchant = await newMerchant()
    const id = await unmatchedDeposit(merchant, 50_000)
    const sent = await refund(merchant, id, { amount: '20000' })
    expect(sent.status).toBe(201)
    expect(sent.body).toMatchObject({
      unapplied_funds_id: id,
      payment_id: null,
      method: 'spei_out',
      status: 'processing',
      amount: '20000',
    })
    const failing = { clabe: '646180000000000119', holder: 'Ana Torres' }
    expect((await refund(merchant, id, { destination: failing, amount: '30000' })).status).toBe(201)
    expect(await unappliedFundsOf(merchant)).toEqual(['unknown_clabe 0/50000'])
    await settleRefunds(merchant)
    expect(await unappliedFundsOf(merchant)).toEqual(['unknown_clabe 30000/50000'])
    expect((await fundsOf(merchant))[0]!.status).toBe('open')
    expect(await eventsOf(merchant, id)).toEqual([
      { type: 'unapplied_funds.created', left: '50000 open', previous: {} },
      { type: 'unapplied_funds.refunded', left: '30000 open', previous: { remaining: '50000' } },
      {
        type: 'unapplied_funds.refunded',
        left: '0 settled',
        previous: { remaining: '30000', status: 'open' },
      },
      {
        type: 'unapplied_funds.refund_reversed',
        left: '30000 open',
        previous: { remaining: '0', status: 'settled' },
      },
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

/** The reconciler asks the bank until every refund is over. */
async function settleRefunds(merchant: Merchant): Promise<void> {
  for (let round = 0; round < 10; round++) {
    const waiting = await adminSql('sandbox')(
      `update refunds set next_check_at = now() - interval '1 second'
       where tenant_id = $1 and next_check_at is not null returning id`,
      [merchant.tenantId],
    )
    if (waiting.length === 0) return
    await trigger('sandbox')
  }
}

describe('50 at once', () => {
  test('refunds of 30 of 100: three', async () => {
    const merchant = await newMerchant()
    const id = await unmatchedDeposit(merchant, 10_000)
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => refund(merchant, id, { amount: '3000' })),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(await unappliedFundsOf(merchant)).toEqual(['unknown_clabe 1000/10000'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('refunds and applications and transfers together never exceed the funds', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId } = await lent(merchant)
    const id = await unmatchedDeposit(merchant, 100_000)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        at % 3 === 0
          ? refund(merchant, id, { amount: '7000' })
          : at % 3 === 1
            ? apply(merchant, id, paymentId, { amount: '9000' })
            : deposit(merchant, clabe, 4_000),
      ),
    )
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    await settleAttempts(merchant.tenantId, 2)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('applications that together settle the funds: each event says what it left', async () => {
    const merchant = await newMerchant()
    const payments = await Promise.all(Array.from({ length: 5 }, () => lent(merchant)))
    const id = await unmatchedDeposit(merchant, 50_000)
    const replies = await Promise.all(
      payments.map(({ paymentId }) => apply(merchant, id, paymentId, { amount: '10000' })),
    )
    expect(replies.map(told)).toEqual(Array(5).fill('200'))
    const events = await adminSql('sandbox')<{ remaining: string; status: string; previous: object }>(
      `select object->>'remaining' as remaining, object->>'status' as status, previous_attributes as previous
       from events where tenant_id = $1 and resource_id = $2 and type = 'unapplied_funds.applied' order by sequence`,
      [merchant.tenantId, id],
    )
    expect(events).toEqual([
      { remaining: '40000', status: 'open', previous: { remaining: '50000' } },
      { remaining: '30000', status: 'open', previous: { remaining: '40000' } },
      { remaining: '20000', status: 'open', previous: { remaining: '30000' } },
      { remaining: '10000', status: 'open', previous: { remaining: '20000' } },
      { remaining: '0', status: 'settled', previous: { remaining: '10000', status: 'open' } },
    ])
  })

  test('applications that each complete: one does', async () => {
    const merchant = await newMerchant()
    const { paymentId } = await lent(merchant, 10_000)
    const id = await unmatchedDeposit(merchant, 100_000)
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => apply(merchant, id, paymentId, { amount: '10000' })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await unappliedFundsOf(merchant)).toEqual(['unknown_clabe 90000/100000'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('the list has its filters', async () => {
  const merchant = await newMerchant()
  await unmatchedDeposit(merchant, 100)
  const { clabe } = await lent(merchant)
  await deposit(merchant, clabe, 130_000)
  const list = async (query: string) =>
    (
      await call<{ data: { reason: string; remaining: string }[] }>('GET', `${base}${query}`, {
        bearer: merchant.apiKey,
      })
    ).body.data.map(({ reason, remaining }) => `${reason} ${remaining}`)
  expect(await list('')).toEqual(['overpaid 10000', 'unknown_clabe 100'])
  expect(await list('?reason=overpaid')).toEqual(['overpaid 10000'])
  expect(await list('?status=settled')).toEqual([])
})
