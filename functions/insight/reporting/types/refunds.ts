import { balanceColumn, journalColumns, type ReportType, rowsOfSource } from './type.ts'

export const refunds: ReportType = {
  version: 2,
  en: 'Every refund that left, arrived, failed or came back.',
  es: 'Cada reembolso que salió, llegó, falló o regresó.',
  columns: [
    ...journalColumns,
    {
      name: 'in_flight',
      kind: 'minor',
      en: 'What it added to the refunds on their way, or took from them.',
      es: 'Lo que sumó o restó a los reembolsos en camino.',
    },
    balanceColumn,
  ],
  sums: 'in_flight',
  accounts: ['refunds_in_flight'],
  also: 'typeVersion',
  rows: rowsOfSource('refund', 'refunds_in_flight'),
}
