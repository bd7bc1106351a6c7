import type { Locale } from '../../../../src/kernel/locale.ts'

const spanish = {
  title: 'Lo que entró por tus pagos',
  period: (begins: string, ends: string, currency: string) => `Del ${begins} al ${ends}, ${currency}`,
  all: 'Todo',
  nowhere: 'Sin sucursal',
  gross: 'cobrado',
  net: 'neto',
  more: (count: number) => (count === 1 ? 'y un grupo más' : `y ${count} grupos más`),
  asOf: (time: string) => `Con lo registrado hasta ${time} UTC.`,
}

const english: typeof spanish = {
  title: 'What your payments brought in',
  period: (begins, ends, currency) => `From ${begins} to ${ends}, ${currency}`,
  all: 'All',
  nowhere: 'At no location',
  gross: 'captured',
  net: 'net',
  more: (count) => (count === 1 ? 'and one group more' : `and ${count} groups more`),
  asOf: (time) => `With what was booked until ${time} UTC.`,
}

/** The words of the picture. */
export const words: Readonly<Record<Locale, typeof spanish>> = { 'es-MX': spanish, en: english }
