import { html, raw } from 'hono/html'
import { text } from '../text.ts'
import { foreign } from './layout.ts'
import type { Html, PageBase } from './view.ts'

/** The ways to reach the merchant, with its legal name; nothing where the page names no merchant or it gives none. */
export function reach(
  { payee, locale }: Pick<PageBase, 'payee' | 'locale'>,
  intro: 'questions' | null = null,
): Html {
  if (!payee) return raw('')
  const { legalName, email, phone, website } = payee
  const words = text[locale].rows
  const ways = [
    ...(email ? [html`<a href="mailto:${email}">${email}</a>`] : []),
    ...(phone ? [html`<a href="tel:${phone}">${readable(phone)}</a>`] : []),
    ...(website ? [html`<a href="${website}" rel="noreferrer">${words.site}</a>`] : []),
  ]
  if (ways.length === 0 && (intro || !legalName || legalName === payee.name)) return raw('')
  const links = ways.map((way) => html`${way} `)
  if (intro) return html`<p class="reach"><span>${words[intro]}</span> ${links}</p>`
  const named = legalName ?? payee.name
  if (ways.length === 0) return html`<p class="reach">${foreign(named)}</p>`
  return html`<details class="reach"><summary>${foreign(named)} · ${words.contact}</summary><p>${links}</p></details>`
}

/** A Mexican number in the groups in which it is read out; others as they are dialled. */
const readable = (phone: string) => phone.replace(/^\+52(\d{2})(\d{4})(\d{4})$/, '+52 $1 $2 $3')
