import {
  booked,
  bookedAt,
  collectedCells,
  collectedColumns,
  currencyColumn,
  type ReportType,
} from './type.ts'

export const paymentsDetail: ReportType = {
  version: 2,
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
  ],
  sums: 'gross',
  // What was captured is on no account by itself: it is spread over three.
  accounts: [],
  also: 'timeZone',
  rows: `select j.booked_at as at, j.id, j.booked_at, p.id as payment_id, p.client_reference_id, p.method,
    p.installment_months, j.currency, p.amount_captured_minor as gross, least(p.tip_amount_minor, p.amount_captured_minor) as tip,
    p.fee_processing_minor + p.fee_installments_minor as fee, p.fee_iva_minor as iva, p.net_minor as net,
    ${collectedCells}
  from ledger_journals j join payments p on p.tenant_id = j.tenant_id and p.id = j.source_id
  where ${booked} and j.source_type = 'payment' and j.entry_kind = 'capture'
  order by j.booked_at, j.id limit $6::int`,
}
