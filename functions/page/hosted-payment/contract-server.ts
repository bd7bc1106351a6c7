import * as z from 'zod'
import { emailAddress, freeText } from '../../../src/http/schemas.ts'

const ipAddress = z.union([z.ipv4(), z.ipv6()])

/** What a server says of the card and of the buyer who pays with it. */
export const cardAsked = {
  card_token: freeText(255)
    .regex(/^[A-Za-z]+_\w+$/, 'must be a token that your card form has made')
    .describe(
      'What your card form has made of the card: a PaymentMethod or ConfirmationToken of your account (`pm_…`, `ctoken_…`), in the sandbox the token of a test card. Never a card number.',
    ),
  installment_months: z
    .int()
    .min(2)
    .max(60)
    .nullable()
    .default(null)
    .describe('The term that the buyer chose of those that are offered; null: paid at once.'),
  email: emailAddress
    .nullable()
    .default(null)
    .describe('The buyer’s address: the receipt is sent there, and your rules know it; null: not given.'),
  locale: z.enum(['es-MX', 'en']).default('es-MX').describe('The language of the receipt’s mail.'),
  ip_address: freeText(45)
    .refine((text) => ipAddress.safeParse(text).success, 'must be an IPv4 or IPv6 address')
    .nullable()
    .default(null)
    .describe(
      'The buyer’s address as your server saw it, and not what a header of the buyer’s says (`X-Forwarded-For` begins with that): cards that fail are counted by it, as on the page. Null, as at a counter: by what sells. It is not kept.',
    ),
}

/** The tables that such an operation may write, beside that of what is sold. */
export const cardTables = ['payments', 'payment_attempts', 'payment_contacts', 'card_tries'] as const

/** What such an operation is refused with, beside what its seller says. */
export const cardErrors = [
  'card_token_unknown',
  'cards_paused',
  'installments_unavailable',
  'payment_method_unavailable',
  'payment_method_inactive',
  'amount_below_minimum',
  'amount_above_maximum',
  'currency_unsupported',
  'manual_capture_not_allowed',
  'fee_allocation_not_allowed',
  'markup_above_cap',
  'payments_not_configured',
] as const
