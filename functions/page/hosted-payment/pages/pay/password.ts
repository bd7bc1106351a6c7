import { getCookie, setCookie } from 'hono/cookie'
import { html, raw } from 'hono/html'
import { limitRate, networkOfCaller } from '../../../../../src/http/stages/rate-limit.ts'
import { type Locale, withLocale } from '../../../../../src/kernel/locale.ts'
import { fromBase64Url, seal, toBase64Url, unseal } from '../../../../../src/platform/crypto.ts'
import { isPassword } from '../../../../../src/platform/passwords.ts'
import { findSale, type OnSale } from '../../checkout-flow.ts'
import type { HostedOrigins } from '../../hosted-origin.ts'
import { cookieOf } from '../frame/cookies.ts'
import { baseOf, type Ctx, formFields, localeOf, page, statePageOf as state } from '../frame/frame.ts'
import { alertBox, foreign, hiddenFields, layout } from '../frame/layout.ts'
import { lookAs } from '../frame/look.ts'
import { reach } from '../frame/payee.ts'
import type { Html, PageBase } from '../frame/view.ts'

/* What is for sale may ask for a password before it shows what is paid, and takes money. */

const cookie = 'spindle_unlocked'
const maxAge = 86_400
const queryLengthMax = 1_000

const words = {
  'es-MX': {
    title: 'Escribe la contraseña',
    detail: (merchant: string) =>
      `${merchant} protegió este pago con una contraseña. Te la dio con el enlace.`,
    label: 'Contraseña',
    go: 'Continuar',
    wrong: 'Esa no es la contraseña. Revisa mayúsculas y espacios.',
    pin: {
      title: 'Escribe el código de tu cuenta',
      detail: (merchant: string) => `${merchant} protegió esta cuenta. Pide el código a quien te atiende.`,
      label: 'Código',
      wrong: 'Ese no es el código. Pídelo otra vez a quien te atiende.',
    },
  },
  en: {
    title: 'Type the password',
    detail: (merchant: string) =>
      `${merchant} protected this payment with a password, and gave it to you with the link.`,
    label: 'Password',
    go: 'Continue',
    wrong: 'That is not the password. Check capitals and spaces.',
    pin: {
      title: 'Type the code of your bill',
      detail: (merchant: string) => `${merchant} protected this bill. Ask your waiter for the code.`,
      label: 'Code',
      wrong: 'That is not the code. Ask your waiter for it again.',
    },
  },
} as const

interface PasswordView extends PageBase {
  readonly merchantName: string
  readonly publicId: string
  /** The query of the visit. */
  readonly query: string
  readonly isWrong: boolean
  readonly isPin: boolean
}

/** Says nothing of what is paid, in link previews neither. */
export function passwordPage(view: PasswordView): Html {
  const { pin, go, ...password } = words[view.locale]
  const { title, detail, label, wrong } = view.isPin ? pin : password
  return layout(view, {
    title: `${title} · ${view.merchantName}`,
    main: html`<section class="panel" aria-labelledby="password-heading">
<h1 id="password-heading">${title}</h1>
${reach(view)}
${view.isWrong ? alertBox(wrong) : ''}
<p class="asked">${foreign(detail(view.merchantName))}</p>
<form method="post" action="/${view.publicId}/unlock" data-once>
${hiddenFields({ locale: view.locale, query: view.query })}
<div class="field">
<label for="password">${label}</label>
<input id="password" name="password" ${
      view.isPin
        ? raw('inputmode="numeric" autocomplete="one-time-code" maxlength="8"')
        : raw('type="password" autocomplete="off" maxlength="128"')
    } required${view.isWrong ? html` aria-invalid="true"` : ''}>
</div>
<button class="primary">${go}</button>
</form>
</section>`,
  })
}

const hashOf = ({ origin, row }: OnSale) => origin.passwordHashOf?.(row) ?? null

/** A changed password has another hash, so that its cookie opens nothing. */
const proofOf = (publicId: string, hash: string) => `${publicId}.${hash.slice(-16)}`

async function isUnlocked(c: Ctx, publicId: string, hash: string): Promise<boolean> {
  const sealed = fromBase64Url(getCookie(c, cookie) ?? '')
  const { signingSecrets } = c.get('services').settings
  const proof = sealed === null ? null : await unseal(signingSecrets, 'unlocked', sealed)
  return proof === proofOf(publicId, hash)
}

/** The page that asks for the password; null where there is none, or this browser has given it. */
export async function lockedPage(c: Ctx, onSale: OnSale, locale: Locale): Promise<Response | null> {
  const hash = hashOf(onSale)
  if (hash === null || (await isUnlocked(c, onSale.sale.publicId, hash))) return null
  return asking(c, onSale, locale, {
    query: new URL(c.req.url).search.slice(0, queryLengthMax),
    isWrong: false,
  })
}

const asking = (
  c: Ctx,
  { origin, sale, merchantName }: OnSale,
  locale: Locale,
  asked: Pick<PasswordView, 'query' | 'isWrong'>,
) =>
  page(
    c,
    passwordPage({
      ...baseOf(c, locale),
      ...asked,
      merchantName,
      publicId: sale.publicId,
      isPin: origin.asksPin ?? false,
    }),
    asked.isWrong ? 422 : 200,
  )

/** A typed password: the right one opens the sale in this browser for a day. */
export async function unlock(c: Ctx, origins: HostedOrigins) {
  const publicId = c.req.param('publicId')!
  const text = await formFields(c)
  const locale = localeOf(c, text('locale'))
  await limitRate(c.env, 'auth', `${networkOfCaller(c)} ${publicId}`)
  // From all addresses together, of which one has a small part: it keeps nobody else out.
  await limitRate(c.env, 'public', `unlock ${publicId}`)
  const services = c.get('services')
  const found = await findSale(services, origins, publicId)
  if (!found) return state(c, { state: 'not_found' }, locale)
  const { onSale } = found
  const hash = hashOf(onSale)
  const query = text('query').slice(0, queryLengthMax)
  if (hash !== null) {
    if (!(await isPassword(text('password'), hash))) {
      await lookAs(c, onSale)
      return asking(c, onSale, locale, { query, isWrong: true })
    }
    const sealed = await seal(services.settings.signingSecrets, 'unlocked', proofOf(publicId, hash))
    setCookie(c, cookie, toBase64Url(sealed), { ...cookieOf(c, publicId), maxAge })
  }
  const asked = new URLSearchParams(query).toString()
  return c.redirect(withLocale(`/${publicId}${asked === '' ? '' : `?${asked}`}`, locale), 303)
}
