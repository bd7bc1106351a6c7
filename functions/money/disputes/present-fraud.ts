import type { FraudWarningRow } from './store.ts'

export const presentFraudWarning = (warning: FraudWarningRow) => ({
  id: warning.id,
  object: 'fraud_warning' as const,
  payment_id: warning.paymentId,
  actionable: warning.actionable,
  fraud_type: warning.fraudType,
  created_at: warning.createdAt.toISOString(),
  updated_at: warning.updatedAt.toISOString(),
})

export type FraudWarningReply = ReturnType<typeof presentFraudWarning>
