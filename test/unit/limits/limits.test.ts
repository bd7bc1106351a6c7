import { expect, test } from 'vitest'
import { workspaceLifecycle } from '../../../functions/account/workspace/lifecycle.ts'
import { endpointsMax } from '../../../functions/developer/webhooks/plan.ts'
import { capabilitiesOf, refusedWhile } from '../../../functions/insight/limits/capabilities.ts'
import { limitsOf } from '../../../functions/insight/limits/limits.ts'
import { create as createSegment } from '../../../functions/people/segments/contract.ts'
import { pinsMax } from '../../../functions/people/segments/plan.ts'
import { areaLimits } from '../../../src/generated/limits.ts'
import { ratePolicies } from '../../../src/http/stages/rate-limit.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'

const now = new Date('2026-06-15T12:00:00Z')

test.each(statusesOf(workspaceLifecycle))('a workspace that is %s', (status) => {
  const standing = {
    status,
    hasOwnAccount: false,
    processor: null,
    policy: [],
    states: {},
    settings: [],
    now,
  }
  for (const { name, reasons } of capabilitiesOf(standing)) {
    const held = (refusedWhile[name] as readonly string[]).includes(status)
    const codes = reasons.filter(({ source }) => source === 'review').map(({ code }) => code)
    const word = status === 'suspended' || status === 'closed' ? status : 'not_live'
    expect(codes, name).toEqual(held ? [`workspace_${word}`] : [])
  }
})

const settings = {
  transferLimitPerDayMinor: { mxn: 100n, usd: 5n },
  refundLimitPerDayMinor: { mxn: 50n },
  payoutCoolDownHours: 24,
}
const schedule = { currency: 'mxn', reserve: { rateBps: 500, days: 90 }, refundOverdraftMinor: 7n }
const sum = (day: string) => ({ currency: 'mxn', day, sumMinor: 30n })
const known = {
  settings,
  now,
  policy: [],
  schedules: [schedule],
  key: { transferLimits: { usd: '9' } },
  sums: { transfers: [sum('2026-06-15')], refunds: [sum('2026-06-14')] },
  payoutSettings: [],
  counted: { webhook_endpoints: 3 },
} as unknown as Parameters<typeof limitsOf>[0]

test.each([
  ['reserve_rate.mxn', { value: '500', source: 'reserve' }],
  ['reserve_days.mxn', { value: '90', unit: 'days' }],
  ['refund_overdraft.mxn', { value: '7', source: 'plan' }],
  ['transfers_per_day.mxn', { value: '100', used: '30', source: 'platform', resets_on: '2026-06-16' }],
  ['transfers_per_day.usd', { value: '9', used: '0', source: 'api_key' }],
  ['refunds_to_accounts_per_day.mxn', { value: '50', used: '0' }],
  ['bank_account_cool_down', { value: '24', unit: 'hours' }],
  ['webhook_endpoints', { value: String(endpointsMax), used: '3' }],
  ['segment_pins', { value: String(pinsMax), used: null }],
  ['requests.read', { value: String(ratePolicies.read.limit), unit: 'requests_per_minute' }],
])('%s', (name, shown) => {
  expect(limitsOf(known).find((limit) => limit.name === name)).toMatchObject(shown)
})

test('a reserve of nothing is no limit, and no two limits have one name', () => {
  const names = limitsOf({
    ...known,
    schedules: [{ ...known.schedules[0]!, reserve: { rateBps: 0, days: 0 } }],
  }).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('reserve'))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

test('a segment takes at most as many conditions as is shown', () => {
  const asked = (count: number) =>
    createSegment.body!.safeParse({
      name: 'Regulars',
      rule: { type: 'all', rules: Array.from({ length: count }, () => ({ type: 'payments_count', gte: 3 })) },
    })
  const most = areaLimits.segment_conditions[0]
  const refused = asked(most + 1).error?.issues.map(({ message }) => message) ?? []
  expect(refused.length).toBeGreaterThan(0)
  expect(asked(most).error).toBeUndefined()
})
