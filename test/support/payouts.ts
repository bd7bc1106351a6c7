import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { accountOf, newBankAccount } from './bank-accounts.ts'
import { call, type Merchant, newMerchant, type Reply } from './merchant.ts'
import { paidByCard } from './refunds.ts'
import { adminSql, trigger } from './stack.ts'

export type Payout = {
  id: string
  status: string
  amount: string
  amount_gross: string
  amount_fee: string
  entries_count: number
  arrives_on: string | null
  destination: { clabe_last4: string; bank_name: string | null }
  clave_rastreo: string | null
  return_clave_rastreo: string | null
  failure_code: string | null
}

export type Entry = {
  kind: string
  source: { type: string; id: string }
  amount_gross: string
  amount_fee: string
  amount_net: string
}

/** A merchant's payout account, written straight into the database: the settings tests cover setting it. */
export const settingsFor = async (
  { tenantId }: Pick<Merchant, 'tenantId'>,
  { account = '99', interval = 'manual', amount_min = '0', nextPayoutOn = null as string | null } = {},
): Promise<void> => {
  const clabe = accountOf(account)
  const [known] = await adminSql('sandbox')<{ id: string }>(
    `select id from bank_accounts where tenant_id = $1 and clabe = $2 and status = 'verified'`,
    [tenantId, clabe],
  )
  const { id } = known ?? (await newBankAccount({ tenantId }, { clabe }))
  await adminSql('sandbox')(
    `insert into payout_settings (tenant_id, id, currency, interval, amount_minor_min, bank_account_id, next_payout_on,
       created_at, updated_at)
     values ($1, $2, 'mxn', $3, $4, $5, $6, now(), now())
     on conflict (tenant_id, currency) do update set bank_account_id = excluded.bank_account_id`,
    [tenantId, randomUUID(), interval, amount_min, id, nextPayoutOn],
  )
}

/** Makes what is pending available, as the bank day would. */
export async function release({ tenantId }: Pick<Merchant, 'tenantId'>): Promise<void> {
  await adminSql('sandbox')(
    `update payments set available_on = (now() at time zone 'America/Mexico_City')::date
     where tenant_id = $1 and funds_status = 'pending'`,
    [tenantId],
  )
  await trigger('sandbox')
}

/** A merchant with card payments whose net is available, and a payout account. Returns the payments' ids. */
export async function funded(
  amounts: readonly number[] = [10_000],
  account = '99',
): Promise<{ merchant: Merchant; payments: string[] }> {
  const merchant = await newMerchant()
  await settingsFor(merchant, { account })
  const payments: string[] = []
  for (const amount of amounts) payments.push(await paidByCard(merchant, { amount }))
  await release(merchant)
  return { merchant, payments }
}

export const payOut = (
  merchant: Merchant,
  headers: Record<string, string> = {},
  currency = 'mxn',
): Promise<Reply<Payout>> =>
  call<Payout>('POST', '/v1/payment-operations/payouts', {
    bearer: merchant.apiKey,
    body: { currency },
    headers,
  })

export const payoutOf = async (merchant: Merchant, id: string): Promise<Payout> =>
  (await call<Payout>('GET', `/v1/payment-operations/payouts/${id}`, { bearer: merchant.apiKey })).body

export const payoutsOf = async (merchant: Merchant): Promise<Payout[]> =>
  (
    await call<{ data: Payout[] }>('GET', '/v1/payment-operations/payouts?limit=100', {
      bearer: merchant.apiKey,
    })
  ).body.data

export const entriesOf = async (merchant: Merchant, id: string): Promise<Entry[]> =>
  (
    await call<{ data: Entry[] }>('GET', `/v1/payment-operations/payouts/${id}/entries?limit=100`, {
      bearer: merchant.apiKey,
    })
  ).body.data

export const availableOf = async (merchant: Merchant): Promise<string | undefined> => {
  const { body } = await call<{ currencies: { currency: string; available: string }[] }>(
    'GET',
    '/v1/payment-operations/balance',
    { bearer: merchant.apiKey },
  )
  return body.currencies.find(({ currency }) => currency === 'mxn')?.available
}

/** Has the reconciler look at every payout of the merchant that the bank is asked about. */
export async function pollPayouts({ tenantId }: Pick<Merchant, 'tenantId'>): Promise<void> {
  await adminSql('sandbox')(
    `update payouts set next_check_at = now() - interval '1 second' where tenant_id = $1 and next_check_at is not null`,
    [tenantId],
  )
  await trigger('sandbox')
}

/** Looks until the payout is there, as the coming minutes would. */
export async function settlesAs(merchant: Merchant, id: string, status: string): Promise<Payout> {
  for (let look = 0; look < 8 && (await payoutOf(merchant, id)).status !== status; look++)
    await pollPayouts(merchant)
  const payout = await payoutOf(merchant, id)
  expect(payout.status).toBe(status)
  return payout
}

/** That many more payments like the merchant's only one, captured and not released, written straight into the books. */
export const multiply = ({ tenantId }: Pick<Merchant, 'tenantId'>, count: number): Promise<unknown> =>
  adminSql('sandbox')(
    `with copies as materialized (
       select gen_random_uuid() as payment, gen_random_uuid() as attempt, gen_random_uuid() as journal
       from generate_series(1, $2::int)),
     paid as (
       insert into payments select made.* from copies c, payments p, jsonb_populate_record(p, jsonb_build_object(
         'id', c.payment, 'public_id', 'spcs_' || replace(c.payment::text, '-', ''),
         'exclusive', false, 'origin_id', c.payment)) made where p.tenant_id = $1),
     tried as (
       insert into payment_attempts select made.* from copies c, payment_attempts a, jsonb_populate_record(a,
         jsonb_build_object('id', c.attempt, 'payment_id', c.payment)) made where a.tenant_id = $1),
     charged as (
       insert into simulator.charges select made.* from copies c, payment_attempts a
         join simulator.charges s on s.reference = a.id, jsonb_populate_record(s,
         jsonb_build_object('reference', c.attempt)) made where a.tenant_id = $1),
     captured as (
       insert into ledger_journals select made.* from copies c, ledger_journals j, jsonb_populate_record(j,
         jsonb_build_object('id', c.journal, 'source_id', c.payment)) made where j.tenant_id = $1)
     insert into ledger_postings select made.* from copies c, ledger_postings l, jsonb_populate_record(l,
       jsonb_build_object('journal_id', c.journal)) made where l.tenant_id = $1 order by made.account_code`,
    [tenantId, count],
  )
