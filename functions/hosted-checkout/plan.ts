import type * as z from 'zod'
import { checkoutSessions, checkoutSettings } from '../../drizzle/schema/checkout-sessions.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { EventType } from '../../src/kernel/event-types.ts'
import { event } from '../../src/kernel/events.ts'
import { canMove } from '../../src/kernel/lifecycle.ts'
import { parseMinorString } from '../../src/kernel/money.ts'
import { change, insert, type Plan, refuse } from '../../src/kernel/plan.ts'
import type { ItemForSale } from '../digital-catalogs/api-pure.ts'
import { isSameTerms, problemOfTerms, termsFrom, termsOf } from '../hosted-payment/api-pure.ts'
import type { Governing } from '../payment-policy/api-pure.ts'
import type { FeeSchedule, PaymentRow } from '../payments/api-pure.ts'
import * as contracts from './contract.ts'
import { sessionLifecycle } from './lifecycle.ts'
import { priced } from './lines.ts'
import { presentSession, presentSettings } from './present.ts'
import type { SessionRow, SettingsRow } from './store.ts'

type Create = z.output<NonNullable<typeof contracts.create.body>>
type Update = z.output<NonNullable<typeof contracts.update.body>>

const minuteMs = 60_000
const lifeMsMin = contracts.lifeMinutesMin * minuteMs
const lifeMsMax = contracts.lifeHoursMax * 60 * minuteMs

/** A plan's context beside the input: ids, the time, the address of sessions. */
export interface Making extends Clock {
  readonly linkBaseUrl: string
}

/** The payment policy that a session's terms obey. */
export interface Selling extends Making, Governing {
  readonly schedule: FeeSchedule | null
}

const about = ({ id }: SessionRow) => ({ type: 'checkout_session', id })

/** What is sold, and its amount: by lines, or by an amount alone. */
function soldBy(
  asked: Pick<Update, 'line_items' | 'amount'>,
  items: readonly ItemForSale[],
  currency: string,
) {
  if (asked.line_items && asked.amount !== undefined)
    return refuse('parameter_unknown', {
      param: 'amount',
      message: 'With line_items the amount is their sum.',
    })
  if (asked.line_items) return priced(asked.line_items, items, currency)
  if (asked.amount === undefined)
    return refuse('parameter_missing', { param: 'line_items', message: 'Give line_items or an amount.' })
  return { lines: [], amountMinor: parseMinorString(asked.amount)!, taken: [] }
}

const paramOfAmount = ({ lines }: SessionRow) => (lines.length === 0 ? 'amount' : 'line_items')

export function planCreate(input: Create, publicId: string, items: readonly ItemForSale[], selling: Selling) {
  const { now, newId, linkBaseUrl } = selling
  const sold = soldBy(input, items, input.currency)
  if ('refused' in sold) return sold
  const { lines, amountMinor, taken } = sold
  const session: SessionRow = {
    id: newId(),
    publicId,
    status: 'open',
    lines,
    stock: taken.length === 0 ? null : { location_id: input.location_id, lines: taken },
    amountMinor,
    currency: input.currency,
    ...termsOf(input),
    description: input.description,
    successUrl: input.success_url,
    cancelUrl: input.cancel_url,
    metadata: input.metadata,
    clientReferenceId: input.client_reference_id,
    customerId: input.customer_id,
    paymentId: null,
    expiresAt: input.expires_at ? new Date(input.expires_at) : new Date(now.getTime() + lifeMsMax),
    completedAt: null,
    termsVersion: 1,
    policyVersion: selling.policyVersion,
    locationId: input.location_id,
    version: 1,
    createdAt: now,
    updatedAt: now,
    livePaymentId: null,
  }
  const problem =
    problemOfTerms(session, selling.schedule, selling.policy, paramOfAmount(session)) ??
    problemOfExpiry(session.expiresAt, now)
  if (problem) return problem
  const reply = presentSession(session, linkBaseUrl)
  const { livePaymentId: _, ...row } = session
  return {
    writes: [insert(checkoutSessions, row)],
    events: [event(newId(), 'checkout_session.created', about(session), reply)],
    reply,
    subjectId: session.id,
  } satisfies Plan<unknown>
}

function problemOfExpiry(expiresAt: Date, now: Date) {
  const lifeMs = expiresAt.getTime() - now.getTime()
  if (lifeMs >= lifeMsMin && lifeMs <= lifeMsMax) return null
  return refuse('parameter_invalid', {
    param: 'expires_at',
    message: `expires_at lies ${contracts.lifeMinutesMin} minutes to ${contracts.lifeHoursMax} hours ahead.`,
  })
}

export function planUpdate(
  session: SessionRow,
  input: Update,
  items: readonly ItemForSale[],
  selling: Selling,
) {
  if (session.status !== 'open') return refuse('checkout_session_closed')
  const isResold = input.line_items !== undefined || input.amount !== undefined
  const sold = isResold ? soldBy(input, items, session.currency) : { ...session, taken: null }
  if ('refused' in sold) return sold
  const { lines, amountMinor, taken } = sold
  const next = { lines, amountMinor, ...termsFrom(input, session) }
  const isSame = !isResold && isSameTerms({ ...session, ...next }, session)
  const stock = taken?.length ? { location_id: session.locationId, lines: taken } : null
  const patch: Partial<SessionRow> = {
    ...(isSame
      ? {}
      : {
          ...next,
          ...(taken === null ? {} : { stock }),
          policyVersion: selling.policyVersion,
          termsVersion: session.termsVersion + 1,
        }),
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(input.success_url === undefined ? {} : { successUrl: input.success_url }),
    ...(input.cancel_url === undefined ? {} : { cancelUrl: input.cancel_url }),
    ...(input.client_reference_id === undefined ? {} : { clientReferenceId: input.client_reference_id }),
    ...(input.customer_id === undefined ? {} : { customerId: input.customer_id }),
    ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
    ...(input.expires_at === undefined ? {} : { expiresAt: new Date(input.expires_at) }),
  }
  const changed = { ...session, ...patch }
  const problem =
    (isSame ? null : problemOfTerms(changed, selling.schedule, selling.policy, paramOfAmount(changed))) ??
    (input.expires_at === undefined ? null : problemOfExpiry(changed.expiresAt, selling.now))
  return problem ?? planChange(session, patch, 'checkout_session.updated', selling)
}

export const planExpire = (session: SessionRow, making: Making) =>
  session.status === 'open'
    ? planChange(session, { status: 'expired' }, 'checkout_session.expired', making)
    : refuse('checkout_session_closed')

/** Its time has come; null where it is over already or was extended. */
export const planLapse = (session: SessionRow, making: Making) =>
  session.status === 'open' && session.expiresAt <= making.now
    ? planChange(session, { status: 'expired' }, 'checkout_session.expired', making)
    : null

/** A payment succeeded, in the same publish. A second success of a complete session changes nothing of it. */
export function planPaid(session: SessionRow, payment: PaymentRow, making: Making) {
  if (!canMove(sessionLifecycle, session.status, 'complete')) return { writes: [], events: [] }
  const set = { status: 'complete' as const, paymentId: payment.id, completedAt: making.now }
  return planChange(session, set, 'checkout_session.completed', making)
}

function planChange(
  session: SessionRow,
  patch: Partial<SessionRow>,
  type: EventType,
  { now, newId, linkBaseUrl }: Making,
) {
  const changed: SessionRow = { ...session, ...patch, version: session.version + 1, updatedAt: now }
  const before = presentSession(session, linkBaseUrl)
  const after = presentSession(changed, linkBaseUrl)
  return {
    writes: [change(checkoutSessions, session, { ...patch, updatedAt: now })],
    events: [event(newId(), type, about(session), after, before)],
    reply: after,
  } satisfies Plan<unknown>
}

/** `locals`: whether this environment sends buyers to a developer's own machine. */
export function planSettings(
  before: SettingsRow | undefined,
  returnOrigins: string[],
  locals: boolean,
  { now, newId }: Clock,
) {
  const local = returnOrigins.findIndex((origin) => origin.startsWith('http://'))
  if (local >= 0 && !locals)
    return refuse('parameter_invalid', {
      param: `return_origins.${local}`,
      message: 'Live buyers are sent to https:// alone.',
    })
  const row: SettingsRow = before
    ? { ...before, returnOrigins, version: before.version + 1, updatedAt: now }
    : { id: newId(), returnOrigins, version: 1, createdAt: now, updatedAt: now }
  const reply = presentSettings(row)
  return {
    writes: [
      before
        ? change(checkoutSettings, before, { returnOrigins, updatedAt: now })
        : insert(checkoutSettings, row),
    ],
    events: [
      event(
        newId(),
        'checkout_settings.updated',
        { type: 'checkout_settings', id: row.id },
        reply,
        before && presentSettings(before),
      ),
    ],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}
