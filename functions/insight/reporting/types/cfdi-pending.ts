import { booked, bookedAt, currencyColumn, formColumn, personIf, type ReportType } from './type.ts'

export const cfdiPending: ReportType = {
  version: 1,
  en: 'Every payment that was captured and, when the run was made, was in no CFDI that you recorded.',
  es: 'Cada pago cobrado que, al pedir el reporte, no estaba en un CFDI que hayas registrado.',
  columns: [
    bookedAt,
    { name: 'payment_id', kind: 'text', en: 'The payment.', es: 'El pago.' },
    { name: 'client_reference_id', kind: 'text', en: 'Your own name for it.', es: 'La referencia propia.' },
    formColumn,
    currencyColumn,
    { name: 'amount', kind: 'minor', en: 'What was captured.', es: 'Lo cobrado.' },
    {
      name: 'refunded',
      kind: 'minor',
      en: 'What was refunded of it, until the row is read.',
      es: 'Lo reembolsado, hasta que se lee el renglón.',
    },
    {
      name: 'iva',
      kind: 'minor',
      en: 'The IVA of its lines; empty where it is not known, or not all was captured.',
      es: 'El IVA de sus conceptos; vacío donde no se conoce, o donde no se cobró todo.',
    },
    {
      name: 'invoice_wanted',
      kind: 'text',
      en: '`yes` where the buyer gave the data of a CFDI, else `no`.',
      es: '`yes` si el comprador dio sus datos para un CFDI, si no `no`.',
    },
    {
      name: 'rfc',
      kind: 'text',
      isPersonal: true,
      en: 'The RFC that the buyer gave; empty where the customer is blocked or erased.',
      es: 'El RFC que dio el comprador; vacío si el cliente está bloqueado o se borró.',
    },
  ],
  sums: 'amount',
  // What was captured is on no account by itself: it is spread over three.
  accounts: [],
  rows: `select j.booked_at as at, j.id, j.booked_at, p.id as payment_id, p.client_reference_id,
    concat_ws(' ', p.method, p.method_details->>'funding') as form, j.currency, p.amount_captured_minor as amount,
    p.amount_refunded_minor as refunded, t.iva, case when d.given is null then 'no' else 'yes' end as invoice_wanted,
    ${personIf('$7', 'p.customer_id', `d.given->>'rfc'`, 'coalesce(d.email, c.email)')} as rfc
  from ledger_journals j join payments p on p.tenant_id = j.tenant_id and p.id = j.source_id
  cross join lateral (select sum(x.iva)::bigint as iva from jsonb_to_recordset(p.taxes) x (iva bigint)
    where p.amount_captured_minor = p.amount_minor) t
  left join lateral (select case when jsonb_typeof(b.details->'tax_data') = 'object' then b.details->'tax_data' end as given,
      b.email from buyer_details b where b.tenant_id = p.tenant_id and b.payment_id = p.id
    order by b.created_at desc, b.id desc limit 1) d on true
  where ${booked} and j.source_type = 'payment' and j.entry_kind = 'capture'
    and not exists (select from payment_invoices i where i.tenant_id = j.tenant_id and i.payment_id = p.id
      and i.recorded_order < $3::bigint and (i.ended_order is null or i.ended_order >= $3::bigint))
  order by j.booked_at, j.id limit $6::int`,
}
