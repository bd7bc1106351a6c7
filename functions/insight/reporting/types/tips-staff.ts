import { booked, journalColumns, type ReportType } from './type.ts'

export const tipsStaff: ReportType = {
  version: 1,
  en: 'Every tip that a waiter is owed, what refunds took back of it, and what was paid out.',
  es: 'Cada propina que se debe a un mesero, lo que le quitaron los reembolsos y lo que se le pagó.',
  columns: [
    ...journalColumns,
    { name: 'waiter_id', kind: 'text', en: 'The waiter.', es: 'El mesero.' },
    { name: 'waiter_name', kind: 'text', en: 'Their name now.', es: 'Su nombre de ahora.' },
    {
      name: 'payroll_reference',
      kind: 'text',
      en: 'What your payroll calls them.',
      es: 'Su clave en la nómina.',
    },
    {
      name: 'owed',
      kind: 'minor',
      en: 'What it added to what they are owed, or took from it.',
      es: 'Lo que sumó o restó a lo que se le debe.',
    },
  ],
  sums: 'owed',
  // Each waiter has an account of their own: the sum of all is the opposite of `tips_owed`.
  accounts: [],
  rows: `select j.booked_at as at, j.id, j.booked_at, j.id as journal_id, j.source_type, j.source_id, j.entry_kind,
    j.currency, w.id as waiter_id, w.name as waiter_name, w.payroll_reference, p.amount_minor as owed
  from ledger_journals j
  join ledger_postings p on p.tenant_id = j.tenant_id and p.journal_id = j.id and p.account_code like 'waiter:%'
  join waiters w on w.tenant_id = j.tenant_id and w.id = substr(p.account_code, 8)::uuid
  where ${booked} and j.source_type in ('tip', 'tip_payout')
  order by j.booked_at, j.id limit $6::int`,
}
