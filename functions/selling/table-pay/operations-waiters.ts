import { daysReversed } from '../../../src/http/days.ts'
import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { daysBetween, mexicoCityDate } from '../../../src/kernel/bank-days.ts'
import * as contracts from './contract-waiters.ts'
import {
  planArchiveWaiter,
  planCancelPayout,
  planCreateWaiter,
  planPayOut,
  planRestoreWaiter,
  planUpdateWaiter,
} from './plan-waiters.ts'
import { presentTip, presentTipPayout, presentTipReport, presentWaiter } from './present-waiters.ts'
import {
  tipDays,
  tipPayoutById,
  tipPayoutsPage,
  tipsPage,
  waiterAccount,
  waiterById,
  waitersPage,
} from './store.ts'

const report = operation(contracts.report, async ({ params, query, now, readAll, fail }) => {
  const endsOn = query.ends_on ?? mexicoCityDate(now)
  const beginsOn = query.begins_on ?? endsOn
  const days = daysBetween(beginsOn, endsOn) + 1
  if (days < 1) return fail('parameter_invalid', { param: 'ends_on', message: daysReversed })
  if (days > contracts.reportDaysMost)
    return fail('parameter_invalid', {
      param: 'ends_on',
      message: `A report has at most ${contracts.reportDaysMost} days.`,
    })
  const [[waiter], rows, accounts] = await readAll(
    waiterById({ id: params.id }),
    tipDays({ waiterId: params.id, beginsOn, endsOn }),
    waiterAccount({ code: `waiter:${params.id}` }),
  )
  if (!waiter) return fail('waiter_not_found')
  const owedMinor = accounts.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n)
  return presentTipReport(waiter, rows, owedMinor, { begins_on: beginsOn, ends_on: endsOn })
})

const payOut = operation(contracts.payOut, async (call) => {
  const [waiter] = await call.read(waiterById({ id: call.params.id }))
  return waiter ? call.publish(planPayOut(waiter, call.body, call)) : call.fail('waiter_not_found')
})

const ofWaiter = {
  values: ({ params }: { readonly params: { readonly id: string } }) => ({ waiterId: params.id }),
  within: ({ id }: { readonly id: string }) =>
    ({ query: waiterById({ id }), missing: 'waiter_not_found' }) as const,
}

export const ofWaiters = [
  operation(contracts.create, (call) => call.publish(planCreateWaiter(call.body, call))),
  listOperation(contracts.list, waitersPage, presentWaiter),
  getOperation(contracts.get, waiterById, presentWaiter),
  changeOperation(contracts.update, waiterById, (waiter, call) => planUpdateWaiter(waiter, call.body, call)),
  changeOperation(contracts.archive, waiterById, planArchiveWaiter),
  changeOperation(contracts.restore, waiterById, planRestoreWaiter),
  listOperation(contracts.tips, tipsPage, presentTip, ofWaiter),
  report,
  payOut,
  listOperation(contracts.listPayouts, tipPayoutsPage, presentTipPayout, ofWaiter),
  getOperation(contracts.getPayout, tipPayoutById, presentTipPayout),
  changeOperation(contracts.cancelPayout, tipPayoutById, planCancelPayout),
]
