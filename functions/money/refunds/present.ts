import { cepOfSent } from '../../../src/kernel/cep.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import type { RefundRow } from './store.ts'

export function presentRefund(refund: RefundRow) {
  const { destinationClabe: clabe, destinationHolder: holder } = refund
  return {
    id: refund.id,
    object: 'refund' as const,
    payment_id: refund.paymentId,
    unapplied_funds_id: refund.unappliedFundsId,
    customer_id: refund.customerId,
    client_reference_id: refund.clientReferenceId,
    checkout_session_id: refund.checkoutSessionId,
    payment_link_id: refund.paymentLinkId,
    origin: refund.origin,
    status: refund.status,
    method: refund.method,
    amount: toMinorString(refund.amountMinor),
    currency: refund.currency,
    reason: refund.reason,
    destination: clabe !== null && holder !== null ? { clabe, holder } : null,
    clave_rastreo: refund.claveRastreo,
    cep: cepOfSent(refund.claveRastreo, clabe, refund.status === 'succeeded' ? refund.resolvedAt : null),
    pending_reason: refund.pendingReason,
    failure_code: refund.failureCode,
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
