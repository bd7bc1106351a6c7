import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  dispute_not_found: problem(
    404,
    'There is no such dispute.',
    'Check the id; list the disputes for their ids.',
  ),
  fraud_warning_not_found: problem(
    404,
    'There is no such fraud warning.',
    'Check the id; list the fraud warnings for their ids.',
  ),
  dispute_evidence_not_awaited: problem(
    409,
    'This dispute takes no evidence: it was sent already, or the bank is deciding or has decided.',
    'Read the dispute. Evidence is sent once each time that the bank asks, with everything you have.',
  ),
  dispute_not_acceptable: problem(
    409,
    'This dispute does not wait for you, or was answered already.',
    'Read the dispute. One that is needs_response can be accepted; an inquiry has claimed nothing yet, and a refund settles it.',
  ),
  dispute_evidence_overdue: problem(
    409,
    'The deadline for evidence has passed.',
    'Send evidence before evidence_due_by; this dispute is decided without it.',
  ),
  dispute_file_not_found: problem(
    404,
    'There is no such file, or it is of another dispute, or it is removed.',
    'Check the id; list the files of the dispute for their ids, or upload the file again.',
  ),
  dispute_file_empty: problem(
    422,
    'The file has no content.',
    'Send the file’s bytes in base64 as `content`.',
  ),
  dispute_file_too_large: problem(
    422,
    'The file is larger than 4.5 MB.',
    'Scan it with fewer pixels, or in grey; banks accept at most 4.5 MB for a whole dispute.',
  ),
  dispute_file_type_unsupported: problem(
    422,
    'The file is neither PDF nor PNG nor JPEG.',
    'Send a PDF, a PNG or a JPEG; the content decides, not a name or a header.',
  ),
  dispute_files_too_large: problem(
    422,
    'The files of the evidence are larger than 4.5 MB together.',
    'Name fewer of them, or upload smaller ones; a file that is named twice counts twice.',
  ),
  dispute_files_too_many: problem(
    409,
    'The dispute has 20 files.',
    'Name those that it has: list them. Each is removed 180 days after it was uploaded or last named.',
  ),
  dispute_files_quota_reached: problem(
    409,
    'The files for evidence of this workspace have 500 MiB together.',
    'Wait until some are removed, 180 days after they were uploaded or last named.',
  ),
  dispute_not_decided: problem(
    409,
    'The bank has not decided this dispute.',
    'Decide it first with /v1/sandbox/disputes/{id}/resolve, or send the status that it has.',
  ),
  dispute_over: problem(
    409,
    'The bank has decided this dispute.',
    'Read the dispute: its status shows how it was decided.',
  ),
  dispute_is_inquiry: problem(
    409,
    'This is an inquiry: the bank has claimed nothing.',
    'End it with /v1/sandbox/disputes/{id}/inquiry, or let it become a dispute there first.',
  ),
  dispute_not_inquiry: problem(
    409,
    'This is no inquiry, or no longer one.',
    'Read the dispute: an inquiry has a status that begins with inquiry_.',
  ),
  payment_not_disputable: problem(
    409,
    'Only what a card has paid can be disputed.',
    'Dispute a payment of method card whose amount_captured is more than zero.',
  ),
}
