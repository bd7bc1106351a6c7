import { problem } from '../../../src/http/declaration.ts'

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
  sync_source_is_pushed: problem(
    409,
    'Records are pushed to this sync source: it starts no runs.',
    'Send its records as batches, or create a source of another kind.',
  ),
  sync_source_not_pushed: problem(
    409,
    'This sync source reads its records itself.',
    'Start a run of it, or create a source of the kind `push`.',
  ),
  sync_source_unanswered: problem(
    503,
    'The source does not answer.',
    'Nothing: the run tries again up to six times. Start another one if it failed.',
  ),
  sync_records_unstored: problem(
    503,
    'The next records could not be stored.',
    'Nothing: the run tries again up to six times. Start another one if it failed.',
  ),
  sync_run_open: problem(
    409,
    'A run of this sync source is not over yet.',
    'Wait until it is, or cancel it.',
  ),
  sync_run_over: problem(409, 'The run is over.', 'Get it to see how it ended.'),
  sync_file_missing: problem(
    409,
    'No file was uploaded to this sync source.',
    'Upload one. A file is removed seven days after its upload.',
  ),
  sync_file_without_id: problem(
    422,
    'No column says which customer a row is about.',
    'Map a column to `external_id`, `email` or `phone`.',
  ),
  sync_source_takes_no_file: problem(
    409,
    'This sync source reads no file.',
    'Create a source of the kind `csv`.',
  ),
  sync_file_length_missing: problem(
    411,
    'The length of the file is missing.',
    'Send Content-Length: most clients do where the body is a file instead of a stream.',
  ),
  sync_file_empty: problem(422, 'The file has no rows.', 'Send a header and at least one row below it.'),
  sync_file_too_large: problem(
    413,
    'The file is larger than 50 MiB.',
    'Cut it into several files, each with the header, and run one after the other.',
  ),
  sync_file_card_number: problem(
    422,
    'The file contains what looks like a card number: nothing was stored.',
    'Remove the card numbers from the file. The message names the first line that has one.',
  ),
  sync_source_limit_reached: problem(
    409,
    'This workspace has reached its limit of 50 sync sources.',
    'Disconnect a sync source that you no longer need.',
  ),
  sync_file_quota_reached: problem(
    409,
    'The uploaded files of this workspace have reached their limit: 500 MiB, or 200 files.',
    'Wait until earlier files are removed, seven days after their upload.',
  ),
  sync_file_not_text: problem(
    422,
    'The file is no text.',
    'Export the spreadsheet as CSV: in Excel, “CSV UTF-8”.',
  ),
  sync_file_header_missing: problem(
    422,
    'The first row of the file does not name its columns.',
    'Add a first row with a name for each column, of 64 KiB at most.',
  ),
  sync_file_too_many_columns: problem(
    422,
    'The file has more than 200 columns.',
    'Leave out the columns that say nothing of a customer.',
  ),
  sync_file_columns_count: problem(
    422,
    'There must be one field for each column of the file.',
    'Get the file to see its columns. Send null for a column that is left out.',
  ),
  sync_run_without_file: problem(
    409,
    'The records of this run were pushed.',
    'Those that were refused are named in the reply of their batch.',
  ),
  sync_file_gone: problem(
    409,
    'The uploaded file is gone.',
    'Upload it again and start another run: what was read before is skipped.',
  ),
  sync_file_row_too_long: problem(
    422,
    'A row is longer than 1 MiB: a quote may never be closed.',
    'Correct the row that the message names, then upload the file again.',
  ),
  sync_row_quote_open: problem(
    422,
    'A quote in this row is never closed.',
    'Write a quote within a cell twice, and close each quoted cell.',
  ),
  sync_row_cells_count: problem(
    422,
    'This row has more or fewer cells than the header.',
    'Put cells that contain the delimiter or a line break in double quotes.',
  ),
  sync_source_not_stripe: problem(
    409,
    'This sync source reads no Stripe account.',
    'Create a source of the kind `stripe`, then connect the account to it.',
  ),
  stripe_connection_not_found: problem(
    404,
    'There is no such sync source, or no Stripe account is connected to it.',
    'Send a key of the account to this address.',
  ),
  stripe_not_connected: problem(
    409,
    'No Stripe account is connected to this sync source.',
    'Send a restricted key of the account first.',
  ),
  stripe_key_not_restricted: problem(
    422,
    'This is no restricted key of a Stripe account.',
    'Make one in the Stripe dashboard that may read customers and events and nothing else: it begins with `rk_`.',
  ),
  stripe_key_of_live: problem(
    422,
    'This key reads live data, and this is the sandbox.',
    'Send a restricted key of the sandbox of your Stripe account: it begins with `rk_test_`.',
  ),
  stripe_key_of_test: problem(
    422,
    'This key reads test data, and this is live.',
    'Send a restricted key for live data: it begins with `rk_live_`.',
  ),
  stripe_key_refused: problem(
    422,
    'Stripe does not know the key: it was deleted, has expired or was mistyped.',
    'Send another key of the account; the source then goes on.',
  ),
  stripe_right_missing: problem(
    422,
    'The key may not read both customers and events at Stripe.',
    'Give the key these two rights in the Stripe dashboard, or send another one that has them; then start a run.',
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
