import { expect, test } from 'vitest'
import { updateOf } from '../../../local/area-sql.ts'

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
