import { bookedAt, currencyColumn, journalsOfPage, type ReportType } from './type.ts'

export const poliza: ReportType = {
  version: 2,
  en: 'Every posting of the ledger as debit or credit, from your side of it: each journal comes to zero.',
  es: 'Cada movimiento del libro como cargo o abono, visto desde tu negocio: cada póliza suma cero.',
  columns: [
    bookedAt,
    { name: 'journal_id', kind: 'text', en: 'The journal.', es: 'La póliza.' },
    { name: 'line', kind: 'count', en: 'The line in it.', es: 'El renglón en ella.' },
    {
      name: 'source_type',
      kind: 'text',
      en: 'The kind of the resource that it is about.',
      es: 'El tipo del recurso de que se trata.',
    },
    { name: 'source_id', kind: 'text', en: 'The id of that resource.', es: 'El id de ese recurso.' },
    { name: 'entry_kind', kind: 'text', en: 'What happened to it.', es: 'Qué le pasó.' },
    { name: 'account', kind: 'text', en: 'The account.', es: 'La cuenta.' },
    currencyColumn,
    { name: 'debit', kind: 'minor', en: 'What was added to the account.', es: 'El cargo.' },
    { name: 'credit', kind: 'minor', en: 'What was taken from it.', es: 'El abono.' },
    { name: 'amount', kind: 'minor', en: 'Debit less credit.', es: 'El cargo menos el abono.' },
    {
      name: 'account_number',
      kind: 'text',
      since: 2,
      en: 'Your own number of the account, as your mapping had it when the run was made; empty where it had none.',
      es: 'El número de tu propia cuenta, como estaba cuando se pidió el reporte; vacío donde no había.',
    },
  ],
  sums: 'amount',
  // All accounts together: they come to nothing.
  accounts: [],
  also: 'mappingId',
  rows: `select r.* from (
    select j.booked_at as at, md5(concat_ws(' ', j.id, p.line))::uuid as id, j.booked_at, j.id as journal_id, p.line,
      j.source_type, j.source_id, j.entry_kind, p.account_code as account, p.currency,
      greatest(p.amount_minor, 0) as debit, greatest(-p.amount_minor, 0) as credit, p.amount_minor as amount,
      coalesce(m.accounts->>(c.code || ' ' || j.entry_kind), m.accounts->>c.code) as account_number
    from ${journalsOfPage()} j
    cross join lateral (select p.* from ledger_postings p
      where p.tenant_id = j.tenant_id and p.journal_id = j.id offset 0) p
    cross join lateral (
      select case when p.account_code like 'waiter:%' then 'waiter' else p.account_code end as code) c
    left join report_account_mappings m on m.tenant_id = j.tenant_id and m.id = $7::uuid) r
  where $4::timestamptz is null or (r.at, r.id) > ($4::timestamptz, $5::uuid)
  order by r.at, r.id limit $6::int`,
}
