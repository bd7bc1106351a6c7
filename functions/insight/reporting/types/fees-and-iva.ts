import { booked, journalColumns, type ReportType } from './type.ts'

export const feesAndIva: ReportType = {
  version: 1,
  en: 'What was charged for each payment and dispute, and the IVA on it.',
  es: 'Las comisiones de cada pago y disputa, y su IVA.',
  columns: [
    ...journalColumns,
    { name: 'fee', kind: 'minor', en: 'The fee before IVA.', es: 'La comisión sin IVA.' },
    { name: 'iva', kind: 'minor', en: 'The IVA on the fee.', es: 'El IVA de la comisión.' },
    { name: 'total', kind: 'minor', en: 'Both.', es: 'La suma.' },
  ],
  sums: 'total',
  accounts: ['fee_expense', 'iva_on_fees'],
  rows: `select j.booked_at as at, j.id, j.booked_at, j.id as journal_id, j.source_type, j.source_id, j.entry_kind,
    j.currency, coalesce(p.fee, 0) as fee, coalesce(p.iva, 0) as iva, p.total
  from ledger_journals j cross join lateral (
    select sum(p.amount_minor) filter (where p.account_code = 'fee_expense')::bigint as fee,
      sum(p.amount_minor) filter (where p.account_code = 'iva_on_fees')::bigint as iva,
      sum(p.amount_minor)::bigint as total
    from ledger_postings p where p.tenant_id = j.tenant_id and p.journal_id = j.id
      and p.account_code in ('fee_expense', 'iva_on_fees')) p
  where ${booked} and p.total is not null
  order by j.booked_at, j.id limit $6::int`,
}
