import { mixBy, mixColumns, type ReportType } from './type.ts'

export const customers: ReportType = {
  version: 1,
  en: 'What each customer paid, and what it cost; a row without a customer has all others.',
  es: 'Lo que pagó cada cliente, y lo que costó; el renglón sin cliente tiene a todos los demás.',
  columns: [
    {
      name: 'customer_id',
      kind: 'text',
      en: 'The customer; a merged one is its survivor of now.',
      es: 'El cliente; uno fusionado es el que ahora queda.',
    },
    ...mixColumns,
  ],
  sums: 'gross',
  accounts: [],
  rows: mixBy('door.surviving_customer(p.customer_id)'),
}
