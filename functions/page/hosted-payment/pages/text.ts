import type { Locale } from '../../../../src/kernel/locale.ts'
import { awaitingEn, awaitingEs } from './text.awaiting.ts'
import { en } from './text.en.ts'
import { es } from './text.es.ts'
import { receiptEn, receiptEs } from './text.receipt.ts'
import { rowsEn, rowsEs } from './text.rows.ts'

const spanish = { ...es, rows: rowsEs, awaiting: awaitingEs, receipt: receiptEs }

export type Text = typeof spanish

/** Every word a buyer reads. */
export const text: Readonly<Record<Locale, Text>> = {
  'es-MX': spanish,
  en: { ...en, rows: rowsEn, awaiting: awaitingEn, receipt: receiptEn },
}
