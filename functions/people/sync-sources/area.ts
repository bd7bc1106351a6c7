import type { Declaration } from '../../../src/http/declaration.ts'
import { recordsMax } from './contract.ts'
import { removal } from './contract-files.ts'
import { continuing } from './contract-runs.ts'
import { connecting, following } from './contract-stripe.ts'
import { fileBytesMax, sourcesMax, storedBytesMax, storedFilesMax } from './csv/shape.ts'
import { errors } from './errors.ts'
import { syncFileLifecycle, syncRunLifecycle, syncSourceLifecycle } from './lifecycle.ts'
import { personalData } from './personal-data.ts'

export const area: Declaration = {
  routes: [
    { at: ['/v1/customer-hub/sync-sources', '/v1/customer-hub/sync-runs'], by: 'operations.ts#operations' },
    { at: ['/v1/customer-hub/stripe-events'], by: 'stripe/hook.ts#stripeEventRoutes' },
  ],
  tags: [
    {
      at: 48,
      name: 'Customer synchronisation',
      description:
        'What your other systems say about your customers. Each system is a sync source with its own ids; each field of a customer is of the source that set it last. Records may come twice, late and in any order.',
    },
  ],
  nouns: { 'sync-sources': 'sync source', 'sync-runs': 'run' },
  publishes: [continuing, connecting, following, removal],
  jobs: {
    sync_files: {
      at: 199,
      runs: 'operations-files.ts#removeFiles',
      table: 'sync_files',
      due: 'd.remove_at <= $1',
      firstBy: 'remove_at',
    },
    sync_refusals: {
      at: 198,
      runs: 'operations-files.ts#forgetRefusals',
      due: `exists (select from public.sync_refusals d where d.created_at < now() - interval '30 days')`,
    },
    sync_runs: { at: 200, runs: 'continue.ts#continueRuns', table: 'sync_runs' },
    stripe_connections: { at: 210, runs: 'stripe/follow.ts#followStripe', table: 'stripe_connections' },
  },
  personalData,
  lookedUp: ['stripe_connections', 'sync_refusals', 'sync_runs', 'sync_files'],
  deadlines: [
    { table: 'stripe_connections', columns: ['next_check_at'] },
    { table: 'sync_runs', columns: ['next_check_at'] },
    { table: 'sync_files', columns: ['remove_at'] },
  ],
  secret: { stripe_connections: ['api_key', 'webhook_secret'] },
  lifecycles: [syncSourceLifecycle, syncRunLifecycle, syncFileLifecycle],
  events: {
    sync_source: {
      scopes: ['customer_hub:read', 'customer_hub.provider_sync:write'],
      shownBy: 'sync_sources.get',
      types: {
        created: { says: 'A sync source was created.', trigger: 'sync_sources.create' },
        activated: { says: 'The first records of a sync source came.', trigger: 'sync_sources.push_records' },
        connecting: 'The first run of a sync source was started.',
        failed: 'A sync source could not be read: its run failed.',
        connection_updated: {
          says: 'A Stripe account was connected to a sync source, or its secrets were replaced.',
          shownBy: 'stripe_connections.get',
        },
        paused: { says: 'A sync source was paused.', trigger: 'sync_sources.pause' },
        resumed: { says: 'A paused sync source was resumed.', trigger: 'sync_sources.resume' },
        disconnected: { says: 'A sync source was disconnected.', trigger: 'sync_sources.disconnect' },
      },
    },
    sync_run: {
      scopes: ['customer_hub:read', 'customer_hub.provider_sync:write'],
      shownBy: 'sync_runs.get',
      types: {
        queued: 'A run was started, or continues after a pause.',
        running: 'A run has read its first records.',
        paused: 'A run waits, because its source was paused.',
        canceled: 'A run was canceled.',
        succeeded: {
          says: 'A run ended; no record failed.',
          trigger: 'sync_sources.push_records',
        },
        partial: 'A run ended; some records failed.',
        failed: 'A run ended; no record had an effect.',
      },
    },
  },
  errors,
  limits: {
    sync_file: { most: fileBytesMax, unit: 'bytes', says: 'A file of a sync source.' },
    sync_sources: { most: sourcesMax, unit: 'count', says: 'Sync sources that are not disconnected.' },
    sync_files: {
      most: storedFilesMax,
      unit: 'count',
      says: 'Files of sync sources until they are removed.',
    },
    sync_files_bytes: {
      most: storedBytesMax,
      unit: 'bytes',
      says: 'Files of sync sources together, until they are removed.',
    },
    sync_records: { most: recordsMax, unit: 'count', says: 'The records of a batch of a sync source.' },
  },
  constraints: {
    customer_external_ids_one: 'stale',
    sync_runs_one_open: 'stale',
    sync_files_one_stored: 'stale',
    sync_sources_limit: { code: 'sync_source_limit_reached' },
    sync_files_quota: { code: 'sync_file_quota_reached' },
  },
  samples: {
    'stripe_connections.set': { other: { api_key: 'rk_test_AnotherKeyOfNoAccountAtAll' } },
    'sync_sources.resume': { after: ['sync_sources.pause'] },
    'sync_sources.push_records': {
      other: { records: [{ external_id: 'shop-1025', customer: { name: 'Another' } }] },
    },
  },
}
