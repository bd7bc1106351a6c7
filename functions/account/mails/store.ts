import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import { mailNotices, mailSuppressions, outgoingMails } from '../../../drizzle/schema/mails.ts'
import { paymentContacts } from '../../../drizzle/schema/payment-contacts.ts'
import { payments } from '../../../drizzle/schema/payments.ts'
import { type Branding, memberships, tenants } from '../../../drizzle/schema/tenants.ts'
import {
  type accountMailKinds,
  askedMailKinds,
  receiptMailKinds,
  safetyMailKinds,
} from '../../../src/generated/mail-kinds.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import type { Owned, Row } from '../../../src/kernel/plan.ts'
import { build, inWindow, ownTenant, rowsLimit, select, slot } from '../../../src/platform/query.ts'
import { filtered, newest, rowsBy } from '../../../src/platform/rows.ts'
import type { OutgoingRow } from './plan.ts'

export type Owner = Owned<Row<typeof memberships>>

export const activeOwners = select<Owner>(() =>
  build
    .select()
    .from(memberships)
    .where(and(ownTenant(memberships), eq(memberships.role, 'owner'), eq(memberships.status, 'active'))),
)

export const noticeById = rowsBy(mailNotices, 'id')

export const mailById = rowsBy(outgoingMails, 'id')
export const mailsPage = newest(outgoingMails, ['kind', 'status', 'droppedFor', 'paymentId'])

const asked = sql`${outgoingMails.id} = any (${slot('ids')}::uuid[])`

export const outgoingByIds = select<OutgoingRow>(() =>
  build
    .select()
    .from(outgoingMails)
    .where(and(ownTenant(outgoingMails), asked)),
)

/** What is known of the recipients of these mails. */
export const suppressionsFor = select<{ mailId: string; reason: SuppressionRow['reason'] }>(() =>
  build
    .select({ mailId: outgoingMails.id, reason: mailSuppressions.reason })
    .from(outgoingMails)
    .innerJoin(
      mailSuppressions,
      and(
        eq(mailSuppressions.tenantId, outgoingMails.tenantId),
        eq(mailSuppressions.recipientDigest, outgoingMails.recipientDigest),
        sql`${mailSuppressions.status} = 'active'`,
      ),
    )
    .where(and(ownTenant(outgoingMails), asked)),
)

/** What a receipt says of a payment beside its mail's own facts. */
export interface Paid
  extends Pick<
    typeof payments.$inferSelect,
    'status' | 'amountRefundedMinor' | 'tipAmountMinor' | 'order' | 'taxes' | 'method' | 'methodDetails'
  > {
  readonly mailId: string
}

/** Of the receipts among these mails, at most one row for each. */
export const paidFor = select<Paid>(() =>
  build
    .select({
      mailId: outgoingMails.id,
      status: payments.status,
      amountRefundedMinor: payments.amountRefundedMinor,
      tipAmountMinor: payments.tipAmountMinor,
      order: payments.order,
      taxes: payments.taxes,
      method: payments.method,
      methodDetails: payments.methodDetails,
    })
    .from(outgoingMails)
    .innerJoin(payments, and(ownTenant(payments), eq(payments.id, outgoingMails.paymentId)))
    .where(and(ownTenant(outgoingMails), inArray(outgoingMails.kind, [...receiptMailKinds]), asked)),
)

/** `email`: of the payment's contact that the mail went to, while it is kept. */
export type SuppressionRow = Row<typeof mailSuppressions> & { readonly email: string | null }

const email = sql<
  string | null
>`(select c.email from ${paymentContacts} c where c.tenant_id = ${mailSuppressions.tenantId}
  and c.id = ${mailSuppressions.contactId})`

const suppressions = (...where: SQL[]) =>
  build
    .select({ ...getTableColumns(mailSuppressions), email })
    .from(mailSuppressions)
    .where(and(...where))

export const suppressionById = select<SuppressionRow>(() =>
  suppressions(ownTenant(mailSuppressions), eq(mailSuppressions.id, slot('id'))),
)

export const suppressionsPage = select<SuppressionRow>((has) =>
  suppressions(
    ...inWindow(mailSuppressions, has),
    ...filtered(mailSuppressions, has, ['status', 'reason', 'paymentId']),
  )
    .orderBy(desc(mailSuppressions.createdAt), desc(mailSuppressions.id))
    .limit(rowsLimit),
)

export const decidingMembers = select<Pick<typeof memberships.$inferSelect, 'userId' | 'role'>>(() =>
  build
    .select({ userId: memberships.userId, role: memberships.role })
    .from(memberships)
    .where(
      and(
        ownTenant(memberships),
        inArray(memberships.role, ['owner', 'admin']),
        eq(memberships.status, 'active'),
      ),
    ),
)

export interface Workspace {
  readonly name: string
  readonly branding: Branding | null
  readonly supportEmail: string | null
}

export const workspace = select<Workspace>(() =>
  build
    .select({ name: tenants.name, branding: tenants.branding, supportEmail: tenants.supportEmail })
    .from(tenants)
    .where(ownTenant(tenants)),
)

/** One call is one HTTP round trip to the identity database. */
type IdentitySql = (text: string, values: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>

export type MailKind = (typeof accountMailKinds)[number]

/** A mail that was claimed, with what its account says of its recipient. */
export interface ClaimedMail {
  readonly id: string
  readonly kind: MailKind
  readonly data: Readonly<Record<string, string>>
  /** Of AUTH_SECRETS, where it has a link. */
  readonly secretVersion: string | null
  /** Waited too long, or we no longer mail its reader: nothing is sent. */
  readonly over: 'given_up' | 'suppressed' | null
  readonly email: string
  /** Empty until the address is confirmed: any person may have written the name, for a reader who has no account. */
  readonly name: string
  readonly locale: Locale
}

const listed = (kinds: readonly string[]) => kinds.map((kind) => `'${kind}'`).join(', ')

/**
 * Leases mails that are due: the wait until the next attempt is the lease. None is sent again 23 hours after it was
 * written, since the provider forgets its key after 24. What is suppressed is over at once.
 */
const claim = `
  with due as (
    select d.id, case when least(d.expires_at, d.created_at + interval '23 hours') <= now() then 'given_up'
        when d.kind not in (${listed(askedMailKinds)}) and exists (select from mail_suppressions s where s.user_id = d.user_id
          and (s.reason = 'hard_bounce' or d.kind not in (${listed(safetyMailKinds)}))) then 'suppressed' end as over
      from mails d
     where d.status = 'waiting' and d.next_attempt_at <= now() order by d.next_attempt_at limit $1
       for update skip locked)
  update mails m
     set attempts = m.attempts + 1, updated_at = now(), status = coalesce(due.over, m.status),
         data = case when due.over is null then m.data else '{}' end,
         next_attempt_at = now()
           + (array['1 minute', '2 minutes', '5 minutes', '15 minutes', '1 hour', '3 hours'])[least(m.attempts + 1, 6)]::interval
    from due, users u where m.id = due.id and u.id = m.user_id
  returning m.id, m.kind, m.data::text as data, m.secret_version::text as secret_version, due.over,
            u.email, case when u.email_verified then u.name else '' end as name, u.locale`

export async function claimMails(sql: IdentitySql, limit: number): Promise<ClaimedMail[]> {
  const rows = (await sql(claim, [limit])) as Readonly<Record<string, string>>[]
  return rows.map((row) => ({
    id: row.id!,
    kind: row.kind as MailKind,
    data: JSON.parse(row.data!) as ClaimedMail['data'],
    secretVersion: row.secret_version ?? null,
    over: (row.over ?? null) as ClaimedMail['over'],
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
