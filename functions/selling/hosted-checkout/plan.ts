import type * as z from 'zod'
import { checkoutSessions, checkoutSettings } from '../../../drizzle/schema/checkout-sessions.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { canMove } from '../../../src/kernel/lifecycle.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type { ItemForSale } from '../../goods/digital-catalogs/api-pure.ts'
import type { Governing } from '../../money/payment-policy/api-pure.ts'
import type { FeeSchedule, PaymentRow } from '../../money/payments/api-pure.ts'
import {
  discounted,
  isFreeOfCharge,
  judged,
  type NamedDiscount,
  named,
  noTip,
  promisedBy,
  shippedBy,
  soldBy,
  subtotalOf,
  withExtras,
} from '../../order/lines/api-pure.ts'
import {
  asksAfter,
  isSameTerms,
  knownAfter,
  presentKnown,
  problemOfTerms,
  termsFrom,
  termsOf,
  unknownBuyer,
} from '../../order/sales/api-pure.ts'
import type * as contracts from './contract.ts'
import { lifeHoursMax, lifeMinutesMin } from './contract-session.ts'
import { sessionLifecycle } from './lifecycle.ts'
import { presentSession, presentSettings } from './present.ts'
import type { SessionRow, SettingsRow } from './store.ts'

type Create = z.output<NonNullable<typeof contracts.create.body>>
type Update = z.output<NonNullable<typeof contracts.update.body>>

const minuteMs = 60_000
const lifeMsMin = lifeMinutesMin * minuteMs
const lifeMsMax = lifeHoursMax * 60 * minuteMs

/** A plan's context beside the input: ids, the time, the address of sessions. */
export interface Making extends Clock {
  readonly linkBaseUrl: string
}

/** The payment policy that a session's terms obey. */
export interface Selling extends Making, Governing {
  readonly schedule: FeeSchedule | null
}

export const about = ({ id }: SessionRow) => ({ type: 'checkout_session', id })

const paramOfAmount = ({ lines }: SessionRow) => (lines.length === 0 ? 'amount' : 'line_items')

/** What the payment policy says against its terms. */
export function problemOfPaying(session: SessionRow, { schedule, policy }: Selling) {
  const problem = problemOfTerms(judged(session), schedule, policy, paramOfAmount(session))
  return problem?.refused === 'amount_below_minimum' && isFreeOfCharge(session) ? null : problem
}

/** What a new session is made of, beside what was asked for. */
interface Made {
  readonly publicId: string
  readonly items: readonly ItemForSale[]
  readonly found: readonly NamedDiscount[]
  /** The catalog from whose page a buyer ordered; null for a merchant's backend. */
  readonly catalogPublicId: string | null
  /** The session that its buyer goes on with here. */
  readonly recoveredFrom?: string
}

export function planCreate(
  input: Create,
  { publicId, items, found, catalogPublicId, recoveredFrom }: Made,
  selling: Selling,
) {
  const { now, newId, linkBaseUrl } = selling
  const sold = soldBy(input, items, input.currency)
  if ('refused' in sold) return sold
  const known = knownAfter(input)
  if ('refused' in known) return known
  const { lines } = sold
  const wanted = named(input.discounts, found)
  if ('refused' in wanted) return wanted
  const { currency, customer_id: customerId } = input
  const less = discounted(wanted, { subtotalMinor: sold.amountMinor, currency, customerId, now })
  if ('refused' in less) return less
  const paid = withExtras(less, { tipOptions: input.tips, ...noTip, ...shippedBy(input.shipping_options, 0) })
  const session: SessionRow = {
    id: newId(),
    publicId,
    status: 'open',
    uiMode: input.ui_mode,
    lines,
    ...promisedBy(lines, input.location_id),
    ...paid,
    takesCodes: input.allows_discount_codes,
    codeTries: 0,
    currency,
    ...termsOf(input),
    collects: input.collects,
    description: input.description,
    successUrl: input.success_url,
    cancelUrl: input.cancel_url,
    metadata: input.metadata,
    clientReferenceId: input.client_reference_id,
    customerId,
    ...known,
    catalogPublicId,
    paymentId: null,
    receiptRef: null,
    recovery: input.recovery,
    recoveredFrom: recoveredFrom ?? null,
    expiresAt: input.expires_at ? new Date(input.expires_at) : new Date(now.getTime() + lifeMsMax),
    completedAt: null,
    termsVersion: 1,
    asksVersion: 1,
    policyVersion: selling.policyVersion,
    locationId: input.location_id,
    version: 1,
    createdAt: now,
    updatedAt: now,
    livePaymentId: null,
    collected: null,
  }
  const problem = problemOfPaying(session, selling) ?? problemOfExpiry(session.expiresAt, now)
  if (problem) return problem
  const reply = presentSession(session, linkBaseUrl)
  const { livePaymentId: _, collected: __, ...row } = session
  return {
    writes: [insert(checkoutSessions, row)],
    events: [event(newId(), 'checkout_session.created', about(session), reply)],
    reply: { ...reply, ...unknownBuyer },
    once: presentKnown(session),
    subjectId: session.id,
  } satisfies Plan<unknown>
}

function problemOfExpiry(expiresAt: Date, now: Date) {
  const lifeMs = expiresAt.getTime() - now.getTime()
  if (lifeMs >= lifeMsMin && lifeMs <= lifeMsMax) return null
  return refuse('parameter_invalid', {
    param: 'expires_at',
    message: `expires_at lies ${lifeMinutesMin} minutes to ${lifeHoursMax} hours ahead.`,
  })
}

/** What was read for a change: the items that it names, and the discounts that it names or the session has. */
interface Read {
  readonly items: readonly ItemForSale[]
  readonly found: readonly NamedDiscount[]
}

/** What the discounts of a session are after a change: those that it names, else as before. */
function discountsAfter(
  session: SessionRow,
  { discounts: asked }: Pick<Update, 'discounts'>,
  found: readonly NamedDiscount[],
) {
  if (asked) return named(asked, found)
  return session.discounts.map(({ discount_id, is_buyers }) => ({
    discount: found.find(({ id }) => id === discount_id)!,
    isBuyers: is_buyers,
    param: 'discounts',
  }))
}

/** What an update changes of what comes on top. */
const extrasAsked = ({ tips, shipping_options: options }: Pick<Update, 'tips' | 'shipping_options'>) => ({
  ...(tips === undefined ? {} : { tipOptions: tips }),
  ...(options === undefined ? {} : shippedBy(options, 0)),
})

export function planUpdate(session: SessionRow, input: Update, { items, found }: Read, selling: Selling) {
  if (session.status !== 'open') return refuse('checkout_session_closed')
  if (input.recovery && session.recoveredFrom !== null)
    return refuse('parameter_invalid', {
      param: 'recovery',
      message: 'A session that its buyer opened from such a mail offers none.',
    })
  const isResold = input.line_items !== undefined || input.amount !== undefined
  const sold = isResold
    ? soldBy(input, items, session.currency)
    : { lines: session.lines, amountMinor: subtotalOf(session) }
  if ('refused' in sold) return sold
  const known = knownAfter(input, session)
  if ('refused' in known) return known
  const { lines } = sold
  const extras = extrasAsked(input)
  const isRepriced = isResold || input.discounts !== undefined || Object.keys(extras).length > 0
  const wanted = discountsAfter(session, input, found)
  if ('refused' in wanted) return wanted
  const customerId = input.customer_id === undefined ? session.customerId : input.customer_id
  const sale = { subtotalMinor: sold.amountMinor, currency: session.currency, customerId, now: selling.now }
  const less = isRepriced ? withExtras(discounted(wanted, sale), { ...session, ...extras }) : session
  if ('refused' in less) return less
  const { amountMinor, discounts, tipOptions, tipBps, tipMinor, shippingOptions, shippingAt, shippingMinor } =
    less
  const shipped = { shippingOptions, shippingAt, shippingMinor }
  const paid = { amountMinor, discounts, tipOptions, tipBps, tipMinor, ...shipped }
  const next = { lines, ...paid, ...termsFrom(input, session) }
  const isSame = !isRepriced && isSameTerms({ ...session, ...next }, session)
  const patch: Partial<SessionRow> = {
    ...(isSame
      ? {}
      : {
          ...next,
          ...(isResold ? promisedBy(lines, session.locationId) : {}),
          policyVersion: selling.policyVersion,
          termsVersion: session.termsVersion + 1,
        }),
    ...(input.allows_discount_codes === undefined ? {} : { takesCodes: input.allows_discount_codes }),
    ...asksAfter(
      { collects: session.collects, asksVersion: session.asksVersion },
      { collects: input.collects === undefined ? session.collects : input.collects },
    ),
    ...(input.recovery === undefined ? {} : { recovery: input.recovery }),
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(input.success_url === undefined ? {} : { successUrl: input.success_url }),
    ...(input.cancel_url === undefined ? {} : { cancelUrl: input.cancel_url }),
    ...(input.client_reference_id === undefined ? {} : { clientReferenceId: input.client_reference_id }),
    ...(input.customer_id === undefined ? {} : { customerId: input.customer_id }),
    ...known,
    ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
    ...(input.expires_at === undefined ? {} : { expiresAt: new Date(input.expires_at) }),
  }
  const changed = { ...session, ...patch }
  const problem =
    (isSame ? null : problemOfPaying(changed, selling)) ??
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

/** A change of a session, with its event. */
export function planChange(
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
    // Stored for replays: what the buyer gave stands in its own row alone.
    reply: { ...after, collected: null, ...unknownBuyer },
    once: { collected: after.collected, ...presentKnown(changed) },
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
