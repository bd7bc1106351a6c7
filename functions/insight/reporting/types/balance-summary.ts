import { currencyColumn, type ReportType } from './type.ts'

export const balanceSummary: ReportType = {
  version: 1,
  en: 'What moved the available balance, summed by what happened.',
  es: 'Lo que movió el saldo disponible, sumado por lo que pasó.',
  columns: [
    {
      name: 'source_type',
      kind: 'text',
      en: 'The kind of the resources that it is about.',
      es: 'El tipo de los recursos de que se trata.',
    },
    { name: 'entry_kind', kind: 'text', en: 'What happened to them.', es: 'Qué les pasó.' },
    currencyColumn,
    { name: 'movements_count', kind: 'count', en: 'How many movements.', es: 'Cuántos movimientos.' },
    { name: 'amount', kind: 'minor', en: 'What they added or took.', es: 'Lo que sumaron o restaron.' },
  ],
  sums: 'amount',
  accounts: ['merchant_available'],
  rows: `select g.* from (
    select $1::timestamptz as at, md5(concat_ws(' ', j.source_type, j.entry_kind, j.currency))::uuid as id,
      j.source_type, j.entry_kind, j.currency, count(distinct j.id)::int as movements_count,
      sum(p.amount_minor)::bigint as amount
    from ledger_journals j join ledger_postings p on p.tenant_id = j.tenant_id and p.journal_id = j.id
    where j.tenant_id = (select door.pinned_tenant()) and p.account_code = 'merchant_available'
      and j.booked_at >= $1::timestamptz and j.booked_at < $2::timestamptz and j.commit_order < $3::bigint
    group by j.source_type, j.entry_kind, j.currency) g
  where $4::timestamptz is null or (g.at, g.id) > ($4::timestamptz, $5::uuid)
  order by g.at, g.id limit $6::int`,
}
