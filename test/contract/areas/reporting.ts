import { uuidv7 } from '../../../src/kernel/ids.ts'
import { daily, scheduling } from '../../support/report-schedules.ts'
import { over, started } from '../../support/reporting.ts'
import { adminSql } from '../../support/stack.ts'
import { once, withKey } from '../listing.ts'
import type { AreaSamples, World } from '../samples.ts'

const sql = adminSql('sandbox')

const succeeded = async ({ merchant }: World) =>
  (await over(merchant, await started(merchant, 'balance.activity', '2026-03-01'))).id

const schedule = async ({ merchant, customer }: World) => {
  const { status, body, text } = await scheduling({ merchant, admin: customer }, 'POST', '', daily)
  if (status !== 201) throw new Error(text)
  return body.id
}

export const samples: AreaSamples = {
  makers: {
    '/v1/reporting/runs/:id/rows': succeeded,
    '/v1/reporting/runs/:id/file': succeeded,
    '/v1/reporting/runs/:id/verify': succeeded,
    '/v1/reporting/runs/:id/deliveries': succeeded,
    '/v1/reporting/schedules/': schedule,
  },
  arrange: {
    'report_schedules.resume': async (_, __, id) => {
      await sql(`update report_schedules set status = 'paused', paused_for = 'failures' where id = $1`, [id])
    },
  },
  lists: {
    // With the link's id, so that its path is known.
    'report_deliveries.list': withKey(
      ({ link }) => `/v1/reporting/runs/${link.id}/deliveries`,
      async (world) => {
        const { merchant, link } = world
        await once(world, 'run', async () => {
          const { id } = await started(merchant, 'balance.activity', '2026-03-01')
          await sql(
            `insert into report_runs select (jsonb_populate_record(r, jsonb_build_object('id', $2::uuid))).*
             from report_runs r where r.id = $1`,
            [id, link.id],
          )
        })
        return sql(
          `with m as (insert into memberships (tenant_id, id, user_id, email, role, status, created_at, updated_at)
             values ($1, gen_random_uuid(), gen_random_uuid()::text, 'ana@example.com', 'member', 'active', now(), now())
             returning id)
           insert into report_deliveries (tenant_id, id, run_id, member_id, status, withheld_for, created_at, updated_at)
           select $1, $2, $3, m.id, 'withheld', 'address_unconfirmed', now(), now() from m`,
          [merchant.tenantId, uuidv7(Date.now()), link.id],
        )
      },
    ),
    'report_schedules.list': withKey('/v1/reporting/schedules', ({ merchant }) =>
      sql(
        `insert into report_schedules (tenant_id, id, name, type, format, amounts, time_zone, every, recipients, status,
           failures_count, next_from, next_to, payouts_since, created_by_user_id, created_by_email, created_at, updated_at)
         values ($1, $2, 'Each day', 'refunds', 'csv', 'minor', 'America/Mexico_City', 'day', '[]', 'active', 0, '2098-01-01',
           '2098-01-01', now(), 'usr', 'ana@example.com', date_trunc('milliseconds', clock_timestamp()), now())`,
        [merchant.tenantId, uuidv7(Date.now())],
      ),
    ),
  },
}
