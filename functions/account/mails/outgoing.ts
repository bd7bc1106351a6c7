import type { Settings } from '../../../src/env/settings.ts'
import { eachDueAtOnce } from '../../../src/http/scheduled.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import type { DeclaredMail, LoadMails } from '../../../src/kernel/declared-mail.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { folioOf } from '../../../src/kernel/folio.ts'
import { withLocale } from '../../../src/kernel/locale.ts'
import { lightPalette } from '../../../src/kernel/look.ts'
import { type Mail, type MailOutcome, resend, type SendMail } from '../../../src/platform/mail.ts'
import { confirmedOwners } from './confirmed-owners.ts'
import { finish } from './contract.ts'
import { hasToken, type LinkKind, linkOf, linkToken, payerKey } from './link-token.ts'
import { type End, isReminder, type OutgoingRow, planFinish, stopOf } from './plan.ts'
import { dataOf } from './receipt.ts'
import { mailTag } from './reports.ts'
import {
  activeOwners,
  outgoingByIds,
  type Paid,
  paidFor,
  suppressionsFor,
  type Workspace,
  workspace,
} from './store.ts'
import { type Brand, renderMail } from './template.ts'

/** The provider forgets a key after 24 hours. */
const sentWithinMs = 23 * 3_600_000
const forgetMax = 1_000

/**
 * Sends the mails to named recipients that are due: a run leases them, hands each over under its id, several at once, and
 * records them. One whose outcome is unknown comes back under the same key.
 */
export async function sendOutgoing(run: JobRun, loadMails: LoadMails): Promise<void> {
  const { settings } = run.services
  if (settings.mail === null) return
  const sending = { settings, send: resend(settings.mail), now: run.now }
  await eachDueAtOnce(run, 'outgoing_mails', async ({ read, publish, now }, ids) => {
    const { mails } = await loadMails()
    const [rows, known, [business], owners, paid] = await read(
      finish,
      outgoingByIds({ ids }),
      suppressionsFor({ ids }),
      workspace({}),
      activeOwners({}),
      paidFor({ ids }),
    )
    const confirmed = await confirmedOwners(settings, owners, now)
    const [over, undone]: [[OutgoingRow, End][], Map<string, unknown>] = [[], new Map()]
    for (const mail of ids.flatMap((id) => rows.find((each) => each.id === id) ?? [])) {
      if (mail.status !== 'waiting') continue
      if (confirmed === null) {
        over.push([mail, { status: 'dropped', droppedFor: 'email_not_confirmed' }])
        continue
      }
      const reasons = known.filter(({ mailId }) => mailId === mail.id).map(({ reason }) => reason)
      const suppressedFor = stopOf(mails[mail.kind], reasons)
      if (suppressedFor) {
        over.push([mail, { status: 'suppressed', suppressedFor }])
        continue
      }
      try {
        const { status, reason } = await deliver(
          { ...sending, declared: mails[mail.kind] },
          mail,
          business!,
          paid.find(({ mailId }) => mailId === mail.id),
        )
        if (status === 'unknown') throw new Fault(`the provider did not take a mail: ${reason}`)
        over.push([mail, { status: status === 'sent' ? 'sent' : 'given_up' }])
      } catch (error) {
        undone.set(mail.id, error)
      }
    }
    if (over.length > 0) await publish(finish, planFinish(over, now, confirmed ?? []))
    return undone
  })
}

interface Sending {
  readonly declared: DeclaredMail
  readonly settings: Settings
  readonly send: SendMail
  readonly now: Date
}

async function deliver(
  { declared, settings, send, now }: Sending,
  mail: OutgoingRow,
  business: Workspace,
  paid: Paid | undefined,
): Promise<MailOutcome> {
  if (now.getTime() - mail.createdAt.getTime() >= sentWithinMs)
    return { status: 'refused', reason: 'given up: not sent in time' }
  const { authSecrets, linkBaseUrl } = settings
  const hand = (rendered: Pick<Mail, 'subject' | 'text' | 'html' | 'headers' | 'sender'>) =>
    send(`mail/${mail.id}`, { to: mail.recipient!, tag: { name: mailTag, value: mail.id }, ...rendered })
  if (declared.to === 'buyer') {
    const brand = brandOf(business, linkBaseUrl)
    const sender = { name: brand.name, replyTo: business.supportEmail, locale: mail.locale }
    const isTest = settings.environment === 'sandbox'
    const { page } = mail.data
    // Of the payment, by the last part of its page's address; an order that cost nothing brings its own.
    const payment = mail.paymentId === null ? null : page!.split('/').at(-1)!
    const reference = payment ? { reference: folioOf(payment) } : {}
    const content = {
      ...mail,
      name: '',
      data: { ...mail.data, ...(paid ? dataOf(paid) : {}), ...reference, merchant: brand.name },
    }
    const at = (path: string) => `https://${linkBaseUrl}${withLocale(path, mail.locale)}`
    const token = (kind: LinkKind) => linkToken(authSecrets, authSecrets.current, { kind, id: mail.id })
    const opened = hasToken(mail.kind)
      ? `${page}/${declared.opens}/${await token(mail.kind)}`
      : payment
        ? `${page}?key=${await payerKey(authSecrets, payment)}`
        : page!
    const link = at(opened)
    if (!isReminder(declared))
      return hand({ ...renderMail(declared, content, { link, brand, isTest }), sender })
    const end = at(`/reminders/${await token('end_reminders')}`)
    return hand({
      ...renderMail(declared, content, { link, brand, isTest, end }),
      sender,
      // One click, without a page: RFC 8058.
      headers: { 'List-Unsubscribe': `<${end}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    })
  }
  const { link_id: id = mail.id, secret_version: secretVersion = null } = mail.data
  const baseUrl = settings.environment === 'sandbox' ? settings.sandboxBaseUrl : settings.liveBaseUrl
  const link = await linkOf(settings, baseUrl, { kind: mail.kind, id, secretVersion })
  if (link === undefined) return { status: 'unknown', reason: 'AUTH_SECRETS lacks the version of its link' }
  const content = { ...mail, name: '', data: { ...mail.data, workspace: business.name } }
  const isTest = mail.cause === 'report' && settings.environment === 'sandbox'
  return hand(renderMail(declared, content, { link, isTest }))
}

/** Mail programs show no SVG: then the name stands alone. */
function brandOf({ name, branding }: Workspace, linkBaseUrl: string): Brand {
  const logo = branding?.logo && branding.logo.content_type !== 'image/svg+xml' ? branding.logo : null
  return {
    name: branding?.brand_name ?? name,
    logo: logo && { ...logo, url: `https://${linkBaseUrl}/logos/${logo.address}` },
    palette: branding && lightPalette(branding),
  }
}

/** Scheduled: mails that were over 30 days ago. */
export const forgetMails = ({ services: { db } }: JobRun): Promise<false> =>
  db.call('door.forget_mails(int)', [forgetMax]).then(() => false)
