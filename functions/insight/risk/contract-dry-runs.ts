import * as z from 'zod'
import { contract, reads } from '../../../src/http/contract.ts'
import { boundedMinor, currency, emailAddress, freeText, textOf, uuid } from '../../../src/http/schemas.ts'
import { reading, workspaceOfSession } from './contract.ts'
import { forms } from './contract-conditions.ts'
import { exampleJudged, judged } from './contract-payments.ts'

const Described = z
  .strictObject({
    amount: boundedMinor.describe('What is paid, in minor units.'),
    currency,
    installments: z.int().min(1).max(48).default(1).describe('In how many months it is paid; 1: at once.'),
    origin_type: forms.origin_type.default('payment_link'),
    email: emailAddress.optional().describe('The address of the buyer.'),
    ip: z
      .union([z.ipv4(), z.ipv6()], 'must be an IP address')
      .optional()
      .describe('Where the buyer is: an address of the internet.'),
    customer_id: uuid
      .optional()
      .describe(
        'Your customer; left out, who has the address of the buyer, or another of its mailbox, as a verified one.',
      ),
    card: z
      .strictObject({
        brand: freeText(40).min(1).describe('The brand: `visa`.'),
        bin: forms.card_bin,
        last4: textOf(/^\d{4}$/, 'must be four digits').describe('The last four digits.'),
        funding: forms.card_funding,
      })
      .describe('The card. Its tries are those of the last card with these digits within a day.'),
  })
  .describe('A try that is only described: it is counted as if it came now.')

const RiskDryRun = z.strictObject({ object: z.literal('risk_dry_run'), ...judged }).meta({ id: 'RiskDryRun' })

export const dryRun = contract({
  ...reading,
  ...reads,
  method: 'POST',
  id: 'risk_evaluations.preview',
  path: '/v1/intelligence/risk-evaluations',
  summary: 'See what your rules would decide',
  description:
    'What your lists and rules of now, those in shadow too, would decide of a payment that was judged, with what was counted then; or of a try that you describe, with what is counted now. Nothing is stored or counted, and no bank is asked. The guards of the platform are not asked either.',
  body: z
    .strictObject({
      tenant_id: workspaceOfSession,
      payment_id: uuid
        .optional()
        .describe(
          'A payment: the last try of a card for it is asked about again. One that was canceled has no address left, only its domain.',
        ),
      described: Described.optional(),
    })
    .refine(
      (asked) => (asked.payment_id === undefined) !== (asked.described === undefined),
      'must have payment_id or described, and not both',
    ),
  reply: { status: 200, schema: RiskDryRun },
  errors: ['payment_not_found', 'risk_payment_not_judged', 'customer_not_found'],
  example: {
    body: {
      described: {
        amount: '45000',
        currency: 'mxn',
        email: 'ana@example.com',
        card: { brand: 'visa', bin: '424242', last4: '4242', funding: 'credit' },
      },
    },
    reply: { object: 'risk_dry_run', ...exampleJudged },
  },
})
