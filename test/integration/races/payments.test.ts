import { expect, test } from 'vitest'
import { answerBank } from '../../support/bank.ts'
import {
  attemptsOf,
  balancesOf,
  brokenRules,
  chargesOf,
  journalsOf,
  pageState,
  paymentsOf,
  settleAttempts,
} from '../../support/books.ts'
import { call, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))

test('one single-use link, 50 payers: one pays, no other is charged', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const forms = await times(() => openLink(link.public_id))
  const answers = await times((at) => pay(link.public_id, forms[at]!, 'tok_sbx_approve'))
  const charges = await chargesOf(link.public_id)
  expect(charges.map(({ state, amount_minor }) => [state, amount_minor])).toEqual([['captured', '120000']])
  const payments = await paymentsOf(merchant.tenantId)
  expect(payments.map(({ status }) => status)).toEqual(['succeeded'])
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status !== 303)
  const titles = new Set(refused.map(({ html }) => /<h1[^>]*>([^<]*)</.exec(html)?.[1]))
  const known = ['Someone is paying this link', 'This link has been paid']
  expect([...titles].filter((title) => !known.includes(title ?? ''))).toEqual([])
  expect(await pageState(`/${link.public_id}/${payments[0]!.public_id}`)).toMatchObject({
    state: 'succeeded',
  })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('one single-use link, 50 payers with a challenge: one gets it', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const forms = await times(() => openLink(link.public_id))
  await times((at) =>
    pay(link.public_id, forms[at]!, at % 2 ? 'tok_sbx_3ds_challenge' : 'tok_sbx_timeout_then_paid'),
  )
  expect(await chargesOf(link.public_id)).toHaveLength(1)
  expect(await paymentsOf(merchant.tenantId)).toHaveLength(1)
  expect(await journalsOf(merchant.tenantId)).toEqual({})
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('one form sent 50 times is one payment, and every copy leads to its page', async () => {
  const merchant = await newMerchant()
  for (const usage of ['single_use', 'multi_use']) {
    const link = await newLink(merchant, { usage })
    const form = await openLink(link.public_id)
    const answers = await times(() => pay(link.public_id, form, 'tok_sbx_approve'))
    expect(answers.map(({ status }) => status)).toEqual(Array(copies).fill(303))
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1)
    expect(await chargesOf(link.public_id)).toHaveLength(1)
    expect(await pageState(answers[0]!.location!)).toMatchObject({ status: 200, state: 'succeeded' })
  }
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 2 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a multi-use link, 50 payers: 50 payments, balances exact', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use', manual_amount: 99_999 })
  const forms = await times(() => openLink(link.public_id))
  const answers = await times((at) => pay(link.public_id, forms[at]!, 'tok_sbx_approve'))
  expect(answers.every(({ status }) => status === 303)).toBe(true)
  const payments = await paymentsOf(merchant.tenantId)
  expect(payments.filter(({ status }) => status === 'succeeded')).toHaveLength(copies)
  // 999.99 at 3.6 % is 36.00, IVA of it 5.76.
  expect(await balancesOf(merchant.tenantId)).toEqual({
    'mxn/fee_expense': 50n * 3_600n,
    'mxn/iva_on_fees': 50n * 576n,
    'mxn/merchant_pending': 50n * 95_823n,
    'mxn/processor_clearing': 50n * -99_999n,
  })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('paying while the merchant edits the link 50 times: paid, whichever request records it', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const form = await openLink(link.public_id)
  const edit = (order: number) =>
    call('PATCH', `/v1/payment-links/${link.id}`, {
      bearer: merchant.apiKey,
      body: { metadata: { order: String(order) } },
    })
  const [answer] = await Promise.all([pay(link.public_id, form, 'tok_sbx_approve'), times(edit)])
  expect(answer.status).toBe(303)
  await settleAttempts(merchant.tenantId)
  expect(await pageState(answer.location!)).toMatchObject({ status: 200, state: 'succeeded' })
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
  const read = await call<{ status: string }>('GET', `/v1/payment-links/${link.id}`, {
    bearer: merchant.apiKey,
  })
  expect(read.body.status).toBe('paid')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 other cards for one declined payment: one more attempt, no other card is charged', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const first = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_decline_funds')
  const reference = /spcs_[a-z0-9]{32}/.exec(first.location!)![0]
  const forms = await times(() => openLink(link.public_id, `?retry=${reference}`))
  await times((at) => pay(link.public_id, forms[at]!, 'tok_sbx_approve'))
  expect((await chargesOf(link.public_id)).map(({ state }) => state)).toEqual(['declined', 'captured'])
  expect((await paymentsOf(merchant.tenantId)).map(({ public_id, status }) => [public_id, status])).toEqual([
    [reference, 'succeeded'],
  ])
  expect((await attemptsOf(merchant.tenantId)).map(({ number, status }) => [number, status])).toEqual([
    [1, 'declined'],
    [2, 'captured'],
  ])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('one form with another card sent 50 times: one more attempt, one page', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use' })
  const first = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_decline_funds')
  const reference = /spcs_[a-z0-9]{32}/.exec(first.location!)![0]
  const form = await openLink(link.public_id, `?retry=${reference}`)
  const answers = await times(() => pay(link.public_id, form, 'tok_sbx_approve'))
  expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1)
  expect(answers[0]!.location).toContain(reference)
  expect((await chargesOf(link.public_id)).map(({ state }) => state)).toEqual(['declined', 'captured'])
  expect(await paymentsOf(merchant.tenantId)).toHaveLength(1)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 reconcilers at once over the same unknown attempts: one journal each', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use' })
  const tokens = ['tok_sbx_timeout_then_paid', 'tok_sbx_timeout_then_failed', 'tok_sbx_timeout_then_paid']
  for (const token of tokens) await pay(link.public_id, await openLink(link.public_id), token)
  expect((await attemptsOf(merchant.tenantId)).map(({ status }) => status)).toEqual(Array(3).fill('unknown'))
  await adminSql('sandbox')(
    `update payment_attempts set next_check_at = now() - interval '1 minute' where tenant_id = $1`,
    [merchant.tenantId],
  )
  await times(() => trigger('sandbox'))
  const statuses = (await attemptsOf(merchant.tenantId)).map(({ status }) => status)
  expect(statuses.sort()).toEqual(['captured', 'captured', 'declined'])
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 2 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 sweeps at once release the same funds once', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use' })
  for (let at = 0; at < 3; at++) await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  await adminSql('sandbox')(`update payments set available_on = '2026-01-02' where tenant_id = $1`, [
    merchant.tenantId,
  ])
  await times(() => trigger('sandbox'))
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 3, release: 3 })
  expect((await balancesOf(merchant.tenantId))['mxn/merchant_pending']).toBe(0n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 answers to one bank challenge: the first counts, once', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_3ds_challenge')
  const [attempt] = await attemptsOf(merchant.tenantId)
  const answers = await times((at) => answerBank(attempt!.id, at % 2 === 0 ? 'approve' : 'fail'))
  expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1)
  const [charge] = await chargesOf(link.public_id)
  const [payment] = await paymentsOf(merchant.tenantId)
  const captured = charge!.state === 'captured'
  expect(payment!.status).toBe(captured ? 'succeeded' : 'requires_payment_method')
  expect(await journalsOf(merchant.tenantId)).toEqual(captured ? { capture: 1 } : {})
  const read = await call<{ status: string }>('GET', `/v1/payment-links/${link.id}`, {
    bearer: merchant.apiKey,
  })
  expect(read.body.status).toBe(captured ? 'paid' : 'active')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 tabs of one declined payment on a multi-use link: one is charged, and every tab leads to that payment', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use' })
  const first = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_decline_funds')
  const reference = /spcs_[a-z0-9]{32}/.exec(first.location!)![0]
  const forms = await times(() => openLink(link.public_id, `?retry=${reference}`))
  const old = await openLink(link.public_id, `?retry=${reference}`)
  const answers = await times((at) =>
    pay(link.public_id, forms[at]!, at % 2 ? 'tok_sbx_approve' : 'tok_sbx_3ds_challenge'),
  )
  for (const { status, location } of answers)
    expect([status, location]).toEqual([303, expect.stringContaining(reference)])
  // An old tab, once it is paid or while the bank asks.
  expect((await pay(link.public_id, old, 'tok_sbx_approve')).location).toContain(reference)
  expect(await chargesOf(link.public_id)).toHaveLength(2)
  expect(await paymentsOf(merchant.tenantId)).toHaveLength(1)
  expect((await attemptsOf(merchant.tenantId)).map(({ number }) => number)).toEqual([1, 2])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
