import { type HookCall, hooks } from '../../../src/http/hooks.ts'
import { Problem } from '../../../src/http/problems.ts'
import { identitySql } from '../../../src/platform/postgres.ts'
import { isSigned } from '../../../src/platform/standard-webhooks.ts'

/** By these tags the provider's reports name our rows: a mail of the tenants' outbox, or of the accounts'. */
export const mailTag = 'mail'
export const accountMailTag = 'account_mail'

const reports: Readonly<Record<string, string>> = {
  'email.delivered': 'delivered',
  'email.bounced': 'bounced',
  'email.complained': 'complained',
}

/** What is read of a report (resend.com/docs/webhooks). */
interface Report {
  readonly type?: unknown
  readonly data?: {
    readonly bounce?: { readonly type?: unknown }
    /** A list as they were sent, or an object. */
    readonly tags?: unknown
  }
}

/** Where Resend reports what became of mails. Both environments get all reports where they share an account there. */
export const mailRoutes = () => hooks({ path: '/v1/mails/reports', handle: receive })

/** @throws Problem when the signature does not match, or is old */
async function receive({ services, rawBody, header }: HookCall): Promise<void> {
  const { settings, db } = services
  const secrets = settings.mail?.webhookSecrets ?? []
  if (secrets.length === 0) throw new Problem('route_not_found')
  const message = { id: header('svix-id'), timestamp: Number(header('svix-timestamp')), body: rawBody }
  if (!(await isSigned(message, header('svix-signature'), secrets, new Date())))
    throw new Problem('notification_signature_invalid')
  const { type, data } = JSON.parse(rawBody) as Report
  const report = reports[String(type)]
  if (!report || (report === 'bounced' && data?.bounce?.type !== 'Permanent')) return
  const mail = tagOf(data?.tags, mailTag)
  if (uuid.test(mail)) await db.call('door.report_mail(uuid,text)', [mail, report])
  const accountMail = tagOf(data?.tags, accountMailTag)
  if (accountMail !== '')
    await identitySql(settings)('select report_mail($1, $2)', [accountMail.replace('_', '.'), report])
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function tagOf(tags: unknown, name: string): string {
  const value = Array.isArray(tags)
    ? (tags as { name?: unknown; value?: unknown }[]).find((tag) => tag?.name === name)?.value
    : (tags as Readonly<Record<string, unknown>> | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}
