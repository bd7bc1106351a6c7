import { journalColumns, type ReportType, rowsOfAccount } from './type.ts'

export const unappliedFunds: ReportType = {
  version: 1,
  en: 'Every amount that arrived without a payment to count for, and where it went.',
  es: 'Cada importe que llegó sin pago al que aplicarse, y adónde fue.',
  columns: [
    ...journalColumns,
    { name: 'amount', kind: 'minor', en: 'What came in or went out.', es: 'Lo que entró o salió.' },
  ],
  sums: 'amount',
  accounts: ['unapplied_funds'],
  rows: rowsOfAccount('unapplied_funds'),
}
