import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'
import { billOf, dish, type newBill } from '../../support/table-pay.ts'

const command = fc.oneof(
  fc.record({ does: fc.constant('add' as const), amount: fc.integer({ min: 1, max: 50_000 }) }),
  fc.record({ does: fc.constant('split' as const), at: fc.nat(), parts: fc.integer({ min: 2, max: 5 }) }),
  fc.record({ does: fc.constant('void' as const), at: fc.nat() }),
  fc.record({ does: fc.constant('discount' as const), amount: fc.integer({ min: 0, max: 20_000 }) }),
  fc.record({
    does: fc.constant('line' as const),
    at: fc.nat(),
    token: fc.constantFrom('approve', 'decline_funds'),
  }),
  fc.record({
    does: fc.constant('share' as const),
    among: fc.integer({ min: 2, max: 6 }),
    tip: fc.constantFrom('', '1000', '1500'),
  }),
  fc.record({
    does: fc.constant('amount' as const),
    percent: fc.integer({ min: 1, max: 100 }),
    tip: fc.constantFrom('', '1000', '1500'),
  }),
  fc.record({ does: fc.constant('cash' as const), amount: fc.integer({ min: 1, max: 30_000 }) }),
  fc.record({ does: fc.constant('cancel cash' as const) }),
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never
type Bill = Awaited<ReturnType<typeof newBill>>

const pesos = (minor: number) => (minor / 100).toFixed(2)

/** A part below what a card takes has no form that pays. */
const paid = (bill: Bill, part: string, token?: string) =>
  bill.pay(part, token).catch((error: Error) => {
    if (!/: 422$/.test(error.message)) throw error
  })

/** Carries out one command as it is possible at the bill; what is refused is refused. */
async function carryOut(bill: Bill, done: Command, cash: string[]): Promise<void> {
  const now = await bill.now()
  const ordered = now.line_items.filter(({ status }) => status === 'ordered')
  const line = 'at' in done ? ordered[done.at % Math.max(1, ordered.length)] : undefined
  const due = Number(now.amount_due)
  switch (done.does) {
    case 'add':
      await bill.ask('POST', '/lines', { line_items: [dish(done.amount)] })
      return
    case 'split':
      if (line) await bill.ask('POST', `/lines/${line.id}/split`, { parts_count: done.parts })
      // Its parts come to what the line did.
      expect((await bill.now()).amount).toBe(now.amount)
      return
    case 'void':
      if (line) await bill.ask('POST', `/lines/${line.id}/void`)
      return
    case 'discount':
      await bill.ask('PUT', '/discount', { amount: String(done.amount) })
      return
    case 'line':
      if (line && line.payment_id === null && line.external_payment_id === null && due > 0)
        await paid(bill, `line=${line.id}`, `tok_sbx_${done.token}`)
      return
    case 'share':
      if (due > 0) await paid(bill, `shares=${done.among}&tip=${done.tip}`)
      return
    case 'amount':
      if (due >= 1_000)
        await paid(
          bill,
          `amount=${pesos(Math.max(1_000, Math.floor((due * done.percent) / 100)))}&tip=${done.tip}`,
        )
      return
    case 'cash': {
      const asked = { method: 'cash', amount: String(done.amount) }
      const { status, body } = await bill.ask<{ id: string }>('POST', '/external-payments', asked)
      if (status === 201) cash.push(body.id)
      return
    }
    case 'cancel cash': {
      const id = cash.pop()
      if (id) await bill.cancelCash(id)
    }
  }
}

/** The sums computed a second time, from lines, payments and recorded payments alone. */
const computed = async ({ merchant, id }: Bill) =>
  (
    await adminSql('sandbox')<{ total: string; held: string; paid: string; claimed: string }>(
      `select ((select coalesce(sum(total_minor), 0) from table_lines l where l.session_id = s.id and l.status = 'ordered')
           - s.discount_minor)::text as total,
         (select coalesce(sum(p.amount_minor - p.tip_amount_minor - p.markup_minor), 0) from payments p
           where p.origin_id = s.id and p.status in ('processing', 'requires_action', 'requires_capture'))::text as held,
         ((select coalesce(sum(p.amount_minor - p.tip_amount_minor - p.markup_minor), 0) from payments p
             where p.origin_id = s.id and p.status = 'succeeded')
           + (select coalesce(sum(e.amount_minor), 0) from table_external_payments e
             where e.session_id = s.id and e.status = 'recorded'))::text as paid,
         (select count(*) from table_lines l join payments p on p.id = l.payment_id
           where l.session_id = s.id and p.status not in ('processing', 'requires_action', 'requires_capture', 'succeeded')
         )::text as claimed
       from table_sessions s where s.tenant_id = $1 and s.id = $2`,
      [merchant.tenantId, id],
    )
  )[0]!

test('any history of lines, splits, discounts, payments and cash: held and paid within the total, to the cent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 15, maxLength: 30 }), async (history) => {
      const bill = await billOf(await newMerchant(), [30_000], { tips: { presets_bps: [1_000, 1_500] } })
      const cash: string[] = []
      for (const each of history) await carryOut(bill, each, cash)
      const { amount, amount_held, amount_paid, amount_due } = await bill.now()
      expect({ total: amount, held: amount_held, paid: amount_paid, claimed: '0' }).toEqual(
        await computed(bill),
      )
      expect(Number(amount_due)).toBeGreaterThanOrEqual(0)
      expect(Number(amount_held) + Number(amount_paid) + Number(amount_due)).toBe(Number(amount))
      expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
    }),
    { numRuns: process.env.TESTS === 'all' ? 40 : 3 },
  )
})
