import { payoutEntries, payouts } from '../../../drizzle/schema/payouts.ts'
import { containsCardNumber } from '../../../src/kernel/card-number.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { firstLetters } from '../../../src/kernel/first-letters.ts'
import type { EventOf } from '../../../src/kernel/lifecycle.ts'
import { change, insert, type Plan } from '../../../src/kernel/plan.ts'
import { firstWatch, nextPoll } from '../../../src/kernel/poll-schedule.ts'
import type { PayoutEntriesPage, PayoutEntryFacts, PayoutFacts } from '../../../src/processors/payouts.ts'
import type { payoutLifecycle } from './lifecycle.ts'
import { about, can } from './plan.ts'
import { presentPayout } from './present.ts'
import type { EntryRow, PayoutRow } from './store.ts'

// Payouts that a processor makes of a merchant's own account. They are recorded and book nothing: the money never was ours.

type Reply = ReturnType<typeof presentPayout>

const reconciliations = { reported: 'pending', awaited: 'pending', never: 'unavailable' } as const

/** What the processor reports each time, beside the state. */
const detailsOf = ({ arrivesOn, claveRastreo, destination }: PayoutFacts) => ({
  arrivesOn,
  claveRastreo,
  destinationLast4: destination?.last4 ?? null,
  destinationBank: destination?.bankName ?? null,
})

/** Records a payout that was not known, as it began: its state follows as a change of its own. */
export function planFirst(processor: string, facts: PayoutFacts, { now, newId }: Clock): Plan<Reply> {
  const payout: PayoutRow = {
    tenantId: facts.tenantId,
    id: newId(),
    status: 'pending',
    amountMinor: facts.amountMinor,
    currency: facts.currency,
    grossMinor: 0n,
    feeMinor: 0n,
    entriesCount: 0,
    destinationClabe: null,
    destinationHolder: null,
    ...detailsOf(facts),
    processor,
    accountId: facts.accountId,
    processorRef: facts.payoutRef,
    reconciliation: reconciliations[facts.entries],
    entriesReadTo: null,
    returnClaveRastreo: null,
    failureCode: null,
    nextCheckAt: nextPoll(0, now),
    checksCount: 0,
    resolvedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const reply = presentPayout(payout)
  return {
    writes: [insert(payouts, payout)],
    events: [event(newId(), 'payout.created', about(payout), reply)],
    reply,
    subjectId: payout.id,
  }
}

type Status = Exclude<PayoutRow['status'], 'pending'>

/** What each state of the processor's does here: the first that the payout's status allows. */
const moves: Readonly<
  Record<PayoutFacts['state'], readonly (readonly [EventOf<typeof payoutLifecycle>, Status])[]>
> = {
  pending: [],
  in_transit: [['send', 'in_transit']],
  paid: [['pay', 'paid']],
  // Some that fail are paid at first.
  failed: [
    ['fail', 'failed'],
    ['return', 'returned'],
  ],
  canceled: [['cancel', 'canceled']],
}

/** What the processor's facts change; null where they change nothing. */
export function planFacts(payout: PayoutRow, facts: PayoutFacts, { now, newId }: Clock): Plan<Reply> | null {
  const [, status] = moves[facts.state].find(([move]) => can(payout, move)) ?? []
  const reported = {
    ...detailsOf(facts),
    ...(facts.entries === 'never' ? { reconciliation: reconciliations.never } : {}),
  }
  const isSame = Object.entries(reported).every(
    ([name, value]) => payout[name as keyof typeof reported] === value,
  )
  if (!status && isSame) return null
  const over = { resolvedAt: now, nextCheckAt: status === 'paid' ? firstWatch(now) : null }
  const moved = status && {
    status,
    checksCount: 0,
    failureCode: facts.failureCode,
    ...(status === 'in_transit' ? { nextCheckAt: nextPoll(0, now) } : over),
  }
  return changed(payout, { ...reported, ...moved }, status ?? 'updated', { now, newId })
}

/** Our resources by the processor's references. */
export type Links = ReadonlyMap<
  string | null,
  { readonly type: EntryRow['sourceType'] & string; readonly id: string }
>

/**
 * Records a page of what a payout is made of. With the last one it is `complete`, if its entries sum to its amount. What is
 * not linked to a resource of ours is an entry of the kind `other`.
 */
export function planEntries(
  payout: PayoutRow,
  { entries, readOnFrom }: PayoutEntriesPage,
  links: Links,
  clock: Clock,
): Plan<Reply> {
  const rows = entries.map((each) => entryOf(payout, each, links, clock))
  const sum = (amount: 'grossMinor' | 'feeMinor') =>
    rows.reduce((total, row) => total + row[amount], payout[amount])
  const [grossMinor, feeMinor] = [sum('grossMinor'), sum('feeMinor')]
  const isWhole = grossMinor - feeMinor === payout.amountMinor
  const set = {
    grossMinor,
    feeMinor,
    entriesCount: payout.entriesCount + rows.length,
    ...(readOnFrom === null
      ? { reconciliation: isWhole ? ('complete' as const) : ('mismatched' as const) }
      : {}),
    entriesReadTo: readOnFrom,
  }
  const plan = changed(payout, set, 'updated', clock)
  return {
    ...plan,
    writes: [...(rows.length > 0 ? [insert(payoutEntries, ...rows)] : []), ...plan.writes],
    events: readOnFrom === null ? plan.events : [],
  }
}

function entryOf(payout: PayoutRow, entry: PayoutEntryFacts, links: Links, { now, newId }: Clock): EntryRow {
  const { grossMinor, feeMinor, netMinor, currency } = entry
  const source = entry.sourceRefs.map((each) => links.get(each)).find((each) => each !== undefined)
  return {
    tenantId: payout.tenantId,
    id: newId(),
    payoutId: payout.id,
    activityId: null,
    kind: source ? entry.kind : 'other',
    sourceType: source?.type ?? null,
    sourceId: source?.id ?? null,
    grossMinor,
    feeMinor,
    netMinor,
    currency,
    processorRef: entry.entryRef,
    processorType: entry.type,
    // What is of ours says more, and the text may name a buyer or a card.
    description: source ? null : textOf(entry.description),
    createdAt: now,
  }
}

const textMax = 500

const textOf = (text: string | null) =>
  text === null || containsCardNumber(text) ? null : firstLetters(text, textMax)

function changed(
  payout: PayoutRow,
  changes: Partial<PayoutRow>,
  type: Status | 'updated',
  { now, newId }: Clock,
): Plan<Reply> {
  const set = { ...changes, updatedAt: now }
  const reply = presentPayout({ ...payout, ...set })
  return {
    writes: [change(payouts, payout, set)],
    events: [event(newId(), `payout.${type}`, about(payout), reply, presentPayout(payout))],
    reply,
    subjectId: payout.id,
  }
}
