import { mixBy, mixColumns, type ReportType } from './type.ts'

export const msiTerms: ReportType = {
  version: 1,
  en: 'What was captured by card in each term of installments, and what it cost.',
  es: 'Lo cobrado con tarjeta en cada plazo de meses, y lo que costó.',
  columns: [
    { name: 'installment_months', kind: 'count', en: 'The monthly payments.', es: 'Los meses.' },
    ...mixColumns,
  ],
  sums: 'gross',
  accounts: [],
  rows: mixBy('p.installment_months', `p.method_details ? 'bin6'`),
}
