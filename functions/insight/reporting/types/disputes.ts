import { balanceColumn, journalColumns, type ReportType, rowsOfSource } from './type.ts'

export const disputes: ReportType = {
  version: 2,
  en: 'Every amount that disputes held, released, lost or gave back. Their fees are in `fees_and_iva`.',
  es: 'Cada importe que las disputas retuvieron, liberaron, perdieron o devolvieron. Sus comisiones están en `fees_and_iva`.',
  columns: [
    ...journalColumns,
    { name: 'held', kind: 'minor', en: 'What it held or let go.', es: 'Lo que retuvo o liberó.' },
    balanceColumn,
  ],
  sums: 'held',
  accounts: ['dispute_hold'],
  also: 'typeVersion',
  rows: rowsOfSource('dispute', 'dispute_hold'),
}
