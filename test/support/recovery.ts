import type { ReceivedMail } from '../../local/mailbox.ts'
import { checkout, cup, newSession, type Session } from './checkout.ts'
import type { Merchant } from './merchant.ts'
import { adminSql, stack, trigger } from './stack.ts'

/** A session whose buyer may ask for a mail, at once after its end. */
export const newRecoverable = (
  merchant: Merchant,
  fields: object = { line_items: [cup] },
): Promise<Session> => newSession(merchant, { ...fields, recovery: { delay_minutes: 0 } })

/** Sends a form of the buyer's pages; where it leads, and what it shows. */
export async function send(path: string, fields: Readonly<Record<string, string>>) {
  const reply = await fetch(stack.sandbox.directUrl + path, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ locale: 'en', ...fields }),
  })
  return { status: reply.status, location: reply.headers.get('location') ?? '', html: await reply.text() }
}

/** The buyer consents to a mail at this address. */
export const consentTo = ({ public_id }: Pick<Session, 'public_id'>, email: string) =>
  send(`/${public_id}/recovery`, { recovery_email: email, consent: 'yes' })

/** The merchant ends a session. */
export const ended = (merchant: Merchant, { id }: Session) =>
  checkout(merchant, 'POST', `/sessions/${id}/expire`)

/** The mails that were written for a session: how each stands. Jobs run until none waits. */
export async function mailsOf({ id }: Pick<Session, 'id'>, runs = 3): Promise<string[]> {
  for (let run = 0; run < runs; run++) await trigger('sandbox')
  const rows = await adminSql('sandbox')<{ status: string }>(
    `select coalesce(m.suppressed_for, m.status) as status from outgoing_mails m
     join checkout_recoveries r on r.tenant_id = m.tenant_id and r.id = m.id where r.session_id = $1`,
    [id],
  )
  return rows.map(({ status }) => status)
}

/** The path of the address in the mail that leads back. */
export function wayBack({ text }: ReceivedMail): string {
  const [link = ''] = /http\S+\/recover\/\S+/.exec(text) ?? []
  return new URL(link).pathname
}
