import { formatMoney } from '../../../src/kernel/format.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import { oneLine } from '../../../src/platform/mail.ts'
import type { PaidRow, TaxRow } from './receipt.ts'

/** What a mail says. Every text is plain: template.ts writes it as text and as HTML. */
export interface MailWords {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** The label of the button that leads to its link. */
  readonly button?: string
  /** The label of the link that ends mails of this kind. */
  readonly ending?: string
  /** What to do when the reader did not expect it. */
  readonly closing: string
}

export type Data = Readonly<Record<string, string>>

// No name where the address is not confirmed.
export const hola = (name: string) => (name === '' ? 'Hola:' : `Hola, ${name}:`)
export const hello = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`)

/** Amounts are written in the reader's language; anything else stays as it came. */
export const money = (data: Data, field: string, locale: Locale): string => {
  const [text = '', currency = ''] = [data[field], data.currency]
  return /^-?\d{1,18}$/.test(text) && /^[a-z]{3}$/.test(currency)
    ? formatMoney(BigInt(text), currency, locale)
    : text
}

/** What the mail names, in order; without what is empty. */
export const facts = (labels: Data, data: Data) =>
  Object.entries(labels).flatMap(([field, label]) => (data[field] ? [[label, data[field]] as const] : []))

/** What is paid for, line by line; nothing where no lines are known. */
export type Parts = Readonly<Record<PaidRow[0], (name: string) => string>>
export const paidRows = (data: Data, locale: Locale, words: Parts): (readonly [string, string])[] =>
  (JSON.parse(data.rows ?? '[]') as PaidRow[]).map(([kind, name, amount]) => [
    words[kind](oneLine(name)),
    moneyOf(data, amount, locale),
  ])

/** The IVA in what was paid, by rate. */
export interface TaxWords {
  readonly iva: (percent: string) => string
  readonly on: (iva: string, base: string) => string
  readonly exempt: string
}
export const taxRows = (data: Data, locale: Locale, words: TaxWords): (readonly [string, string])[] =>
  (JSON.parse(data.taxes ?? '[]') as TaxRow[]).map(([rate, base, iva]) => {
    const [on, tax] = [moneyOf(data, base, locale), moneyOf(data, iva, locale)]
    return rate === 'exempt' ? [words.exempt, on] : [words.iva(rate), words.on(tax, on)]
  })

const moneyOf = (data: Data, amount: string, locale: Locale) => money({ ...data, amount }, 'amount', locale)
