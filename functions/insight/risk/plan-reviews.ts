import { payments } from '../../../drizzle/schema/payments.ts'
import { riskReviews } from '../../../drizzle/schema/risk.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { move } from '../../../src/kernel/lifecycle.ts'
import {
  adjust,
  change,
  type EventDraft,
  expect,
  type Plan,
  type Row,
  refuse,
  type Write,
} from '../../../src/kernel/plan.ts'
import { riskReviewLifecycle } from './lifecycle.ts'
import { presentReview } from './present.ts'
import type { ReviewRow } from './store.ts'

/** A person's decision. */
export interface Decision {
  readonly kind: 'approve' | 'reject'
  readonly note: string | undefined
  readonly author: { readonly userId: string; readonly email: string }
}

/**
 * What gives the money back, in the same publish: of it, what must be locked before the review is written, and what a
 * trigger would end the review for.
 */
export interface GivingBack {
  readonly before: readonly Write[]
  readonly after: readonly Write[]
  readonly events: readonly EventDraft[]
}

/** An intent to cancel: its attempt is locked before the payment and its review, as everywhere. */
export const canceling = ({ writes }: Plan<unknown>): GivingBack => ({
  before: writes,
  after: [],
  events: [],
})

/**
 * A refund of all that is left of what was read: it finds the review decided. Adding 0 locks the payment before the
 * review, as a trigger does; a refund that came to nothing meanwhile has left more.
 */
export const refunding = (
  { id, amountRefundedMinor, amountDisputedMinor }: RefundedPayment,
  { writes, events }: Plan<unknown>,
): GivingBack => ({
  before: [
    adjust(payments, id, { amountRefundedMinor: 0n }),
    expect(payments, id, { amountRefundedMinor, amountDisputedMinor }),
  ],
  after: writes,
  events,
})

type RefundedPayment = Pick<Row<typeof payments>, 'id' | 'amountRefundedMinor' | 'amountDisputedMinor'>

const typeOf: Readonly<Record<ReviewRow['status'], EventType>> = {
  open: 'risk_review.opened',
  approved: 'risk_review.approved',
  rejected: 'risk_review.rejected',
  refunded: 'risk_review.closed',
  expired: 'risk_review.closed',
}

const asOpen = (review: ReviewRow): ReviewRow => ({
  ...review,
  status: 'open',
  note: null,
  decidedByUserId: null,
  decidedByEmail: null,
  endedAt: null,
})

/** The row as it is now, and the events of what none has shown of it. */
function announcing(before: ReviewRow, now: ReviewRow, { newId }: Clock) {
  const about = { type: 'risk_review', id: now.id }
  const opened = before.announced === null
  const again = before.announced !== null && before.announced !== 'open' && before.status === 'open'
  const shown = { ...asOpen(now), ...(opened ? {} : { expiresAt: before.announcedExpiresAt }) }
  const events: EventDraft[] = [
    ...(opened ? [event(newId(), typeOf.open, about, presentReview(asOpen(now)))] : []),
    ...(again
      ? [
          event(
            newId(),
            typeOf.open,
            about,
            presentReview(asOpen(now)),
            presentReview({ ...asOpen(now), status: before.announced! }),
          ),
        ]
      : []),
    ...(now.status === 'open'
      ? []
      : [event(newId(), typeOf[now.status], about, presentReview(now), presentReview(shown))]),
  ]
  return { events, announced: now.status, announcedExpiresAt: now.expiresAt }
}

/** Publishes what triggers changed; null where an event has said it. */
export function planAnnounce(review: ReviewRow, clock: Clock) {
  if (review.announced === review.status) return null
  const shown = { ...review, version: review.version + 1, updatedAt: clock.now }
  const { events, ...set } = announcing(review, shown, clock)
  return {
    writes: [change(riskReviews, review, { ...set, updatedAt: clock.now })],
    events,
    reply: {},
  } satisfies Plan<object>
}

/** Ends a review, with what gives the money back where it is rejected. Replies are kept: they show no note. */
export function planDecide(
  review: ReviewRow,
  { kind, note = '', author }: Decision,
  back: GivingBack,
  clock: Clock,
) {
  const moved = move(riskReviewLifecycle, review, kind)
  if (!moved.ok) return refuse('risk_review_ended')
  const set = {
    status: moved.status,
    note: note === '' ? null : note,
    decidedByUserId: author.userId,
    decidedByEmail: author.email,
    endedAt: clock.now,
    updatedAt: clock.now,
  }
  const decided = { ...review, ...set, version: review.version + 1 }
  const { events, ...announced } = announcing(review, decided, clock)
  return {
    writes: [...back.before, change(riskReviews, review, { ...set, ...announced }), ...back.after],
    events: [...events, ...back.events],
    reply: { ...presentReview(decided), note: null },
    subjectId: review.id,
  } satisfies Plan<unknown>
}
