import { bookedAt, currencyColumn, journalColumns, type ReportType } from './type.ts'

const [, ...aboutJournal] = journalColumns.filter((column) => column !== currencyColumn)

export const payoutReconciliation: ReportType = {
  version: 2,
  en: 'Every deposit in your bank that we made, with each sale, fee, refund and dispute under it. Where your processor pays out it is empty: the entries of its payouts say it.',
  es: 'Cada depósito nuestro en tu banco, con las ventas, comisiones, reembolsos y disputas que lo forman. Si te paga tu procesador está vacío: lo dicen los movimientos de sus retiros.',
  columns: [
    bookedAt,
    { name: 'payout_id', kind: 'text', en: 'The payout.', es: 'El retiro.' },
    {
      name: 'clave_rastreo',
      kind: 'text',
      en: 'The trace of the transfer, as your bank shows it; empty until the bank reports it.',
      es: 'La clave de rastreo, como la muestra tu banco; vacía mientras el banco no la da.',
    },
    ...aboutJournal,
    currencyColumn,
    {
      name: 'gross',
      kind: 'minor',
      en: 'Of a sale: the captured amount.',
      es: 'De una venta: el importe cobrado.',
    },
    {
      name: 'fee',
      kind: 'minor',
      en: 'Of a sale: the fee before IVA.',
      es: 'De una venta: la comisión sin IVA.',
    },
    {
      name: 'iva',
      kind: 'minor',
      en: 'Of a sale: the IVA on the fee.',
      es: 'De una venta: el IVA de la comisión.',
    },
    {
      name: 'amount',
      kind: 'minor',
      en: 'What it added to the payout or took from it. The amounts of a payout sum to its deposit.',
      es: 'Lo que sumó o restó al retiro. Los importes de un retiro suman su depósito.',
    },
    {
      name: 'payout_status',
      kind: 'text',
      since: 2,
      en: 'What had become of the payout when the run was made: `paid`, `failed`, `canceled` or `returned`; empty while it was under way. Only one that is `paid` is a deposit.',
      es: 'Qué había sido del retiro cuando se pidió el reporte: `paid`, `failed`, `canceled` o `returned`; vacío si aún iba en camino. Solo uno que es `paid` es un depósito.',
    },
  ],
  sums: 'amount',
  // A payout takes what became available on days before it: the rows are of its day, the movements of theirs.
  accounts: [],
  also: 'payoutId',
  rows: `select j.booked_at as at, a.id, j.booked_at, o.id as payout_id, o.clave_rastreo, a.id as journal_id, a.source_type,
    a.source_id, a.entry_kind, a.currency, p.amount_captured_minor as gross,
    p.fee_processing_minor + p.fee_installments_minor as fee, p.fee_iva_minor as iva, a.amount_minor as amount, e.status
  from ledger_journals j
  join payouts o on o.tenant_id = j.tenant_id and o.id = j.source_id
  join balance_activity a on a.tenant_id = o.tenant_id and a.payout_id = o.id
  left join lateral (
    select case e.entry_kind when 'payout_paid' then 'paid' else o.status end as status from ledger_journals e
    where e.tenant_id = o.tenant_id and e.source_type = 'payout' and e.source_id = o.id
      and e.entry_kind in ('payout_paid', 'payout_reversed', 'payout_returned') and e.commit_order < $3::bigint
    order by e.commit_order desc, e.entry_kind desc limit 1) e on true
  left join payments p on p.tenant_id = a.tenant_id and p.id = a.source_id and a.source_type = 'payment'
    and a.entry_kind = 'release'
  where j.tenant_id = (select door.pinned_tenant()) and j.source_type = 'payout' and j.entry_kind = 'payout'
    and j.booked_at >= $1::timestamptz and j.booked_at < $2::timestamptz and j.commit_order < $3::bigint
    and ($7::uuid is null or o.id = $7::uuid)
    and ($4::timestamptz is null or (j.booked_at, a.id) > ($4::timestamptz, $5::uuid))
  order by j.booked_at, a.id limit $6::int`,
}
