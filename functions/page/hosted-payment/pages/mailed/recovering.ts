import { html, raw } from 'hono/html'
import { Problem } from '../../../../../src/http/problems.ts'
import { Stale } from '../../../../../src/http/publishing.ts'
import { containsCardNumber } from '../../../../../src/kernel/card-number.ts'
import { normalizeEmail } from '../../../../../src/kernel/email.ts'
import { withLocale } from '../../../../../src/kernel/locale.ts'
import { mailOfToken } from '../../../../account/mails/api.ts'
import { findSale, originAt } from '../../checkout-flow.ts'
import type { HostedOrigins } from '../../hosted-origin.ts'
import { baseOf, type Ctx, formFields, localeOf, page, statePageOf as state } from '../frame/frame.ts'
import { alertBox, foreign, hiddenFields, layout, sentence } from '../frame/layout.ts'
import { lookAs } from '../frame/look.ts'
import type { Html, PayView } from '../frame/view.ts'
import { text } from '../text.ts'
import { recoveryText } from './text-recovery.ts'

/** The buyer asks for one mail if the session ends unpaid, or takes that back. Nothing where it is not offered. */
export function recoveryForm(view: PayView): Html {
  const { recovery, locale, publicId, merchantName } = view
  if (!recovery) return raw('')
  const words = recoveryText[locale]
  if (recovery.isGiven)
    return html`<form method="post" action="/${publicId}/recovery" class="recovery">
${hiddenFields({ locale })}<p class="muted asked">${sentence(words.given, merchantName)}</p>
<button class="small">${words.withdraw}</button>
</form>`
  return html`<details class="code"${recovery.problem ? html` open` : ''}><summary>${words.later}</summary>
${recovery.problem ? alertBox(words.problems[recovery.problem]) : ''}<form method="post" action="/${publicId}/recovery" class="recovery" novalidate>
${hiddenFields({ locale })}<div class="field">
<label for="recovery_email">${words.email}</label>
<input id="recovery_email" name="recovery_email" type="email" autocomplete="email" maxlength="254" required>
</div>
<div class="field"><label class="choice"><input type="checkbox" name="consent" value="yes"> <span>${sentence(words.consent, merchantName)}</span></label></div>
<button class="small">${words.save}</button>
</form></details>`
}

/** Why a consent was not kept: what the address of the page says. */
export const recoveryProblemOf = (c: Ctx): 'email' | 'consent' | null => {
  const asked = c.req.query('recovery')
  return asked === 'email' || asked === 'consent' ? asked : null
}

export async function consentToMail(c: Ctx, origins: HostedOrigins) {
  const field = await formFields(c)
  const locale = localeOf(c, field('locale'))
  const publicId = c.req.param('publicId')!
  const recovering = originAt(origins, publicId)?.recovering
  if (!recovering) throw new Problem('route_not_found')
  const typed = field('recovery_email').trim()
  const isAsked = (await c.req.parseBody()).recovery_email !== undefined
  const email = containsCardNumber(typed) ? null : normalizeEmail(typed)
  const problem = !isAsked ? null : email === null ? 'email' : field('consent') === 'yes' ? null : 'consent'
  const request = { requestId: c.get('requestId'), now: new Date() }
  if (problem === null)
    await recovering
      .ask(c.get('services'), publicId, { email: isAsked ? email : null, locale }, request)
      .catch(asItIs)
  return c.redirect(withLocale(`/${publicId}${problem ? `?recovery=${problem}` : ''}`, locale), 303)
}

/** Others wrote all the while: the page says what is kept. */
function asItIs(error: unknown) {
  if (!(error instanceof Stale)) throw error
}

/** The address in the mail. Opening it changes nothing, since programs that check mails open links too: its form does. */
export async function showRecovery(c: Ctx, origins: HostedOrigins) {
  const named = await namedBy(c, origins)
  if (!named) return state(c, { state: 'not_found' })
  const { recovering, publicId, id } = named
  const now = new Date()
  const found = await recovering.find(c.get('services'), publicId, id, now)
  if (!found) return state(c, { state: 'not_found' })
  const locale = localeOf(c)
  if (found.opened !== null) return c.redirect(withLocale(`/${found.opened}`, locale), 303)
  return found.isOpen ? asking(c, origins, publicId) : over(c)
}

export async function openRecovery(c: Ctx, origins: HostedOrigins) {
  const field = await formFields(c)
  const locale = localeOf(c, field('locale'))
  const named = await namedBy(c, origins)
  if (!named) return state(c, { state: 'not_found' }, locale)
  const { recovering, publicId, id } = named
  const request = { requestId: c.get('requestId'), now: new Date() }
  const opened = await recovering.open(c.get('services'), publicId, id, request)
  return opened === null ? over(c, field('locale')) : c.redirect(withLocale(`/${opened}`, locale), 303)
}

async function namedBy(c: Ctx, origins: HostedOrigins) {
  const publicId = c.req.param('publicId')!
  const recovering = originAt(origins, publicId)?.recovering
  const secrets = c.get('services').settings.authSecrets
  const id = await mailOfToken(secrets, 'checkout_recovery', c.req.param('token')!)
  return recovering && id ? { recovering, publicId, id } : null
}

async function asking(c: Ctx, origins: HostedOrigins, publicId: string) {
  const locale = localeOf(c)
  const visit = await findSale(c.get('services'), origins, publicId)
  if (!visit) return state(c, { state: 'not_found' }, locale)
  const { merchantName, sale } = visit.onSale
  await lookAs(c, visit.onSale)
  const words = recoveryText[locale]
  const main = html`<section class="panel" aria-labelledby="ask">
<h1 id="ask">${words.title}</h1>
<p class="muted asked">${sentence(words.detail, merchantName)}</p>
${sale.order ? html`<ul class="asked">${sale.order.lines.map(({ name, quantity }) => html`<li>${quantity > 1 ? `${quantity} × ` : ''}${foreign(name)}</li>`)}</ul>` : ''}
<form method="post" action="${c.req.path}" data-once>
${hiddenFields({ locale })}<button class="primary" data-busy="${text[locale].common.sending}">${words.open}</button>
</form>
</section>`
  return page(c, layout(baseOf(c, locale), { title: words.title, main }))
}

function over(c: Ctx, chosen?: string) {
  const locale = localeOf(c, chosen)
  const words = { title: recoveryText[locale].over, detail: () => recoveryText[locale].overDetail }
  return state(c, { state: 'own', look: ['clock', 'calm'], words, merchantName: null }, locale, 410)
}
