import type { Declaration } from '../../../src/http/declaration.ts'
import { download, issue } from './contract.ts'
import { fileBytesMax, filesMax, keysMax, removal } from './contract-goods.ts'
import { errors } from './errors.ts'
import { deliveredFileLifecycle, entitlementLifecycle, keyLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  routes: [
    {
      at: ['/v1/entitlements', '/v1/delivered-files', '/v1/license-keys', '/v1/redemptions'],
      by: 'operations.ts#operations',
    },
  ],
  tags: [
    {
      at: 50,
      name: 'Entitlements',
      description:
        'What buyers get by paying for a `file`, a `license_key`, `access` or a `voucher`: their receipt has downloads, keys and codes. Each payment grants its entitlements with the money itself; refunds and lost disputes revoke them by the item’s `revocation_policy`.',
    },
  ],
  nouns: { entitlements: 'entitlement', 'license-keys': 'license key', 'delivered-files': 'file' },
  publishes: [issue, download, removal],
  jobs: {
    // Behind the jobs by which payments succeed.
    entitlements: {
      at: 150,
      runs: 'operations.ts#issueEntitlements',
      table: 'entitlements',
      due: `(d.announced is distinct from d.status or d.status = 'pending' and d.code_from = 'generated')`,
      firstBy: 'updated_at',
    },
    delivered_files: {
      at: 178,
      runs: 'operations.ts#removeDelivered',
      table: 'delivered_files',
      due: 'd.remove_at <= $1',
      firstBy: 'remove_at',
    },
  },
  counters: { entitlements: ['downloads_count'] },
  personalData: { entitlements: { columns: [], impersonal: 'code_ciphertext code_digest code_last4' } },
  lookedUp: ['entitlements', 'delivered_files'],
  deadlines: [
    { table: 'entitlements', columns: ['expires_at'] },
    { table: 'delivered_files', columns: ['remove_at'] },
  ],
  lifecycles: [entitlementLifecycle, keyLifecycle, deliveredFileLifecycle],
  events: {
    entitlement: {
      scopes: ['digital_catalog:read'],
      shownBy: 'entitlements.get',
      types: {
        created: 'A payment granted an entitlement. It is `pending` where its key or code is not there yet.',
        delivered: 'The buyer’s receipt has it: the key, the code or the files.',
        redeemed: 'A voucher was redeemed.',
        revoked: 'An entitlement was taken back, by a refund, a lost dispute or you.',
        reinstated: 'A revoked entitlement is the buyer’s again.',
      },
    },
  },
  errors,
  limits: {
    license_keys_added: { most: keysMax, unit: 'count', says: 'The license keys of one request.' },
    delivered_files: {
      most: filesMax,
      unit: 'count',
      says: 'The files of a catalog item that buyers download.',
    },
    delivered_file: { most: fileBytesMax, unit: 'bytes', says: 'A file that buyers download.' },
  },
  samples: {
    'entitlements.reinstate': { after: ['entitlements.revoke'] },
    'entitlements.redeem': { other: { code: 'ZZZZ-ZZZZ-ZZZZ-ZZZZ' } },
    'license_keys.add': { other: { keys: ['QW3R-77QD'] } },
    'delivered_files.add': { other: { name: 'Otro.pdf' } },
  },
  constraints: {
    entitlement_downloads_bounded: { code: 'downloads_used_up' },
    entitlements_taken_back: { code: 'entitlement_taken_back' },
    entitlements_downloaded_active: { code: 'entitlement_not_active' },
    delivered_files_max: { code: 'delivered_files_too_many' },
    license_keys_once: 'stale',
  },
}
