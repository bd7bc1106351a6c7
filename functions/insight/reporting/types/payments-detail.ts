import {
  booked,
  bookedAt,
  collectedCells,
  collectedColumns,
  currencyColumn,
  emailIf,
  type ReportType,
} from './type.ts'

const given = `(select k.email from payment_contacts k where k.tenant_id = p.tenant_id and k.payment_id = p.id
      order by k.created_at desc limit 1)`

export const paymentsDetail: ReportType = {
  version: 3,
  en: 'Every payment that was captured, with its fees.',
  es: 'Cada pago cobrado, con sus comisiones.',
  columns: [
    bookedAt,
    { name: 'payment_id', kind: 'text', en: 'The payment.', es: 'El pago.' },
    { name: 'client_reference_id', kind: 'text', en: 'Your own name for it.', es: 'La referencia propia.' },
    { name: 'method', kind: 'text', en: 'How it was paid.', es: 'Cómo se pagó.' },
    { name: 'installment_months', kind: 'count', en: 'The monthly payments.', es: 'Los meses.' },
    currencyColumn,
    { name: 'gross', kind: 'minor', en: 'The captured amount.', es: 'El importe cobrado.' },
    { name: 'tip', kind: 'minor', en: 'The tip in it.', es: 'La propina incluida.' },
    { name: 'fee', kind: 'minor', en: 'The fee before IVA.', es: 'La comisión sin IVA.' },
    { name: 'iva', kind: 'minor', en: 'The IVA on the fee.', es: 'El IVA de la comisión.' },
    { name: 'net', kind: 'minor', en: 'The captured amount less fee and IVA.', es: 'El neto.' },
    ...collectedColumns,
    {
      name: 'buyer_email',
      kind: 'text',
      since: 3,
      isPersonal: true,
      en: 'The address that the buyer gave for mails, else that of the customer now; empty where the customer is blocked or erased.',
      es: 'El correo que dio el comprador para avisos, o el del cliente ahora; vacío si el cliente está bloqueado o se borró.',
    },
  ],
  sums: 'gross',
  // What was captured is on no account by itself: it is spread over three.
  accounts: [],
  also: 'timeZone',
  rows: `select j.booked_at as at, j.id, j.booked_at, p.id as payment_id, p.client_reference_id, p.method,
    p.installment_months, j.currency, p.amount_captured_minor as gross, least(p.tip_amount_minor, p.amount_captured_minor) as tip,
    p.fee_processing_minor + p.fee_installments_minor as fee, p.fee_iva_minor as iva, p.net_minor as net,
    ${collectedCells},
    ${emailIf('$8', 'p.customer_id', given)} as buyer_email
  from ledger_journals j join payments p on p.tenant_id = j.tenant_id and p.id = j.source_id
  where ${booked} and j.source_type = 'payment' and j.entry_kind = 'capture'
  order by j.booked_at, j.id limit $6::int`,
}
