import type { Declaration } from '../../../src/http/declaration.ts'
import { evidenceBytesMax } from '../../../src/kernel/evidence-files.ts'
import { outcome } from './contract.ts'
import { removal } from './contract-files.ts'
import { fraudOutcome } from './contract-fraud.ts'
import { errors } from './errors.ts'
import { disputeLifecycle, evidenceFileLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  routes: [
    {
      at: [
        '/v1/payment-operations/dispute-files',
        '/v1/payment-operations/disputes',
        '/v1/payment-operations/fraud-warnings',
      ],
      by: 'operations.ts#operations',
    },
  ],
  tags: [
    {
      at: 110,
      name: 'Disputes',
      description:
        'A buyer’s bank takes the money back. While a dispute is `needs_response` or `under_review` its amount is held and the payment cannot be refunded; `won` releases it, `lost` keeps it. Some banks ask first: an inquiry (`inquiry_…`) moves no money, and evidence, or a refund, may keep it from becoming a dispute. A fraud warning says that the buyer’s bank reported a payment as fraud: it moves no money either, and a dispute often follows.',
    },
  ],
  nouns: { disputes: 'dispute', 'dispute-files': 'file', 'fraud-warnings': 'fraud_warning' },
  publishes: [outcome, fraudOutcome, removal],
  jobs: {
    disputes: { at: 50, runs: 'sync.ts#resolveDisputes', table: 'disputes' },
    dispute_notifications: { at: 60, runs: 'sync.ts#syncDisputes', due: `door.has_unconfirmed('dispute')` },
    fraud_warning_notifications: {
      at: 65,
      runs: 'sync-fraud.ts#syncFraudWarnings',
      due: `door.has_unconfirmed('fraud_warning')`,
    },
    dispute_files: {
      at: 179,
      runs: 'operations-files.ts#removeEvidence',
      table: 'dispute_files',
      due: 'd.remove_at <= $1',
      firstBy: 'remove_at',
    },
  },
  personalData: {
    disputes: {
      whose: 't.customer_id = any (p_customers)',
      shownAs: 'disputes',
      columns: [
        {
          names: ['status', 'amount_minor', 'currency', 'reason', 'evidence', 'evidence_files'],
          fate: 'kept',
          why: 'the rules of the card schemes: a bank may ask for what was said and sent again',
        },
      ],
      impersonal: 'processor processor_ref',
    },
    dispute_files: {
      columns: [
        {
          names: ['name', 'content'],
          fate: 'kept',
          why: 'evidence to a bank, which may ask again; each file is removed 180 days after it was uploaded or last named',
        },
      ],
      impersonal: 'processor_ref address',
    },
    fraud_warnings: { columns: [], impersonal: 'processor processor_ref fraud_type' },
  },
  lookedUp: ['disputes', 'dispute_files'],
  deadlines: [
    { table: 'disputes', columns: ['next_check_at'] },
    { table: 'dispute_files', columns: ['remove_at'] },
    {
      table: 'disputes',
      columns: ['evidence_due_by'],
      while: `status not in ('won', 'lost', 'inquiry_closed')`,
    },
  ],
  lifecycles: [disputeLifecycle, evidenceFileLifecycle],
  events: {
    dispute: {
      scopes: ['reporting:read'],
      shownBy: 'disputes.get',
      types: {
        created:
          'A buyer’s bank took the money of a payment back, perhaps after an inquiry: previous_attributes has the earlier status. Answer by evidence_due_by.',
        under_review: 'The evidence of a dispute is being looked at.',
        reopened:
          'The bank asks again, or looks again at what it had decided: while it is needs_response, answer by evidence_due_by.',
        hold_increased:
          'A refund that had reduced the hold of a dispute failed: its amount is held again, or taken where the dispute is lost.',
        hold_decreased:
          'A refund at the processor, or a smaller claim of the bank, reduced the amount that a dispute holds or has taken.',
        amount_changed:
          'The bank changed the amount that it claims. The amount that it holds did not change.',
        updated: {
          says: 'The bank moved its deadline: send evidence before evidence_due_by.',
          unmade: 'the simulated bank keeps to its deadline',
        },
        evidence_refused:
          'The processor refused the evidence; evidence_failure says why. Send other evidence before evidence_due_by.',
        won: 'A dispute was decided for you: the money is yours again.',
        lost: 'A dispute was decided for the buyer, perhaps after it was won: previous_attributes has the earlier status.',
        inquiry_created:
          'A buyer’s bank asks about a payment and has taken nothing: answer by evidence_due_by, or refund. It may become a dispute.',
        inquiry_under_review: 'The bank looks at what you answered to its inquiry.',
        inquiry_reopened: 'A bank asks again about an inquiry, or looks at it again after it was closed.',
        inquiry_closed: 'A bank has let an inquiry rest. It may still dispute the payment.',
      },
    },
    fraud_warning: {
      scopes: ['reporting:read'],
      shownBy: 'fraud_warnings.get',
      types: {
        created: 'A buyer’s bank reported a payment as fraud. A refund now may keep it from being disputed.',
        updated: 'What can be done about a fraud warning changed: its payment was disputed or refunded.',
      },
    },
  },
  errors,
  limits: {
    dispute_file: { most: evidenceBytesMax, unit: 'bytes', says: 'A file for evidence in a dispute.' },
    dispute_evidence_files: {
      most: evidenceBytesMax,
      unit: 'bytes',
      says: 'The files of a dispute’s evidence together.',
    },
    dispute_files: { most: 20, unit: 'count', says: 'The files of a dispute until they are removed.' },
    dispute_files_bytes: {
      most: 500 * 1024 * 1024,
      unit: 'bytes',
      says: 'Files for evidence together, until they are removed.',
    },
  },
  constraints: {
    dispute_files_max: { code: 'dispute_files_too_many' },
    dispute_files_quota: { code: 'dispute_files_quota_reached' },
    disputes_evidence_files_own: 'stale',
    fraud_warnings_processor_ref: 'stale',
    disputes_processor_ref: 'stale',
    disputes_customer_of_payment: 'stale',
  },
  samples: {
    'disputes.submit_evidence': { other: { explanation: 'Another.' } },
    'disputes.draft_evidence': { other: { explanation: 'Another.' } },
    'dispute_files.add': { other: { name: 'Otro.pdf' } },
  },
}
