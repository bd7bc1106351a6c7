import type { CardDetails, payments } from '../../../drizzle/schema/payments.ts'
import type { riskListKinds } from '../../../drizzle/schema/risk.ts'
import { mailboxOf, normalizeEmail } from '../../../src/kernel/email.ts'
import type { Row } from '../../../src/kernel/plan.ts'

export type RiskListKind = (typeof riskListKinds)[number]

/** What a payment has of each kind of list. */
export interface PaymentValues {
  readonly details: Row<typeof payments>['methodDetails']
  readonly customerId: string | null
  readonly email: string | null
}

const forms: {
  readonly [K in RiskListKind]: readonly [read: (text: string) => string | null, says: string]
} = {
  masked_card: [
    (text) => (/^\d{6}\*{6}\d{4}$/.test(text) ? text : null),
    'the first six and last four digits: 424242******4242',
  ],
  bin: [(text) => (/^\d{6}$/.test(text) ? text : null), 'six digits'],
  email: [
    (text) => {
      const email = normalizeEmail(text)
      return email && mailboxOf(email)
    },
    'an e-mail address',
  ],
  email_domain: [
    (text) => {
      const email = normalizeEmail(`any@${text.replace(/^@/, '')}`)
      return email && mailboxOf(email).split('@')[1]!
    },
    'a domain: example.com',
  ],
  customer: [
    (text) => (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : null),
    'the id of a customer',
  ],
}

/** A value as lists of its kind compare it; null where it is none. */
export const readValue = (kind: RiskListKind, text: string): string | null => forms[kind][0](text)

export const formOf = (kind: RiskListKind): string => forms[kind][1]

/** What a payment has of a kind; null where it has none, or the processor does not show it. */
export function valueIn(kind: RiskListKind, { details, customerId, email }: PaymentValues): string | null {
  const card = details && 'bin6' in details ? (details satisfies CardDetails) : null
  const found: { readonly [K in RiskListKind]: string | null | undefined } = {
    masked_card: card && `${card.bin6}******${card.last4}`,
    bin: card?.bin6,
    email,
    email_domain: email?.split('@')[1],
    customer: customerId,
  }
  return readValue(kind, found[kind] ?? '')
}
