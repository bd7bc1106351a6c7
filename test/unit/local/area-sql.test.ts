import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inOneOrder, updateOf } from '../../../local/area-sql.ts'

test('dates move by days, times by the interval, and the version counts where there is one', () => {
  expect(updateOf({ table: 'payouts', columns: ['arrives_on', 'next_check_at'], while: 'a or b' })).toBe(
    `  update public.payouts set arrives_on = arrives_on - p_days, next_check_at = next_check_at - p_by, version = version + 1
  where tenant_id = p_tenant and num_nonnulls(arrives_on, next_check_at) > 0 and (a or b);`,
  )
  expect(updateOf({ table: 'daily_spend', columns: ['day'] })).not.toContain('version')
})

test.each([
  [{ table: 'payouts', columns: ['arrives_at'] }, 'payouts.arrives_at'],
  [{ table: 'pay_outs', columns: ['arrives_on'] }, 'pay_outs.arrives_on'],
])('%o: what the schema does not have is no deadline', (deadlines, named) => {
  expect(() => updateOf(deadlines)).toThrow(`An area declares ${named}: the schema has no such column.`)
})

const names = ['uses', 'discounts', 'seats', 'stock', 'pools', 'rest']

test('holds of every kind are taken in one order, which keeps that of each kind', () => {
  const kinds = fc.array(fc.subarray(names), { maxLength: 8 })
  fc.assert(
    fc.property(kinds, fc.shuffledSubarray(names, { minLength: names.length }), (lists, order) => {
      const sorted = lists.map((list) => list.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
      const all = inOneOrder(sorted)
      expect(all.toSorted()).toEqual([...new Set(lists.flat())].sort())
      for (const list of sorted) expect(all.filter((name) => list.includes(name))).toEqual(list)
    }),
  )
})

test.each([
  [
    [
      ['uses', 'stock'],
      ['stock', 'uses'],
    ],
    'uses, stock',
  ],
  [
    [
      ['uses', 'stock'],
      ['stock', 'seats'],
      ['rest', 'seats', 'uses'],
    ],
    'uses, stock, seats',
  ],
])('kinds that take %j could deadlock, and nothing is generated', (lists, named) => {
  expect(() => inOneOrder(lists)).toThrow(
    `Kinds name ${named} in different orders: two attempts could deadlock.`,
  )
})
