import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unbranded } from '../../../drizzle/schema/tenants.ts'
import { decideDetails } from '../../../local/workspace.ts'
import type { Environment } from '../../../src/kernel/api-key.ts'
import { type Customer, join, newCustomer, newProof } from '../../support/customer.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { adminSql, proofOf, stack, workerSql } from '../../support/stack.ts'

/* What we reviewed of a live business: no API key changes it, an owner asks for it, an operator decides. */

let owner: Customer
const client = new pg.Client({ connectionString: stack.databases.live.ownerUrl })
beforeAll(async () => {
  owner = await newCustomer()
  await client.connect()
})
afterAll(() => client.end())

interface Workspace {
  readonly name: string
  readonly website_url: string | null
  readonly details_change: Record<string, unknown> | null
  readonly error?: { readonly code: string; readonly param: string | null }
}

const fiscal_profile = {
  rfc: 'EKU9003173C9',
  legal_name: 'ESCUELA KEMPER URGATE',
  tax_regime: '601',
  postal_code: '42501',
}

async function business(environment: Environment = 'live', status = 'active'): Promise<Merchant> {
  const merchant = await newMerchant({ environment })
  await adminSql(environment)(`update tenants set status = $2 where tenant_id = $1`, [
    merchant.tenantId,
    status,
  ])
  await join(owner, merchant, 'owner')
  return merchant
}

const byKey = (merchant: Merchant, body: object, path = '/v1/workspace', method: 'PATCH' | 'PUT' = 'PATCH') =>
  call<Workspace>(method, path, { environment: merchant.environment, bearer: merchant.apiKey, body })

const shown = async ({ environment, apiKey }: Merchant) =>
  (await call<Workspace>('GET', '/v1/workspace', { environment, bearer: apiKey })).body

async function ask(merchant: Merchant, details: object) {
  const { environment, tenantId: tenant_id } = merchant
  const [key, body] = [randomUUID(), { tenant_id, ...details }]
  const proof = await newProof(owner, merchant, {
    action: 'workspace.change_details',
    scope: 'workspace:write',
    key,
    params: body,
  })
  return call<Workspace>('POST', '/v1/workspace/details', {
    environment,
    bearer: owner.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body,
  })
}

const operator = ({ tenantId }: Merchant) => ({ client, tenantId, by: 'ana.ruiz' })

const noticesOf = async ({ environment, tenantId }: Merchant, kind = 'workspace_details') =>
  (
    await adminSql(environment)<{ kind: string }>(
      `select kind from mail_notices where tenant_id = $1 and kind = $2`,
      [tenantId, kind],
    )
  ).length

test.each([
  ['name', { name: 'BBVA México' }],
  ['website_url', { website_url: 'https://bbva.example' }],
  ['fiscal_profile', { fiscal_profile }],
])('a key changes no reviewed %s', async (param, body) => {
  for (const status of ['in_review', 'active', 'suspended', 'closed']) {
    const merchant = await business('live', status)
    const before = await shown(merchant)
    const refused = await byKey(merchant, { ...body, support_phone: '+525512345678' })
    expect([refused.status, refused.body.error]).toEqual([
      409,
      expect.objectContaining({ code: 'workspace_details_reviewed', param }),
    ])
    expect(await shown(merchant)).toEqual(before)
  }
})

test('nor the brand name; what stays may be named, and colors and contact details change', async () => {
  const merchant = await business()
  const branding = '/v1/workspace/branding'
  const refused = await byKey(merchant, { brand_name: 'SAT Pagos' }, branding)
  expect([refused.status, refused.body.error]).toEqual([
    409,
    expect.objectContaining({ code: 'workspace_details_reviewed', param: 'brand_name' }),
  ])
  expect((await byKey(merchant, { brand_name: null, primary_color: '#0d6a5f' }, branding)).status).toBe(200)
  const { name } = await shown(merchant)
  expect((await byKey(merchant, { name, support_phone: '+525512345678' })).status).toBe(200)
})

test.each([
  ['name', 'BBVA México'],
  ['website_url', 'https://bbva.example'],
  ['fiscal_profile', fiscal_profile],
  ['branding', { ...unbranded, brand_name: 'SAT Pagos' }],
])('the database refuses a change of %s to any operation of a Worker', async (column, value) => {
  const { tenantId, ownerId } = await business()
  const [tenant] = await adminSql('live')('select id, version, status from tenants where tenant_id = $1', [
    tenantId,
  ])
  const publication = {
    publishId: randomUUID(),
    requestId: 'req_details',
    now: new Date().toISOString(),
    // One that may write the table.
    operation: 'workspaces.create',
    credential: { kind: 'customer', tenantId, userId: ownerId, proof: proofOf('live') },
    writes: [
      {
        kind: 'change',
        table: 'tenants',
        id: tenant!.id,
        version: tenant!.version,
        fromStatus: tenant!.status,
        set: { [column]: value },
      },
    ],
    events: [],
  }
  await expect(
    workerSql('live')('select door.publish($1::jsonb)', [JSON.stringify(publication)]),
  ).rejects.toMatchObject({ constraint: 'tenants_details_reviewed' })
})

test('an owner asks: what was reviewed stays until an operator approves', async () => {
  const merchant = await business()
  const before = await shown(merchant)
  const asked = await ask(merchant, { name: 'Café Verde', brand_name: 'Verde', website_url: null })
  expect([asked.status, asked.body]).toEqual([
    200,
    expect.objectContaining({
      name: before.name,
      details_change: { name: 'Café Verde', brand_name: 'Verde', requested_at: expect.any(String) },
    }),
  ])
  expect(await noticesOf(merchant)).toBe(1)
  await decideDetails(operator(merchant), 'approved', null)
  expect(await shown(merchant)).toMatchObject({ name: 'Café Verde', details_change: null })
  const { body } = await call<{ brand_name: string }>('GET', '/v1/workspace/branding', {
    environment: 'live',
    bearer: merchant.apiKey,
  })
  expect(body.brand_name).toBe('Verde')
  expect(await noticesOf(merchant)).toBe(2)
  await expect(decideDetails(operator(merchant), 'approved', null)).rejects.toThrow('No change')
})

test('another request replaces one that waits; an operator declines with a reason', async () => {
  const merchant = await business()
  const before = await shown(merchant)
  await ask(merchant, { name: 'BBVA México' })
  await ask(merchant, { fiscal_profile })
  expect((await shown(merchant)).details_change).toEqual({ fiscal_profile, requested_at: expect.any(String) })
  await decideDetails(operator(merchant), 'declined', 'El RFC es de otro negocio.')
  expect(await shown(merchant)).toMatchObject({
    name: before.name,
    fiscal_profile: null,
    details_change: null,
  })
  const events = await adminSql('live')<{ type: string }>(
    `select type from events where tenant_id = $1 and resource_type = 'workspace' order by sequence`,
    [merchant.tenantId],
  )
  expect(events.map(({ type }) => type)).toEqual([
    'workspace.details_change_requested',
    'workspace.details_change_requested',
    'workspace.details_change_declined',
  ])
})

test.each([
  ['sandbox', 'active'],
  ['live', 'pending'],
] as const)('before a review the change holds at once: %s, %s', async (environment, status) => {
  const merchant = await business(environment, status)
  expect((await ask(merchant, { name: 'Café Verde' })).body).toMatchObject({
    name: 'Café Verde',
    details_change: null,
  })
  expect((await byKey(merchant, { name: 'Café Rojo' })).body.name).toBe('Café Rojo')
})

test('a request that waited when the review was declined does not come back', async () => {
  const merchant = await business('live', 'in_review')
  expect((await ask(merchant, { name: 'BBVA México' })).body.details_change).toMatchObject({
    name: 'BBVA México',
  })
  await adminSql('live')(`update tenants set status = 'pending' where tenant_id = $1`, [merchant.tenantId])
  expect((await ask(merchant, { name: 'Café Verde' })).body).toMatchObject({
    name: 'Café Verde',
    details_change: null,
  })
  await expect(decideDetails(operator(merchant), 'approved', null)).rejects.toThrow('No change')
})

test('a request that changes nothing, or of a closed business, is refused', async () => {
  const merchant = await business()
  const { name } = await shown(merchant)
  expect((await ask(merchant, { name })).body.error?.code).toBe('workspace_details_unchanged')
  const closed = await business('live', 'closed')
  expect((await ask(closed, { name: 'Café Verde' })).body.error?.code).toBe('workspace_closed')
})

test('the owners of a reviewed business get a mail about a new logo', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><path d="M0 0h30v10H0z"/></svg>'
  const content = Buffer.from(svg).toString('base64')
  for (const [environment, count] of [
    ['live', 1],
    ['sandbox', 0],
  ] as const) {
    const merchant = await business(environment)
    expect((await byKey(merchant, { content }, '/v1/workspace/branding/logo', 'PUT')).status).toBe(200)
    expect(await noticesOf(merchant, 'logo_changed')).toBe(count)
  }
})
