import { journalColumns, type ReportType, rowsOfAccount } from './type.ts'

export const disputes: ReportType = {
  version: 1,
  en: 'Every amount that disputes held, released or lost.',
  es: 'Cada importe que las disputas retuvieron, liberaron o perdieron.',
  columns: [
    ...journalColumns,
    { name: 'held', kind: 'minor', en: 'What it held or let go.', es: 'Lo que retuvo o liberó.' },
  ],
  sums: 'held',
  accounts: ['dispute_hold'],
  rows: rowsOfAccount('dispute_hold'),
}
