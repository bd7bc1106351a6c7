import type { Context } from 'hono'
import { html } from 'hono/html'
import { Hono } from '../../../../src/http/hono.ts'
import { Problem } from '../../../../src/http/problems.ts'
import type { Env } from '../../../../src/http/router.ts'
import { limitRate, networkOfCaller } from '../../../../src/http/stages/rate-limit.ts'
import { type Locale, withLocale } from '../../../../src/kernel/locale.ts'
import { type AccessOf, type AuthRouteId, askAccounts, isLinkOpen } from '../../../account/auth/api.ts'
import type { LinkKind } from '../../../account/mails/api.ts'
import {
  baseOf,
  type Ctx,
  formFields,
  framed,
  type Html,
  hiddenFields,
  icon,
  layout,
  localeOf,
  statePageOf,
  text,
} from '../../hosted-payment/api.ts'
import { invitationHere } from './invitation-cookie.ts'
import { accountText } from './text-mail-links.ts'

const passwordField = 'new-password'

/**
 * Where the links in mails lead. Opening one changes nothing, since programs that check mails open their links too: its
 * form does.
 */
export function mailLinkPages(accessOf: AccessOf): Hono<Env> {
  const app = new Hono<Env>()
  app.use('/account/*', ...framed)

  const page = (path: string, kind: LinkKind, form: Form) => {
    app.get(path, async (c) => {
      const isOpen = await isLinkOpen(accessOf(c.get('services').settings), kind, tokenOf(c))
      return isOpen ? shown(c, form.ask(c, localeOf(c), false)) : invalid(c, localeOf(c))
    })
    app.post(path, async (c) => {
      await limitRate(c.env, 'auth', networkOfCaller(c))
      const field = await formFields(c)
      const locale = localeOf(c, field('locale'))
      try {
        const asked = await askAccounts(accessOf, c, {
          id: form.route,
          body: form.body(tokenOf(c), field),
        })
        if ('wrong' in asked) return shown(c, form.ask(c, locale, true), 422)
      } catch (error) {
        if (error instanceof Problem && error.code === 'mail_link_invalid') return invalid(c, locale)
        throw error
      }
      const next = await invitationHere(c, c.get('services').settings.authSecrets)
      return shown(c, saying(c, locale, { what: form.done, next }))
    })
    app.all(path, () => {
      throw new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD, POST' } })
    })
  }
  page('/account/confirm/:token', 'confirm_address', confirming)
  page('/account/password/:token', 'reset_password', choosing)
  app.all('/account/*', (c) => statePageOf(c, { state: 'not_found' }))
  return app
}

interface Form {
  readonly route: AuthRouteId
  readonly body: (token: string, field: (name: string) => string) => unknown
  readonly ask: (c: Ctx, locale: Locale, wrong: boolean) => Html
  readonly done: 'confirmed' | 'changed'
}

const confirming: Form = {
  route: 'auth.verify_email',
  body: (token) => ({ token }),
  ask: (c, locale) => formPage(c, locale, accountText[locale].confirm, html``),
  done: 'confirmed',
}

const choosing: Form = {
  route: 'auth.reset_password',
  body: (token, field) => ({ token, new_password: field(passwordField) }),
  ask: (c, locale, wrong) => {
    const words = accountText[locale].password
    const fault = wrong ? html` aria-invalid="true" aria-describedby="${passwordField}-error" autofocus` : ''
    return formPage(
      c,
      locale,
      words,
      html`<div class="field">
<label for="${passwordField}">${words.label}</label>
<input id="${passwordField}" name="${passwordField}" type="password" autocomplete="new-password" minlength="12" maxlength="128" required${fault}>
${wrong ? html`<p class="field-error" id="${passwordField}-error">${words.wrong}</p>` : ''}
</div>`,
    )
  },
  done: 'changed',
}

const tokenOf = (c: Ctx): string => c.req.param('token')!

const shown = (c: Context<Env>, content: Html, status = 200) => c.html(content, status as 200)

type Asking = { readonly title: string; readonly detail: string; readonly button: string }

const formPage = (c: Ctx, locale: Locale, words: Asking, fields: Html): Html =>
  layout(baseOf(c, locale), {
    title: words.title,
    main: html`<section class="panel" aria-labelledby="ask">
<h1 id="ask">${words.title}</h1>
<p class="muted asked">${words.detail}</p>
<form method="post" action="${c.req.path}" data-once>
${hiddenFields({ locale })}${fields}
<button class="primary" data-busy="${text[locale].common.sending}">${words.button}</button>
</form>
</section>`,
  })

interface Said {
  readonly what: 'confirmed' | 'changed' | 'invalid'
  /** Where an invitation goes on. */
  readonly next: string | null
}

const saying = (c: Ctx, locale: Locale, { what, next }: Said): Html => {
  const words = accountText[locale]
  const { title, detail } = words[what]
  return layout(baseOf(c, locale), {
    title,
    // A link would lead to the form again.
    ...(what !== 'invalid' && { languageSwitch: html`` }),
    main: html`<section class="panel outcome" aria-labelledby="outcome">
${what === 'invalid' ? icon('info', 'calm') : icon('check', 'good')}
<h1 id="outcome">${title}</h1>
<p>${next === null ? detail : words.invited[what === 'changed' ? 'changed' : 'confirmed']}</p>
${next === null ? '' : html`<p><a class="primary" href="${withLocale(next, locale)}">${words.invited.button}</a></p>`}
</section>`,
  })
}

const invalid = (c: Ctx, locale: Locale) => shown(c, saying(c, locale, { what: 'invalid', next: null }), 410)
