import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { createPaymentLink, send } from '../local/merchant.ts'
import type { Stack } from '../local/stack.ts'
import { clabeWithCheckDigit } from '../src/kernel/clabe.ts'
import { publicId, workspaceId } from '../src/kernel/ids.ts'
import type { ControlledStack } from '../test/support/gateways/stack.ts'
import { Client } from '../test/support/postgres.ts'
import type { Scenario } from './interleave.ts'
import type { Merchant } from './merchant.ts'
import { quiet } from './rows-touched.ts'
import type { Bare } from './workerd.ts'

/** Where payments are measured: the stack, and our Worker in a workerd by itself. */
export type Till = { stack: ControlledStack; ours: Bare }

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
/** Buyers come from networks of their own, each with a card of its own: what is counted by either stays small, as it is. */
export const BUYERS = { ...FORM, 'CF-Connecting-IP': '{network}' }
const JSON_BODY = { 'Content-Type': 'application/json' }
const PRICE_MINOR = 120_000
/** Small against what the merchant has, so that nothing runs out. */
const SENT_MINOR = '100'
const REFUNDED_PAYMENTS = 200
const FUNDING_PAYMENTS = 5
const FUNDING_MINOR = 100_000_000

/** A buyer's form for each link, as its page carries it: signed terms, and an attempt key that is fresh every time. */
export async function formsOf({ ours }: Pick<Till, 'ours'>, publicIds: readonly string[]) {
  return Promise.all(
    publicIds.map(async (publicId) => {
      const html = await (await fetch(`${ours.url}/${publicId}`)).text()
      const quote = /name="quote" value="([^"]*)"/.exec(html)?.[1]
      if (!quote) throw new Error(`no form at /${publicId}`)
      const fields = new URLSearchParams({ quote, locale: 'en' })
      const body = `${fields}&card_token=tok_sbx_approve_{card}&attempt_key={fresh}`
      return { path: `/${publicId}/attempts`, body }
    }),
  )
}

/** Card payments of these links, in turn. */
export async function payments(
  name: string,
  till: Pick<Till, 'ours'>,
  publicIds: readonly string[],
): Promise<Scenario> {
  const requests = await formsOf(till, publicIds)
  const load = { url: till.ours.url, method: 'POST', headers: BUYERS, requests, expectedStatus: 303 } as const
  return { name, load, worker: till.ours }
}

/** A link that can be paid any number of times. */
export const openLink = (
  till: Pick<Till, 'ours'>,
  { apiKey }: Merchant,
  amountMinor = PRICE_MINOR,
): Promise<string> =>
  createPaymentLink(till.ours.url, apiKey, {
    manual_amount: amountMinor,
    currency: 'mxn',
    usage: 'multi_use',
    description: 'Silla',
  })

/** Pays a link the given number of times, one after the other, like the load. */
async function pay(till: Till, publicId: string, times: number): Promise<void> {
  const [{ path, body }] = (await formsOf(till, [publicId])) as [{ path: string; body: string }]
  for (let paid = 0; paid < times; paid++) {
    const card = String(paid).padStart(4, '0')
    const form = body.replace('{fresh}', randomUUID().replaceAll('-', '')).replace('{card}', card)
    const reply = await fetch(till.ours.url + path, {
      method: 'POST',
      headers: FORM,
      body: form,
      redirect: 'manual',
    })
    if (reply.status !== 303) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  }
}

/** Small refunds of many payments by card, in turn. What is sent to the processor after the reply counts as well. */
export async function refunds(till: Till, merchant: Merchant): Promise<Scenario> {
  await pay(till, await openLink(till, merchant), REFUNDED_PAYMENTS)
  const paid = await asAdmin(till.stack, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from payments where tenant_id = $1', [
      merchant.tenantId,
    ])
    return rows
  })
  const requests = paid.map(({ id }) => ({
    body: JSON.stringify({ payment_id: id, amount: SENT_MINOR, reason: 'requested_by_customer' }),
  }))
  return sending('refund', till, merchant, '/v1/refunds', requests)
}

/** Small transfers to a CLABE, of a balance that became available. */
export async function transfers(till: Till, merchant: Merchant): Promise<Scenario> {
  await pay(till, await openLink(till, merchant, FUNDING_MINOR), FUNDING_PAYMENTS)
  await makeAvailable(till, merchant)
  const clabe = clabeWithCheckDigit('03218000011835971')
  const body = JSON.stringify({
    amount: SENT_MINOR,
    currency: 'mxn',
    destination: { type: 'clabe', clabe, holder: 'Ana Ruiz' },
    concept: 'Factura 12',
  })
  return sending('transfer', till, merchant, '/v1/payment-operations/transfers', [{ body }])
}

function sending(
  name: string,
  { stack, ours }: Till,
  { apiKey }: Merchant,
  path: string,
  requests: { body: string }[],
): Scenario {
  const headers = { ...JSON_BODY, Authorization: `Bearer ${apiKey}` }
  const load = { url: ours.url + path, method: 'POST', headers, requests, expectedStatus: 201 } as const
  return { name, load, worker: ours, settled: () => quiet(stack) }
}

async function makeAvailable(till: Till, { apiKey, tenantId }: Merchant): Promise<void> {
  const clock = { bearer: apiKey, key: randomUUID(), body: { advance: 'P10D' } }
  const moved = await send(till.ours.url, '/v1/sandbox/clock', clock)
  if (!moved.ok) throw new Error(`the clock did not move: ${moved.status} ${await moved.text()}`)
  for (let tries = 0; tries < 10; tries++) {
    await till.stack.sandbox.trigger()
    const waiting = await asAdmin(till.stack, (client) =>
      client.query(`select from payments where tenant_id = $1 and funds_status = 'pending'`, [tenantId]),
    )
    if (waiting.rowCount === 0) return
  }
  throw new Error('the money did not become available')
}

/** Merchants with links, so many each, inserted directly into the database because they are many. */
export async function shops(stack: Stack, links: readonly number[]) {
  const merchants = links.map((count) => ({
    tenantId: workspaceId(randomUUID().replaceAll('-', '')),
    publicIds: Array.from({ length: count }, () => publicId('splink')),
  }))
  const made = merchants.flatMap(({ tenantId, publicIds }) =>
    publicIds.map((publicId) => ({ tenantId, publicId })),
  )
  await asAdmin(stack, async (client) => {
    await client.query(
      `insert into tenants (tenant_id, name, status, created_at, updated_at)
       select tenant_id, 'Shop', 'active', now(), now() from unnest($1::uuid[]) tenant_id`,
      [merchants.map(({ tenantId }) => tenantId)],
    )
    await client.query(
      `insert into payment_links (tenant_id, id, public_id, status, usage, amount_source, amount_minor, currency,
         payment_method_types, capture_method, installment_months, fee_allocation, merchant_markup_bps, metadata,
         terms_version, version, created_at, updated_at)
       select tenant_id, gen_random_uuid(), public_id, 'active', 'multi_use', 'manual_amount', $3, 'mxn', '{card}',
         'automatic', '{}', 'absorb', 0, '{}', 1, 1, now(), now()
       from unnest($1::uuid[], $2::text[]) as shop(tenant_id, public_id)`,
      [made.map(({ tenantId }) => tenantId), made.map(({ publicId }) => publicId), PRICE_MINOR],
    )
  })
  return merchants
}

export async function asAdmin<T>(stack: Stack, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: stack.postgres.adminUrl('sandbox') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
