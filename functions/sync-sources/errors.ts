import { problem } from '../../src/http/declaration.ts'

export const errors = {
  sync_source_not_found: problem(
    404,
    'There is no such sync source.',
    'List the sync sources for their ids.',
  ),
  sync_source_paused: problem(409, 'The sync source is paused.', 'Resume it, then send the records again.'),
  sync_source_not_paused: problem(409, 'The sync source is not paused.', 'Get it to see its status.'),
  sync_source_disconnected: problem(
    409,
    'The sync source is disconnected: it takes no records any more.',
    'Create another one. Its records may name this one’s with `same_as`.',
  ),
  sync_run_not_found: problem(404, 'There is no such run.', 'List the runs of the sync source.'),
  sync_record_in_future: problem(
    422,
    'The record changed later than now.',
    'Send `updated_at` as the source’s clock had it, in UTC, and keep that clock right.',
  ),
  sync_record_unknown: problem(
    422,
    'No customer is known by this id of that source.',
    'Send the other source’s record first, or leave `same_as` out.',
  ),
  sync_record_ambiguous: problem(
    409,
    'The ids of this record belong to different customers.',
    'Merge the customers where they are one person, then send the record again.',
  ),
}
