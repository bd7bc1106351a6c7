import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { payInCash, vouchersOf } from '../../support/cash.ts'
import { pastTriggers } from '../../support/explain.ts'
import { overtaking } from '../../support/gate.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { call, newMerchant, openLink, type Reply } from '../../support/merchant.ts'
import { fundsOf } from '../../support/spei.ts'
import { billOf, newWaiter } from '../../support/table-pay.ts'

/** A bill of two lines, of which a guest took the first one to a till with a tip, and paid it after its voucher had ended. */
async function paidLate() {
  const merchant = await newMerchant()
  const waiter = await newWaiter(merchant)
  const bill = await billOf(merchant, [30_000, 20_000], {
    payment_method_types: ['card', 'oxxo'],
    tips: { presets_bps: [1_000] },
    waiter_id: waiter.id,
  })
  const form = await openLink(bill.address, `?line=${bill.lines[0]}&tip=1000&method=oxxo`)
  expect((await payInCash(bill.address, form, 'oxxo')).status).toBe(303)
  const [voucher] = await vouchersOf(merchant.tenantId)
  const ask = (method: 'POST' | 'GET', path: string, body?: object): Promise<Reply> =>
    call(method, path, { bearer: merchant.apiKey, ...(body ? { body } : {}) })
  const at = `/v1/sandbox/oxxo/${voucher!.reference}`
  expect((await ask('POST', `${at}/expire`)).status).toBe(200)
  return {
    merchant,
    bill,
    paymentId: voucher!.payment_id,
    /** The till takes the money, and the merchant applies it to the payment. */
    applied: async () => {
      expect((await ask('POST', `${at}/pay`, { late: true })).status).toBe(200)
      const [funds] = await fundsOf(merchant)
      return () =>
        ask('POST', `/v1/payment-operations/unapplied-funds/${funds!.id}/apply`, {
          payment_id: voucher!.payment_id,
        })
    },
    owed: async () =>
      (await ask('GET', `/v1/table-pay/waiters/${waiter.id}/tip-report`)).body as { amount_owed: string },
  }
}

const told = ({ status, body }: Reply) =>
  status < 300 ? `${status}` : `${status} ${(body as { error: { code: string } }).error.code}`

test('late money pays an open bill, and the lines that its guest chose', async () => {
  const { merchant, bill, paymentId, applied, owed } = await paidLate()
  expect((await bill.now()).line_items[0]).toMatchObject({ payment_id: null })
  expect(told(await (await applied())())).toBe('200')
  const now = await bill.now()
  expect(now).toMatchObject({ amount_paid: '30000', amount_held: '0', amount_due: '20000' })
  expect(now.line_items.map(({ payment_id }) => payment_id)).toEqual([paymentId, null])
  expect((await owed()).amount_owed).toBe('3000')
  await expect(bill.form(`line=${bill.lines[0]}`)).rejects.toThrow('no form')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a line that another guest pays meanwhile stays theirs', async () => {
  const { merchant, bill, applied } = await paidLate()
  expect((await bill.pay('amount=100')).status).toBe(303)
  expect((await bill.pay(`line=${bill.lines[0]}`)).status).toBe(303)
  const [other] = (await bill.now()).line_items
  const refused = await (await applied())()
  expect(told(refused)).toBe('409 origin_no_longer_available')
  await bill.ask('POST', '/lines', { line_items: [{ name: 'Postre', unit_amount: '30000' }] })
  expect(told(await (await applied())())).toBe('409 origin_no_longer_available')
  const now = await bill.now()
  expect(now).toMatchObject({ amount: '80000', amount_paid: '40000' })
  expect(now.line_items[0]!.payment_id).toBe(other!.payment_id)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a void bill takes no money: what came late stays to be sent back, and no tip is owed', async () => {
  const { merchant, bill, applied, owed } = await paidLate()
  expect((await bill.ask('POST', '/void')).status).toBe(200)
  expect(told(await (await applied())())).toBe('409 origin_no_longer_available')
  expect(await bill.now()).toMatchObject({ status: 'void', amount_paid: '0', amount_tips: '0' })
  expect(await fundsOf(merchant)).toMatchObject([{ status: 'open', remaining_minor: '33000' }])
  expect((await owed()).amount_owed).toBe('0')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  expect((await bill.ask('POST', '/reopen')).status).toBe(200)
  expect(told(await (await applied())())).toBe('200')
})

test('late money comes to a bill while that is voided: one of both', async () => {
  const first = await paidLate()
  const apply = await first.applied()
  const [voided, refused] = await overtaking(first.merchant, () => first.bill.ask('POST', '/void'), apply)
  expect([voided.status, told(refused)]).toEqual([200, '409 origin_no_longer_available'])
  const next = await paidLate()
  const [paid, kept] = await overtaking(next.merchant, await next.applied(), () =>
    next.bill.ask('POST', '/void'),
  )
  expect([paid.status, kept.status, kept.body.error?.code]).toEqual([200, 409, 'table_session_being_paid'])
  for (const { merchant } of [first, next]) expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 times at once late money comes and its line is paid by cash: no line is paid twice', async () => {
  const { merchant, bill, paymentId, applied } = await paidLate()
  const apply = await applied()
  const cash = { method: 'cash', amount: '30000', line_ids: [bill.lines[0]] }
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      at % 2 === 0 ? apply() : bill.ask<{ id: string }>('POST', '/external-payments', cash),
    ),
  )
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
  const now = await bill.now()
  expect(now).toMatchObject({ amount_paid: '30000', amount_held: '0' })
  const { payment_id, external_payment_id } = now.line_items[0]!
  expect([payment_id === paymentId, external_payment_id !== null].filter((claims) => claims)).toHaveLength(1)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('the rules of the books notice a void bill that is paid, and a paid line that is free', async () => {
  const { merchant, bill, applied } = await paidLate()
  await (await applied())()
  writtenByHand(merchant.tenantId)
  await pastTriggers(`update table_sessions set status = 'void', closed_at = now() where id = $1`, [bill.id])
  await pastTriggers('update table_lines set payment_id = null where session_id = $1', [bill.id])
  expect((await brokenRules(merchant.tenantId)).map(({ rule }) => rule).sort()).toEqual([
    'a bill that is void or merged is paid',
    'a line of a part that is paid is free',
  ])
})
