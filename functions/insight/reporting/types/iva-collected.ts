import {
  bookedAt,
  collectedCells,
  collectedColumns,
  currencyColumn,
  formColumn,
  journalsOfPage,
  type ReportType,
} from './type.ts'

export const ivaCollected: ReportType = {
  version: 2,
  en: 'What was collected by rate of IVA, without tips: a row for each payment and rate. Refunds are in their own report.',
  es: 'Lo cobrado por tasa de IVA, sin propinas: un renglón por pago y tasa. Los reembolsos están en su propio reporte.',
  columns: [
    bookedAt,
    { name: 'payment_id', kind: 'text', en: 'The payment.', es: 'El pago.' },
    { name: 'client_reference_id', kind: 'text', en: 'Your own name for it.', es: 'La referencia propia.' },
    formColumn,
    currencyColumn,
    {
      name: 'iva_rate',
      kind: 'text',
      en: 'The rate; empty where the rates of a payment are not known, or not all of it was captured.',
      es: 'La tasa; vacía donde no se conoce, o donde no se cobró todo.',
    },
    { name: 'base', kind: 'minor', en: 'What the IVA is on.', es: 'La base.' },
    { name: 'iva', kind: 'minor', en: 'The IVA.', es: 'El IVA.' },
    { name: 'total', kind: 'minor', en: 'Both.', es: 'La suma.' },
    ...collectedColumns,
  ],
  sums: 'total',
  // What was captured is on no account by itself: it is spread over three.
  accounts: [],
  also: 'timeZone',
  rows: `select r.* from (
    select j.booked_at as at, md5(concat_ws(' ', j.id, t.iva_rate))::uuid as id, j.booked_at, p.id as payment_id,
      p.client_reference_id, concat_ws(' ', p.method, p.method_details->>'funding') as form, j.currency, t.iva_rate, t.base, t.iva,
      coalesce(t.base + t.iva, p.amount_captured_minor - least(p.tip_amount_minor, p.amount_captured_minor)) as total,
      ${collectedCells}
    from ${journalsOfPage(`j.source_type = 'payment' and j.entry_kind = 'capture'`)} j
    cross join lateral (select p.* from payments p where p.tenant_id = j.tenant_id and p.id = j.source_id offset 0) p
    left join lateral jsonb_to_recordset(p.taxes) t (iva_rate text, base bigint, iva bigint)
      on p.amount_captured_minor = p.amount_minor) r
  where $4::timestamptz is null or (r.at, r.id) > ($4::timestamptz, $5::uuid)
  order by r.at, r.id limit $6::int`,
}
