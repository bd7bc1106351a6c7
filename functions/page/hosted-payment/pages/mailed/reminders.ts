import { html } from 'hono/html'
import { Hono } from '../../../../../src/http/hono.ts'
import { Problem } from '../../../../../src/http/problems.ts'
import type { Env } from '../../../../../src/http/router.ts'
import type { Locale } from '../../../../../src/kernel/locale.ts'
import type { Look } from '../../../../../src/kernel/look.ts'
import { mailOfToken } from '../../../../account/mails/api.ts'
import { baseOf, type Ctx, formFields, framed, localeOf, page } from '../frame/frame.ts'
import { hiddenFields, icon, layout, sentence } from '../frame/layout.ts'
import { lookAs } from '../frame/look.ts'
import { text } from '../text.ts'

/** What door.reminders_of says of the mail whose link was opened. */
interface Reminders {
  readonly merchant: string
  readonly look: Look | null
  /** Of the mail: its reader's. */
  readonly locale: Locale
  readonly have_ended: boolean
}

const words = {
  'es-MX': {
    title: '¿No recibir más recordatorios?',
    detail: (merchant: string) =>
      `${merchant} no te recordará más a esta dirección que un pago vence o que una compra te espera. Los comprobantes y las instrucciones que pidas te llegan igual.`,
    button: 'No recibir recordatorios',
    ended: 'No recibirás más recordatorios',
    endedDetail: (merchant: string) =>
      `${merchant} ya no te envía recordatorios a esta dirección. Puedes cerrar esta página.`,
    over: 'El enlace ya no sirve',
    overDetail: 'Tiene más de 30 días o no se copió completo. Usa el enlace de un recordatorio más reciente.',
  },
  en: {
    title: 'Get no more reminders?',
    detail: (merchant: string) =>
      `${merchant} will not remind you at this address that a payment expires or a purchase waits. Receipts and instructions that you ask for still arrive.`,
    button: 'Get no more reminders',
    ended: 'You get no more reminders',
    endedDetail: (merchant: string) =>
      `${merchant} sends no more reminders to this address. You can close this page.`,
    over: 'This link does not work any more',
    overDetail:
      'It is more than 30 days old or was not copied whole. Use the link of a more recent reminder.',
  },
} as const satisfies Readonly<Record<Locale, unknown>>

const path = '/reminders/:token'

/**
 * Where the link of a reminder leads. Opening it changes nothing, since programs that check mails open links too: its
 * form does, and so does the one click of a mail program (RFC 8058).
 */
export function reminderPages(): Hono<Env> {
  const app = new Hono<Env>()
  app.use('/reminders/*', ...framed)
  app.get(path, async (c) => shown(c, await remindersOf(c)))
  app.post(path, async (c) => {
    const field = await formFields(c)
    const mail = await mailOf(c)
    if (mail) await c.get('services').db.call('door.report_mail(uuid,text)', [mail, 'unsubscribed'])
    return shown(c, await remindersOf(c), field('locale'))
  })
  app.all(path, () => {
    throw new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD, POST' } })
  })
  return app
}

const mailOf = (c: Ctx) =>
  mailOfToken(c.get('services').settings.authSecrets, 'end_reminders', c.req.param('token') ?? '')

async function remindersOf(c: Ctx): Promise<Reminders | null> {
  const mail = await mailOf(c)
  const found = mail && (await c.get('services').db.call('door.reminders_of(uuid)', [mail]))
  return found ? (JSON.parse(found) as Reminders) : null
}

async function shown(c: Ctx, reminders: Reminders | null, chosen = c.req.query('lang')) {
  const locale = localeOf(c, chosen || reminders?.locale)
  if (reminders) await lookAs(c, { merchantName: reminders.merchant, look: reminders.look })
  const said = words[locale]
  if (reminders && !reminders.have_ended) {
    const main = html`<section class="panel" aria-labelledby="ask">
<h1 id="ask">${said.title}</h1>
<p class="muted asked">${sentence(said.detail, reminders.merchant)}</p>
<form method="post" action="${c.req.path}" data-once>
${hiddenFields({ locale })}<button class="primary" data-busy="${text[locale].common.sending}">${said.button}</button>
</form>
</section>`
    return page(c, layout(baseOf(c, locale), { title: said.title, main }))
  }
  const title = reminders ? said.ended : said.over
  const main = html`<section class="panel outcome" aria-labelledby="outcome">
${reminders ? icon('check', 'good') : icon('info', 'calm')}
<h1 id="outcome">${title}</h1>
<p>${reminders ? sentence(said.endedDetail, reminders.merchant) : said.overDetail}</p>
</section>`
  return page(c, layout(baseOf(c, locale), { title, main }), reminders ? 200 : 410)
}
