import { Hono } from '../../../../src/http/hono.ts'
import { Problem } from '../../../../src/http/problems.ts'
import type { Env } from '../../../../src/http/router.ts'
import { systemCall } from '../../../../src/http/system-call.ts'
import type { Locale } from '../../../../src/kernel/locale.ts'
import { mailOfToken } from '../../../account/mails/api.ts'
import { type Ctx, framed, localeOf, statePageOf } from '../../../page/hosted-payment/api.ts'
import { delivering } from '../contract-schedules.ts'
import { fileOf, savedAs } from '../run.ts'
import { type RunRow, runById } from '../store.ts'

const words = {
  'es-MX': {
    title: 'Este enlace ya no sirve',
    detail: () =>
      'El archivo se guarda 30 días, y el enlace es solo para miembros del negocio que el envío programado aún incluye. Pide el reporte otra vez.',
  },
  en: {
    title: 'This link does not work any more',
    detail: () =>
      'The file is kept for 30 days, and the link is for members whom its schedule still names. Ask for the report again.',
  },
} as const satisfies Readonly<Record<Locale, unknown>>

/** Saved under its name, never shown, and named to no other site. */
const fileHeaders = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
}

/** Where the links in mails about reports lead: the file, while it is kept and the schedule names its reader, a member. It changes nothing. */
export function reportPages(): Hono<Env> {
  const app = new Hono<Env>()
  app.use('/account/report/*', ...framed)
  app.get('/account/report/:token', async (c) => {
    const run = await runOf(c)
    c.header('Referrer-Policy', 'no-referrer')
    if (!run) {
      const locale = localeOf(c)
      const look = ['info', 'calm'] as const
      return statePageOf(c, { state: 'own', look, words: words[locale], merchantName: null }, locale, 410)
    }
    for (const [name, value] of Object.entries(fileHeaders)) c.header(name, value)
    const { type, name } = savedAs(run)
    c.header('Content-Type', type)
    c.header('Content-Disposition', `attachment; filename="${name}"`)
    return c.body(fileOf(c.get('services').bucket, run))
  })
  app.all('/account/report/*', () => {
    throw new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD' } })
  })
  return app
}

/** The run of the link; null where it opens nothing. A token that we did not derive costs no trip. */
async function runOf(c: Ctx): Promise<RunRow | null> {
  const [services, requestId] = [c.get('services'), c.get('requestId')]
  const id = await mailOfToken(services.settings.authSecrets, 'report_ready', c.req.param('token') ?? '')
  const found = id && (await services.db.call('door.report_of_delivery(uuid)', [id]))
  if (!found) return null
  const { tenantId, runId } = JSON.parse(found) as { tenantId: string; runId: string }
  const [[run]] = await systemCall({ services, requestId }, tenantId).read(delivering, runById({ id: runId }))
  return run?.status === 'succeeded' ? run : null
}
