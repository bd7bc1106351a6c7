import { paymentsPage } from '../functions/money/payments/store.ts'
import { linksPage } from '../functions/selling/payment-links/store.ts'
import type { Postgres } from '../local/postgres.ts'
import type { Stack } from '../local/stack.ts'
import { Client } from '../test/support/postgres.ts'
import { type Buffers, type List, listBuffers } from './buffers.ts'

const links: List = {
  name: 'payment links',
  page: linksPage,
  cases: [
    { what: 'all', filters: {} },
    { what: 'status', filters: { status: 'inactive' } },
  ],
}

/** Payments a second apart from this moment on. */
const FIRST_AT = '2026-01-01T00:00:00.000Z'
const later = (seconds: number) => new Date(Date.parse(FIRST_AT) + seconds * 1000)
const originOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const aTenth = { amountFrom: '100000', amountTo: '199999' }

const payments = (rows: number): List => ({
  name: 'payments',
  page: paymentsPage,
  cases: [
    { what: 'all', filters: {} },
    { what: 'status', filters: { status: 'requires_payment_method' } },
    { what: 'method', filters: { method: 'oxxo' } },
    { what: 'status and method', filters: { status: 'succeeded', method: 'spei' } },
    { what: 'created range', filters: { createdFrom: later(rows * 0.2), createdTo: later(rows * 0.7) } },
    { what: 'origin origin', filters: { originType: 'payment_link' } },
    { what: 'origin', filters: { originId: originOf(7) } },
    { what: 'amount range of every tenth payment', filters: aTenth },
    { what: 'amount range and status', filters: { ...aTenth, status: 'succeeded' } },
    { what: 'amount range that no payment has', filters: { amountFrom: '900000000' }, onePage: true },
  ],
})

/** Buffers of the list of payment links, over `rows` links of one tenant. */
export async function linkBuffers(stack: Stack, tenantId: string, rows: number): Promise<Buffers> {
  await fill(
    stack.postgres,
    ['payment_links'],
    `insert into payment_links (tenant_id, id, public_id, status, usage, amount_source, amount_minor, currency,
       payment_method_types, capture_method, installment_months, fee_allocation, merchant_markup_bps, metadata, terms_version, version,
       created_at, updated_at)
     select $1, gen_random_uuid(), 'splink_' || lpad(n::text, 32, '0'),
       case when n % 10 = 0 then 'inactive' else 'active' end, 'multi_use', 'manual_amount', 120000, 'mxn',
       '{card}', 'automatic', '{}', 'absorb', 0, '{}', 1, 1, timestamptz '2026-01-01' + n * interval '1 second', now()
     from generate_series(1, $2::int) n`,
    [tenantId, rows],
  )
  return listBuffers(stack, tenantId, links, rows)
}

/** Buffers of the list of payments, over `rows` payments of one tenant: filter by filter. */
export async function paymentBuffers(stack: Stack, tenantId: string, rows: number): Promise<Buffers> {
  await fill(
    stack.postgres,
    ['payments'],
    `insert into payments (tenant_id, id, public_id, status, amount_minor, currency, amount_authorized_minor,
       amount_captured_minor, amount_refunded_minor, amount_disputed_minor, tip_amount_minor, method, method_details,
       amount_received_minor, capture_method, installment_months, markup_minor, fee_schedule_version,
       fee_processing_minor, fee_installments_minor, fee_iva_minor, net_minor, available_on, funds_status, reserve_minor,
       open_disputes_count, origin_type, origin_id, exclusive, description, decline_code, succeeded_at, version,
       created_at, updated_at)
     select $1, gen_random_uuid(), 'spcs_' || lpad(n::text, 32, '0'), status, amount, 'mxn', paid, paid, 0, 0, 0, method,
       '{"brand": "visa", "last4": "4242", "bin6": "424242", "funding": "credit"}', 0, 'automatic', 1, 0, 'mxn-2026-01',
       paid * 36 / 1000, 0, paid * 36 / 1000 * 16 / 100, paid - paid * 36 / 1000 - paid * 36 / 1000 * 16 / 100,
       case when paid > 0 then date '2026-01-05' end, case when paid > 0 then 'available' else 'none' end, 0,
       0, 'payment_link', ('00000000-0000-4000-8000-' || lpad((n % 20)::text, 12, '0'))::uuid, false, 'Silla',
       case when paid = 0 then 'card_declined' end, case when paid > 0 then at end, 2, at, at
     from (select n, status, case when n % 10 < 7 then 'card' when n % 10 < 9 then 'oxxo' else 'spei' end as method,
         amount, case status when 'succeeded' then amount else 0 end as paid,
         $3::timestamptz + n * interval '1 second' as at
       from (select n, case when n % 37 = 0 then 'requires_payment_method' when n % 41 = 0 then 'canceled' else 'succeeded' end as status,
           1000 + (n::bigint * 7919) % 1000000 as amount
         from generate_series(1, $2::int) n) as numbered) as made`,
    [tenantId, rows, FIRST_AT],
  )
  return listBuffers(stack, tenantId, payments(rows), rows)
}

/** Inserts rows without triggers and checks, then brings the tables' statistics and visibility up to date. */
export async function fill(
  postgres: Postgres,
  tables: readonly string[],
  insert: string,
  values: unknown[],
): Promise<void> {
  const admin = new Client({ connectionString: postgres.adminUrl('sandbox') })
  await admin.connect()
  try {
    // The foreign key to the one tenant holds: skip a million checks of it.
    await admin.query('set session_replication_role = replica')
    await admin.query(insert, values)
    for (const table of tables) await admin.query(`vacuum (analyze) ${table}`)
  } finally {
    await admin.end()
  }
}
