import * as z from 'zod'
import { syncRuns, syncSources } from '../../../drizzle/schema/sync.ts'
import { contract, reads, writes } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { each, freeText, timestamp, uuid } from '../../../src/http/schemas.ts'
import { customerFields } from '../customers/api-pure.ts'

export const recordsMax = 500

export const tag = 'Customer synchronisation'
export const reading = {
  ...reads,
  tag,
  access: { api_key: { scopes: ['customer_hub:read', 'customer_hub.provider_sync:write'] } },
} as const
export const writing = {
  ...writes,
  tag,
  access: { api_key: { scopes: ['customer_hub.provider_sync:write'] } },
} as const
export const path = '/v1/customer-hub/sync-sources'

const kind = z
  .enum(syncSources.kind.enumValues)
  .describe(
    '`push`: your own system sends its records in batches. `csv`: you upload a file and start a run that reads it. `stripe`: the customers of your Stripe account, which you connect.',
  )
const name = freeText(120).trim().min(1).describe('Your own name for it.')

const Failure = z
  .strictObject({
    code: z.string().describe('An error code of this reference.'),
    message: z.string().describe('What went wrong.'),
  })
  .nullable()

const Source = shown('sync_source', {
  kind,
  name,
  status: z
    .enum(syncSources.status.enumValues)
    .describe(
      '`created`: no records have come yet. `connecting`: its first run has not read any yet. `active`: it takes records. `error`: its last run failed, see `failure`; another one may be started. `paused` takes none until it is resumed, `disconnected` none for good.',
    ),
  failure: Failure.describe('Why its status is `error`.'),
}).meta({ id: 'SyncSource' })

export const exampleSource = exampleOf('sync_source', '0190a6d2-7c3e-7b1a-9f00-000000000061', {
  kind: 'push',
  name: 'Webshop',
  status: 'created',
  failure: null,
})

const count = (what: string) => z.int().min(0).describe(`How many records ${what}.`)
const counts = {
  created: count('made a new customer'),
  updated: count('changed a customer, or became known as one'),
  skipped: count('changed nothing'),
  failed: count('were refused'),
}
export const mode = z
  .enum(syncRuns.mode.enumValues)
  .describe(
    '`live`: each field is of the source that set it last, by `updated_at`. `backfill` corrects what this source itself said before, whatever the time: fields that another source or your own requests have set stay.',
  )

export const Run = z
  .strictObject({
    id: uuid,
    object: z.literal('sync_run'),
    source_id: uuid.describe('Id of the sync source.'),
    mode,
    status: z
      .enum(syncRuns.status.enumValues)
      .describe(
        '`queued` until its first records are read, then `running`; `paused` while its source is. `succeeded`: no record failed. `partial`: some did. `failed`: none had its effect, or the source could not be read to its end (`failure`). `canceled`: stopped by you; what was read stays.',
      ),
    total: z.int().min(0).nullable().describe('How many records there are; null while it is unknown.'),
    processed: count('are done'),
    ...counts,
    progress: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .describe('How much of it is done, in percent; null where that is not known.'),
    failure: Failure.describe(
      'Why the source could not be read last. A run that is not over tries again, up to six times in all.',
    ),
    finished_at: timestamp.nullable().describe('Null until it is over.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'SyncRun' })

export const exampleRun = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000062',
  object: 'sync_run',
  source_id: exampleSource.id,
  mode: 'live',
  status: 'succeeded',
  total: 1,
  processed: 1,
  created: 1,
  updated: 0,
  skipped: 0,
  failed: 0,
  progress: 100,
  failure: null,
  finished_at: '2026-06-13T12:00:01.000Z',
  created_at: '2026-06-13T12:00:01.000Z',
  updated_at: '2026-06-13T12:00:01.000Z',
} as const

const externalId = freeText(200).min(1)

export const SyncRecord = z
  .strictObject({
    external_id: externalId.describe('What the source calls this customer: always the same one.'),
    updated_at: timestamp
      .optional()
      .describe(
        'When it last changed, by the source’s clock. A field that another source set later stays. Without it, now.',
      ),
    customer: customerFields.describe('What the source says of the customer; what it leaves out stays.'),
    same_as: z
      .strictObject({
        source_id: uuid.describe('Another sync source.'),
        external_id: externalId.describe('What that source calls the customer.'),
      })
      .optional()
      .describe('Says that this customer is the one that another source has: they become one.'),
  })
  .meta({ id: 'SyncRecordRequest' })

export const RecordError = z.strictObject({
  code: z.string().describe('An error code of this reference.'),
  message: z.string().describe('What is wrong.'),
  param: z.string().nullable().describe('The field of the record that is at fault.'),
})

const Result = z
  .strictObject({
    index: z.int().min(0).describe('The record’s place in your list.'),
    external_id: z
      .string()
      .nullable()
      .describe('The record’s; null where it was not one, or where it is of an erased person.'),
    result: z
      .enum(['created', 'updated', 'skipped', 'failed'])
      .describe(
        '`created`: a new customer. `updated`: fields changed, or an existing customer became known by this id. `skipped`: nothing changed.',
      ),
    customer_id: uuid.nullable().describe('The customer that it is; null where it failed.'),
    kept: z
      .array(z.string())
      .describe('Fields that were set later than this record, or by a source that is ahead: they stay.'),
    error: RecordError.nullable().describe('Why it failed.'),
  })
  .meta({ id: 'SyncRecordResult' })

const exampleRecord = {
  external_id: 'shop-1024',
  updated_at: '2026-06-13T11:58:00Z',
  customer: { name: 'Ana Torres', email: 'ana@example.com' },
}

const sources = resource({
  tag,
  path,
  reads: reading.access,
  writes: writing.access,
  tables: ['sync_sources', 'sync_runs'],
  notFound: 'sync_source_not_found',
  versioned: true,
  schema: Source,
  example: exampleSource,
})
export const { one: ofSource } = sources

export const create = sources.create({
  id: 'sync_sources.create',
  tables: ['sync_sources'],
  summary: 'Create a sync source',
  body: z.strictObject({ kind: kind.default('push'), name }),
  errors: ['sync_source_limit_reached'],
  example: { kind: 'push', name: 'Webshop' },
})

export const list = sources.list({
  id: 'sync_sources.list',
  summary: 'List sync sources',
  filters: {
    status: z.enum(syncSources.status.enumValues).optional().describe('Only what has this status.'),
  },
})

export const get = sources.get({ id: 'sync_sources.get', summary: 'Get a sync source' })

export const pause = sources.move('pause', {
  id: 'sync_sources.pause',
  summary: 'Pause a sync source',
  description:
    'The source takes no records until it is resumed; a run that is under way waits. What it has delivered stays.',
  errors: ['sync_source_paused', 'sync_source_disconnected'],
  example: { status: 'paused', version: 2 },
})

export const resume = sources.move('resume', {
  id: 'sync_sources.resume',
  summary: 'Resume a paused sync source',
  description: 'A run that waited continues.',
  errors: ['sync_source_not_paused', 'sync_source_disconnected'],
  example: { status: 'active', version: 3 },
})

export const disconnect = sources.move('disconnect', {
  tables: ['sync_sources', 'sync_runs', 'sync_files'],
  id: 'sync_sources.disconnect',
  summary: 'Disconnect a sync source',
  description:
    'Cannot be undone: a run that is under way is canceled, and an uploaded file is removed. Customers keep the data and the ids of the source.',
  errors: ['sync_source_disconnected'],
  example: { status: 'disconnected', version: 2 },
})

export const pushRecords = contract({
  ...writing,
  ...ofSource,
  // The path has no other parameter, but the router takes what follows a colon for one.
  params: z.object({ id: uuid }),
  id: 'sync_sources.push_records',
  tables: ['customers', 'customer_contacts', 'customer_external_ids', 'sync_runs', 'sync_sources'],
  path: `${path}/:id/records/batch`,
  bodyKiBMax: 1024,
  summary: 'Push records of customers',
  description: `Up to ${recordsMax} records, each with its own result: those that are refused keep none of the others from their effect. Sending them again, twice at once or in another order leaves the same customers. A new \`external_id\` is of an existing customer only by \`same_as\`, by the customer’s own \`external_id\`, or by an e-mail address or phone number that is verified as exactly one customer’s; otherwise it is a new customer.`,
  body: z.strictObject({
    mode: mode.default('live'),
    records: z
      .array(each(SyncRecord))
      .min(1)
      .max(recordsMax)
      .describe(`What the source knows, 1 to ${recordsMax} records.`),
  }),
  reply: {
    status: 200,
    schema: z
      .strictObject({
        object: z.literal('sync_batch'),
        run: Run.describe('The run that this batch was.'),
        results: z.array(Result).describe('One for each record, in the order of the records.'),
      })
      .meta({ id: 'SyncBatch' }),
  },
  errors: [
    'sync_source_not_found',
    'sync_source_paused',
    'sync_source_disconnected',
    'sync_source_not_pushed',
  ],
  example: {
    body: { mode: 'live', records: [exampleRecord] },
    reply: {
      object: 'sync_batch',
      run: exampleRun,
      results: [
        {
          index: 0,
          external_id: 'shop-1024',
          result: 'created',
          customer_id: '0190a6d2-7c3e-7b1a-9f00-000000000051',
          kept: [],
          error: null,
        },
      ],
    },
  },
})
