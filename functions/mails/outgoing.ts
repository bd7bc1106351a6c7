import { buyerMailKinds } from '../../drizzle/schema/mails.ts'
import { eachDue } from '../../src/http/scheduled.ts'
import type { JobRun } from '../../src/http/system-call.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { withLocale } from '../../src/kernel/locale.ts'
import { lightPalette } from '../../src/kernel/look.ts'
import { type MailOutcome, resend } from '../../src/platform/mail.ts'
import { finish } from './contract.ts'
import { linkOf } from './link-token.ts'
import { type OutgoingRow, planFinish } from './plan.ts'
import { outgoingById, type Workspace, workspace } from './store.ts'
import { type Brand, renderMail } from './template.ts'

/** The provider forgets a key after 24 hours. */
const sentWithinMs = 23 * 3_600_000
const forgetMax = 1_000

/**
 * Sends the mails to named recipients that are due: a run leases them, hands each over under its id, and records it. One
 * whose outcome is unknown comes back under the same key.
 */
export async function sendOutgoing(run: JobRun): Promise<void> {
  const { mail: provider } = run.services.settings
  if (provider === null) return
  const send = resend(provider)
  await eachDue(run, 'outgoing_mails', async ({ read, publish, services, now }, id) => {
    const [[mail], [business]] = await read(finish, outgoingById({ id }), workspace({}))
    if (mail?.status !== 'waiting') return
    const deliver = async (): Promise<MailOutcome> => {
      if (now.getTime() - mail.createdAt.getTime() >= sentWithinMs)
        return { status: 'refused', reason: 'given up: not sent in time' }
      if (isForBuyer(mail.kind)) {
        const brand = brandOf(business!, services.settings.linkBaseUrl)
        const content = { ...mail, name: '', data: { ...mail.data, merchant: brand.name } }
        const page = `https://${services.settings.linkBaseUrl}${withLocale(mail.data.page!, mail.locale)}`
        return send(`mail/${mail.id}`, { to: mail.recipient!, ...renderMail(content, page, brand) })
      }
      const { invitation: of = mail.id, secret_version: secretVersion = null } = mail.data
      const link = await linkOf(services.settings, mail.kind, { id: of, secretVersion })
      if (link === undefined)
        return { status: 'unknown', reason: 'AUTH_SECRETS lacks the version of its link' }
      const content = { ...mail, name: '', data: { ...mail.data, workspace: business!.name } }
      return send(`mail/${mail.id}`, { to: mail.recipient!, ...renderMail(content, link) })
    }
    const { status, reason } = await deliver()
    if (status === 'unknown') throw new Fault(`the provider did not take a mail: ${reason}`)
    await publish(finish, planFinish(mail, status === 'sent' ? 'sent' : 'given_up', now))
  })
}

const isForBuyer = (kind: OutgoingRow['kind']) => buyerMailKinds.some((each) => each === kind)

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
