import { Problem } from '../../src/http/problems.ts'
import { onFreshRows, Stale } from '../../src/http/publishing.ts'
import { eachDue } from '../../src/http/scheduled.ts'
import type { Services } from '../../src/http/services.ts'
import type { JobRun } from '../../src/http/system-call.ts'
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

export const resolvePayouts = (run: JobRun): Promise<void> => resolveOrders(orders, run)

export const handlePayoutNotification = (services: Services, id: string, requestId: string): Promise<void> =>
  handleOrderNotification(orders, services, id, requestId)

/** Scheduled: makes the payouts that are due. Without a bank the day is skipped. */
export const runPayoutSchedules = (run: JobRun): Promise<void> =>
  eachDue(run, 'payout_settings', async ({ services, requestId, read, publish, now }, id) => {
    const [[settings]] = await read(contracts.schedule, settingsOf({ id }))
    if (!settings) return
    const payout = await onFreshRows(drawsMax, async (draw) => {
      const balance = balanceFrom(...(await read(contracts.schedule, ...balanceQueries(settings.currency))))
      const processor = processorOf(services)
      const clock = clockOf(now)
      const drawn = processor?.bank
        ? drawPayout(settings, balance, processor.name, clock, draw)
        : ({ refused: 'transfers_not_configured' } as const)
      const plan = planScheduled(settings, drawn, clock)
      if (plan) await publish(contracts.schedule, plan).catch(drawnOnLess)
      return plan && 'payout' in drawn ? drawn.payout : null
    })
    if (payout) await sendPayout(services, payout, requestId)
  })
