import { toMinorString } from '../../../src/kernel/money.ts'
import { counts } from './standing.ts'
import type { DisputeRow, FileRow } from './store.ts'

export function presentDispute(dispute: DisputeRow) {
  return {
    id: dispute.id,
    object: 'dispute' as const,
    payment_id: dispute.paymentId,
    customer_id: dispute.customerId,
    status: dispute.status,
    amount: toMinorString(dispute.amountMinor),
    amount_held: toMinorString(dispute.heldMinor),
    amount_uncovered: toMinorString(counts(dispute.status) ? dispute.amountMinor - dispute.heldMinor : 0n),
    amount_fee: toMinorString(dispute.feeMinor + dispute.feeIvaMinor),
    fee_details: { amount: toMinorString(dispute.feeMinor), iva: toMinorString(dispute.feeIvaMinor) },
    currency: dispute.currency,
    reason: dispute.reason,
    evidence: dispute.evidence,
    evidence_files: dispute.evidenceFiles,
    pending_action: dispute.pendingAction,
    evidence_failure: dispute.evidenceFailure,
    evidence_due_by: dispute.evidenceDueBy?.toISOString() ?? null,
    evidence_submitted_at: dispute.evidenceSubmittedAt?.toISOString() ?? null,
    resolved_at: dispute.resolvedAt?.toISOString() ?? null,
    created_at: dispute.createdAt.toISOString(),
    updated_at: dispute.updatedAt.toISOString(),
  }
}

export type DisputeReply = ReturnType<typeof presentDispute>

export const presentFile = (row: FileRow) => ({
  id: row.id,
  object: 'dispute_file' as const,
  dispute_id: row.disputeId,
  status: row.status === 'stored' ? ('stored' as const) : ('removed' as const),
  name: row.name,
  content_type: row.contentType,
  bytes: row.bytes,
  kept_until: row.status === 'stored' ? (row.removeAt?.toISOString() ?? null) : null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})
