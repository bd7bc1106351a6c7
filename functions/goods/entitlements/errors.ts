import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  entitlement_not_found: problem(
    404,
    'There is no such entitlement.',
    'List the entitlements of the payment for their ids.',
  ),
  entitlement_code_not_found: problem(
    404,
    'There is no voucher with this code.',
    'Compare each letter with what the buyer shows: a code has 16 letters and digits, without I, L, O and U.',
  ),
  entitlement_not_active: problem(
    409,
    'The entitlement is not active.',
    'Read its status: `pending` waits for its key or code, `revoked` was taken back.',
  ),
  entitlement_not_revoked: problem(
    409,
    'The entitlement is not revoked.',
    'Only a revoked entitlement is reinstated.',
  ),
  entitlement_taken_back: problem(
    409,
    'A refund or a lost dispute took the entitlement back.',
    'You can give back only what you revoked yourself. Where buyers keep an item after a refund, set its `revocation_policy` before the sale.',
  ),
  entitlement_redeemed: problem(
    409,
    'The voucher was redeemed before.',
    'Read the entitlement: `redeemed_at` says when.',
  ),
  entitlement_expired: problem(
    409,
    'The time of the entitlement has passed.',
    'Read the entitlement: `expires_at` says when.',
  ),
  downloads_used_up: problem(
    409,
    'The file was downloaded as often as the item allows.',
    'The buyer may download each file `downloads_max` times. Send the buyer the file yourself, or refund the payment.',
  ),
  license_key_not_found: problem(404, 'There is no such license key.', 'List the keys for their ids.'),
  license_key_not_available: problem(
    409,
    'The license key was sold or withdrawn.',
    'Only an `available` key is withdrawn. Revoke the entitlement of a sold one.',
  ),
  license_keys_not_pooled: problem(
    409,
    'The item has no pool of keys.',
    'Only an item of the kind `license_key` with `keys: pool` takes keys.',
  ),
  delivered_file_not_found: problem(
    404,
    'There is no such file.',
    'List the files of the item for their ids.',
  ),
  delivered_file_item_unsuitable: problem(
    409,
    'The item delivers no files.',
    'Only an item of the kind `file` that is not archived takes files; of an item with options, each variant does.',
  ),
  delivered_files_too_many: problem(
    409,
    'The item has as many files as it may have.',
    'Remove a file first, or put several into one archive.',
  ),
  delivered_file_empty: problem(422, 'The file is empty.', 'Send the bytes of the file in base64.'),
  delivered_file_too_large: problem(
    422,
    'The file is larger than 8 MiB.',
    'Compress it, or split it into several files.',
  ),
}
