import * as z from 'zod'
import { syncRuns } from '../../../drizzle/schema/sync.ts'
import { contract } from '../../../src/http/contract.ts'
import { one, paged, uuid } from '../../../src/http/schemas.ts'
import { exampleRun, mode, ofSource, path, Run, reading, writing } from './contract.ts'

const ofRun = { params: z.strictObject({ id: uuid }), notFound: 'sync_run_not_found' } as const
const runs = '/v1/customer-hub/sync-runs'

export const start = contract({
  ...writing,
  ...ofSource,
  id: 'sync_runs.start',
  tables: ['sync_sources', 'sync_runs', 'sync_files'],
  path: `${path}/:id/runs`,
  location: `${runs}/:id`,
  summary: 'Start a run of a sync source',
  description:
    'The source reads its records itself, in the background; `progress` of the run is in percent. A source has one run at a time. Of a `csv` source the run reads the file that was uploaded last.',
  body: z.strictObject({ mode: mode.default('live') }),
  reply: { status: 201, schema: Run },
  errors: [
    'sync_source_not_found',
    'sync_source_paused',
    'sync_source_disconnected',
    'sync_source_is_pushed',
    'sync_run_open',
    'sync_file_missing',
    'sync_file_without_id',
  ],
  example: {
    body: { mode: 'live' },
    reply: {
      ...exampleRun,
      status: 'queued',
      total: null,
      processed: 0,
      created: 0,
      progress: 0,
      finished_at: null,
    },
  },
})

export const list = contract({
  ...reading,
  ...ofSource,
  id: 'sync_runs.list',
  path: `${path}/:id/runs`,
  summary: 'List the runs of a sync source',
  ...paged(Run, exampleRun, {
    status: z.enum(syncRuns.status.enumValues).optional().describe('Only what has this status.'),
  }),
  errors: ['sync_source_not_found', 'cursor_invalid'],
})

export const get = contract({
  ...reading,
  id: 'sync_runs.get',
  path: `${runs}/:id`,
  summary: 'Get a run',
  description: 'Its counts grow while it runs; `progress` is in percent.',
  ...one(Run, exampleRun, 'sync_run_not_found'),
})

export const cancel = contract({
  ...writing,
  ...ofRun,
  id: 'sync_runs.cancel',
  tables: ['sync_runs'],
  path: `${runs}/:id/cancel`,
  summary: 'Cancel a run',
  description: 'The run stops reading records. What it has read stays.',
  reply: { status: 200, schema: Run },
  errors: ['sync_run_not_found', 'sync_run_over'],
  example: { reply: { ...exampleRun, status: 'canceled', total: null, progress: 40 } },
})

/** The slices of all runs. */
export const continuing = {
  id: 'sync_runs.continue',
  access: { system: {} },
  tables: [
    'customers',
    'customer_contacts',
    'customer_external_ids',
    'sync_refusals',
    'sync_runs',
    'sync_sources',
  ],
} as const
