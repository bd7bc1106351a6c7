import type * as z from 'zod'
import { checkoutRecoveries } from '../../../drizzle/schema/checkout-recoveries.ts'
import { checkoutSessions } from '../../../drizzle/schema/checkout-sessions.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { firstLetters } from '../../../src/kernel/first-letters.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import { change, expect, insert, type Plan } from '../../../src/kernel/plan.ts'
import { mailTo } from '../../account/mails/api-pure.ts'
import type { ItemForSale } from '../../goods/digital-catalogs/api-pure.ts'
import { type NamedDiscount, soldBy, stillOf, subtotalOf } from '../../order/lines/api-pure.ts'
import { presentKnown, presentTerms } from '../../order/sales/api-pure.ts'
import type * as contracts from './contract.ts'
import { about, type Making, planCreate, type Selling } from './plan.ts'
import { presentSession } from './present.ts'
import type { RecoveryRow, SellerRecovery, SessionRow } from './store.ts'

const hourMs = 3_600_000

/** The buyer consents to a mail at this address, or withdraws. Null where nothing changes. */
export function planConsent(
  session: SessionRow,
  before: RecoveryRow | undefined,
  { email, locale }: { readonly email: string | null; readonly locale: Locale },
  { now, newId }: Clock,
) {
  const set = email === null ? leave(before, now) : enter(before, { email, locale }, now)
  if (set === null) return null
  const row = { id: newId(), sessionId: session.id, mailAt: null, validUntil: null, recoveredRef: null }
  const write = before
    ? change(checkoutRecoveries, before, set)
    : insert(checkoutRecoveries, { ...row, ...(set as Entered), version: 1, createdAt: now })
  return {
    writes: [expect(checkoutSessions, session.id, { status: 'open' }, 'expiresAt'), write],
    events: [],
    reply: {},
    subjectId: session.id,
  } satisfies Plan<unknown>
}

type Entered = Pick<RecoveryRow, 'status' | 'email' | 'locale' | 'consentedAt' | 'updatedAt'>

const leave = (before: RecoveryRow | undefined, now: Date) =>
  before?.status === 'waiting' ? { status: 'withdrawn' as const, email: null, updatedAt: now } : null

const enter = (
  before: RecoveryRow | undefined,
  given: { readonly email: string; readonly locale: Locale },
  now: Date,
): Entered | null =>
  !before || before.status === 'withdrawn' || before.status === 'waiting'
    ? { ...given, status: 'waiting', consentedAt: now, updatedAt: now }
    : null

/** The workspace takes no payments when the mail is due: it is not sent, and the address is forgotten. */
const planGivenUp = (recovery: RecoveryRow, { now }: Clock): Plan<unknown> => ({
  writes: [
    change(checkoutRecoveries, recovery, { status: 'not_needed', email: null, mailAt: null, updatedAt: now }),
  ],
  events: [],
  reply: {},
  subjectId: recovery.sessionId,
})

/** The one mail of a session that ended unpaid; null where it is not due, or not needed any more. */
export function planMail(recovery: SellerRecovery, session: SessionRow, making: Making) {
  const { now, newId, linkBaseUrl } = making
  const { id, status, email, locale, mailAt } = recovery
  if (status !== 'waiting' || email === null || mailAt === null || mailAt > now) return null
  if (!recovery.takesPayments) return planGivenUp(recovery, making)
  const validUntil = new Date(now.getTime() + session.recovery!.valid_hours * hourMs)
  const names = session.lines.map(({ name }) => name).join(', ')
  const data = {
    page: `/${session.publicId}`,
    description: firstLetters(session.description ?? names, 200),
    valid_until_at: validUntil.toISOString(),
  }
  return {
    writes: [
      expect(checkoutSessions, session.id, { status: 'expired' }),
      change(checkoutRecoveries, recovery, {
        status: 'mailed',
        email: null,
        mailAt: null,
        validUntil,
        updatedAt: now,
      }),
      mailTo({ id, kind: 'checkout_recovery', recipient: email, locale, data }, now),
    ],
    events: [
      event(
        newId(),
        'checkout_session.recovery_mailed',
        about(session),
        presentSession(session, linkBaseUrl),
      ),
    ],
    reply: {},
    subjectId: session.id,
  } satisfies Plan<unknown>
}

/** Whether the address in the mail opens a session now. */
export const isRecoverable = (
  { status, validUntil, takesPayments }: SellerRecovery,
  session: Pick<SessionRow, 'status'>,
  now: Date,
): boolean =>
  takesPayments &&
  status === 'mailed' &&
  validUntil !== null &&
  validUntil > now &&
  session.status === 'expired'

/** A fresh session with the lines of one that ended: items at their price of now, discounts of yours that still apply. */
export function planRecover(
  recovery: RecoveryRow,
  session: SessionRow,
  { items, found, publicId }: Fresh,
  selling: Selling,
) {
  const { currency, customerId, lines, tipOptions, shippingOptions } = session
  const asked = {
    ...(lines.length === 0
      ? { amount: subtotalOf(session).toString() }
      : { line_items: lines.map(askedLine) }),
  }
  const sold = soldBy(asked, items, currency)
  if ('refused' in sold) return sold
  const sale = { subtotalMinor: sold.amountMinor, currency, customerId, now: selling.now }
  const input: z.output<NonNullable<typeof contracts.create.body>> = {
    ...asked,
    ...presentTerms(session),
    currency,
    ui_mode: 'hosted',
    discounts: stillOf(session.discounts, found, sale),
    allows_discount_codes: session.takesCodes,
    tips: tipOptions && { ...tipOptions, presets_bps: [...tipOptions.presets_bps] },
    shipping_options: [...shippingOptions],
    collects: session.collects as z.output<NonNullable<typeof contracts.create.body>>['collects'],
    description: session.description,
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    customer_id: customerId,
    ...presentKnown(session),
    location_id: session.locationId,
    metadata: session.metadata as z.output<NonNullable<typeof contracts.create.body>>['metadata'],
    recovery: null,
  }
  const { catalogPublicId } = session
  const made = { publicId, items, found, catalogPublicId, recoveredFrom: session.id }
  const plan = planCreate(input, made, selling)
  if ('refused' in plan) return plan
  const set = { status: 'recovered' as const, recoveredRef: publicId, updatedAt: selling.now }
  return {
    ...plan,
    writes: [
      expect(checkoutSessions, session.id, { status: 'expired' }),
      change(checkoutRecoveries, recovery, set),
      ...plan.writes,
    ],
    // The buyer is sent to it.
    reply: { public_id: publicId },
  } satisfies Plan<unknown>
}

interface Fresh {
  readonly items: readonly ItemForSale[]
  readonly found: readonly NamedDiscount[]
  readonly publicId: string
}

type AskedLine = NonNullable<z.output<NonNullable<typeof contracts.create.body>>['line_items']>[number]

function askedLine({
  item_id,
  quantity,
  quantity_min,
  quantity_max,
  ...line
}: SessionRow['lines'][number]): AskedLine {
  const many = { quantity, ...(quantity_min && quantity_max ? { quantity_min, quantity_max } : {}) }
  if (item_id !== null) {
    const { measured, modifiers } = line
    return {
      item_id,
      ...many,
      ...(measured ? { measure: measured.measure } : {}),
      ...(modifiers ? { modifiers: modifiers.map(({ group, choice }) => ({ group, choice })) } : {}),
    }
  }
  const { name, unit_amount, iva_rate, price_includes_tax } = line
  return { name, unit_amount, iva_rate, price_includes_tax, ...many }
}
