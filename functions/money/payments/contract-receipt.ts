import * as z from 'zod'
import { contract, writes } from '../../../src/http/contract.ts'
import { emailAddress, timestamp, uuid } from '../../../src/http/schemas.ts'
import { sellers } from './contract-authorization.ts'
import type { OriginFacts } from './payment-origin.ts'

export const sendReceipt = (origins: readonly OriginFacts[]) =>
  contract({
    ...writes,
    id: 'payments.send_receipt',
    path: '/v1/payments/:id/send-receipt',
    tag: 'Payments',
    access: sellers(origins),
    tables: ['memberships', 'outgoing_mails'],
    params: z.strictObject({ id: uuid }),
    notFound: 'payment_not_found',
    summary: 'Send the receipt of a payment again',
    description:
      'We mail it to the address that the buyer gave on the page, or to `email`. A person who opens the link in that mail sees the payment and what was bought. An owner of the workspace must have confirmed an address. The mail counts as one that you send, as a sent payment link does: ten an hour to one mailbox, twenty a day until we have reviewed the workspace. `GET /v1/workspace/mails/{id}` says what became of it. The key needs the write scope of what sold.',
    body: z.strictObject({
      email: emailAddress
        .optional()
        .describe('Who gets it; the buyer, at the address they gave, when absent.'),
      locale: z
        .enum(['es-MX', 'en'])
        .optional()
        .describe(
          'The language of a mail to `email`; the buyer’s own mail is in the language of their page.',
        ),
    }),
    reply: {
      status: 200,
      schema: z
        .strictObject({
          id: uuid.describe('The id of the mail.'),
          object: z.literal('payment_receipt_mail'),
          payment_id: uuid.describe('The payment that it is about.'),
          created_at: timestamp,
        })
        .meta({ id: 'PaymentReceiptMail' }),
    },
    errors: ['payment_not_found', 'payment_not_paid', 'payment_contact_missing', 'email_not_confirmed'],
    example: {
      body: { email: 'ana@example.com', locale: 'es-MX' },
      reply: {
        id: '0190a6d2-7c3e-7b1a-9f00-0000000000f1',
        object: 'payment_receipt_mail',
        payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000002',
        created_at: '2026-06-14T12:00:00.000Z',
      },
    },
  })
