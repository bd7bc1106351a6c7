import { mailNotices } from '../../drizzle/schema/mails.ts'
import { change, insert, type Plan, type Row } from '../../src/kernel/plan.ts'

export type NoticeRow = Row<typeof mailNotices>

/** A mail to the owners of the workspace, as a write of the publish that it tells of; `id` is that of its event. */
export const noticeToOwners = (id: string, kind: NoticeRow['kind'], data: NoticeRow['data'], now: Date) =>
  insert(mailNotices, { id, kind, data, status: 'waiting', version: 1, createdAt: now, updatedAt: now })

export const planHandOver = (notice: NoticeRow, now: Date) =>
  ({
    writes: [change(mailNotices, notice, { status: 'handed_over', data: {}, updatedAt: now })],
    events: [],
    reply: null,
    subjectId: notice.id,
  }) satisfies Plan<unknown>
