import { onFreshRows } from '../../../src/http/publishing.ts'
import { type BackgroundWork, type SystemCall, systemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { log } from '../../../src/platform/log.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import { type Offering, offers } from '../../../src/processors/offering.ts'
import type { PayoutFacts } from '../../../src/processors/payouts.ts'
import type { Processor } from '../../../src/processors/port.ts'
import { takerOf } from '../payments/api.ts'
import { sync } from './contract.ts'
import { planNextPoll } from './plan-outcome.ts'
import { planEntries, planFacts, planFirst } from './plan-processor.ts'
import { linksOf, type PayoutRow, payoutByRef } from './store.ts'

const plansMax = 5

type Rail = Offering<'payouts'>

/** The processor's facts, and the version of our row read before they were fetched: null where none was read. */
interface FetchedFacts {
  readonly facts: PayoutFacts
  readonly version: number | null
}

/** The processor notified us about a payout of a merchant's own account: read it there. */
export async function handleProcessorPayout(
  work: BackgroundWork,
  processor: Processor,
  payoutRef: string,
): Promise<void> {
  if (!offers(processor, 'payouts')) return
  const facts = await fetchFacts(processor, payoutRef)
  if (facts) await record(systemCall(work, facts.tenantId), processor, { facts, version: null })
}

async function fetchFacts({ payouts }: Rail, payoutRef: string): Promise<PayoutFacts | null> {
  const facts = await payouts.fetchPayout(payoutRef)
  if (facts === 'unknown') throw new OutcomeUnknown('the processor did not answer about a payout')
  return facts
}

/** Asks about one that is on its way, or may still come back. */
export async function resolveProcessorPayout(call: SystemCall, payout: PayoutRow): Promise<void> {
  const rail = takerOf(call.services, payout)
  const facts = (await rail.payouts?.fetchPayout(payout.processorRef!)) ?? 'unknown'
  const isTold = facts !== 'unknown' && offers(rail, 'payouts')
  if (isTold && (await record(call, rail, { facts, version: payout.version }))) return
  const { now } = clockOf(new Date())
  const plan = planNextPoll(payout, { state: facts === 'unknown' ? facts : 'processing' }, now)
  if (plan) await call.publish(sync, plan, { now })
}

/**
 * Records a payout, then its new state, then each page of its entries: a publish each, so that the next run
 * after a death goes on from there. Only facts fetched after the row was read may change it. True when
 * anything was new.
 */
async function record(call: SystemCall, rail: Rail, fetched: FetchedFacts): Promise<boolean> {
  let isNews = false
  for (let at: FetchedFacts | null = fetched; ; isNews = true) {
    const from: FetchedFacts = at
    at = await onFreshRows(plansMax, () => step(call, rail, from))
    if (!at) return isNews
  }
}

/** One publish, and the facts that hold for the row after it; null where nothing is left to be recorded. */
async function step(call: SystemCall, rail: Rail, fetched: FetchedFacts): Promise<FetchedFacts | null> {
  const { payoutRef: processorRef } = fetched.facts
  const [[payout]] = await call.read(sync, payoutByRef({ processor: rail.name, processorRef }))
  const isOld = payout && payout.version !== fetched.version
  const facts = (isOld && (await fetchFacts(rail, processorRef))) || fetched.facts
  const clock = clockOf(new Date())
  if (!payout) {
    await call.publish(sync, planFirst(rail.name, facts, clock), clock)
    return { facts, version: 1 }
  }
  const plan = planFacts(payout, facts, clock) ?? (await planPage(call, rail, payout, facts))
  if (!plan) return null
  const { id, reconciliation, amount, amount_gross, amount_fee } = await call.publish(sync, plan, clock)
  if (reconciliation === 'mismatched' && payout.reconciliation !== 'mismatched') {
    const what = `the entries of a payout of ${amount} sum to ${amount_gross} less ${amount_fee}`
    log('warn', { place: 'payout_entries', requestId: call.requestId, id, what })
  }
  return { facts, version: payout.version + 1 }
}

/** The next page of the entries, where there is one to be read. */
async function planPage({ read }: SystemCall, { payouts }: Rail, payout: PayoutRow, facts: PayoutFacts) {
  if (payout.reconciliation !== 'pending' || facts.entries !== 'reported') return null
  const page = await payouts.entriesOf(facts.payoutRef, payout.entriesReadTo)
  if (page === 'unknown')
    throw new OutcomeUnknown('the processor did not answer about the entries of a payout')
  const { processor, accountId } = payout
  const refs = page.entries.flatMap(({ sourceRefs }) => sourceRefs)
  const found = await read(sync, ...linksOf.map(({ find }) => find({ processor, accountId, refs })))
  const links = linksOf.flatMap(({ type }, at) =>
    found[at]!.map(({ ref, id }) => [ref, { type, id }] as const),
  )
  return planEntries(payout, page, new Map(links), clockOf(new Date()))
}
