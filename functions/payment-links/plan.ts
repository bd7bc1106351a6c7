import type * as z from 'zod'
import { paymentLinks } from '../../drizzle/schema/payment-links.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { EventType } from '../../src/kernel/event-types.ts'
import { event } from '../../src/kernel/events.ts'
import { canMove } from '../../src/kernel/lifecycle.ts'
import { minorFromNumber, parseMinorString } from '../../src/kernel/money.ts'
import { change, insert, type Plan, type Refusal, refuse } from '../../src/kernel/plan.ts'
import {
  isSameTerms,
  problemOfTerms,
  type TermsProblem,
  termsFrom,
  termsOf,
} from '../hosted-payment/api-pure.ts'
import type { Governing } from '../payment-policy/api-pure.ts'
import type { FeeSchedule, PaymentRow } from '../payments/api-pure.ts'
import type * as contracts from './contract.ts'
import { paymentLinkLifecycle } from './lifecycle.ts'
import { presentLink } from './present.ts'
import type { LinkRow } from './store.ts'

type Create = z.output<NonNullable<typeof contracts.create.body>>
type Update = z.output<NonNullable<typeof contracts.update.body>>

export const lifeDaysMax = 365
const dayMs = 24 * 3_600_000

/** A plan's context beside the input: ids, the time, the address of links. */
export interface Making extends Clock {
  readonly linkBaseUrl: string
}

/** The payment policy that a link's terms obey. */
export interface Selling extends Making, Governing {}

type Problem = TermsProblem | Refusal<'parameter_missing' | 'parameter_unknown' | 'amount_above_maximum'>

const about = (link: LinkRow) => ({ type: 'payment_link', id: link.id })

export function planCreate(input: Create, publicId: string, schedule: FeeSchedule | null, selling: Selling) {
  const { now, newId, linkBaseUrl } = selling
  const amountMinor = amountOf(input)
  if (typeof amountMinor !== 'bigint') return amountMinor
  const link: LinkRow = {
    id: newId(),
    publicId,
    status: 'active',
    usage: input.usage,
    amountSource: input.amount_source,
    amountMinor,
    currency: input.currency,
    catalogLineItemSnapshot: input.catalog_line_item_snapshot ?? null,
    description: input.description,
    ...termsOf(input),
    clientReferenceId: input.client_reference_id,
    customerId: input.customer_id,
    metadata: input.metadata,
    checkoutSessionRef: null,
    expiresAt: input.expires_at === null ? null : new Date(input.expires_at),
    revokedAt: null,
    termsVersion: 1,
    policyVersion: selling.policyVersion,
    locationId: input.location_id,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const problem =
    problemOfTerms(link, schedule, selling.policy, amountParamOf(link)) ??
    problemOfExpiry(link.expiresAt, now)
  if (problem) return problem
  const shown = presentLink(link, linkBaseUrl)
  return {
    writes: [insert(paymentLinks, link)],
    events: [event(newId(), 'payment_link.created', about(link), shown)],
    reply: shown,
  } satisfies Plan<unknown>
}

/** The amount of a link by its source: exactly one of the two may be there. */
function amountOf(input: Create): bigint | Problem {
  if (input.amount_source === 'manual_amount') {
    if (input.catalog_line_item_snapshot)
      return refuse('parameter_unknown', {
        param: 'catalog_line_item_snapshot',
        message: 'With amount_source "manual_amount" there is no catalogue line item.',
      })
    if (input.manual_amount === undefined) return refuse('parameter_missing', { param: 'manual_amount' })
    return manualAmount(input.manual_amount)
  }
  if (input.manual_amount !== undefined)
    return refuse('parameter_unknown', {
      param: 'manual_amount',
      message: 'With amount_source "catalog_line_item" there is no manual amount.',
    })
  const snapshot = input.catalog_line_item_snapshot
  if (!snapshot) return refuse('parameter_missing', { param: 'catalog_line_item_snapshot' })
  return (parseMinorString(snapshot.unit_amount) ?? 0n) * BigInt(snapshot.quantity)
}

function manualAmount(value: number): bigint | Problem {
  const amountMinor = minorFromNumber(value)
  if (amountMinor !== null) return amountMinor
  if (Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return refuse('amount_above_maximum', { param: 'manual_amount' })
  return refuse('parameter_invalid', {
    param: 'manual_amount',
    message: 'manual_amount is integer minor units: 120000 is 1,200.00.',
  })
}

const amountParamOf = ({ amountSource }: LinkRow) =>
  amountSource === 'manual_amount' ? 'manual_amount' : 'catalog_line_item_snapshot.unit_amount'

function problemOfExpiry(expiresAt: Date | null, now: Date): Problem | null {
  if (expiresAt === null) return null
  const lifeMs = expiresAt.getTime() - now.getTime()
  if (lifeMs <= 0)
    return refuse('parameter_invalid', { param: 'expires_at', message: 'expires_at has passed.' })
  if (lifeMs > lifeDaysMax * dayMs)
    return refuse('parameter_invalid', {
      param: 'expires_at',
      message: `expires_at is more than ${lifeDaysMax} days ahead.`,
    })
  return null
}

const over = (link: LinkRow) => {
  if (link.status === 'archived') return refuse('payment_link_archived')
  return link.status === 'paid' ? refuse('payment_link_paid') : null
}

export function planUpdate(link: LinkRow, input: Update, schedule: FeeSchedule | null, selling: Selling) {
  const closed = over(link)
  if (closed) return closed
  const amount = input.manual_amount === undefined ? link.amountMinor : manualAmount(input.manual_amount)
  if (typeof amount !== 'bigint') return amount
  if (input.manual_amount !== undefined && link.amountSource !== 'manual_amount')
    return refuse('parameter_invalid', {
      param: 'manual_amount',
      message: 'The amount of this link comes from its catalogue line item, which does not change.',
    })
  const patch = patchOf(link, input, amount, selling.policyVersion)
  const changed: LinkRow = { ...link, ...patch, version: link.version + 1, updatedAt: selling.now }
  const problem =
    // Terms that stay are those of the policy that they were set under.
    (patch.termsVersion === undefined
      ? null
      : problemOfTerms(changed, schedule, selling.policy, amountParamOf(changed))) ??
    (input.expires_at === undefined ? null : problemOfExpiry(changed.expiresAt, selling.now))
  return problem ?? planChange(link, patch, 'payment_link.updated', selling)
}

/** The changed fields. The terms' version moves only when what a buyer pays changes. */
function patchOf(link: LinkRow, input: Update, amountMinor: bigint, policyVersion: number): Partial<LinkRow> {
  const next = { amountMinor, ...termsFrom(input, link) }
  const termsMoved = !isSameTerms({ ...link, ...next }, link)
  return {
    ...(termsMoved ? { ...next, policyVersion, termsVersion: link.termsVersion + 1 } : {}),
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(input.client_reference_id === undefined ? {} : { clientReferenceId: input.client_reference_id }),
    ...(input.customer_id === undefined ? {} : { customerId: input.customer_id }),
    ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
    ...(input.expires_at === undefined
      ? {}
      : { expiresAt: input.expires_at === null ? null : new Date(input.expires_at) }),
  }
}

export function planActivate(link: LinkRow, making: Making) {
  const closed = over(link)
  if (closed) return closed
  if (link.revokedAt !== null) return refuse('payment_link_revoked')
  if (link.status === 'active') return refuse('payment_link_status_unchanged')
  if (link.expiresAt !== null && link.expiresAt <= making.now) return refuse('payment_link_expired')
  return planChange(link, { status: 'active' }, 'payment_link.activated', making)
}

export function planDeactivate(link: LinkRow, making: Making) {
  const closed = over(link)
  if (closed) return closed
  if (link.status === 'inactive') return refuse('payment_link_status_unchanged')
  return planChange(link, { status: 'inactive' }, 'payment_link.deactivated', making)
}

export function planRevoke(link: LinkRow, making: Making) {
  const closed = over(link)
  if (closed) return closed
  if (link.revokedAt !== null) return refuse('payment_link_revoked')
  return planChange(link, { status: 'inactive', revokedAt: making.now }, 'payment_link.revoked', making)
}

export function planArchive(link: LinkRow, making: Making) {
  if (link.status === 'archived') return refuse('payment_link_archived')
  return planChange(link, { status: 'archived' }, 'payment_link.archived', making)
}

/** Null when the link is over already or its time was extended. */
export function planExpiry(link: LinkRow, making: Making) {
  const expired = link.status === 'active' && link.expiresAt !== null && link.expiresAt <= making.now
  return expired ? planChange(link, { status: 'inactive' }, 'payment_link.expired', making) : null
}

/**
 * A payment succeeded: a single-use link becomes paid, even if it was deactivated meanwhile. A revoked or archived one
 * keeps its status, and the payment stands.
 */
export function planPaid(link: LinkRow, payment: PaymentRow, making: Making) {
  const pays =
    link.usage === 'single_use' &&
    link.revokedAt === null &&
    canMove(paymentLinkLifecycle, link.status, 'pay')
  if (!pays) return { writes: [], events: [] }
  return planChange(
    link,
    { status: 'paid', checkoutSessionRef: payment.publicId },
    'payment_link.paid',
    making,
  )
}

function planChange(
  link: LinkRow,
  patch: Partial<LinkRow>,
  type: EventType,
  { now, newId, linkBaseUrl }: Making,
) {
  const changed: LinkRow = { ...link, ...patch, version: link.version + 1, updatedAt: now }
  const before = presentLink(link, linkBaseUrl)
  const after = presentLink(changed, linkBaseUrl)
  return {
    writes: [change(paymentLinks, link, { ...patch, updatedAt: now })],
    events: [event(newId(), type, about(link), after, before)],
    reply: after,
  } satisfies Plan<unknown>
}
