import { and, eq } from 'drizzle-orm'
import type { mailKinds } from '../../drizzle/identity/schema.ts'
import { mailNotices, outgoingMails } from '../../drizzle/schema/mails.ts'
import { type Branding, memberships, tenants } from '../../drizzle/schema/tenants.ts'
import type { Locale } from '../../src/kernel/locale.ts'
import { build, ownTenant, select } from '../../src/platform/query.ts'
import { rowsBy } from '../../src/platform/rows.ts'

export const noticeById = rowsBy(mailNotices, 'id')
export const outgoingById = rowsBy(outgoingMails, 'id')

export const owners = select<{ userId: string }>(() =>
  build
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(ownTenant(memberships), eq(memberships.role, 'owner'), eq(memberships.status, 'active'))),
)

export interface Workspace {
  readonly name: string
  readonly branding: Branding | null
}

export const workspace = select<Workspace>(() =>
  build.select({ name: tenants.name, branding: tenants.branding }).from(tenants).where(ownTenant(tenants)),
)

/** One call is one HTTP round trip to the identity database. */
type IdentitySql = (text: string, values: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>

export type MailKind = (typeof mailKinds)[number]

/** A mail that was claimed, with what its account says of its recipient. */
export interface ClaimedMail {
  readonly id: string
  readonly kind: MailKind
  readonly data: Readonly<Record<string, string>>
  /** Of AUTH_SECRETS, where it has a link. */
  readonly secretVersion: string | null
  /** Waited too long: nothing is sent any more. */
  readonly isOver: boolean
  readonly email: string
  /** Empty until the address is confirmed: any person may have written the name, for a reader who has no account. */
  readonly name: string
  readonly locale: Locale
}

/**
 * Leases mails that are due: the wait until the next attempt is the lease. None is sent again 23 hours after it was
 * written, since the provider forgets its key after 24.
 */
const claim = `
  with due as (
    select id, least(expires_at, created_at + interval '23 hours') <= now() as is_over from mails
     where status = 'waiting' and next_attempt_at <= now() order by next_attempt_at limit $1
       for update skip locked)
  update mails m
     set attempts = m.attempts + 1, updated_at = now(),
         status = case when due.is_over then 'given_up' else m.status end,
         data = case when due.is_over then '{}' else m.data end,
         next_attempt_at = now()
           + (array['1 minute', '2 minutes', '5 minutes', '15 minutes', '1 hour', '3 hours'])[least(m.attempts + 1, 6)]::interval
    from due, users u where m.id = due.id and u.id = m.user_id
  returning m.id, m.kind, m.data::text as data, m.secret_version::text as secret_version, due.is_over::text as is_over,
            u.email, case when u.email_verified then u.name else '' end as name, u.locale`

export async function claimMails(sql: IdentitySql, limit: number): Promise<ClaimedMail[]> {
  const rows = (await sql(claim, [limit])) as Readonly<Record<string, string>>[]
  return rows.map((row) => ({
    id: row.id!,
    kind: row.kind as MailKind,
    data: JSON.parse(row.data!) as ClaimedMail['data'],
    secretVersion: row.secret_version ?? null,
    isOver: row.is_over === 'true',
    email: row.email!,
    name: row.name!,
    locale: row.locale as Locale,
  }))
}

const finish = `
  update mails m set status = r.status, data = '{}', updated_at = now()
    from jsonb_to_recordset($1::jsonb) r (id text, status text) where m.id = r.id and m.status = 'waiting'`

export async function finishMails(
  sql: IdentitySql,
  finished: readonly { readonly id: string; readonly status: 'sent' | 'given_up' }[],
): Promise<void> {
  if (finished.length > 0) await sql(finish, [JSON.stringify(finished)])
}

const add = `
  insert into mails (id, user_id, kind, data, expires_at)
  select $1 || '.' || id, id, $2, $3::jsonb, now() + interval '1 day' from users
   where id in (select jsonb_array_elements_text($4::jsonb)) and email_verified
  on conflict (id) do nothing`

interface NewMails {
  readonly id: string
  readonly kind: MailKind
  readonly data: ClaimedMail['data']
  readonly userIds: readonly string[]
}

/** A mail to each of these accounts whose address is confirmed; once for each id, however often it is called. */
export async function addMails(sql: IdentitySql, { id, kind, data, userIds }: NewMails): Promise<void> {
  await sql(add, [id, kind, JSON.stringify(data), JSON.stringify(userIds)])
}
