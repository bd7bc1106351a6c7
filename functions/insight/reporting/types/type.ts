import { isMethod, transferMethod } from '../../../../src/kernel/payment-methods.ts'
import { satFormBy } from '../../../money/payments/api-pure.ts'

/** How a cell is written: `minor` is an amount in minor units, which a file may show in decimals. */
export type CellKind = 'minor' | 'text' | 'time' | 'count'

export interface Column {
  readonly name: string
  readonly kind: CellKind
  readonly en: string
  readonly es: string
  /** An address of a person: it is shown only where a run names it, and the key may read customers. */
  readonly isPersonal?: true
  /** The version that added it: a run of an earlier one does not show it. */
  readonly since?: number
  /** What a cell that the query found is shown as; as it is where this is left out. */
  readonly as?: (cell: string | null) => string | null
}

/** A report: what it shows, and the query that finds its rows. */
export interface ReportType {
  /** Grows when a column is added, removed or means something else. */
  readonly version: number
  readonly en: string
  readonly es: string
  readonly columns: readonly Column[]
  /** The column whose sum is what the accounts moved by. */
  readonly sums: string
  /** The accounts of the ledger whose movement its rows are; empty where there is none. */
  readonly accounts: readonly string[]
  /** What of the run its rows need beside: $7. */
  readonly also?: 'payoutId' | 'mappingId' | 'timeZone' | 'typeVersion'
  /**
   * SQL of its rows in their order: `at` and `id`, which no two rows share, then its columns. $1 and $2 are the period, $3
   * the number that all shown transactions lie below, $4 and $5 the row before, $6 how many. Where a column is an address
   * of a person, the last one says whether a run shows it.
   */
  readonly rows: string
}

/** The journals of a period behind a row, as `j`, each with what it posted to accounts. */
export const booked = `j.tenant_id = (select door.pinned_tenant())
  and j.booked_at >= $1::timestamptz and j.booked_at < $2::timestamptz and j.commit_order < $3::bigint
  and ($4::timestamptz is null or (j.booked_at, j.id) > ($4::timestamptz, $5::uuid))`

/**
 * Enough journals of a period behind a row, as `j`, for a page whose rows are lines of them, in an order of their own within one
 * time: those of the row's time, which may all have been shown, and as many as the page has rows, with all of the last time.
 */
export const journalsOfPage = (only = 'true') => `(select j.* from ledger_journals j
    where j.tenant_id = (select door.pinned_tenant()) and ${only}
      and j.booked_at >= $1::timestamptz and j.booked_at < $2::timestamptz and j.commit_order < $3::bigint
      and ($4::timestamptz is null or j.booked_at >= $4::timestamptz)
    order by j.booked_at
    fetch first ($6::int + (select count(*) from ledger_journals j
      where j.tenant_id = (select door.pinned_tenant()) and j.booked_at = $4::timestamptz)) rows with ties)`

export const bookedAt: Column = {
  name: 'booked_at',
  kind: 'time',
  en: 'When it was booked.',
  es: 'Cuándo se registró.',
}
export const currencyColumn: Column = {
  name: 'currency',
  kind: 'text',
  en: 'The currency.',
  es: 'La moneda.',
}
/** `card credit` as the code of a form of payment. */
function formOf(cell: string | null): string | null {
  const [method = '', funding = ''] = cell?.split(' ') ?? []
  return isMethod(method) ? satFormBy(method, funding) : null
}

/** Of a cell with the method of a payment and what its card draws on. */
export const formColumn: Column = {
  name: 'sat_payment_form',
  kind: 'text',
  en: 'How it was paid, as a CFDI says it.',
  es: 'La forma de pago, como la dice un CFDI.',
  as: formOf,
}
export const journalColumns: readonly Column[] = [
  bookedAt,
  { name: 'journal_id', kind: 'text', en: 'The journal.', es: 'La póliza.' },
  {
    name: 'source_type',
    kind: 'text',
    en: 'The kind of the resource that it is about.',
    es: 'El tipo del recurso de que se trata.',
  },
  { name: 'source_id', kind: 'text', en: 'The id of that resource.', es: 'El id de ese recurso.' },
  { name: 'entry_kind', kind: 'text', en: 'What happened to it.', es: 'Qué le pasó.' },
  currencyColumn,
]

/** The rows of one account: each journal that posts to it, with the sum of these postings. */
export const rowsOfAccount = (
  account: string,
) => `select j.booked_at as at, j.id, j.booked_at, j.id as journal_id,
    j.source_type, j.source_id, j.entry_kind, j.currency, p.amount
  from ledger_journals j cross join lateral (
    select sum(p.amount_minor)::bigint as amount from ledger_postings p
    where p.tenant_id = j.tenant_id and p.journal_id = j.id and p.account_code = '${account}') p
  where ${booked} and p.amount is not null
  order by j.booked_at, j.id limit $6::int`

export const balanceColumn: Column = {
  name: 'balance',
  kind: 'minor',
  since: 2,
  en: 'What it took from your balance or from unapplied funds, below zero, or gave back.',
  es: 'Lo que quitó al saldo o a los fondos sin aplicar, bajo cero, o devolvió.',
}

/**
 * The rows of one kind of resource: each of its journals but those of a fee, with what it posted to an account and to what the
 * merchant has. Version 1 had those alone that post to the account.
 */
export const rowsOfSource = (
  source: string,
  account: string,
) => `select j.booked_at as at, j.id, j.booked_at, j.id as journal_id,
    j.source_type, j.source_id, j.entry_kind, j.currency, coalesce(p.amount, 0) as amount, coalesce(p.balance, 0) as balance
  from ledger_journals j cross join lateral (
    select sum(p.amount_minor) filter (where p.account_code = '${account}')::bigint as amount,
      sum(p.amount_minor) filter (where p.account_code in ('merchant_available', 'unapplied_funds'))::bigint as balance
    from ledger_postings p where p.tenant_id = j.tenant_id and p.journal_id = j.id) p
  where ${booked} and j.source_type = '${source}' and j.entry_kind not in ('fee', 'fee_returned')
    and ($7::int > 1 or p.amount is not null)
  order by j.booked_at, j.id limit $6::int`

/** The addresses of customers that are blocked, as one whose erasure is asked for is, and of all that became part of them. */
const withheld = `(select array_agg(e) from customers b,
    unnest(door.emails_of(b.tenant_id, array(select door.customers_within(b.id)))) e
  where b.tenant_id = (select door.pinned_tenant()) and b.status = 'blocked')`

/**
 * What says who a buyer is, who is also found by `address`, as `c` has it of the customer: only where it is asked for, and
 * nothing of a customer that is blocked or erased, nor of an address of one that is blocked.
 */
export const personIf = (
  asked: string,
  customer: string,
  shown: string,
  address: string,
) => `case when ${asked}::boolean then (
    select a.shown from (select ${shown} as shown, ${address} as address from (select 1) o
      left join customers c on c.tenant_id = (select door.pinned_tenant()) and c.id = door.surviving_customer(${customer})
      where coalesce(c.status, 'active') = 'active') a
    where coalesce(lower(a.address) <> all (coalesce(${withheld}, '{}')), true)) end`

/** The address of a customer, or the one that `given` finds before it. */
export const emailIf = (asked: string, customer: string, given = 'null') =>
  personIf(asked, customer, `coalesce(${given}, c.email)`, `coalesce(${given}, c.email)`)

/** When the buyer paid, and when the merchant has it. */
export const collectedColumns: readonly Column[] = [
  {
    name: 'collected_on',
    kind: 'text',
    since: 2,
    en: 'The day on which the buyer paid. By SPEI it is the bank’s; of a voucher the one on which we learned of the cash.',
    es: 'El día en que pagó el comprador. Por SPEI es el del banco; de un vale, el día en que supimos del efectivo.',
  },
  {
    name: 'available_on',
    kind: 'text',
    since: 2,
    en: 'The day on which it is settled: the first on which its net is available.',
    es: 'El día en que se liquida: el primero en que el neto está disponible.',
  },
]

/**
 * The same of a payment `p` whose capture is the journal `j`, in the zone of the run. Only transfers to the CLABE of the
 * captured attempt count, without what was set apart since; where other funds were applied, the merchant made it complete.
 */
export const collectedCells = `coalesce(case when p.method = '${transferMethod}' then (select max(d.operated_on)
      from payment_attempts a
      join clabes l on l.tenant_id = a.tenant_id and l.payment_id = a.payment_id and l.attempt_id = a.id
      join spei_deposits d on d.tenant_id = a.tenant_id and d.payment_id = a.payment_id and d.clabe = l.clabe
      where a.tenant_id = p.tenant_id and a.payment_id = p.id and a.status = 'captured'
        and d.applied_minor > (select coalesce(sum(u.amount_minor), 0) from unapplied_funds u
          where u.tenant_id = d.tenant_id and u.payment_id = d.payment_id and u.deposit_id = d.id and u.movement_id is not null)
        and not exists (select from unapplied_funds_applications f
          where f.tenant_id = a.tenant_id and f.attempt_id = a.id)) end,
    (j.booked_at at time zone $7::text)::date) as collected_on, p.available_on`

export const mixColumns: readonly Column[] = [
  currencyColumn,
  { name: 'payments_count', kind: 'count', en: 'How many payments.', es: 'Cuántos pagos.' },
  { name: 'gross', kind: 'minor', en: 'The captured amounts.', es: 'Los importes cobrados.' },
  { name: 'fee', kind: 'minor', en: 'The fees before IVA.', es: 'Las comisiones sin IVA.' },
  { name: 'iva', kind: 'minor', en: 'The IVA on the fees.', es: 'El IVA de las comisiones.' },
  { name: 'net', kind: 'minor', en: 'The captured amounts less fees and IVA.', es: 'El neto.' },
]

/** The rows of what was captured, summed by a column of the payment and by currency; `more` is what is found of such a row `g`. */
export const mixBy = (column: string, only = 'true', more = '') => `select g.*${more} from (
    select $1::timestamptz as at, md5(concat_ws(' ', ${column}, j.currency))::uuid as id, ${column} as part, j.currency,
      count(*)::int as payments_count, sum(p.amount_captured_minor)::bigint as gross,
      sum(p.fee_processing_minor + p.fee_installments_minor)::bigint as fee, sum(p.fee_iva_minor)::bigint as iva,
      sum(p.net_minor)::bigint as net
    from ledger_journals j join payments p on p.tenant_id = j.tenant_id and p.id = j.source_id
    where j.tenant_id = (select door.pinned_tenant()) and j.source_type = 'payment' and j.entry_kind = 'capture'
      and j.booked_at >= $1::timestamptz and j.booked_at < $2::timestamptz and j.commit_order < $3::bigint and ${only}
    group by ${column}, j.currency) g
  where $4::timestamptz is null or (g.at, g.id) > ($4::timestamptz, $5::uuid)
  order by g.at, g.id limit $6::int`
