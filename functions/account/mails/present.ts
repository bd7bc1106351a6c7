import type { OutgoingRow } from './plan.ts'
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

/** Without its recipient: a mail that is over has none. */
export const presentMail = (mail: OutgoingRow) => ({
  id: mail.id,
  object: 'mail' as const,
  kind: mail.kind,
  status: mail.status,
  dropped_for: mail.droppedFor,
  suppressed_for: mail.suppressedFor,
  report: mail.report,
  payment_id: mail.paymentId,
  created_at: mail.createdAt.toISOString(),
  updated_at: mail.updatedAt.toISOString(),
})
