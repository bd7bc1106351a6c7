import { journalColumns, type ReportType, rowsOfAccount } from './type.ts'

export const balanceActivity: ReportType = {
  version: 1,
  en: 'Every movement of the available balance, payouts too.',
  es: 'Cada movimiento del saldo disponible, también los retiros.',
  columns: [
    ...journalColumns,
    { name: 'amount', kind: 'minor', en: 'What it added or took.', es: 'Lo que sumó o restó.' },
  ],
  sums: 'amount',
  accounts: ['merchant_available'],
  rows: rowsOfAccount('merchant_available'),
}
