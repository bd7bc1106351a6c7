import * as z from 'zod'
import { disputes } from '../../../drizzle/schema/disputes.ts'
import { contract, writes } from '../../../src/http/contract.ts'
import {
  currency,
  freeLines,
  freeText,
  minorString,
  one,
  paged,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'

import { EvidenceFiles } from './contract-files.ts'
import { reading } from './contract-fraud.ts'

const longText = freeLines(5_000).min(1).optional()
const line = freeText(255).min(1).optional()

/** The evidence that a bank accepts; texts, as banks read them. */
const evidenceFields = {
  explanation: longText.describe('Why the dispute is wrong, in your own words'),
  product_description: longText.describe('What was bought.'),
  receipt_number: line.describe('The number of the receipt.'),
  customer_name: line.describe('The buyer’s name.'),
  customer_email_address: line.describe('The buyer’s e-mail address.'),
  customer_purchase_ip: line.describe('The address that the buyer bought from.'),
  customer_communication: longText.describe('What you and the buyer wrote to each other'),
  billing_address: line.describe('The address on the bill.'),
  service_date: line.describe('When the service was given.'),
  shipping_carrier: line.describe('Who carried the goods.'),
  shipping_date: line.describe('When the goods left.'),
  shipping_address: line.describe('Where the goods went.'),
  tracking_number: line.describe('The carrier’s number of the parcel.'),
  access_activity_log: longText.describe('A log that shows that the buyer used what was bought.'),
  cancellation_policy_disclosure: longText.describe('How the buyer was shown your terms of cancellation.'),
  cancellation_rebuttal: longText.describe('Why the buyer’s cancellation does not hold.'),
  refund_policy_disclosure: longText.describe('How the buyer was shown your terms of refunds.'),
  refund_refusal_explanation: longText.describe('Why no refund is due.'),
  duplicate_charge_explanation: longText.describe('Why the two charges are for two things.'),
}

const Evidence = z
  .strictObject({
    ...evidenceFields,
    files: EvidenceFiles.optional().describe(
      'Files that you uploaded for this dispute, by what they show. At most 4.5 MB together.',
    ),
  })
  .refine(
    ({ files, ...texts }) => Object.keys({ ...texts, ...files }).length > 0,
    'must name at least one text or file',
  )

export const Dispute = z
  .strictObject({
    id: uuid,
    object: z.literal('dispute'),
    payment_id: uuid.describe('The payment that is disputed.'),
    customer_id: uuid.nullable().describe('The customer of the payment; null where it has none.'),
    status: z
      .enum(disputes.status.enumValues)
      .describe(
        'While `needs_response` evidence can be sent; `won` and `lost` are the bank’s decision. `inquiry_…`: the bank only asks, and has claimed nothing',
      ),
    amount: minorString.describe('What the bank claims, or asks about'),
    amount_held: minorString.describe(
      'The part that is held, or lost: what was refunded before cannot be taken a second time. Yours again when won',
    ),
    amount_uncovered: minorString.describe(
      'The part of the claim that nothing was left for: the buyer has it by a refund, or another dispute holds it. It is never taken from you; say so in the evidence. None when won',
    ),
    amount_fee: minorString.describe(
      'What the dispute costs beside what is held or lost, with IVA. 0 for an inquiry, and when won: then it is yours again',
    ),
    fee_details: z
      .strictObject({
        amount: minorString.describe('By the fee schedule of the payment; minor units.'),
        iva: minorString.describe('The value-added tax on it.'),
      })
      .describe('What the fee is made of.'),
    currency,
    reason: z.string().describe('As the bank reports it: fraudulent, product_not_received, duplicate …'),
    evidence: z.record(z.string(), z.string()).describe('The evidence that you sent'),
    evidence_files: z
      .record(z.string(), uuid)
      .describe('The files of the evidence that you sent, each by its id, by what it shows'),
    pending_action: z
      .enum(disputes.pendingAction.enumValues)
      .nullable()
      .describe(
        'What you asked for and the processor has not confirmed yet: to submit evidence, to keep a draft, to accept the dispute',
      ),
    evidence_failure: z
      .enum(disputes.evidenceFailure.enumValues)
      .nullable()
      .describe(
        'Why the processor took no evidence, until you send other: `too_long`, more pages than the card scheme reads; `file_refused`, one of its files; `refused`, for what it does not say',
      ),
    evidence_due_by: timestamp
      .nullable()
      .describe('Evidence can be sent until this time; null where none is awaited.'),
    evidence_submitted_at: timestamp
      .nullable()
      .describe('When the processor confirmed that it has the evidence'),
    resolved_at: timestamp
      .nullable()
      .describe('When the bank decided. Null before, and again when the bank reopens the dispute.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Dispute' })

export const exampleDispute = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000008',
  object: 'dispute',
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000002',
  customer_id: null,
  status: 'needs_response',
  amount: '120000',
  amount_held: '120000',
  amount_uncovered: '0',
  amount_fee: '17400',
  fee_details: { amount: '15000', iva: '2400' },
  currency: 'mxn',
  reason: 'fraudulent',
  evidence: {},
  evidence_files: {},
  pending_action: null,
  evidence_failure: null,
  evidence_due_by: '2026-06-22T12:00:00.000Z',
  evidence_submitted_at: null,
  resolved_at: null,
  created_at: '2026-06-15T12:00:00.000Z',
  updated_at: '2026-06-15T12:00:00.000Z',
} as const

const exampleEvidence = {
  explanation: 'The buyer picked the order up on 14 June and signed for it.',
  receipt_number: 'R-1088',
} as const

const ofDispute = { params: z.strictObject({ id: uuid }), notFound: 'dispute_not_found' } as const

export const list = contract({
  ...reading,
  id: 'disputes.list',
  path: '/v1/payment-operations/disputes',
  summary: 'List disputes',
  ...paged(Dispute, exampleDispute, {
    status: z.enum(disputes.status.enumValues).optional(),
    payment_id: uuid.optional(),
    customer_id: uuid.optional().describe('Only disputes of this customer’s payments.'),
  }),
})

export const get = contract({
  ...reading,
  id: 'disputes.get',
  path: '/v1/payment-operations/disputes/:id',
  summary: 'Get a dispute',
  ...one(Dispute, exampleDispute, 'dispute_not_found'),
})

const evidenceErrors = [
  'dispute_not_found',
  'dispute_evidence_not_awaited',
  'dispute_evidence_overdue',
  'dispute_file_not_found',
  'dispute_files_too_large',
] as const

export const submitEvidence = contract({
  ...writes,
  ...ofDispute,
  id: 'disputes.submit_evidence',
  path: '/v1/payment-operations/disputes/:id/evidence',
  tag: 'Disputes',
  summary: 'Answer a dispute',
  description:
    'Once each time that the bank asks, with everything you have, before `evidence_due_by`. The reply confirms that it is recorded; `dispute.under_review` reports that the bank has it.',
  access: { api_key: { scopes: ['refunds:write'] } },
  tables: ['disputes', 'dispute_files'],
  body: Evidence,
  reply: { status: 200, schema: Dispute },
  errors: evidenceErrors,
  example: {
    body: exampleEvidence,
    reply: { ...exampleDispute, evidence: exampleEvidence, pending_action: 'submit' },
  },
})

export const draftEvidence = contract({
  ...writes,
  ...ofDispute,
  id: 'disputes.draft_evidence',
  path: '/v1/payment-operations/disputes/:id/draft',
  tag: 'Disputes',
  summary: 'Save evidence as a draft',
  description:
    'As often as you like, while evidence is awaited; it replaces the draft before on the dispute. Send every field each time: the processor may keep one that an earlier draft had. It keeps the draft and does not show it to the bank. A draft is not sent by itself: submit evidence before `evidence_due_by`.',
  access: { api_key: { scopes: ['refunds:write'] } },
  tables: ['disputes', 'dispute_files'],
  body: Evidence,
  reply: { status: 200, schema: Dispute },
  errors: evidenceErrors,
  example: {
    body: exampleEvidence,
    reply: { ...exampleDispute, evidence: exampleEvidence, pending_action: 'draft' },
  },
})

export const accept = contract({
  ...writes,
  ...ofDispute,
  id: 'disputes.accept',
  path: '/v1/payment-operations/disputes/:id/accept',
  tag: 'Disputes',
  summary: 'Accept a dispute',
  description:
    'You give in, for good: the bank keeps the money. While the dispute is `needs_response`. The reply confirms that it is recorded; `dispute.lost` reports that the bank has it.',
  access: { api_key: { scopes: ['refunds:write'] } },
  tables: ['disputes'],
  reply: { status: 200, schema: Dispute },
  errors: ['dispute_not_found', 'dispute_not_acceptable'],
  example: { reply: { ...exampleDispute, pending_action: 'accept' } },
})

/** Records what processors report of disputes. */
export const outcome = {
  id: 'disputes.outcome',
  access: { system: {} },
  tables: ['disputes', 'dispute_files', 'payments', 'ledger_journals'],
} as const
