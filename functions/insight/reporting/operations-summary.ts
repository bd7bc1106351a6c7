import { daysAsked } from '../../../src/http/days.ts'
import { drawn, operation } from '../../../src/http/operation.ts'
import { summary, summaryDays } from './contract-summary.ts'
import { dayIn } from './periods.ts'
import { presentSummary, type Summary } from './present-summary.ts'
import { countedUntil, summed } from './store-summary.ts'

const getSummary = operation(summary, async (call) => {
  const { begins_on, time_zone: timeZone, currency, by = null } = call.query
  const asked = { begins_on, ends_on: call.query.ends_on ?? dayIn(timeZone, call.now) }
  const { beginsOn, endsOn } = daysAsked(asked, call, summaryDays)
  // The time first: what comes between the two queries is counted beyond it.
  const [[asOf], rows] = await call.readAll(
    countedUntil(),
    summed({ beginsOn, endsOn, timeZone, currency, by }),
  )
  const shown = { begins_on: beginsOn, ends_on: endsOn, time_zone: timeZone, currency, by }
  return presentSummary(shown, asOf!, rows)
})

export const summaryOperations = [
  drawn(getSummary, async (report: Summary, locale) =>
    (await import('./charts/summary.ts')).summaryChart(report, locale),
  ),
]
