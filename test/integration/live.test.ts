import { expect, test } from 'vitest'
import { pageHeaders } from '../../functions/page/hosted-payment/pages/frame/headers.ts'
import { call, newLink, newMerchant, openLink } from '../support/merchant.ts'
import { keyOf } from '../support/postgres.ts'
import { adminSql, stack } from '../support/stack.ts'

/** Live without a processor: whatever would take money says so, and nothing changes. */

const { directUrl } = stack.live
const body = { manual_amount: 120_000, currency: 'mxn' }

async function tenantRows(tenantId: string): Promise<unknown> {
  const tables = [
    'payment_links',
    'payments',
    'payment_attempts',
    'events',
    'idempotency_claims',
    'ledger_journals',
  ]
  const counts = tables.map(
    (table) => `(select count(*)::int from ${table} where tenant_id = $1) as ${table}`,
  )
  return (await adminSql('live')(`select ${counts.join(', ')}`, [tenantId]))[0]
}

test('a payment link cannot be made: 503, and nothing is stored', async () => {
  const merchant = await newMerchant({ environment: 'live' })
  const before = await tenantRows(merchant.tenantId)
  const headers = { 'idempotency-key': 'live-link-0001' }
  for (const _ of [1, 2]) {
    const reply = await call<{ error: { code: string } }>('POST', '/v1/payment-links', {
      environment: 'live',
      bearer: merchant.apiKey,
      headers,
      body,
    })
    expect([reply.status, reply.body.error.code]).toEqual([503, 'payments_not_configured'])
  }
  expect(await tenantRows(merchant.tenantId)).toEqual(before)
  expect(Object.values(before as object).every((count) => count === 0)).toBe(true)
})

test('reading works, and finds no rows', async () => {
  const { apiKey } = await newMerchant({ environment: 'live' })
  for (const path of ['/v1/payment-links', '/v1/payment-operations/payments']) {
    const reply = await call('GET', path, { environment: 'live', bearer: apiKey })
    expect([reply.status, reply.body]).toMatchObject([200, { data: [], has_more: false }])
  }
})

test('a key of the sandbox is refused with the address it belongs to', async () => {
  const { apiKey } = await newMerchant()
  const reply = await call<{ error: { code: string; message: string } }>('POST', '/v1/payment-links', {
    environment: 'live',
    bearer: apiKey,
    body,
  })
  expect([reply.status, reply.body.error.code]).toEqual([401, 'environment_mismatch'])
  expect(reply.body.error.message).toContain(stack.sandbox.baseUrl)
})

test('no link of the sandbox opens here, nor its forms, nor the simulated bank', async () => {
  const link = await newLink(await newMerchant())
  const form = { ...(await openLink(link.public_id)), card_token: 'tok_sbx_approve', locale: 'en' }
  const post = { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' } as const
  const reference = '0190a6d2-7c3e-7b1a-9f00-000000000003'
  for (const path of [`/${link.public_id}`, `/splink_${'0'.repeat(32)}`, `/simulator/3ds/${reference}`]) {
    const response = await fetch(`${directUrl}${path}?lang=en`)
    const html = await response.text()
    expect([path, response.status]).toEqual([path, 404])
    expect(html).toContain('We could not find this page')
    expect(html).not.toContain('Test mode')
    for (const [name, value] of Object.entries(pageHeaders)) expect(response.headers.get(name)).toBe(value)
  }
  expect((await fetch(`${directUrl}/simulator/3ds/${reference}`, post)).status).toBe(404)
  // Live rejects a quote that the sandbox signed.
  const attempt = await fetch(`${directUrl}/${link.public_id}/attempts`, post)
  expect(attempt.headers.get('location')).toBe(`/${link.public_id}?lang=en&error=quote_expired`)
  expect(await adminSql('live')('select count(*)::int as n from payments')).toEqual([{ n: 0 }])
})

test('a link inserted by hand takes no payment and shows no test card', async () => {
  const { tenantId } = await newMerchant({ environment: 'live', name: 'Papelería Ñandú' })
  const sandbox = await newMerchant()
  const { public_id } = await newLink(sandbox)
  const [row] = await adminSql('sandbox')<{ row: Record<string, unknown> }>(
    'select to_jsonb(l) as row from payment_links l where public_id = $1',
    [public_id],
  )
  await adminSql('live')(
    'insert into payment_links select (jsonb_populate_record(null::payment_links, $1::jsonb)).*',
    [JSON.stringify({ ...row!.row, tenant_id: keyOf(tenantId) })],
  )
  const response = await fetch(`${directUrl}/${public_id}?lang=en`)
  const html = await response.text()
  expect(response.status).toBe(503)
  expect(html).toContain('Papelería Ñandú cannot take card payments yet.'.replace('Papelería Ñandú', ''))
  expect(html).not.toContain('card-number')
})
