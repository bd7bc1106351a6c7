import { adminSql, stack, trigger } from './stack.ts'

export type Charge = { reference: string; state: string; amount_minor: string; token: string }

/** What the simulated processor holds for a link, also of payers of whom we kept no record. */
export const chargesOf = (publicId: string): Promise<Charge[]> =>
  adminSql('sandbox')<Charge>(
    `select reference, state, amount_minor, token from simulator.charges
     where return_url like '%/' || $1 || '/%' order by created_at, reference`,
    [publicId],
  )

export type PaymentRecord = {
  id: string
  public_id: string
  status: string
  amount_minor: string
  net_minor: string
  funds_status: string
}
export type AttemptRecord = {
  id: string
  payment_id: string
  number: number
  status: string
  decline_code: string | null
  next_check_at: Date | null
}

export const paymentsOf = (tenantId: string): Promise<PaymentRecord[]> =>
  adminSql('sandbox')<PaymentRecord>(
    `select id, public_id, status, amount_minor, net_minor, funds_status from payments where tenant_id = $1
     order by created_at, id`,
    [tenantId],
  )

export const attemptsOf = (tenantId: string): Promise<AttemptRecord[]> =>
  adminSql('sandbox')<AttemptRecord>(
    `select id, payment_id, number, status, decline_code, next_check_at from payment_attempts where tenant_id = $1
     order by created_at, number`,
    [tenantId],
  )

/** How many journals of each kind there are. */
export async function journalsOf(tenantId: string): Promise<Record<string, number>> {
  const rows = await adminSql('sandbox')<{ entry_kind: string; n: number }>(
    'select entry_kind, count(*)::int n from ledger_journals where tenant_id = $1 group by 1 order by 1',
    [tenantId],
  )
  return Object.fromEntries(rows.map(({ entry_kind, n }) => [entry_kind, n]))
}

/** Balances by `currency/account`, minor units. */
export async function balancesOf(tenantId: string): Promise<Record<string, bigint>> {
  const rows = await adminSql('sandbox')<{ name: string; balance_minor: string }>(
    `select currency || '/' || code as name, balance_minor from ledger_accounts where tenant_id = $1 order by 1`,
    [tenantId],
  )
  return Object.fromEntries(rows.map(({ name, balance_minor }) => [name, BigInt(balance_minor)]))
}

const rules = `
  select 'journal does not sum to zero in one currency' as rule, journal_id::text as about from ledger_postings
    where tenant_id = $1 group by journal_id having sum(amount_minor) <> 0 or count(distinct currency) <> 1
  union all
  select 'journal without postings', j.id::text from ledger_journals j where j.tenant_id = $1 and not exists
    (select from ledger_postings p where p.tenant_id = j.tenant_id and p.journal_id = j.id)
  union all
  select 'balance is not the sum of its postings', a.currency || ' ' || a.code from ledger_accounts a
    where a.tenant_id = $1 and a.balance_minor is distinct from (select coalesce(sum(p.amount_minor), 0)
      from ledger_postings p where p.tenant_id = a.tenant_id and p.currency = a.currency and p.account_code = a.code)
  union all
  select 'pending and available are not the sum of nets', p.currency from payments p
    where p.tenant_id = $1 group by p.currency
    having sum(p.net_minor) <> (select coalesce(sum(a.balance_minor), 0) from ledger_accounts a
      where a.tenant_id = $1 and a.currency = p.currency and a.code in ('merchant_pending', 'merchant_available'))
  union all
  select 'amounts out of order', id::text from payments where tenant_id = $1 and not
    (amount_refunded_minor + amount_disputed_minor <= amount_captured_minor
     and amount_captured_minor <= amount_authorized_minor and amount_authorized_minor <= amount_minor)
  union all
  select 'fees and net are not the amount', id::text from payments where tenant_id = $1 and status = 'succeeded'
    and fee_processing_minor + fee_installments_minor + fee_iva_minor + net_minor <> amount_captured_minor
  union all
  select 'not one capture journal per succeeded payment', p.id::text from payments p where p.tenant_id = $1
    and (p.status = 'succeeded')::int <> (select count(*) from ledger_journals j
      where j.tenant_id = p.tenant_id and j.source_id = p.id and j.entry_kind = 'capture')
  union all
  select 'not one release journal per available payment', p.id::text from payments p where p.tenant_id = $1
    and (p.funds_status = 'available')::int <> (select count(*) from ledger_journals j
      where j.tenant_id = p.tenant_id and j.source_id = p.id and j.entry_kind = 'release')
  union all
  select 'not one captured attempt per succeeded payment', p.id::text from payments p where p.tenant_id = $1
    and (p.status = 'succeeded')::int <> (select count(*) from payment_attempts a
      where a.tenant_id = p.tenant_id and a.payment_id = p.id and a.status = 'captured')
  union all
  select 'captured without the same money at the processor', a.id::text from payment_attempts a
    where a.tenant_id = $1 and a.status = 'captured' and not exists (select from simulator.charges c
      where c.reference = a.id and c.state = 'captured' and c.amount_minor = a.amount_minor and c.currency = a.currency)
  union all
  select 'money at the processor that we closed our books on', a.id::text from payment_attempts a
    join simulator.charges c on c.reference = a.id and c.state = 'captured'
    where a.tenant_id = $1 and a.next_check_at is null and a.status not in ('captured', 'integrity_failure')
  union all
  select 'events with a gap', resource_id::text from events where tenant_id = $1
    group by resource_id having max(sequence) <> count(*) or min(sequence) <> 1
  union all
  select 'paid link without its one payment', l.id::text from payment_links l where l.tenant_id = $1 and l.status = 'paid'
    and (select count(*) from payments p where p.tenant_id = l.tenant_id and p.origin_id = l.id
         and p.status = 'succeeded' and p.public_id = l.checkout_session_ref) <> 1
  union all
  select 'single-use link paid twice', l.id::text from payment_links l where l.tenant_id = $1 and l.usage = 'single_use'
    and (select count(*) from payments p where p.tenant_id = l.tenant_id and p.origin_id = l.id and p.status = 'succeeded') > 1
`

/** Every rule of the books that a merchant's rows break; none when all is well. */
export const brokenRules = (tenantId: string): Promise<{ rule: string; about: string }[]> =>
  adminSql('sandbox')<{ rule: string; about: string }>(rules, [tenantId])

/**
 * Runs the janitor until every attempt of the merchant is over, as the coming minutes would. An open challenge stays
 * open: then it gives up after `rounds`.
 */
export async function settleAttempts(tenantId: string, rounds = 20): Promise<void> {
  const sql = adminSql('sandbox')
  for (let round = 0; round < rounds; round++) {
    const waiting = await sql(
      `update payment_attempts set next_check_at = now() - interval '1 second'
       where tenant_id = $1 and next_check_at is not null returning id`,
      [tenantId],
    )
    if (waiting.length === 0) return
    await trigger('sandbox')
  }
}

/** What a buyer's page says: the `data-state` of its main part and its status. */
export async function pageState(path: string): Promise<{ status: number; state: string | undefined }> {
  const response = await fetch(stack.sandbox.directUrl + path)
  const html = await response.text()
  return { status: response.status, state: /data-state="([a-z_]+)"/.exec(html)?.[1] }
}

/** Runs a drill and tells how many of its cases survived. */
export async function survivors<T>(
  drill: string,
  cases: readonly T[],
  run: (one: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for (const one of cases) {
    try {
      await run(one)
    } catch (error) {
      failures.push(new Error(`${drill}, case ${JSON.stringify(one)}`, { cause: error }))
    }
  }
  console.log(`${drill}: survived ${cases.length - failures.length} of ${cases.length}`)
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} cases of "${drill}" failed`)
}
