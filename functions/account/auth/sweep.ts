import type { JobRun } from '../../../src/http/system-call.ts'
import { identitySql } from '../../../src/platform/postgres.ts'
import type { IdentitySql } from './session.ts'

const removeExpired = `
  with s as (delete from sessions where id in
               (select id from sessions where expires_at < now() order by expires_at limit $1)),
       v as (delete from verifications where id in
               (select id from verifications where expires_at < now() order by expires_at limit $1)),
       p as (delete from password_attempts
              where window_started_at < now() - interval '1 day'
                and coalesce(proved_at, window_started_at) < now() - case network when '' then '1 day' else '30 days' end::interval),
       m as (delete from mails where id in
               (select id from mails where created_at < now() - interval '30 days' order by created_at limit $1)),
       n as (delete from sign_in_networks where last_at < now() - interval '30 days'),
       f as (delete from second_factor_failures
              where window_started_at < now() - interval '1 day' and coalesce(locked_until, now()) <= now())
  select 1`

/**
 * Removes expired rows, at most `limit` of a kind, in one round trip. Nothing depends on it: an expired row opens
 * nothing.
 */
export async function sweepIdentity(sql: IdentitySql, limit = 1000): Promise<void> {
  await sql(removeExpired, [limit])
}

/** Scheduled, by either Worker. */
export const sweepIdentities = ({ services }: JobRun): Promise<false> =>
  sweepIdentity(identitySql(services.settings)).then(() => false)
