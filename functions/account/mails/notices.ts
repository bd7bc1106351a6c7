import { adminNoticeKinds } from '../../../src/generated/mail-kinds.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { identitySql } from '../../../src/platform/postgres.ts'
import { handOver } from './contract.ts'
import { type NoticeRow, planHandOver } from './plan.ts'
import { addMails, decidingMembers, noticeById, workspace } from './store.ts'

/** Admins decide about these too. What is about access and standing goes to the owners alone. */
const goesToAdmins = (kind: NoticeRow['kind']) => adminNoticeKinds.some((each) => each === kind)

/**
 * Puts a mail to each owner, and where they decide about it each admin, with a confirmed address into the outbox, and then records that it has. The mails' ids are
 * made of the notice's and the member's: repeated after a crash, it adds none twice.
 */
export const handOverNotices = (run: JobRun): Promise<void> =>
  eachDue(run, 'mail_notices', async ({ read, publish, services, now }, id) => {
    const [[notice], people, [business]] = await read(
      handOver,
      noticeById({ id }),
      decidingMembers({}),
      workspace({}),
    )
    if (notice?.status !== 'waiting') return
    const { environment } = services.settings
    const data = { environment, ...notice.data, workspace: business!.name }
    const userIds = people
      .filter(({ role }) => role === 'owner' || goesToAdmins(notice.kind))
      .map(({ userId }) => userId)
    await addMails(identitySql(services.settings), { id, kind: notice.kind, data, userIds })
    await publish(handOver, planHandOver(notice, now))
  })
