import { Problem } from '../../src/http/problems.ts'
import { onFreshRows, publishPlan, Stale } from '../../src/http/publishing.ts'
import { eachDue } from '../../src/http/scheduled.ts'
import type { Services } from '../../src/http/services.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import type { BankState } from '../../src/processors/port.ts'
import { handleOrderNotification, type Orders, resolveOrders, sendOrder } from '../bank-orders/api.ts'
import { processorOf } from '../payments/api.ts'
import * as contracts from './contract.ts'
import { can, drawPayout, drawsMax, eachWayMax, type OpenBalance, planScheduled } from './plan.ts'
import { planNextPoll, planOutcome } from './plan-outcome.ts'
import {
  type AccountRow,
  availableOf,
  type OpenActivity,
  openIncoming,
  openOutgoing,
  type PayoutRow,
  payoutById,
  settingsOf,
} from './store.ts'

/** The queries that read the open balance of a currency. */
export const balanceQueries = (currency: string) =>
  [
    openIncoming({ currency, rows: eachWayMax + 1 }),
    openOutgoing({ currency, rows: eachWayMax + 1 }),
    availableOf({ currency }),
  ] as const

export const balanceFrom = (
  incoming: readonly OpenActivity[],
  outgoing: readonly OpenActivity[],
  [account]: readonly AccountRow[],
): OpenBalance => ({ incoming, outgoing, availableMinor: account?.balanceMinor ?? 0n })

/** The balance has shrunk since the payout was drawn: draw it again. */
export function drawnOnLess(error: unknown): never {
  if (error instanceof Problem && error.code === 'insufficient_funds') throw new Stale()
  throw error
}

/** The text on the merchant's statement; banks carry no accents. */
const concept = 'Liquidacion Spindle'

async function send(services: Services, payout: PayoutRow): Promise<BankState> {
  const bank = processorOf(services)?.bank
  if (!bank) return { state: 'unknown' }
  const { id: reference, amountMinor, currency, destinationClabe: clabe, destinationHolder: holder } = payout
  return bank.send({ reference, amountMinor, currency, clabe, holder, concept })
}

const orders: Orders<PayoutRow, BankState> = {
  table: 'payouts',
  operation: contracts.outcome.id,
  rowOf: (payout) => payout,
  load: async (services, credential, id) => {
    const { rows } = await services.db.read(contracts.outcome.id, credential, [payoutById({ id })])
    return rows[0][0]
  },
  send,
  look: async (services, { id }) =>
    (await processorOf(services)?.bank?.fetchOrder(id)) ?? { state: 'unknown' },
  isOnItsWay: (payout) => can(payout, 'pay'),
  planOutcome,
  planNextPoll,
}

/** Sends a payout that was recorded: one call of the bank and one publish. */
export const sendPayout = (services: Services, payout: PayoutRow, requestId: string): Promise<void> =>
  sendOrder(orders, services, payout, requestId)

export const resolvePayouts = (services: Services, requestId: string, now: Date): Promise<void> =>
  resolveOrders(orders, services, requestId, now)

export const handlePayoutNotification = (services: Services, id: string, requestId: string): Promise<void> =>
  handleOrderNotification(orders, services, id, requestId)

/** Scheduled: makes the payouts that are due. Without a bank the day is skipped. */
export const runPayoutSchedules = (services: Services, requestId: string, now: Date): Promise<void> =>
  eachDue(services, 'payout_settings', requestId, now, async (credential, id) => {
    const reading = services.db.read(contracts.schedule.id, credential, [settingsOf({ id })])
    const [settings] = (await reading).rows[0]
    if (!settings) return
    const payout = await onFreshRows(drawsMax, async (draw) => {
      const queries = balanceQueries(settings.currency)
      const { rows } = await services.db.read(contracts.schedule.id, credential, queries)
      const balance = balanceFrom(...rows)
      const processor = processorOf(services)
      const clock = clockOf(now)
      const drawn = processor?.bank
        ? drawPayout(settings, balance, processor.name, clock, draw)
        : ({ refused: 'transfers_not_configured' } as const)
      const plan = planScheduled(settings, drawn, clock)
      const request = { operation: contracts.schedule.id, credential, requestId, now }
      if (plan) await publishPlan(services, request, plan).catch(drawnOnLess)
      return plan && 'payout' in drawn ? drawn.payout : null
    })
    if (payout) await sendPayout(services, payout, requestId)
  })
