import type { Locale } from '../../../../src/kernel/locale.ts'

const spanish = {
  accepted: 'Tarjetas aceptadas',
  period: (begins: string, ends: string, currency: string) => `Del ${begins} al ${ends}, ${currency}`,
  of: (accepted: number, decided: number) => `${accepted} de ${decided}`,
  few: (decided: number) => `${decided}: pocas para una tasa`,
  none: 'ninguna decidida',
  all: 'Todas',
  unnamed: 'Sin dato',
  more: (count: number) => (count === 1 ? 'y un grupo más' : `y ${count} grupos más`),
  interval: 'La línea con topes es el intervalo en el que está la tasa con 95 % de confianza.',
  ahead: 'Lo que entrará a tu saldo',
  asOf: (day: string, currency: string) => `Al ${day}, ${currency}`,
  certain: 'seguro',
  likely: 'probable',
  band: 'de la semana menor a la mayor',
  payout: 'sale a tu banco',
  error: (days: number, amount: string) => `A ${days} días, el error medio del último mes fue ${amount}.`,
  young: 'Donde no hay banda, las semanas son pocas para decir qué es probable.',
}

const english: typeof spanish = {
  accepted: 'Accepted cards',
  period: (begins, ends, currency) => `From ${begins} to ${ends}, ${currency}`,
  of: (accepted, decided) => `${accepted} of ${decided}`,
  few: (decided) => `${decided}: too few for a rate`,
  none: 'none decided',
  all: 'All',
  unnamed: 'Not known',
  more: (count) => (count === 1 ? 'and one group more' : `and ${count} groups more`),
  interval: 'The line with stops is the interval in which the rate lies with 95 % confidence.',
  ahead: 'What will come into your balance',
  asOf: (day, currency) => `As of ${day}, ${currency}`,
  certain: 'certain',
  likely: 'likely',
  band: 'from the least week to the greatest',
  payout: 'leaves for your bank',
  error: (days, amount) => `${days} days ahead, the mean error of the last month was ${amount}.`,
  young: 'Where there is no band, there are too few weeks to say what is likely.',
}

/** The words of the pictures. */
export const words: Readonly<Record<Locale, typeof spanish>> = { 'es-MX': spanish, en: english }
