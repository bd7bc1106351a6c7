import { onFreshRows, Stale } from '../../../src/http/publishing.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import {
  type BackgroundWork,
  isRefusedBy,
  type JobRun,
  type SystemCall,
} from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import type { BankState } from '../../../src/processors/port.ts'
import { handleOrderNotification, type Orders, resolveOrder, sendOrder } from '../bank-orders/api.ts'
import { processorOf } from '../payments/api.ts'
import { ownAccountOf } from '../processors/api.ts'
import * as contracts from './contract.ts'
import { can, drawPayout, drawsMax, eachWayMax, type OpenBalance, planScheduled } from './plan.ts'
import { planNextPoll, planOutcome } from './plan-outcome.ts'
import {
  type AvailableRow,
  availableOf,
  type OpenActivity,
  openIncoming,
  openOutgoing,
  type PayoutRow,
  payoutById,
  settingsOf,
} from './store.ts'
import { resolveProcessorPayout } from './sync.ts'

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
  [{ balanceMinor, waitingMinor } = { balanceMinor: 0n, waitingMinor: 0n }]: readonly AvailableRow[],
): OpenBalance => ({ incoming, outgoing, availableMinor: balanceMinor, waitingMinor })

/** The balance has shrunk since the payout was drawn: draw it again. */
export function drawnOnLess(error: unknown): never {
  if (isRefusedBy('ledger_available_covered', error)) throw new Stale()
  throw error
}

/** The text on the merchant's statement; banks carry no accents. */
const concept = 'Liquidacion Spindle'

async function send({ services }: SystemCall, payout: PayoutRow): Promise<BankState> {
  const bank = processorOf(services)?.bank
  const { id: reference, amountMinor, currency, destinationClabe: clabe, destinationHolder: holder } = payout
  if (!bank || clabe === null || holder === null) return { state: 'unknown' }
  return bank.send({ reference, amountMinor, currency, clabe, holder, concept })
}

const orders: Orders<PayoutRow, BankState> = {
  table: 'payouts',
  operation: contracts.outcome,
  rowOf: (payout) => payout,
  load: async ({ read }, id) => (await read(contracts.outcome, payoutById({ id })))[0][0],
  send,
  poll: async (services, { id }) =>
    (await processorOf(services)?.bank?.fetchOrder(id)) ?? { state: 'unknown' },
  isHeldBySuspension: true,
  isOnItsWay: (payout) => can(payout, 'pay'),
  planOutcome,
  planNextPoll,
}

/** Sends a payout that was recorded: one call of the bank and one publish. */
export const sendPayout = (work: BackgroundWork, payout: PayoutRow): Promise<void> =>
  sendOrder(work, orders, payout)

/** Scheduled: asks about every payout that is not over, the bank or the processor that made it. */
export const resolvePayouts = (run: JobRun): Promise<void> =>
  eachDue(run, 'payouts', async (call, id) => {
    const payout = await orders.load(call, id)
    if (payout?.accountId) await resolveProcessorPayout(call, payout)
    else if (payout) await resolveOrder(call, orders, payout)
  })

export const handlePayoutNotification = (work: BackgroundWork, id: string): Promise<void> =>
  handleOrderNotification(work, orders, id)

/** Scheduled: makes the payouts that are due. Without a bank, or where the processor pays out, the day is skipped. */
export const runPayoutSchedules = (run: JobRun): Promise<void> =>
  eachDue(run, 'payout_settings', async (call, id) => {
    const { services, read, publish, now } = call
    const [[settings], [own]] = await read(contracts.schedule, settingsOf({ id }), ownAccountOf())
    if (!settings) return
    const processor = processorOf(services)
    const payout = await onFreshRows(drawsMax, async (draw) => {
      const balance = async () =>
        balanceFrom(...(await read(contracts.schedule, ...balanceQueries(settings.currency))))
      const clock = clockOf(now)
      const drawn =
        processor?.bank && !own
          ? drawPayout(settings, await balance(), processor.name, clock, draw)
          : refuse(own ? 'paid_out_by_processor' : 'transfers_not_configured')
      const plan = planScheduled(settings, drawn, clock)
      if (plan) await publish(contracts.schedule, plan).catch(drawnOnLess)
      return plan && 'payout' in drawn ? drawn.payout : null
    })
    if (payout) await sendPayout(call, payout)
  })
