import * as ofDisputes from '../../functions/money/disputes/plan.ts'
import { planHoldDecreased } from '../../functions/money/disputes/plan-hold.ts'
import { isOpen } from '../../functions/money/disputes/standing.ts'
import type { DisputedPayment, DisputeRow } from '../../functions/money/disputes/store.ts'
import { planCreate } from '../../functions/money/refunds/plan.ts'
import { exceeds, planExternalRefund } from '../../functions/money/refunds/plan-external.ts'
import { planNextPoll, planOutcome, type RefundAnswer } from '../../functions/money/refunds/plan-outcome.ts'
import { planCancel, planSend } from '../../functions/money/refunds/plan-waiting.ts'
import type { RefundRow } from '../../functions/money/refunds/store.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { isRefusal } from '../../src/kernel/plan.ts'
import type { DisputeFacts } from '../../src/processors/claims.ts'
import type { RefundFacts } from '../../src/processors/port.ts'
import { idOf, now } from '../unit/payments/samples.ts'
import { cover, payment, plenty, request, routes } from '../unit/refunds/samples.ts'
import { MemoryBooks, Stale } from './memory-books.ts'

/*
 * A payment by card in the books and at its processor, both in memory: real plans, a door that refuses what the
 * database refuses, and the orchestration's steps around them, so that any order of them can be tried in microseconds.
 */

export const capturedMinor = 1_000n
/** What a dispute costs until it is won. */
export const disputeFee = { feeMinor: 20n, ivaMinor: 3n }

/** A refund in the processor's record. `ours`: by our reference; else it was made there. */
interface Refund {
  readonly ref: string
  readonly ours: boolean
  readonly amountMinor: bigint
  state: 'processing' | 'succeeded' | 'failed'
}

interface Dispute {
  readonly ref: string
  readonly claimedMinor: bigint
  state: DisputeFacts['state']
}

const daysMax = 400
const triesMax = 20

export class World extends MemoryBooks {
  readonly atProcessor = new Map<string, Refund>()
  readonly atBank = new Map<string, Dispute>()
  /** Hints received: each says only where to look. */
  readonly #hints = new Set<string>()
  readonly #readings: { readonly refund?: Refund; readonly dispute?: Dispute }[] = []
  #ids = 100
  #ms = now.getTime()

  constructor() {
    super(payment({ amountCapturedMinor: capturedMinor }))
  }

  // What merchants, processors and banks do.

  /** Asked for here: `name` is known at the processor once it is sent. */
  ask(name: string, amountMinor: bigint, isCovered = true): void {
    if (this.refunds.some(({ id }) => id === refundIdOf(name))) return
    const bounds = isCovered ? plenty : cover([0n, 0n, 0n])
    const order = request({ amount: amountMinor.toString() })
    const planned = planCreate(this.payment, order, routes, bounds, this.#clock(name))
    if (isRefusal(planned)) return
    this.publish(planned.plan)
  }

  /** Our order reaches the processor; its answer may be lost. */
  send(name: string, state: Refund['state'], isHeard: boolean): void {
    const refund = this.refunds.find(({ id }) => id === refundIdOf(name))
    if (refund?.status === 'processing') this.#send(refund, state, isHeard)
  }

  #send(refund: RefundRow, state: Refund['state'], isHeard: boolean): void {
    const { id: ref, amountMinor } = refund
    if (!this.atProcessor.has(ref)) {
      const outcome = this.#leftAtProcessor() < amountMinor ? 'failed' : state
      this.atProcessor.set(ref, { ref, ours: true, amountMinor, state: outcome })
    }
    if (isHeard) this.#follow(this.atProcessor.get(ref)!)
  }

  /** A refund in the processor's dashboard. */
  make(name: string, amountMinor: bigint, state: 'processing' | 'succeeded'): void {
    if (this.atProcessor.has(name) || this.#leftAtProcessor() < amountMinor) return
    this.atProcessor.set(name, { ref: name, ours: false, amountMinor, state })
    this.#hints.add(name)
  }

  /** It ends at the processor, or comes back from the buyer's bank. */
  end(name: string, state: 'succeeded' | 'failed', isTold = true): void {
    const refund = this.#refundAt(name)
    if (!refund || refund.state === 'failed') return
    refund.state = state
    if (isTold || !this.#isWatched(this.refunds, refund.ref)) this.#hints.add(refund.ref)
  }

  /** A bank claims, decides, or reconsiders. A new claim always makes a hint. */
  claim(name: string, claimedMinor: bigint): void {
    if (this.atBank.has(name)) return
    this.atBank.set(name, { ref: name, claimedMinor, state: 'needs_response' })
    this.#hints.add(name)
  }

  decide(name: string, state: DisputeFacts['state'], isTold = true): void {
    const dispute = this.atBank.get(name)
    if (!dispute) return
    dispute.state = state
    if (isTold || !this.#isWatched(this.disputes, name)) this.#hints.add(name)
  }

  /** Hints may be lost only for what we look at by ourselves. */
  #isWatched(rows: readonly (RefundRow | DisputeRow)[], ref: string): boolean {
    const row = rows.find(({ id, processorRef }) => id === ref || processorRef === ref)
    return row !== undefined && row.nextCheckAt !== null
  }

  #refundAt(name: string): Refund | undefined {
    return this.atProcessor.get(refundIdOf(name))
  }

  #leftAtProcessor(): bigint {
    const gone = [...this.atProcessor.values()].filter(({ state }) => state !== 'failed')
    return gone.reduce((left, { amountMinor }) => left - amountMinor, capturedMinor)
  }

  // What we do about it.

  /** Follows a hint up, or asks without one. */
  handleNotification(name: string): void {
    this.read(name)
    this.record(this.#readings.pop())
  }

  /** A Worker reads the outside state here and records it later: reading takes the hints given until then. */
  read(name: string): void {
    const refund = this.#refundAt(name)
    const dispute = this.atBank.get(name)
    this.#hints.delete((refund ?? dispute)?.ref ?? '')
    if (refund) this.#readings.push({ refund: { ...refund } })
    else this.#readings.push(dispute ? { dispute: { ...dispute } } : {})
  }

  record(reading = this.#readings.shift()): void {
    if (!reading) return
    const { refund, dispute } = reading
    if (refund?.ours) this.#follow(refund)
    else if (refund) this.#learnMade(refund)
    if (dispute) this.#learnDispute(dispute, null)
  }

  /** The reconciler looks at everything that has a next look. */
  look(): void {
    this.#ms += 86_400_000
    for (const { id } of this.refunds) {
      const refund = this.refunds.find((row) => row.id === id)!
      if (refund.nextCheckAt === null) continue
      if (refund.origin === 'processor') {
        const told = this.atProcessor.get(refund.processorRef!)!
        if (!this.#learnMade(told)) this.#lookLater(refund, answerOf(told))
      } else if (refund.status === 'pending') this.#sendWaiting(refund)
      else if (!this.atProcessor.has(id)) this.#send(refund, 'succeeded', true)
      else {
        const told = this.atProcessor.get(id)!
        if (!this.#follow(told)) this.#lookLater(refund, answerOf(told))
      }
    }
    for (const { id } of this.disputes) {
      const dispute = this.disputes.find((row) => row.id === id)!
      if (dispute.nextCheckAt === null) continue
      if (this.#learnDispute(this.atBank.get(dispute.processorRef)!, dispute.version)) continue
      const plan = ofDisputes.planNextPoll(dispute, new Date(this.#ms))
      if (plan) this.publish(plan)
    }
  }

  /** Follows every hint up, and runs the reconciler until nothing is due or nothing changes any more. */
  settle(): void {
    while (this.#readings.length > 0) this.record()
    for (let day = 0; day < daysMax; day++) {
      for (const name of [...this.#hints]) this.handleNotification(name)
      const before = this.#standing()
      this.look()
      if (this.#hints.size === 0 && before === this.#standing()) return
    }
    throw new Error('it never comes to rest')
  }

  #standing(): string {
    const rows = [...this.refunds, ...this.disputes].map((row) => [row.id, row.status, row.amountMinor])
    const held = this.disputes.map(({ heldMinor }) => heldMinor)
    return [...rows, ...held, this.journalsCount].join()
  }

  #follow(told: Refund): boolean {
    const refund = this.refunds.find(({ id }) => id === told.ref)
    if (!refund) return false
    const source = { kind: 'payment', payment: this.payment } as const
    const plan = planOutcome(refund, source, answerOf(told), this.#clock())
    if (plan) this.publish(plan)
    return plan !== null
  }

  #learnMade(told: Refund): boolean {
    const facts: RefundFacts = {
      refundRef: told.ref,
      attemptReference: this.payment.attemptId!,
      state: told.state,
      code: told.state === 'failed' ? 'declined_by_bank' : null,
      amountMinor: told.amountMinor,
      currency: 'mxn',
    }
    return this.#onFreshRows(() => {
      const { payment } = this
      const refund = this.refunds.find(({ processorRef }) => processorRef === told.ref) ?? null
      const isBooked = refund !== null && refund.status !== 'amount_mismatch'
      if (!isBooked && told.state !== 'failed' && exceeds(payment, told.amountMinor) && this.#giveWay())
        throw new Stale()
      const taking = this.disputes.filter(({ status, heldMinor }) => status !== 'won' && heldMinor > 0n)
      const lostLast = (row: DisputeRow) => Number(row.status === 'lost')
      const holdings = taking
        .sort((one, other) => lostLast(one) - lostLast(other))
        .map((dispute) => ({
          heldMinor: dispute.heldMinor,
          reduce: (byMinor: bigint, clock: Clock) => planHoldDecreased(dispute, byMinor, clock),
        }))
      const plan = planExternalRefund('simulator', { payment, refund, holdings }, facts, this.#clock())
      if (plan) this.publish(plan)
      return plan !== null
    })
  }

  #learnDispute(told: Dispute, version: number | null): boolean {
    let facts = disputeFacts(told)
    return this.#onFreshRows(() => {
      const { payment } = this
      const dispute = this.disputes.find(({ processorRef }) => processorRef === told.ref) ?? null
      const disputed = { ...payment, attemptStatus: 'captured', attemptResolution: null } as DisputedPayment
      const known = { payment: disputed, dispute, fee: disputeFee }
      if (!ofDisputes.planFacts('simulator', known, facts, this.#clock())) return false
      if (dispute && dispute.version !== version) facts = disputeFacts(this.atBank.get(told.ref)!)
      const takes =
        facts.state !== 'won' && facts.state !== dispute?.status && (!dispute || !isOpen(dispute.status))
      if (takes && this.#giveWay()) throw new Stale()
      const plan = ofDisputes.planFacts('simulator', known, facts, this.#clock())
      if (plan) this.publish(plan)
      return plan !== null
    })
  }

  #giveWay(): boolean {
    const waiting = this.refunds.filter(({ status }) => status === 'pending')
    for (const refund of waiting) this.#cancel(refund)
    return waiting.length > 0
  }

  #cancel(refund: RefundRow): void {
    const plan = planCancel(refund, { kind: 'payment', payment: this.payment }, this.#clock())
    if (!isRefusal(plan)) this.publish(plan)
  }

  #sendWaiting(refund: RefundRow): void {
    if (this.payment.openDisputesCount > 0) this.#cancel(refund)
    else this.publish(planSend(refund, plenty, this.#clock()).plan)
  }

  #lookLater(refund: RefundRow, answer: RefundAnswer): void {
    const plan = planNextPoll(refund, answer, new Date(this.#ms))
    if (plan) this.publish(plan)
  }

  #onFreshRows(work: () => boolean): boolean {
    for (let tries = 1; ; tries++) {
      try {
        return work()
      } catch (error) {
        if (!(error instanceof Stale) || tries === triesMax) throw error
      }
    }
  }

  /** The first id in the plan of a new refund is the refund's own. */
  #clock(name?: string): Clock {
    let first = name === undefined ? null : refundIdOf(name)
    const newId = () => {
      const id = first ?? idOf(this.#ids++)
      first = null
      return id
    }
    return { now: new Date(this.#ms++), newId }
  }
}

/** Our id of a refund that was asked for here. */
const refundIdOf = (name: string): string => (/^\d+$/.test(name) ? idOf(Number(name)) : name)

function answerOf({ ref: processorRef, state, amountMinor }: Refund): RefundAnswer {
  if (state === 'processing') return { state, processorRef }
  if (state === 'failed') return { state, code: 'declined_by_bank' }
  return { state, amountMinor, currency: 'mxn', processorRef, claveRastreo: null }
}

const disputeFacts = ({ ref: disputeRef, state, claimedMinor: amountMinor }: Dispute): DisputeFacts => ({
  disputeRef,
  attemptReference: idOf(2),
  state,
  amountMinor,
  currency: 'mxn',
  reason: 'fraudulent',
  evidenceDueBy: null,
})
