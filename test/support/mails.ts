import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import {
  MAIL_WEBHOOK_SECRET,
  type MailFault,
  type MailReport,
  mailsTo,
  type ReceivedMail,
} from '../../local/mailbox.ts'
import { importSecret, signatureOf } from '../../src/platform/standard-webhooks.ts'
import { adminSql, stack, trigger } from './stack.ts'

/**
 * The mails to an address, once there are `count` of them; the newest first. What could not be sent at once, or waits for a
 * processor that was slow, is sent by the scheduled work.
 */
export async function received(to: string, count = 1): Promise<ReceivedMail[]> {
  let askedAtMs = Date.now()
  const arrived = async () => {
    const { length } = await mailsTo(stack.mailboxUrl, to)
    if (length < count && Date.now() - askedAtMs > 15_000) {
      askedAtMs = Date.now()
      await trigger('sandbox')
    }
    return length
  }
  await expect.poll(arrived, { timeout: 150_000 }).toBe(count)
  return mailsTo(stack.mailboxUrl, to)
}

/** The path of the link in a mail. */
export function linkIn({ text }: ReceivedMail): string {
  const [link] = /http\S+\/account\/\S+/.exec(text) ?? []
  return new URL(link ?? '').pathname
}

/** The provider's signed report of a mail, posted to both environments; their statuses. */
export async function report({ id }: ReceivedMail, what: MailReport): Promise<readonly number[]> {
  const body = new URLSearchParams({ id, report: what })
  const response = await fetch(`${stack.mailboxUrl}/reports`, { method: 'POST', body })
  return ((await response.json()) as { statuses: number[] }).statuses
}

/** The provider's signed report that a mail bounced for good, posted to the sandbox alone; its status. */
export async function bouncedAtSandbox({ tags }: ReceivedMail): Promise<number> {
  const message = {
    id: `msg_${randomUUID()}`,
    timestamp: Math.trunc(Date.now() / 1_000),
    body: JSON.stringify({ type: 'email.bounced', data: { bounce: { type: 'Permanent' }, tags } }),
  }
  const headers = {
    'svix-id': message.id,
    'svix-timestamp': String(message.timestamp),
    'svix-signature': await signatureOf(await importSecret(MAIL_WEBHOOK_SECRET), message),
  }
  const sent = { method: 'POST', headers, body: message.body }
  return (await fetch(`${stack.sandbox.directUrl}/v1/mails/reports`, sent)).status
}

/** The kinds of notices of a workspace, one for each event that is mailed. */
export const noticesOf = async (tenantId: string) =>
  (
    await adminSql('sandbox')<{ kind: string }>(
      'select kind from mail_notices where tenant_id = $1 order by created_at, kind',
      [tenantId],
    )
  ).map(({ kind }) => kind)

/** What the provider does with the next mails to an address. */
export const failMails = (to: string, mode: MailFault['mode'], times = 1) =>
  fetch(`${stack.mailboxUrl}/faults`, { method: 'POST', body: JSON.stringify({ to, mode, times }) })

/** A mail to a named recipient, as the publish of an invitation leaves it. */
export async function newOutgoing(
  tenantId: string,
  id: string,
  recipient: string,
  hours = 0,
  kind = 'workspace_invitation',
): Promise<void> {
  const page = `/splink_${'a'.repeat(32)}/spcs_${'a'.repeat(32)}`
  const data = { role: 'admin', inviter: 'ana@example.com', link_id: id, secret_version: '1', page }
  await adminSql('sandbox')(
    `insert into outgoing_mails (tenant_id, id, kind, locale, recipient, data, status, next_check_at, created_at, updated_at)
     values ($1, $2, $6, 'en', $3, $4, 'waiting', now(), now() - $5 * interval '1 hour', now())`,
    [tenantId, id, recipient, data, hours, kind],
  )
}

export const outgoingOf = async (id: string) =>
  (await adminSql('sandbox')('select status, recipient, data from outgoing_mails where id = $1', [id]))[0]

/** As if the lease or the wait of a mail had ended. */
export const outgoingDue = (id: string) =>
  adminSql('sandbox')(
    `with d as (delete from due_failures where id = $1)
     update outgoing_mails set next_check_at = now() where id = $1 and status = 'waiting'`,
    [id],
  )

const waitingMails = ['mail_notices', 'outgoing_mails']
  .map((table) => `select 1 from ${table} where tenant_id = $1 and status = 'waiting'`)
  .join(' union all ')

/** Owners are mailed about keys: a notice and its mail are read and recorded in calls that a fault would strike too. */
export const noticesAreSent = ({ tenantId }: { tenantId: string }) =>
  expect
    .poll(
      async () => {
        await trigger('sandbox')
        return adminSql('sandbox')(waitingMails, [tenantId])
      },
      { timeout: 60_000 },
    )
    .toEqual([])
