import { emailIf, mixBy, mixColumns, type ReportType } from './type.ts'

export const customers: ReportType = {
  version: 2,
  en: 'What each customer paid, and what it cost; a row without a customer has all others.',
  es: 'Lo que pagó cada cliente, y lo que costó; el renglón sin cliente tiene a todos los demás.',
  columns: [
    {
      name: 'customer_id',
      kind: 'text',
      en: 'The customer of the payments, as it was recorded: what people merge later changes no row.',
      es: 'El cliente de los pagos, como se registró: lo que se fusione después no cambia ningún renglón.',
    },
    ...mixColumns,
    {
      name: 'customer_email',
      kind: 'text',
      since: 2,
      isPersonal: true,
      en: 'The address of the customer now; empty where it is blocked or erased.',
      es: 'El correo del cliente ahora; vacío si está bloqueado o se borró.',
    },
  ],
  sums: 'gross',
  accounts: [],
  rows: mixBy('p.customer_id', 'true', `, ${emailIf('$7', 'g.part')} as customer_email`),
}
