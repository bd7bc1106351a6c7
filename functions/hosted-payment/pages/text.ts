import type { Locale } from '../../../src/kernel/locale.ts'
import { en } from './text.en.ts'
import { es, type Text } from './text.es.ts'

export type { Text }

/** Every word a buyer reads. */
export const text: Readonly<Record<Locale, Text>> = { 'es-MX': es, en }
