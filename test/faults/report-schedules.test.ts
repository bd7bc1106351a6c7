import { afterEach, expect, test } from 'vitest'
import { mailsTo } from '../../local/mailbox.ts'
import { survivors } from '../support/books.ts'
import { join } from '../support/customer.ts'
import { beforeAndAfter, killReconciler } from '../support/drills.ts'
import { newPerson } from '../support/members.ts'
import {
  daysPass,
  deliveriesOf,
  memberOf,
  newScheduling,
  overOf,
  scheduled,
} from '../support/report-schedules.ts'
import { adminSql, faults, stack, trigger } from '../support/stack.ts'

afterEach(() => faults.clear())

const sql = adminSql('sandbox')

/** A step is done in each run of the jobs. */
const steps = [
  { name: 'the run is made', after: 0 },
  { name: 'the run ends, and its mails are due', after: 1 },
  { name: 'the mail is written', after: 2 },
]
const kills = steps.flatMap((step) => beforeAndAfter.map(({ mode }) => ({ ...step, mode })))

test('the Worker is killed between a period that is due and its mail: one run, and one mail', async () => {
  await survivors('Worker killed over a schedule', kills, async ({ after, mode }) => {
    const of = await newScheduling()
    const reader = await newPerson()
    await join(reader, of.merchant, 'member')
    const schedule = await scheduled(of, { recipients: [await memberOf(of, reader)] })
    await daysPass(schedule, 1)
    for (let step = 0; step < after; step++) await trigger('sandbox')
    await killReconciler({ contains: 'door.publish', mode })
    await overOf(of, schedule, 1)
    const links = async () =>
      (await mailsTo(stack.mailboxUrl, reader.email)).filter(({ text }) => text.includes('/account/report/'))
        .length
    await expect
      .poll(
        async () => {
          await sql(
            `with d as (delete from due_failures where tenant_id = $1),
               r as (update report_deliveries set next_check_at = now() where tenant_id = $1 and status = 'waiting')
             update outgoing_mails set next_check_at = now() where tenant_id = $1 and status = 'waiting'`,
            [of.merchant.tenantId],
          )
          await trigger('sandbox')
          return links()
        },
        { timeout: 60_000 },
      )
      .toBe(1)
    for (const _ of [1, 2, 3]) await trigger('sandbox')
    expect(await links()).toBe(1)
    expect(await deliveriesOf(of.merchant)).toMatchObject([{ status: 'mailed' }])
  })
})
