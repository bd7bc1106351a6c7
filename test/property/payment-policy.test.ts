import './seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluate } from '../../functions/money/payment-policy/evaluate.ts'
import {
  effectiveOf,
  fieldsOf,
  type PolicySettings,
  widerField,
} from '../../functions/money/payment-policy/policy.ts'
import { methods } from '../../src/kernel/payment-methods.ts'
import { schedule } from '../unit/payments/samples.ts'

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const amount = fc.bigInt(0n, 200_000n).map(String)
const byCurrency = maybe(fc.dictionary(fc.constantFrom('mxn', 'usd'), amount))
const term = fc.constantFrom(3, 6, 9, 12)

/** Any level, so that several may contradict each other. */
const level = fc.record({
  methods: maybe(
    fc.record(
      Object.fromEntries(
        methods.map((method) => [
          method,
          maybe(fc.record({ enabled: maybe(fc.boolean()), amount_min: byCurrency, amount_max: byCurrency })),
        ]),
      ),
    ),
  ),
  msi: maybe(
    fc.record({
      terms: maybe(fc.subarray([3, 6, 9, 12])),
      amount_min: maybe(fc.dictionary(fc.constantFrom('3', '6', '9', '12'), amount)),
      fee_allocations: maybe(fc.subarray(['absorb', 'pass_to_buyer'] as const)),
      markup_cap_bps: maybe(fc.nat(3_000)),
    }),
  ),
  capture: maybe(fc.record({ manual_allowed: maybe(fc.boolean()) })),
  three_ds: maybe(fc.record({ required_from: byCurrency })),
  refunds: maybe(fc.record({ window_days: maybe(fc.nat(400)) })),
}) as fc.Arbitrary<PolicySettings>

const proposal = fc.record({
  amountMinor: fc.bigInt(1n, 200_000n),
  currency: fc.constantFrom('mxn', 'usd'),
  method: fc.constantFrom(...methods),
  captureMethod: fc.constantFrom('automatic' as const, 'manual' as const),
  months: fc.uniqueArray(term),
  pricing: fc.oneof(
    fc.constant({ feeAllocation: 'absorb' as const, merchantMarkupBps: 0 }),
    fc
      .nat(3_000)
      .map((merchantMarkupBps) => ({ feeAllocation: 'pass_to_buyer' as const, merchantMarkupBps })),
  ),
  eligible: fc.option(fc.subarray([3, 6, 9, 12])),
})

const allows = (policy: PolicySettings, asked: Parameters<typeof evaluate>[2]) =>
  evaluate(policy, schedule, asked).reasons.length === 0

test('what all levels allow is what each of them allows, in whatever order and however often they come', () => {
  fc.assert(
    fc.property(fc.array(level, { minLength: 1, maxLength: 4 }), proposal, (levels, asked) => {
      const effective = effectiveOf(...levels)
      expect(fieldsOf(effectiveOf(...levels.toReversed()))).toEqual(fieldsOf(effective))
      expect(effectiveOf(effective, ...levels)).toEqual(effective)
      for (const each of levels) expect(widerField(each, effective)).toBeNull()
      expect(allows(effective, asked)).toBe(levels.every((each) => allows(each, asked)))
      expect(evaluate(effective, schedule, asked).needsThreeDs).toBe(
        levels.some((each) => evaluate(each, schedule, asked).needsThreeDs),
      )
    }),
    { numRuns: 2_000 },
  )
})

test('a level that names nothing wider leaves what it says as it is', () => {
  fc.assert(
    fc.property(level, level, (above, below) => {
      const both = fieldsOf(effectiveOf(above, below))
      const kept = [...fieldsOf(below)].every(([field, value]) => String(both.get(field)) === String(value))
      expect(widerField(above, below) === null).toBe(kept)
    }),
    { numRuns: 2_000 },
  )
})

test('every offer is allowed when it is paid; a card that is not known gets none', () => {
  fc.assert(
    fc.property(level, proposal, (policy, asked) => {
      const { offers } = evaluate(policy, schedule, asked)
      for (const { months } of offers) {
        expect(allows(policy, { ...asked, months: [months] })).toBe(true)
        expect(asked.eligible).toContain(months)
      }
      expect(evaluate(policy, schedule, { ...asked, eligible: null }).offers).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})
