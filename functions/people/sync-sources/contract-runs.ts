import * as z from 'zod'
import { syncRuns } from '../../../drizzle/schema/sync.ts'
import { contract } from '../../../src/http/contract.ts'
import { resource } from '../../../src/http/contract-resource.ts'
import { exampleRun, mode, ofSource, Run, reading, tag, writing } from './contract.ts'

const runs = resource({
  tag,
  path: '/v1/customer-hub/sync-runs',
  within: { ...ofSource, path: `${ofSource.path}/runs` },
  reads: reading.access,
  writes: writing.access,
  tables: ['sync_runs'],
  notFound: 'sync_run_not_found',
  schema: Run,
  example: exampleRun,
})

export const start = contract({
  ...writing,
  ...ofSource,
  id: 'sync_runs.start',
  tables: ['sync_sources', 'sync_runs', 'sync_files'],
  path: `${ofSource.path}/runs`,
  location: runs.one.path,
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

export const list = runs.list({
  id: 'sync_runs.list',
  summary: 'List the runs of a sync source',
  filters: {
    status: z.enum(syncRuns.status.enumValues).optional().describe('Only what has this status.'),
  },
})

export const get = runs.get({
  id: 'sync_runs.get',
  summary: 'Get a run',
  description: 'Its counts grow while it runs; `progress` is in percent.',
})

export const cancel = runs.move('cancel', {
  id: 'sync_runs.cancel',
  summary: 'Cancel a run',
  description: 'The run stops reading records. What it has read stays.',
  errors: ['sync_run_over'],
  example: { status: 'canceled', total: null, progress: 40 },
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
