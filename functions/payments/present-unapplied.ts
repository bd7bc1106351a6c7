import { toMinorString } from '../../src/kernel/money.ts'
import type { UnappliedRow } from './store.ts'

export function presentUnappliedFunds(funds: Omit<UnappliedRow, 'tenantId'>) {
  return {
    id: funds.id,
    object: 'unapplied_funds' as const,
    status: funds.status,
    reason: funds.reason,
    method: funds.method,
    amount: toMinorString(funds.amountMinor),
    remaining: toMinorString(funds.remainingMinor),
    currency: funds.currency,
    payment_id: funds.paymentId,
    deposit_id: funds.depositId,
    voucher_id: funds.voucherId,
    version: funds.version,
    created_at: funds.createdAt.toISOString(),
    updated_at: funds.updatedAt.toISOString(),
  }
}
