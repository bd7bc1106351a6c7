import { expect } from 'vitest'
import { type MailFault, mailsTo, type ReceivedMail } from '../../local/mailbox.ts'
import { adminSql, stack } from './stack.ts'

/** The mails to an address, once there are `count` of them; the newest first. */
export async function received(to: string, count = 1): Promise<ReceivedMail[]> {
  await expect.poll(async () => (await mailsTo(stack.mailboxUrl, to)).length, { timeout: 20_000 }).toBe(count)
  return mailsTo(stack.mailboxUrl, to)
}

/** The path of the link in a mail. */
export function linkIn({ text }: ReceivedMail): string {
  const [link] = /http\S+\/account\/\S+/.exec(text) ?? []
  return new URL(link ?? '').pathname
}

/** What the provider does with the next mails to an address. */
export const failMails = (to: string, mode: MailFault['mode'], times = 1) =>
  fetch(`${stack.mailboxUrl}/faults`, { method: 'POST', body: JSON.stringify({ to, mode, times }) })

/** A mail to a named recipient, as the publish of an invitation leaves it. */
export async function newOutgoing(tenantId: string, id: string, recipient: string, hours = 0): Promise<void> {
  const data = { role: 'admin', inviter: 'ana@example.com', invitation: id, secret_version: '1' }
  await adminSql('sandbox')(
    `insert into outgoing_mails (tenant_id, id, kind, locale, recipient, data, status, next_check_at, created_at, updated_at)
     values ($1, $2, 'workspace_invitation', 'en', $3, $4, 'waiting', now(), now() - $5 * interval '1 hour', now())`,
    [tenantId, id, recipient, data, hours],
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
