import { addedFields, type DeclaredMail } from '../../../src/kernel/declared-mail.ts'
import { formatInZone } from '../../../src/kernel/format.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import type { Palette } from '../../../src/kernel/look.ts'
import { type Mail, oneLine } from '../../../src/platform/mail.ts'

/** What a mail shows of its sender: ours, or a merchant's where it is about a payment. */
export interface Brand {
  readonly name: string
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null
  /** Null for our own colors. */
  readonly palette: Pick<Palette, 'accent' | 'button' | 'onButton'> | null
}

const spindle: Brand = { name: 'Spindle', logo: null, palette: null }
const ours = { accent: '#1f4d3a', button: '#1f4d3a', onButton: '#ffffff' }
const logoPxMax = 44

interface Frame {
  /** Where its button leads. */
  readonly link?: string | null
  readonly brand?: Brand
  /** Where its reader ends mails of this kind. */
  readonly end?: string | null
  /** A payment in the sandbox: its mail says that no money moves. */
  readonly isTest?: boolean
}

/** To whom a mail is written, and what its row and its sender know. */
interface Content {
  /** Empty where the address is not confirmed. */
  readonly name: string
  readonly locale: Locale
  readonly data: Readonly<Record<string, string>>
}

const greetings: Readonly<Record<Locale, (name: string) => string>> = {
  'es-MX': (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
  en: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
}

/** What a buyer's mail of the sandbox says first. */
const testMode: Readonly<Record<Locale, string>> = {
  'es-MX': 'Modo de prueba: este mensaje es un ensayo y no se mueve dinero.',
  en: 'Test mode: this message is a rehearsal and no money moves.',
}

/**
 * Subject, text and HTML of a mail, from what its area declares and its data. The same mail gives the same bytes at every
 * attempt. Data is put on one line each, and escaped in HTML; a field named `at` or `…_at` is a time of the interface, and
 * one that a row lacks is `''`.
 */
export function renderMail(
  declared: DeclaredMail,
  { name, locale, data }: Content,
  { link = null, brand = spindle, end = null, isTest = false }: Frame = {},
): Pick<Mail, 'subject' | 'text' | 'html'> {
  const written = (field: string) =>
    isTime(field) ? time(data[field] ?? '', locale) : oneLine(data[field] ?? '')
  const fields = [...addedFields, ...declared.data]
  const words = declared.words[locale](Object.fromEntries(fields.map((field) => [field, written(field)])))
  const { subject, closing, button, ending = '' } = words
  const paragraphs = [greetings[locale](oneLine(name)), ...words.paragraphs]
  const facts = words.facts.filter(([, value]) => value !== '')
  const text = [
    ...(isTest ? [testMode[locale]] : []),
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}: ${value}`).join('\n')] : []),
    ...(link === null ? [] : [`${button}:\n${link}`]),
    closing,
    ...(end === null ? [] : [`${ending}:\n${end}`]),
    `-- \n${oneLine(brand.name)}`,
  ].join('\n\n')
  const html = `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f2;color:#1c1c1a;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div role="article" lang="${locale}" style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
${isTest ? `<p style="margin:0 0 24px;padding:8px 12px;background:#faecc8;color:#5c4300;font-size:14px">${testMode[locale]}</p>\n` : ''}<p style="margin:0 0 24px;font-weight:600">${headOf(brand)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(subject)}</h1>
${paragraphs.map(paragraph).join('\n')}
${facts.length > 0 ? table(facts) : ''}${link === null ? '' : action(button ?? '', link, brand.palette ?? ours)}
<p style="margin:24px 0 0;color:#5c5c58;font-size:14px">${escapeHtml(closing)}</p>
${end === null ? '' : `<p style="margin:8px 0 0;font-size:14px"><a href="${escapeHtml(end)}" style="color:#5c5c58">${escapeHtml(ending)}</a></p>\n`}</div>
</body>
</html>`
  return { subject, text, html }
}

const isTime = (field: string) => /^(\w+_)?at$/.test(field)
/** Accounts have no time zone of their own: times are those of Mexico City, and say so. */
function time(text: string, locale: Locale): string {
  const instant = new Date(text)
  return Number.isNaN(instant.getTime()) ? oneLine(text) : formatInZone(instant, locale)
}

function headOf({ name, logo }: Brand): string {
  const label = escapeHtml(oneLine(name))
  if (!logo) return label
  const scale = Math.min(1, logoPxMax / logo.height)
  const [width, height] = [Math.round(logo.width * scale), Math.round(logo.height * scale)]
  return `<img src="${escapeHtml(logo.url)}" alt="${label}" width="${width}" height="${height}" style="max-width:100%;height:auto;border:0">`
}

const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`

const table = (facts: readonly (readonly [string, string])[]) =>
  `<table style="margin:0 0 16px;border-collapse:collapse;width:100%">
${facts
  .map(
    ([label, value]) =>
      `<tr><th scope="row" style="padding:4px 16px 4px 0;text-align:left;vertical-align:top;font-weight:400;color:#5c5c58">${escapeHtml(label)}</th><td style="padding:4px 0;word-break:break-word"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
  )
  .join('\n')}
</table>`

/** The address stands below the button too: some programs show no buttons. */
const action = (label: string, link: string, colors: NonNullable<Brand['palette']>) =>
  `<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;background:${colors.button};color:${colors.onButton};text-decoration:none;border-radius:8px;font-weight:600">${escapeHtml(label)}</a></p>
<p style="margin:0;font-size:14px;word-break:break-all"><a href="${escapeHtml(link)}" style="color:${colors.accent}">${escapeHtml(link)}</a></p>`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!)
