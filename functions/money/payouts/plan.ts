import { payoutEntries, payoutSettings, payouts } from '../../../drizzle/schema/payouts.ts'
import { addBankDays, mexicoCityDate } from '../../../src/kernel/bank-days.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { canMove, type EventOf } from '../../../src/kernel/lifecycle.ts'
import { change, insert, isRefusal, type Plan, post, type Refusal, refuse } from '../../../src/kernel/plan.ts'
import { callLeaseMs } from '../../../src/kernel/poll-schedule.ts'
import { movementJournal } from '../../../src/ledger/journals.ts'
import { payoutLifecycle } from './lifecycle.ts'
import { type Interval, nextPayoutOn } from './plan-schedule.ts'
import { kindOf, presentPayout } from './present.ts'
import type { EntryRow, OpenActivity, PayoutRow, SettingsRow } from './store.ts'

/** So many movements each way go into one payout; the next one takes the rest. */
export const eachWayMax = 2_500

export const can = (payout: PayoutRow, move: EventOf<typeof payoutLifecycle>) =>
  canMove(payoutLifecycle, payout.status, move)

export const about = ({ id }: { readonly id: string }) => ({ type: 'payout', id })

/** The open movements, oldest first; one more than `eachWayMax` on a side means that there are more. */
export interface OpenBalance {
  readonly incoming: readonly OpenActivity[]
  readonly outgoing: readonly OpenActivity[]
  readonly availableMinor: bigint
  /** What refunds that wait for the balance will take of it; absent: nothing. */
  readonly waitingMinor?: bigint
}

const sumOf = (rows: readonly OpenActivity[]) => rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)

type Taken = { readonly taken: readonly OpenActivity[]; readonly more: boolean }

/**
 * How often a payout is drawn while refunds and transfers shrink its balance, and the share that each draw leaves to
 * them.
 */
const marginsBps = [0n, 0n, 1_000n, 2_500n, 5_000n] as const
export const drawsMax = marginsBps.length

/**
 * Everything open, up to what one payout carries. The sum is then limited to what is available, which includes the
 * rest: the newest incoming movements wait when it would be more, the newest outgoing when nothing would be left. Where
 * the balance shrank under earlier draws (`draw`: 1, 2 …), further newest incoming ones wait, so that concurrent debits
 * are covered; the margin is rounded down. When that would leave nothing, everything is taken. What refunds wait for is
 * always left.
 */
export function takeActivity(open: OpenBalance, draw = 1): Taken {
  const { availableMinor, waitingMinor = 0n } = open
  const freeMinor = availableMinor - waitingMinor
  const marginMinor = (freeMinor * (marginsBps[draw - 1] ?? 0n)) / 10_000n
  const upTo = (mostMinor: bigint) =>
    takeUpTo({ ...open, availableMinor: mostMinor }, mostMinor < availableMinor)
  const cut = upTo(freeMinor - marginMinor)
  return cut.taken.length === 0 && marginMinor > 0n ? upTo(freeMinor) : cut
}

function takeUpTo({ incoming, outgoing, availableMinor }: OpenBalance, leavesSome: boolean): Taken {
  const more = leavesSome || incoming.length > eachWayMax || outgoing.length > eachWayMax
  const [came, went] = [incoming.slice(0, eachWayMax), outgoing.slice(0, eachWayMax)]
  let sumMinor = sumOf(came) + sumOf(went)
  while (more && (sumMinor > availableMinor || sumMinor <= 0n)) {
    const waits = sumMinor > availableMinor ? came.pop() : went.pop()
    if (!waits) return { taken: [], more }
    sumMinor -= waits.amountMinor
  }
  return { taken: [...came, ...went], more }
}

const feeKinds: readonly EntryRow['kind'][] = ['dispute_fee', 'dispute_fee_returned']

function feesIn(activity: OpenActivity): bigint {
  const { feeProcessingMinor, feeInstallmentsMinor, feeIvaMinor, amountMinor } = activity
  if (feeKinds.includes(kindOf(activity))) return -amountMinor
  return (feeProcessingMinor ?? 0n) + (feeInstallmentsMinor ?? 0n) + (feeIvaMinor ?? 0n)
}

/**
 * A payment's entry has its fees, and its gross is the captured amount less the reserve. A fee of its own is nothing but
 * fee, below zero where it was given back. Other entries have no fees.
 */
function entryOf(activity: OpenActivity, payoutId: string, { now, newId }: Clock): EntryRow {
  const { amountMinor } = activity
  const feeMinor = feesIn(activity)
  return {
    tenantId: activity.tenantId,
    id: newId(),
    payoutId,
    activityId: activity.id,
    kind: kindOf(activity),
    sourceType: activity.sourceType,
    sourceId: activity.sourceId,
    grossMinor: amountMinor + feeMinor,
    feeMinor,
    netMinor: amountMinor,
    currency: activity.currency,
    processorRef: null,
    processorType: null,
    description: null,
    createdAt: now,
  }
}

export interface Drawn {
  readonly payout: PayoutRow
  readonly entries: readonly EntryRow[]
  readonly more: boolean
}

/** Why nothing is paid out to the account of the settings; null where something may be. */
export function refusalOfAccount({ accountStatus, coolDownEndsAt }: SettingsRow, now: Date) {
  if (accountStatus !== 'verified') return 'payout_account_not_verified'
  return coolDownEndsAt !== null && coolDownEndsAt > now ? 'payout_account_cooling_down' : null
}

/** The payout of the open balance, or the reason why there is none now. */
export function drawPayout(
  settings: SettingsRow,
  balance: OpenBalance,
  processor: string,
  clock: Clock,
  draw = 1,
):
  | Drawn
  | Refusal<
      | 'payout_account_not_verified'
      | 'payout_account_cooling_down'
      | 'payout_nothing_available'
      | 'payout_below_minimum'
    > {
  const refused = refusalOfAccount(settings, clock.now)
  if (refused === 'payout_account_cooling_down')
    return refuse(refused, {
      message: `Nothing is paid out to this account before ${settings.coolDownEndsAt?.toISOString()}.`,
    })
  if (refused) return refuse(refused)
  const { taken, more } = takeActivity(balance, draw)
  const amountMinor = sumOf(taken)
  if (amountMinor <= 0n) return refuse('payout_nothing_available')
  if (amountMinor < settings.amountMinorMin && draw > 1)
    return drawPayout(settings, balance, processor, clock)
  if (amountMinor < settings.amountMinorMin) return refuse('payout_below_minimum')
  const id = clock.newId()
  const entries = taken.map((activity) => entryOf(activity, id, clock))
  const feeMinor = entries.reduce((sum, entry) => sum + entry.feeMinor, 0n)
  const { now } = clock
  const payout: PayoutRow = {
    tenantId: settings.tenantId,
    id,
    status: 'pending',
    amountMinor,
    currency: settings.currency,
    grossMinor: amountMinor + feeMinor,
    feeMinor,
    entriesCount: entries.length,
    destinationClabe: settings.clabe,
    destinationHolder: settings.holder,
    destinationLast4: null,
    destinationBank: null,
    processor,
    accountId: null,
    processorRef: null,
    reconciliation: 'complete',
    entriesReadTo: null,
    claveRastreo: null,
    returnClaveRastreo: null,
    failureCode: null,
    arrivesOn: addBankDays(mexicoCityDate(now), 0),
    nextCheckAt: new Date(now.getTime() + callLeaseMs),
    checksCount: 0,
    resolvedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  return { payout, entries, more }
}

/** Records a payout: its entries take their movements, and the money is on its way. */
export function planCreate({ payout, entries }: Drawn, clock: Clock): Plan<ReturnType<typeof presentPayout>> {
  const reply = presentPayout(payout)
  return {
    writes: [
      insert(payouts, payout),
      insert(payoutEntries, ...entries),
      post(movementJournal('payout.payout', payout, payout.amountMinor, clock)),
    ],
    events: [event(clock.newId(), 'payout.created', about(payout), reply)],
    reply,
    subjectId: payout.id,
  }
}

/** The payout as it is: the request already took effect. */
export const unchanged = (payout: PayoutRow): Plan<ReturnType<typeof presentPayout>> => ({
  writes: [],
  events: [],
  reply: presentPayout(payout),
  subjectId: payout.id,
})

const waitsForAccount = ['payout_account_not_verified', 'payout_account_cooling_down']

/**
 * Plans the day's payout and the next date. While there is more than one payout carries, the date stays, so that the
 * next run takes the rest.
 */
export function planScheduled(
  settings: SettingsRow,
  drawn: Drawn | Refusal,
  clock: Clock,
): Plan<object> | null {
  const { now } = clock
  const today = mexicoCityDate(now)
  if (settings.nextPayoutOn === null || settings.nextPayoutOn > today) return null
  // The day stays set: the payout follows once the cool-down ends, or another account is named.
  if (isRefusal(drawn) && waitsForAccount.includes(drawn.refused)) return null
  const plan = isRefusal(drawn) ? { writes: [], events: [], reply: {} } : planCreate(drawn, clock)
  if (!isRefusal(drawn) && drawn.more) return plan
  const next = nextPayoutOn(settings.interval as Interval, settings.anchorDay, today)
  return {
    ...plan,
    writes: [...plan.writes, change(payoutSettings, settings, { nextPayoutOn: next, updatedAt: now })],
  }
}
