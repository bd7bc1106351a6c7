import type { Settings } from '../../../src/env/settings.ts'
import type { BackgroundWork, JobRun } from '../../../src/http/system-call.ts'
import type { LoadMails, Mails } from '../../../src/kernel/declared-mail.ts'
import { log, logFailure } from '../../../src/platform/log.ts'
import { type MailOutcome, resend, type SendMail } from '../../../src/platform/mail.ts'
import { identitySql } from '../../../src/platform/postgres.ts'
import { linkOf } from './link-token.ts'
import { handOverNotices } from './notices.ts'
import { sendOutgoing } from './outgoing.ts'
import { accountMailTag } from './reports.ts'
import { type ClaimedMail, claimMails, finishMails } from './store.ts'
import { renderMail } from './template.ts'

/** A Worker may hold six connections that wait for an answer; one is left for the database. */
const sentAtOnce = 5
const drainMs = 20_000

/**
 * Sends the mails that are due until none is left or time is up: claim, send, record. Any number of Workers may do so
 * at once: a claimed mail belongs to one until its next attempt is due, and the provider sends it once under its key.
 */
export async function sendMails(work: BackgroundWork, loadMails: LoadMails): Promise<false> {
  const { requestId } = work
  const { settings } = work.services
  if (settings.mail === null) return false
  const sql = identitySql(settings)
  const send = resend(settings.mail)
  const endsAt = Date.now() + drainMs
  for (;;) {
    const claimed = await claimMails(sql, sentAtOnce)
    if (claimed.length === 0) return false
    const { mails } = await loadMails()
    const outcomes = await Promise.all(
      claimed.map((mail) =>
        deliver({ settings, send, mails }, mail).catch((error: unknown): MailOutcome => {
          logFailure('mails', work, mail.id)(error)
          return { status: 'unknown', reason: 'could not be written' }
        }),
      ),
    )
    const finished = claimed.flatMap(({ id, over }, at) => {
      const { status, reason } = outcomes[at]!
      if (status !== 'sent')
        log(over === 'given_up' ? 'error' : 'warn', { place: 'mails', requestId, id, what: reason })
      if (over || status === 'unknown') return []
      return [{ id, status: status === 'sent' ? ('sent' as const) : ('given_up' as const) }]
    })
    await finishMails(sql, finished)
    if (claimed.length < sentAtOnce || Date.now() >= endsAt) return false
  }
}

type Sending = { readonly settings: Settings; readonly send: SendMail; readonly mails: Mails }

async function deliver({ settings, send, mails }: Sending, mail: ClaimedMail): Promise<MailOutcome> {
  if (mail.over === 'suppressed') return { status: 'refused', reason: 'suppressed' }
  if (mail.over) return { status: 'refused', reason: 'given up: not sent in time' }
  const link = await linkOf(settings, settings.liveBaseUrl, mail)
  if (link === undefined) return { status: 'unknown', reason: 'AUTH_SECRETS lacks the version of its link' }
  const tag = { name: accountMailTag, value: mail.id.replace('.', '_') }
  return send(`mail/${mail.id}`, { to: mail.email, tag, ...renderMail(mails[mail.kind], mail, { link }) })
}

/** Notices become mails, and mails are sent. Three jobs do the same for what a lost message, a crash or a failure has left. */
export async function sendDueMails(run: JobRun, loadMails: LoadMails): Promise<void> {
  await handOverNotices(run).catch(logFailure('mail_notices', run))
  await sendOutgoing(run, loadMails).catch(logFailure('outgoing_mails', run))
  await sendMails(run, loadMails)
}
