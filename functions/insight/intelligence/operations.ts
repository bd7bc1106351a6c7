import { daysAsked } from '../../../src/http/days.ts'
import { type Call, drawn, operation } from '../../../src/http/operation.ts'
import { addDays, type IsoDate, mexicoCityDate, mexicoCityInstant } from '../../../src/kernel/bank-days.ts'
import { processorOf } from '../../money/payments/api.ts'
import { settingsOf } from '../../money/payouts/api.ts'
import { ownAccountOf } from '../../money/processors/api.ts'
import { standingOf } from '../limits/api.ts'
import * as contracts from './contract.ts'
import { historyDays } from './forecast.ts'
import {
  type AcceptanceReport,
  type CashFlowForecast,
  presentAcceptance,
  presentConversion,
  presentDeclines,
  presentForecast,
} from './present.ts'
import {
  acceptance,
  availableNow,
  conversion,
  declines,
  incomeByDay,
  incomeDueBy,
  releasesByDay,
  reserveDueBy,
  takenByDay,
} from './store.ts'

interface Asked {
  readonly begins_on?: IsoDate | undefined
  readonly ends_on?: IsoDate | undefined
  readonly currency: string
}

/** The asked days and currency, as they are shown and as queries have them. */
function periodOf(call: Pick<Call<unknown, Asked, unknown, unknown>, 'query' | 'now' | 'fail'>) {
  const { currency } = call.query
  const { beginsOn, endsOn, begins, ends } = daysAsked(call.query, call, contracts.reportDays)
  return {
    shown: { begins_on: beginsOn, ends_on: endsOn, currency },
    slots: { currency, begins, ends },
  }
}

const getAcceptance = operation(contracts.acceptance, async (call) => {
  const { shown, slots } = periodOf(call)
  const { by } = call.query
  if (by === undefined) return presentAcceptance(shown, null, (await call.read(acceptance(slots)))[0]!, [])
  const [[total], groups] = await call.readAll(acceptance(slots), acceptance({ ...slots, [by]: '' }))
  return presentAcceptance(shown, by, total!, groups)
})

const getDeclines = operation(contracts.declines, async (call) => {
  const { shown, slots } = periodOf(call)
  return presentDeclines(shown, await call.read(declines(slots)))
})

const getConversion = operation(contracts.conversion, async (call) => {
  const { shown, slots } = periodOf(call)
  return presentConversion(shown, await call.read(conversion(slots)))
})

const daysUsual = 14

const getCashFlow = operation(contracts.cashFlow, async ({ query, now, readAll, services }) => {
  const { currency, days = daysUsual } = query
  const today = mexicoCityDate(now)
  const secondsOfDay = (now.getTime() - mexicoCityInstant(today, '00:00').getTime()) / 1_000
  const since = mexicoCityInstant(addDays(today, -historyDays), '00:00')
  const [income, releases, taken, [account], [settings], [due], [reserveDue], [own], [standing]] =
    await readAll(
      incomeByDay({ currency, since, secondsOfDay }),
      releasesByDay({ currency }),
      takenByDay({ currency, since }),
      availableNow({ currency }),
      settingsOf({ currency }),
      incomeDueBy({ currency, today }),
      reserveDueBy({ currency, today }),
      ownAccountOf(),
      standingOf(),
    )
  const isPaidOut =
    !own &&
    processorOf(services)?.bank &&
    standing!.status !== 'suspended' &&
    settings?.accountStatus === 'verified'
  return presentForecast({
    currency,
    today,
    days,
    movements: { income: [...income, ...taken], releases },
    availableMinor: (account?.balanceMinor ?? 0n) + due!.dueMinor + reserveDue!.dueMinor,
    schedule: isPaidOut ? settings : null,
  })
})

export const operations = [
  drawn(getAcceptance, async (report: AcceptanceReport, locale) =>
    (await import('./charts/acceptance.ts')).acceptanceChart(report, locale),
  ),
  getDeclines,
  getConversion,
  drawn(getCashFlow, async (forecast: CashFlowForecast, locale) =>
    (await import('./charts/cash-flow.ts')).cashFlowChart(forecast, locale),
  ),
]
