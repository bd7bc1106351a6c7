import type { Locale } from './locale.ts'

/**
 * Decimals of currencies for which ISO 4217 does not say two. Not taken from Intl: CLDR shows Colombian pesos without
 * decimals, so a page would show a hundred times the amount.
 */
const minorDigits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
}

/** How many decimals a currency has. */
export const digitsOf = (currency: string): number => minorDigits[currency.toUpperCase()] ?? 2

const languageTag: Readonly<Record<Locale, string>> = { 'es-MX': 'es-MX', en: 'en-US' }

/**
 * An amount in minor units as people read it, exact for any size: `120000n, 'mxn'` → `$1,200.00 MXN`. The code is
 * always there, since the sign alone does not distinguish pesos from dollars.
 */
export function formatMoney(amountMinor: bigint, currency: string, locale: Locale): string {
  const code = currency.toUpperCase()
  const amount = formatShort(amountMinor, currency, locale)
  return amount.includes(code) ? amount : `${amount} ${code}`
}

/** The same without the code, for lines that stand beside one that has it. Below zero it begins with a minus sign. */
export function formatShort(amountMinor: bigint, currency: string, locale: Locale): string {
  const code = currency.toUpperCase()
  const digits = digitsOf(currency)
  const format = new Intl.NumberFormat(languageTag[locale], {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(decimal(amountMinor, digits)).replace('-', '\u2212')
}

/** The amount alone, as a bank's form takes it: `123456n, 'mxn'` → `1234.56`. */
export const formatPlain = (amountMinor: bigint, currency: string): string =>
  decimal(amountMinor, digitsOf(currency))

/**
 * An amount as a buyer types it, in minor units: `1,234.50` → 123450n. Null where it is not an amount, or has
 * too many decimals.
 */
export function parseAmount(typed: string, currency: string): bigint | null {
  const digits = digitsOf(currency)
  const parts = /^\$?\s*(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,4}))?$/.exec(typed.trim())
  const [, whole = '', decimals = ''] = parts ?? []
  if (whole === '' || decimals.length > digits) return null
  return BigInt(whole.replaceAll(',', '') + decimals.padEnd(digits, '0'))
}

/** A decimal string: Intl reads it digit by digit, so no amount passes through a float. */
function decimal(amountMinor: bigint, digits: number): `${number}` {
  const sign = amountMinor < 0n ? '-' : ''
  const all = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(digits + 1, '0')
  const whole = all.slice(0, all.length - digits)
  const text = digits === 0 ? `${sign}${whole}` : `${sign}${whole}.${all.slice(-digits)}`
  return text as `${number}` // only digits, a sign and a point by construction
}

/** An instant as date and time, in Mexico City or another zone: `20 de noviembre de 2026, 7:36 p.m.`. */
export function formatDateTime(instant: Date, locale: Locale, timeZone = 'America/Mexico_City'): string {
  const day = new Intl.DateTimeFormat(languageTag[locale], { dateStyle: 'long', timeZone })
  const time = new Intl.DateTimeFormat(languageTag[locale], { timeStyle: 'short', timeZone })
  return `${day.format(instant)}, ${time.format(instant).replace(/\s/g, '\u00a0')}`
}

/** A day in Mexico City, short: `24 nov`. */
export const formatDay = (instant: Date, locale: Locale): string =>
  new Intl.DateTimeFormat(languageTag[locale], {
    day: 'numeric',
    month: 'short',
    timeZone: 'America/Mexico_City',
  }).format(instant)

/** A day with its year: `24 nov 2026`. */
export const formatDate = (instant: Date, locale: Locale, timeZone = 'America/Mexico_City'): string =>
  new Intl.DateTimeFormat(languageTag[locale], { dateStyle: 'medium', timeZone }).format(instant)

/** How long something can still be done: `dentro de 2 días`, in hours below two days, in minutes below two hours. */
export function formatLeft(until: Date, now: Date, locale: Locale): string {
  const minutes = Math.max(0, Math.floor((until.getTime() - now.getTime()) / 60_000))
  const format = new Intl.RelativeTimeFormat(languageTag[locale], { numeric: 'always' })
  if (minutes >= 2_880) return format.format(Math.floor(minutes / 1_440), 'day')
  if (minutes >= 120) return format.format(Math.floor(minutes / 60), 'hour')
  return format.format(minutes, 'minute')
}

const zone: Readonly<Record<Locale, string>> = {
  'es-MX': 'hora de la Ciudad de México',
  en: 'Mexico City time',
}

/** The same with the name of the zone, for a reader who may be elsewhere. */
export const formatInZone = (instant: Date, locale: Locale): string =>
  `${formatDateTime(instant, locale)} (${zone[locale]})`

/** `3, 6 y 12` or `3, 6, and 12`. */
export function formatList(items: readonly (string | number)[], locale: Locale): string {
  return new Intl.ListFormat(languageTag[locale], { type: 'disjunction' }).format(items.map(String))
}

const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  carnet: 'Carnet',
}

/** A brand as people write it; an unknown one is shown as it came. */
export function brandName(brand: string): string {
  return brandNames[brand] ?? brand
}
