import { html, raw } from 'hono/html'
import { normalizeEmail } from '../../../../../src/kernel/email.ts'
import { formatList } from '../../../../../src/kernel/format.ts'
import type { Locale } from '../../../../../src/kernel/locale.ts'
import type { BuyerField, Html, PayView } from '../frame/view.ts'
import { text } from '../text.ts'

type Asked = Pick<PayView, 'locale' | 'payerEmailDomains'>

/** Whether the buyer's address is of a domain that may pay. */
export const mayPay = (domains: readonly string[] | null | undefined, email: string): boolean =>
  !domains || domains.includes(normalizeEmail(email)?.split('@')[1] ?? '')

const words = {
  'es-MX': (domains: string) => `Solo se paga con un correo de ${domains}.`,
  en: (domains: string) => `Only e-mail addresses of ${domains} can pay.`,
} as const satisfies Record<Locale, unknown>

const ask = ({ locale, payerEmailDomains }: Asked): string =>
  payerEmailDomains ? words[locale](formatList(payerEmailDomains, locale)) : ''

/** What is wrong with a field: where only some addresses pay, which ones. */
export const wrongText = (view: Asked, id: BuyerField): string =>
  id !== 'name' && view.payerEmailDomains ? ask(view) : text[view.locale].pay.wrong[id]

/** Below a field for the address, before it is wrong. `at`: its id on the page. */
export const emailHint = (view: Asked, id: BuyerField, at: string, isWrong: boolean): Html =>
  id !== 'name' && view.payerEmailDomains && !isWrong
    ? html`<p class="muted" id="${at}-hint">${ask(view)}</p>`
    : raw('')
