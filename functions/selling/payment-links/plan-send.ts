import type * as z from 'zod'
import type { Clock } from '../../../src/kernel/clock.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import { type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import { mailTo } from '../../account/mails/api-pure.ts'
import type * as contracts from './contract-share.ts'
import { isFixed, whatOf } from './lines.ts'
import { over } from './plan.ts'
import { isUsedUp } from './plan-uses.ts'
import type { LinkRow } from './store.ts'

/** Mails the link to a buyer, while it can be paid. */
export function planSend(
  link: LinkRow,
  { email, locale, message }: z.output<NonNullable<typeof contracts.send.body>>,
  confirmed: readonly Write[],
  { now, newId }: Clock,
) {
  const refused = over(link)
  if (refused) return refused
  if (link.revokedAt !== null) return refuse('payment_link_revoked')
  if (link.expiresAt !== null && link.expiresAt <= now) return refuse('payment_link_expired')
  if (isUsedUp(link)) return refuse('payment_link_used_up')
  if (link.status === 'inactive') return refuse('payment_link_inactive')
  const id = newId()
  const data = {
    page: `/${link.publicId}`,
    description: whatOf(link),
    currency: link.currency,
    amount: isFixed(link) ? toMinorString(link.amountMinor) : '',
    message: message ?? '',
  }
  return {
    writes: [...confirmed, mailTo({ id, kind: 'payment_link', recipient: email, locale, data }, now)],
    events: [],
    reply: {
      id,
      object: 'payment_link_mail' as const,
      payment_link_id: link.id,
      created_at: now.toISOString(),
    },
    subjectId: link.id,
  } satisfies Plan<unknown>
}
