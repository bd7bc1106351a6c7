import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { evidenceFileLifecycle } from '../../functions/money/disputes/lifecycle.ts'
import { evidenceFileTypes } from '../../src/kernel/evidence-files.ts'
import { changes, known, ofStoredFile, ownKey, refersTo, storedFile, tenantRow } from './columns.ts'
import { disputes } from './disputes.ts'

/** What a merchant's evidence in a dispute may name: in the bucket, never at a public address, and never for ever. */
export const disputeFiles = pgTable(
  'dispute_files',
  {
    ...tenantRow,
    disputeId: uuid('dispute_id').notNull(),
    name: text('name').notNull(),
    contentType: text('content_type', { enum: evidenceFileTypes }).notNull(),
    bytes: integer('bytes').notNull(),
    /** The processor's own id of it; null until evidence that names it was sent. */
    processorRef: text('processor_ref'),
    ...storedFile(evidenceFileLifecycle),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('dispute_files_dispute', t, t.disputeId, disputes),
      ...ofStoredFile('dispute_files', t, ['removed']),
      check('dispute_files_type_known', known(t.contentType)),
      check('dispute_files_bytes_bounds', sql`${t.bytes} between 1 and 4500000`),
      check('dispute_files_told_stored', sql`${t.processorRef} is null or ${t.status} <> 'uploading'`),
      index('dispute_files_list').on(t.tenantId, t.createdAt, t.id),
      index('dispute_files_list_by_dispute').on(t.tenantId, t.disputeId, t.createdAt, t.id),
    ]
  },
)
