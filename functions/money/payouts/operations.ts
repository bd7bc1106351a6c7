import type { Operation } from '../../../src/http/operation.ts'
import { operation } from '../../../src/http/operation.ts'
import { onFreshRows } from '../../../src/http/publishing.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { isRefusal, refuse } from '../../../src/kernel/plan.ts'
import { bankAccountById } from '../bank-accounts/api.ts'
import { processorOf } from '../payments/api.ts'
import { ownAccountOf } from '../processors/api.ts'
import * as contracts from './contract.ts'
import * as settingsContracts from './contract-settings.ts'
import { can, drawPayout, drawsMax, planCreate, unchanged } from './plan.ts'
import { planOutcome } from './plan-outcome.ts'
import { planSettings } from './plan-settings.ts'
import { presentActivity, presentEntry, presentPayout, presentSettings } from './present.ts'
import { balanceFrom, balanceQueries, drawnOnLess, sendPayout } from './send.ts'
import { activityPage, entriesPage, payoutById, payoutsPage, settingsOf } from './store.ts'

const listPayoutSettings = operation(settingsContracts.list, async ({ read }) => ({
  object: 'list' as const,
  data: (await read(settingsOf())).map(presentSettings),
  has_more: false,
  next_cursor: '',
}))

const updatePayoutSettings = operation(
  settingsContracts.update,
  async ({ body, readAll, publish, now, newId }) => {
    const [[own], [before], [account]] = await readAll(
      ownAccountOf(),
      settingsOf({ currency: body.currency }),
      bankAccountById({ id: body.bank_account_id }),
    )
    if (own) return publish(refuse('paid_out_by_processor'))
    const wanted = {
      currency: body.currency,
      interval: body.interval,
      anchorDay: body.anchor_day ?? null,
      amountMinorMin: BigInt(body.amount_min),
      bankAccountId: body.bank_account_id,
    }
    return publish(planSettings(before, wanted, account, { now, newId }))
  },
  ({ body: { currency, interval, anchor_day, amount_min, bank_account_id } }) => ({
    currency,
    interval,
    anchor_day: anchor_day ?? null,
    amount_min,
    bank_account_id,
  }),
)

const createPayout = operation(contracts.create, (call) =>
  onFreshRows(drawsMax, async (draw) => {
    const { currency } = call.body
    const [[own], [settings], ...open] = await call.readAll(
      ownAccountOf(),
      settingsOf({ currency }),
      ...balanceQueries(currency),
    )
    if (own) return call.publish(refuse('paid_out_by_processor'))
    const processor = processorOf(call.services)
    if (!processor?.bank) return call.fail('transfers_not_configured')
    if (!settings) return call.publish(refuse('payout_settings_missing', { param: 'currency' }))
    const drawn = drawPayout(settings, balanceFrom(...open), processor.name, call, draw)
    if (isRefusal(drawn)) return call.publish(drawn)
    const reply = await call.publish(planCreate(drawn, call)).catch(drawnOnLess)
    call.later(sendPayout(call, drawn.payout))
    return reply
  }),
)

const listPayouts = listOperation(contracts.list, payoutsPage, presentPayout)

const getPayout = getOperation(contracts.get, payoutById, presentPayout)

const listPayoutEntries = listOperation(contracts.listEntries, entriesPage, presentEntry, {
  values: ({ params }) => ({ payoutId: params.id }),
  within: (params) => ({ query: payoutById(params), missing: 'payout_not_found' }),
})

/** The bank decides whether the payout can still be stopped. */
const cancelPayout = operation(contracts.cancel, async (call) => {
  const [payout] = await call.read(payoutById({ id: call.params.id }))
  if (payout?.accountId) return call.publish(refuse('paid_out_by_processor'))
  const bank = processorOf(call.services)?.bank
  if (!bank) return call.fail('transfers_not_configured')
  if (!payout) return call.fail('payout_not_found')
  // Also when the reconciler recorded first what this call stopped.
  if (payout.status === 'canceled') return call.publish(unchanged(payout))
  if (!can(payout, 'cancel')) return call.publish(refuse('payout_not_cancelable'))
  const standing = await bank.cancelOrder(payout.id)
  if (standing.state === 'unknown') return call.fail('outcome_unknown')
  const plan = standing.state === 'canceled' ? planOutcome(payout, standing, call) : null
  return call.publish(plan ?? refuse('payout_not_cancelable'))
})

const listBalanceActivity = listOperation(settingsContracts.listActivity, activityPage, presentActivity)

export const operations: readonly Operation[] = [
  listPayoutSettings,
  updatePayoutSettings,
  createPayout,
  listPayouts,
  getPayout,
  listPayoutEntries,
  cancelPayout,
  listBalanceActivity,
]
