import { booked, journalColumns, type ReportType } from './type.ts'

export const balanceActivity: ReportType = {
  version: 1,
  en: 'Every movement of the available balance, payouts too.',
  es: 'Cada movimiento del saldo disponible, también los retiros.',
  columns: [
    ...journalColumns,
    { name: 'amount', kind: 'minor', en: 'What it added or took.', es: 'Lo que sumó o restó.' },
  ],
  sums: 'amount',
  accounts: ['merchant_available'],
  rows: `select j.booked_at as at, j.id, j.booked_at, j.id as journal_id, j.source_type, j.source_id, j.entry_kind,
    j.currency, p.amount
  from ledger_journals j cross join lateral (
    select sum(p.amount_minor)::bigint as amount from ledger_postings p
    where p.tenant_id = j.tenant_id and p.journal_id = j.id and p.account_code = 'merchant_available') p
  where ${booked} and p.amount is not null
  order by j.booked_at, j.id limit $6::int`,
}
