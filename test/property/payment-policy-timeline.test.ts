import './seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PolicySettings } from '../../functions/money/payment-policy/policy.ts'
import {
  beginningsOf,
  type Period,
  saidAt,
  stepsOf,
  type Upcoming,
  within,
} from '../../functions/money/payment-policy/timeline.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 0, minute))
const settings = fc.nat(3).map((window_days): PolicySettings => ({ refunds: { window_days } }))

/** Minute 0 is now; changes lie after it. */
const asked = fc
  .record({
    settings,
    from: fc.option(fc.integer({ min: 1, max: 20 })),
    lasts: fc.option(fc.integer({ min: 1, max: 10 })),
    replacesPlanned: fc.boolean(),
  })
  .map(
    ({ from, lasts, ...rest }): Period => ({
      ...rest,
      from: from === null ? null : at(from),
      until: lasts === null ? null : at((from ?? 0) + lasts),
    }),
  )

const minutes = Array.from({ length: 32 }, (_, minute) => at(minute))

test('a change says its settings in its time, and nothing else changes, whatever was planned before', () => {
  fc.assert(
    fc.property(settings, fc.array(asked, { maxLength: 12 }), (beginsWith, changes) => {
      let current = beginsWith
      let rows: Upcoming[] = []
      let version = 1
      let model = minutes.map(() => beginsWith)
      for (const period of changes) {
        if (within(stepsOf(current, rows), period).length > 0 && !period.replacesPlanned) continue
        const made = beginningsOf(current, rows, period)
        rows = [
          ...rows,
          ...made.flatMap((each) =>
            each.startsAt ? [{ ...each, startsAt: each.startsAt, version: ++version }] : [],
          ),
        ]
        if (period.from === null) current = period.settings
        // Without an end, nothing that was planned after the beginning is left.
        const isWithin = (minute: Date) =>
          (!period.from || minute >= period.from) && (!period.until || minute < period.until)
        model = model.map((said, index) => (isWithin(minutes[index]!) ? period.settings : said))
        expect(minutes.map((minute) => saidAt(current, rows, minute))).toEqual(model)
      }
    }),
  )
})

test('each step changes something, in the order of time', () => {
  const row = fc.record({ settings, minute: fc.integer({ min: 1, max: 20 }) })
  fc.assert(
    fc.property(settings, fc.array(row), (current, planned) => {
      const rows = planned.map(({ minute, ...rest }, index) => ({
        ...rest,
        version: index + 2,
        startsAt: at(minute),
      }))
      const steps = stepsOf(current, rows)
      const said = [current, ...steps.map((step) => step.settings)]
      for (const [index, step] of steps.entries()) {
        expect(step.settings).not.toEqual(said[index])
        if (index > 0) expect(+step.startsAt).toBeGreaterThan(+steps[index - 1]!.startsAt)
      }
    }),
  )
})
