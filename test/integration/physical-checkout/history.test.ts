import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { sendForm } from '../../support/pages.ts'
import {
  atRegisters,
  type Counter,
  currentOrder,
  inCash,
  newCounter,
  payOrder,
  type RegisterOrder,
  ringUp,
  type Shift,
} from '../../support/registers.ts'
import { trigger } from '../../support/stack.ts'

const amount = fc.integer({ min: 1_000, max: 50_000 }).map(String)

const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('order' as const), amount, replaces: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('card' as const),
      token: fc.constantFrom('tok_sbx_approve', 'tok_sbx_decline_funds'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('cash' as const), more: fc.nat({ max: 10_000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constantFrom('clabe' as const, 'cancel' as const, 'detach' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('return' as const), amount, at: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('drawer' as const),
      amount,
      kind: fc.constantFrom('paid_in', 'paid_out'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('shift' as const), amount }) },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

interface Day {
  readonly counter: Counter
  readonly orders: RegisterOrder[]
  shift: Shift | null
}

/** Carries out one command as it is possible at the register; what is refused is refused. */
async function carryOut(day: Day, done: Command): Promise<void> {
  const { counter, orders } = day
  const { merchant, registerId } = counter
  const { status, body } = await currentOrder(counter)
  const current = status === 200 ? body : null
  const steps: { [C in Command as C['does']]: (command: C) => Promise<unknown> } = {
    order: async ({ amount, replaces }) => {
      const made = await ringUp(counter, {
        amount,
        payment_method_types: ['card', 'spei'],
        replaces_id: replaces ? (current?.id ?? null) : null,
      })
      expect([201, 409]).toContain(made.status)
      if (made.status === 201) orders.push(made.body)
    },
    card: async ({ token }) => current && payOrder(current, token).catch(() => {}),
    clabe: async () =>
      current &&
      sendForm(
        current as never,
        { method: 'spei', name: 'Ana Luna', email: 'ana@example.com' },
        { query: '?method=spei' },
      ).catch(() => {}),
    cash: async ({ more }) => current && inCash(counter, current, String(Number(current.amount) + more)),
    cancel: async () => current && atRegisters(merchant, 'POST', `/orders/${current.id}/cancel`),
    detach: async () => current && atRegisters(merchant, 'POST', `/orders/${current.id}/detach`),
    return: async ({ amount, at }) => {
      const order = orders[at % Math.max(1, orders.length)]
      if (order) await atRegisters(merchant, 'POST', `/orders/${order.id}/cash-returns`, { amount })
    },
    drawer: async ({ kind, amount }) =>
      day.shift && atRegisters(merchant, 'POST', `/shifts/${day.shift.id}/cash-movements`, { kind, amount }),
    shift: async ({ amount }) => {
      if (day.shift) {
        const closed = await atRegisters<Shift>(merchant, 'POST', `/shifts/${day.shift.id}/close`, {
          amount_counted: amount,
        })
        expect(closed.body.amount_difference).toBe(
          (BigInt(amount) - BigInt(closed.body.amount_expected)).toString(),
        )
        day.shift = null
        return
      }
      const asked = { register_id: registerId, amount_opening: amount }
      day.shift = (await atRegisters<Shift>(merchant, 'POST', '/shifts', asked)).body
    },
  }
  await (steps[done.does] as (command: Command) => Promise<unknown>)(done)
}

test('any day at a register: each order is paid once or not, and the drawer is what moved', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 35 }), async (history) => {
      const day: Day = { counter: await newCounter(), orders: [], shift: null }
      for (const each of history) await carryOut(day, each)
      await trigger('sandbox')
      const { merchant, registerId } = day.counter
      const { body } = await atRegisters<{ data: RegisterOrder[] }>(
        merchant,
        'GET',
        `/orders?register_id=${registerId}&limit=100`,
      )
      expect(body.data.map(({ id }) => id).sort()).toEqual(day.orders.map(({ id }) => id).sort())
      expect(body.data.filter(({ current }) => current).length).toBeLessThan(2)
      for (const { status, payment_status, paid_by } of body.data)
        expect([status === 'paid', paid_by !== null]).toEqual([
          payment_status === 'paid',
          payment_status === 'paid',
        ])
      expect(await brokenRules(merchant.tenantId)).toEqual([])
    }),
    { numRuns: process.env.TESTS === 'all' ? 40 : 3 },
  )
})
