import { mailNotices, mailSuppressions, outgoingMails } from '../../../drizzle/schema/mails.ts'
import type { DeclaredMail } from '../../../src/kernel/declared-mail.ts'
import { change, type Plan, type Row, refuse, type Write } from '../../../src/kernel/plan.ts'
import { presentSuppression } from './present.ts'
import type { SuppressionRow } from './store.ts'

export type NoticeRow = Row<typeof mailNotices>

export const planHandOver = (notice: NoticeRow, now: Date) =>
  ({
    writes: [change(mailNotices, notice, { status: 'handed_over', data: {}, updatedAt: now })],
    events: [],
    reply: null,
    subjectId: notice.id,
  }) satisfies Plan<unknown>

export type OutgoingRow = Row<typeof outgoingMails>

/** How a mail ended. */
export type End = Pick<OutgoingRow, 'status'> & Partial<Pick<OutgoingRow, 'suppressedFor' | 'droppedFor'>>

export const planFinish = (
  over: readonly (readonly [OutgoingRow, End])[],
  now: Date,
  confirmed: readonly Write[] = [],
) =>
  ({
    writes: [
      ...confirmed,
      ...over.map(([mail, end]) =>
        change(outgoingMails, mail, { ...end, recipient: null, data: {}, nextCheckAt: null, updatedAt: now }),
      ),
    ],
    events: [],
    reply: null,
  }) satisfies Plan<unknown>

/** A mail that its reader may end. */
export const isReminder = (mail: DeclaredMail) => mail.to === 'buyer' && mail.isReminder === true

/** Why such a mail is not sent to a recipient with these suppressions; null where it is. */
export const stopOf = (mail: DeclaredMail, reasons: readonly SuppressionRow['reason'][]) =>
  reasons.find((reason) => reason !== 'unsubscribed' || isReminder(mail)) ?? null

export function planLift(suppression: SuppressionRow, now: Date) {
  if (suppression.status !== 'active' || suppression.reason !== 'hard_bounce')
    return refuse('mail_suppression_stays')
  const set = { status: 'lifted', updatedAt: now } as const
  return {
    writes: [change(mailSuppressions, suppression, set)],
    events: [],
    reply: presentSuppression({ ...suppression, ...set }),
    subjectId: suppression.id,
  } satisfies Plan<unknown>
}
