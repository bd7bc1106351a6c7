import type { SuppressionRow } from './store.ts'

/** `ana@example.com` → `a···@example.com` */
const hintOf = (email: string) => email.replace(/^(.).*@/u, '$1···@')

export const presentSuppression = (suppression: SuppressionRow) => ({
  id: suppression.id,
  object: 'mail_suppression' as const,
  status: suppression.status,
  reason: suppression.reason,
  email_hint: suppression.email && hintOf(suppression.email),
  mail_kind: suppression.kind,
  payment_id: suppression.paymentId,
  created_at: suppression.createdAt.toISOString(),
  updated_at: suppression.updatedAt.toISOString(),
})
