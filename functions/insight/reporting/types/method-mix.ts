import { mixBy, mixColumns, type ReportType } from './type.ts'

export const methodMix: ReportType = {
  version: 1,
  en: 'What was captured by each method, and what it cost.',
  es: 'Lo cobrado con cada método, y lo que costó.',
  columns: [{ name: 'method', kind: 'text', en: 'How it was paid.', es: 'Cómo se pagó.' }, ...mixColumns],
  sums: 'gross',
  accounts: [],
  rows: mixBy('p.method'),
}
