import { expect } from 'vitest'
import { type MailFault, mailsTo, type ReceivedMail } from '../../local/mailbox.ts'
import { stack } from './stack.ts'

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
