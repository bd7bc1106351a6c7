import { beforeAll, describe, expect, test } from 'vitest'
import { movementsPage } from '../../../functions/goods/inventory/store.ts'
import { sessionsPage } from '../../../functions/selling/hosted-checkout/store.ts'
import { newSession } from '../../support/checkout.ts'
import { newCustomer } from '../../support/customers.ts'
import { explained, vacuumed } from '../../support/explain.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'
import { stocked } from '../../support/stock.ts'

const rows = 10_000
const [rareOf, commonOf] = [100, 10]
let merchant: Merchant
let customerId: string
let itemId: string
let farAt: Date

/** A workspace with many sessions and movements beside another one with as many. */
beforeAll(async () => {
  const both = [await newMerchant(), await newMerchant()]
  merchant = both[0]!
  for (const each of both) {
    const session = await newSession(each)
    const customer = await newCustomer(each)
    const [item] = await stocked(each, 1)
    if (each === merchant) [customerId, itemId] = [customer.id, item!]
    await adminSql('sandbox')(
      `insert into checkout_sessions (tenant_id, id, public_id, status, lines, amount_minor, currency, payment_method_types,
         capture_method, installment_months, fee_allocation, merchant_markup_bps, metadata, client_reference_id, customer_id,
         expires_at, terms_version, policy_version, created_at, updated_at)
       select s.tenant_id, gen_random_uuid(), 'spcs_' || md5(concat(s.tenant_id, n)), case when n % $3 = 0 then 'expired' else 'open' end,
         '[]', 10000, 'mxn', array['card'], 'automatic', '{}', 'absorb', 0, '{}', 'r' || n % $3,
         case when n % $4 = 0 then $2::uuid end, now() + interval '1 day', 1, s.policy_version,
         now() - n * interval '1 minute', now()
       from checkout_sessions s, generate_series(1, $5::int) n where s.id = $1`,
      [session.id, customer.id, rareOf, commonOf, rows],
    )
    await adminSql('sandbox')(
      `insert into buyer_details (tenant_id, id, origin_id, details, email, created_at)
       select s.tenant_id, gen_random_uuid(), s.id, jsonb_build_object('email', e.email), e.email, s.created_at
       from (select *, row_number() over (order by id) n from checkout_sessions where tenant_id = $1) s,
         lateral (select 'b' || s.n % $2 || '@example.com' as email) e`,
      [each.tenantId, rareOf * commonOf],
    )
    await adminSql('sandbox')(
      `insert into stock_movements (tenant_id, id, level_id, item_id, kind, quantity, created_at)
       select l.tenant_id, gen_random_uuid(), l.id, l.item_id, case when n % $2 = 0 then 'correction' else 'received' end, 1,
         now() - n * interval '1 minute'
       from stock_levels l, generate_series(1, $3::int) n where l.item_id = $1`,
      [item, rareOf, rows],
    )
  }
  farAt = new Date(Date.now() - (rows / 2) * 60_000)
  for (const table of ['checkout_sessions', 'buyer_details', 'stock_movements', 'payments'])
    await vacuumed(table)
})

const deep = () => ({ afterCreatedAt: farAt, afterId: 'ffffffff-ffff-4fff-bfff-ffffffffffff' })

/** Without the look-up of each session's payment: whether Postgres scans a small table of payments depends on other tests. */
async function touched(query: { text: string; values: readonly unknown[] }) {
  const { nodes, buffers } = await explained(merchant.tenantId, query)
  const ofPayments = nodes.filter((node) => node['Relation Name'] === 'payments')
  const spent = ofPayments.reduce(
    (sum, node) => sum + node['Shared Hit Blocks'] + node['Shared Read Blocks'],
    0,
  )
  return { nodes, buffers: buffers - spent }
}

describe('a page of 20 costs the same on the first page and half way down', () => {
  test.each([
    ['sessions', () => sessionsPage, () => ({}), 130],
    ['sessions by status', () => sessionsPage, () => ({ status: 'expired' }), 130],
    ['sessions by reference', () => sessionsPage, () => ({ clientReferenceId: 'r7' }), 130],
    ['sessions of a customer', () => sessionsPage, () => ({ customerId }), 130],
    ['sessions by e-mail', () => sessionsPage, () => ({ email: 'b7@example.com' }), 200],
    ['sessions by folio', () => sessionsPage, () => ({ receiptFrom: 'spcs_0', receiptTo: 'spcs_z' }), 130],
    ['movements', () => movementsPage, () => ({}), 40],
    ['movements of an item', () => movementsPage, () => ({ itemId }), 40],
    ['movements by kind', () => movementsPage, () => ({ kind: 'correction' }), 60],
  ] as const)('%s', async (_what, page, filter, most) => {
    const asked = page() as (values: object) => { text: string; values: readonly unknown[] }
    const first = await touched(asked({ ...filter(), rows: 21 }))
    const far = await touched(asked({ ...filter(), ...deep(), rows: 21 }))
    const plan = first.nodes.map((node) => node['Index Name'] ?? node['Node Type'])
    expect(first.buffers, plan.join(', ')).toBeLessThanOrEqual(most)
    expect(far.buffers).toBeLessThanOrEqual(1.2 * first.buffers + 10)
  })
})
