import * as z from 'zod'
import { contract, writes } from '../../../src/http/contract.ts'
import { freeText, one, paged, timestamp, uuid } from '../../../src/http/schemas.ts'
import { evidenceFileTypes } from '../../../src/kernel/evidence-files.ts'
import { reading } from './contract-fraud.ts'

const file = (what: string) => uuid.optional().describe(`The id of a file: ${what}`)

/** The files that a bank reads, by what they show: https://docs.stripe.com/api/disputes/evidence_object */
export const EvidenceFiles = z.strictObject({
  receipt: file('a receipt, or the message that informed the buyer of the charge.'),
  customer_communication: file('what you and the buyer wrote to each other.'),
  customer_signature: file('what the buyer signed.'),
  shipping_documentation: file('that the goods were sent, or arrived.'),
  service_documentation: file('that the service was given.'),
  refund_policy: file('your terms of refunds, as the buyer saw them.'),
  cancellation_policy: file('your terms of cancellation, as the buyer saw them.'),
  duplicate_charge_documentation: file('what the other charge was for.'),
  uncategorized_file: file('anything else.'),
})

const DisputeFile = z
  .strictObject({
    id: uuid,
    object: z.literal('dispute_file'),
    dispute_id: uuid.describe('The dispute whose evidence may name it.'),
    status: z.enum(['stored', 'removed']).describe('Evidence can name what is `stored`.'),
    name: z.string().describe('The name that you gave it. The bank does not see it.'),
    content_type: z.enum(evidenceFileTypes).describe('What its content says that it is.'),
    bytes: z.int().describe('How large it is, in bytes.'),
    kept_until: timestamp.nullable().describe('When it is removed; null once it is.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'DisputeFile' })

const exampleFile = {
  id: '0190a6d2-7c3e-7b1a-9f00-0000000000a4',
  object: 'dispute_file',
  dispute_id: '0190a6d2-7c3e-7b1a-9f00-000000000008',
  status: 'stored',
  name: 'Recibo R-1088.pdf',
  content_type: 'application/pdf',
  bytes: 9,
  kept_until: '2026-12-12T12:00:00.000Z',
  created_at: '2026-06-15T12:00:00.000Z',
  updated_at: '2026-06-15T12:00:00.000Z',
} as const

const path = '/v1/payment-operations/dispute-files'

/** The folder of the bucket. Nothing serves it. */
export const filesFolder = 'dispute-files'

export const add = contract({
  ...writes,
  id: 'dispute_files.add',
  path,
  location: `${path}/:id`,
  tag: 'Disputes',
  summary: 'Upload a file for evidence',
  description:
    'PDF, PNG or JPEG, at most 4.5 MB; the content decides the type. While the dispute takes evidence; it has up to 20. The bank gets it with evidence that names it in `files`. It is kept for 180 days after it was uploaded or last named.',
  access: { api_key: { scopes: ['refunds:write'] } },
  tables: ['dispute_files'],
  bodyKiBMax: 6_000,
  body: z.strictObject({
    dispute_id: uuid.describe('The dispute whose evidence may name it.'),
    name: freeText(120).trim().min(1).describe('A name for you to know it by: `Recibo R-1088.pdf`.'),
    content: z.base64('must be base64').describe('The file’s bytes in base64.'),
  }),
  reply: { status: 201, schema: DisputeFile },
  errors: [
    'dispute_not_found',
    'dispute_evidence_not_awaited',
    'dispute_evidence_overdue',
    'dispute_file_empty',
    'dispute_file_too_large',
    'dispute_file_type_unsupported',
    'dispute_files_too_many',
    'dispute_files_quota_reached',
  ],
  example: {
    body: { dispute_id: exampleFile.dispute_id, name: exampleFile.name, content: 'JVBERi0xLjcK' },
    reply: exampleFile,
  },
})

export const list = contract({
  ...reading,
  id: 'dispute_files.list',
  path,
  summary: 'List the files for evidence',
  ...paged(DisputeFile, exampleFile, { dispute_id: uuid.optional().describe('Only those of this dispute.') }),
})

export const get = contract({
  ...reading,
  id: 'dispute_files.get',
  path: `${path}/:id`,
  summary: 'Get a file for evidence',
  description: 'What is known of it, not its content.',
  ...one(DisputeFile, exampleFile, 'dispute_file_not_found'),
})

/** Removes the files whose time is over. */
export const removal = {
  id: 'dispute_files.clear',
  access: { system: {} },
  tables: ['dispute_files'],
} as const
