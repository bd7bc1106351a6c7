import { toMinorString } from '../../src/kernel/money.ts'
import type { RefundRow } from './store.ts'

export function presentRefund(refund: RefundRow) {
  const { destinationClabe: clabe, destinationHolder: holder } = refund
  return {
    id: refund.id,
    object: 'refund' as const,
    payment_id: refund.paymentId,
    unapplied_funds_id: refund.unappliedFundsId,
    origin: refund.origin as 'api',
    status: refund.status as 'processing',
    method: refund.method as 'original',
    amount: toMinorString(refund.amountMinor),
    currency: refund.currency,
    reason: refund.reason as 'other',
    destination: clabe !== null && holder !== null ? { clabe, holder } : null,
    clave_rastreo: refund.claveRastreo,
    pending_reason: refund.pendingReason as null,
    failure_code: refund.failureCode as null,
    review: refund.contradiction && {
      ours: refund.contradiction.ours ?? {
        amount: toMinorString(refund.amountMinor),
        currency: refund.currency,
      },
      theirs: { amount: refund.contradiction.amount, currency: refund.contradiction.currency },
    },
    line_items: refund.lineItems?.map(({ id, quantity }) => ({ id, quantity })) ?? null,
    metadata: refund.metadata,
    approved_at: refund.approvedAt?.toISOString() ?? null,
    resolved_at: refund.resolvedAt?.toISOString() ?? null,
    created_at: refund.createdAt.toISOString(),
    updated_at: refund.updatedAt.toISOString(),
  }
}

export type RefundReply = ReturnType<typeof presentRefund>
