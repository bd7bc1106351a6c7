import { eachDue } from '../../src/http/scheduled.ts'
import type { JobRun } from '../../src/http/system-call.ts'
import { identitySql } from '../../src/platform/postgres.ts'
import { handOver } from './contract.ts'
import { planHandOver } from './plan.ts'
import { addMails, noticeById, owners, workspace } from './store.ts'

/**
 * Puts a mail to each owner with a confirmed address into the outbox, and then records that it has. The mails' ids are
 * made of the notice's and the owner's: repeated after a crash, it adds none twice.
 */
export const handOverNotices = (run: JobRun): Promise<void> =>
  eachDue(run, 'mails', async ({ read, publish, services, now }, id) => {
    const [[notice], people, [business]] = await read(handOver, noticeById({ id }), owners({}), workspace({}))
    if (notice?.status !== 'waiting') return
    const data = { ...notice.data, workspace: business!.name }
    const userIds = people.map(({ userId }) => userId)
    await addMails(identitySql(services.settings), { id, kind: notice.kind, data, userIds })
    await publish(handOver, planHandOver(notice, now))
  })
