import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { stepUp } from '../../../local/merchant.ts'
import { totp } from '../../../local/totp.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { type Customer, join, newCustomer, newProof, type ProofOf, whoIs } from '../../support/customer.ts'
import { call, type Merchant, newApiKey, newMerchant } from '../../support/merchant.ts'
import { adminSql, stack } from '../../support/stack.ts'

/* A step-up proof opens only the mutation that it was made for. Each mismatch has its own error. */

type World = { customer: Customer; other: Customer; merchant: Merchant; second: Merchant; keyId: string }

let people: Promise<[Customer, Customer]> | undefined

/** Two tenants of one owner. Signing up takes a moment: the people are the same for all tests here. */
async function newWorld(): Promise<World> {
  people ??= Promise.all([newCustomer(), newCustomer()])
  const [customer, other] = await people
  const [merchant, second] = await Promise.all([newMerchant(), newMerchant()])
  await Promise.all([join(customer, merchant), join(customer, second), join(other, merchant)])
  return { customer, other, merchant, second, keyId: (await newApiKey(merchant)).keyId }
}

const scopes = ['payment_links:read', 'refunds:write']

/** The three mutations that need a proof: the request, and what its proof covers. */
const mutations = {
  create: (world: World) => ({
    path: '/v1/api-keys',
    body: {
      description: 'Storefront',
      tenant_environment: 'sandbox',
      tenant_id: world.merchant.tenantId,
      scopes,
    } as object,
    params: { description: 'Storefront', environment: 'sandbox', scopes } as Json,
  }),
  rotate: (world: World) => ({
    path: `/v1/api-keys/${world.keyId}/rotate`,
    body: { tenant_id: world.merchant.tenantId } as object,
    params: { key_ref_id: world.keyId } as Json,
  }),
  revoke: (world: World) => ({
    path: `/v1/api-keys/${world.keyId}/revoke`,
    body: { tenant_id: world.merchant.tenantId } as object,
    params: { key_ref_id: world.keyId } as Json,
  }),
}
type Kind = keyof typeof mutations
const kinds = Object.keys(mutations) as Kind[]
const another: Record<Kind, string> = {
  create: 'api_key.rotate',
  rotate: 'api_key.revoke',
  revoke: 'api_key.create',
}

async function send(
  world: World,
  kind: Kind,
  key: string,
  token: string | undefined,
  bearer = world.customer.token,
) {
  const { path, body } = mutations[kind](world)
  const headers: Record<string, string> = { 'idempotency-key': key }
  if (token !== undefined) headers['x-sp-step-up-token'] = token
  const reply = await call<{ error?: { code: string; param: string | null } }>('POST', path, {
    bearer,
    body,
    headers,
  })
  return { ...reply, code: reply.body.error?.code ?? String(reply.status) }
}

const goodProof = (
  world: World,
  kind: Kind,
  key: string,
  changes: Partial<ProofOf> = {},
  tenant = world.merchant,
) =>
  newProof(world.customer, tenant, {
    action: `api_key.${kind}`,
    key,
    params: mutations[kind](world).params,
    ...changes,
  })

/** The rows of a tenant that a mutation could have touched. */
const stateOf = ({ merchant, second }: World) =>
  adminSql('sandbox')(
    `select 'key' as what, id, status, version from api_keys where tenant_id = any ($1)
     union all select 'proof', id, status, version from step_up_challenges where tenant_id = any ($1)
     union all select 'event', id, type, sequence from events where tenant_id = any ($1)
     union all select 'claim', publish_id, key, 0 from idempotency_claims where tenant_id = any ($1) order by 1, 2`,
    [[merchant.tenantId, second.tenantId]],
  )

type Make = (world: World, kind: Kind, key: string) => Promise<string | undefined> | string | undefined
const misfits: [what: string, code: string, make: Make][] = [
  ['no proof', 'step_up_missing', () => undefined],
  ['one of 31 characters', 'step_up_malformed', () => 'x'.repeat(31)],
  ['one of 4,097 characters', 'step_up_malformed', () => 'x'.repeat(4097)],
  ['an invented one of 32', 'step_up_invalid', () => 'x'.repeat(32)],
  ['an invented one of 4,096', 'step_up_invalid', () => 'x'.repeat(4096)],
  [
    'another action',
    'step_up_action_mismatch',
    (w, kind, key) => goodProof(w, kind, key, { action: another[kind] }),
  ],
  [
    'another scope',
    'step_up_scope_mismatch',
    (w, kind, key) => goodProof(w, kind, key, { scope: 'members:write' }),
  ],
  [
    'another workspace of the same owner',
    'step_up_tenant_mismatch',
    (w, kind, key) => goodProof(w, kind, key, {}, w.second),
  ],
  [
    'the other environment',
    'step_up_environment_mismatch',
    (w, kind, key) => goodProof(w, kind, key, { environment: 'live' }),
  ],
  [
    'another Idempotency-Key',
    'step_up_idempotency_key_mismatch',
    (w, kind) => goodProof(w, kind, randomUUID()),
  ],
  [
    'an Idempotency-Key in other letters',
    'step_up_idempotency_key_mismatch',
    (w, kind, key) => goodProof(w, kind, key.toUpperCase()),
  ],
  [
    'another key, or other parameters',
    'step_up_params_mismatch',
    (w, kind, key) =>
      goodProof(w, kind, key, {
        params:
          kind === 'create'
            ? { description: 'Storefront', environment: 'sandbox', scopes: ['payment_links:read'] }
            : { key_ref_id: randomUUID() },
      }),
  ],
  [
    'parameters and more',
    'step_up_params_mismatch',
    (w, kind, key) =>
      goodProof(w, kind, key, { params: { ...(mutations[kind](w).params as object), more: 1 } }),
  ],
  [
    'another session of the same person',
    'step_up_session_mismatch',
    (w, kind, key) => goodProof(w, kind, key, { sessionId: randomUUID() }),
  ],
  [
    'another person',
    'step_up_session_mismatch',
    (w, kind, key) => goodProof(w, kind, key, { userId: w.other.userId, sessionId: w.other.sessionId }),
  ],
  [
    'a proof that has expired',
    'step_up_expired',
    (w, kind, key) => goodProof(w, kind, key, { expiresAt: new Date(Date.now() - 1000) }),
  ],
]
const table = kinds.flatMap((kind) => misfits.map((misfit) => [kind, ...misfit] as const))

test.each(table)('%s, %s: %s', async (kind, _what, code, make) => {
  const world = await newWorld()
  const key = randomUUID()
  const token = await make(world, kind, key)
  const before = await stateOf(world)
  const reply = await send(world, kind, key, token)
  expect(reply.code, reply.text).toBe(code)
  // Nothing happened, and the proof is not spent.
  expect(await stateOf(world)).toEqual(before)
})

describe.each(kinds)('%s', (kind) => {
  test('the fitting proof opens it, once', async () => {
    const world = await newWorld()
    const key = randomUUID()
    const token = await goodProof(world, kind, key)
    expect((await send(world, kind, key, token)).status).toBe(kind === 'create' ? 201 : 200)
    const spent = await adminSql('sandbox')(
      'select status, consumed_at is not null as consumed from step_up_challenges where tenant_id = $1',
      [world.merchant.tenantId],
    )
    expect(spent).toEqual([{ status: 'consumed', consumed: true }])
    // The same request is a replay; under another key the proof is spent.
    expect((await send(world, kind, key, token)).headers.get('idempotent-replayed')).toBe('true')
    expect((await send(world, kind, randomUUID(), token)).code).toBe('step_up_already_used')
  })

  test("a colleague cannot use another customer's proof, even as owner of the same workspace", async () => {
    const world = await newWorld()
    const key = randomUUID()
    const token = await goodProof(world, kind, key)
    expect((await send(world, kind, key, token, world.other.token)).code).toBe('step_up_session_mismatch')
  })

  test('a refused mutation spends no proof', async () => {
    const world = await newWorld()
    const key = randomUUID()
    const token = await goodProof(world, kind, key)
    await adminSql('sandbox')(
      `update memberships set role = 'member' where tenant_id = $1 and user_id = $2`,
      [world.merchant.tenantId, world.customer.userId],
    )
    expect((await send(world, kind, key, token)).code).toBe('insufficient_role')
    await adminSql('sandbox')(
      `update memberships set status = 'removed' where tenant_id = $1 and user_id = $2`,
      [world.merchant.tenantId, world.customer.userId],
    )
    expect((await send(world, kind, key, token)).code).toBe('workspace_not_found')
    await adminSql('sandbox')(
      `update memberships set status = 'active', role = 'admin' where tenant_id = $1 and user_id = $2`,
      [world.merchant.tenantId, world.customer.userId],
    )
    expect((await send(world, kind, key, token)).status).toBeLessThan(300)
  })

  test('no API key may do it, whatever its scopes', async () => {
    const world = await newWorld()
    const key = randomUUID()
    const token = await goodProof(world, kind, key)
    expect((await send(world, kind, key, token, world.merchant.apiKey)).code).toBe('credential_not_accepted')
  })
})

test('no proof survives the end of its session', async () => {
  const customer = await newCustomer()
  const merchant = await newMerchant()
  await join(customer, merchant)
  const { keyId } = await newApiKey(merchant)
  const world: World = { customer, other: customer, merchant, second: merchant, keyId }
  const mutation = { action: 'api_key.rotate', tenantId: merchant.tenantId, environment: 'sandbox' } as const
  const key = randomUUID()
  // A real sign-out, through the interface.
  const token = await stepUp(stack.sandbox.directUrl, customer, {
    ...mutation,
    key,
    params: { key_ref_id: keyId },
  })
  await call('POST', '/v1/auth/sign-out', { bearer: customer.token })
  expect((await send(world, 'rotate', key, token)).code).toBe('session_invalid')

  const { email, password, totpSecret } = customer
  const begun = await call<{ two_factor_token: string }>('POST', '/v1/auth/sign-in/email', {
    body: { email, password },
  })
  const again = await call<{ token: string }>('POST', '/v1/auth/two-factor/verify-totp', {
    body: { code: await totp(totpSecret), two_factor_token: begun.body.two_factor_token },
  })
  const bearer = again.body.token
  expect((await whoIs(bearer)).userId).toBe(customer.userId)
  expect((await send(world, 'rotate', key, token, bearer)).code).toBe('step_up_session_mismatch')
})

test("a proof made at the other environment's address is refused here", async () => {
  const world = await newWorld()
  const live = { environment: 'live', tenantId: world.merchant.tenantId } as const
  await adminSql('live')(
    `insert into tenants (tenant_id, name, status, created_at, updated_at) values ($1, 'Café', 'active', now(), now())`,
    [live.tenantId],
  )
  await join(world.customer, live)
  const key = randomUUID()
  const token = await newProof(world.customer, live, {
    action: 'api_key.rotate',
    key,
    params: mutations.rotate(world).params,
  })
  expect((await send(world, 'rotate', key, token)).code).toBe('step_up_invalid')
})

test('too many wrong codes lock the account and end the challenge', async () => {
  const customer = await newCustomer()
  const merchant = await newMerchant()
  await join(customer, merchant)
  const begun = await call<{ id: string }>('POST', '/v1/auth/step-up/challenges', {
    bearer: customer.token,
    body: {
      action: 'api_key.rotate',
      scope: 'api_keys:write',
      tenant_id: merchant.tenantId,
      tenant_environment: 'sandbox',
      idempotency_key: randomUUID(),
      params_hash: 'a'.repeat(64),
    },
  })
  const path = `/v1/auth/step-up/challenges/${begun.body.id}`
  const answer = async () => {
    const body = { method: 'backup_code', response: 'aaaaa-bbbbb' }
    const reply = await call<{ error: { code: string } }>('POST', `${path}/verify`, {
      bearer: customer.token,
      body,
    })
    return { code: reply.body.error.code, headers: reply.headers }
  }
  for (let wrong = 0; wrong < 5; wrong++) expect((await answer()).code).toBe('step_up_response_wrong')
  const locked = await answer()
  expect(locked.code).toBe('step_up_locked')
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
  const read = await call<{ status: string }>('GET', path, { bearer: customer.token })
  expect(read.body.status).toBe('failed')
  expect((await answer()).code).toBe('step_up_challenge_over')
  const [audited] = await adminSql('sandbox')(
    `select actor_type, actor_id, request_id from audit_events where tenant_id = $1 and operation = 'step_up.verify_challenge'`,
    [merchant.tenantId],
  )
  const requestId = locked.headers.get('x-request-id')
  expect(audited).toEqual({ actor_type: 'challenge', actor_id: customer.userId, request_id: requestId })
})
