import { randomUUID } from 'node:crypto'
import { openWorkspace } from '../../local/merchant.ts'
import { canonicalJson } from '../../src/kernel/canonical.ts'
import type { Json } from '../../src/kernel/json.ts'
import { type Customer, newCustomer, newProof, sha256 } from './customer.ts'
import { call } from './merchant.ts'
import { stack } from './stack.ts'

/** A customer with a workspace of their own and no key in it yet. */
export type Keeper = Customer & { tenantId: string; environment: 'sandbox' }

export async function newKeeper(): Promise<Keeper> {
  const customer = await newCustomer()
  const tenantId = await openWorkspace(stack.sandbox.directUrl, customer, 'Café Azul')
  return { ...customer, tenantId, environment: 'sandbox' }
}

/** A challenge that is not answered yet. */
export async function newChallenge(keeper: Keeper, key: string = randomUUID()): Promise<{ id: string }> {
  const reply = await call<{ id: string }>('POST', '/v1/auth/step-up/challenges', {
    bearer: keeper.token,
    body: {
      action: 'api_key.create',
      scope: 'api_keys:write',
      tenant_id: keeper.tenantId,
      tenant_environment: 'sandbox',
      idempotency_key: key,
      params_hash: sha256(canonicalJson({})),
    },
  })
  if (reply.status >= 300) throw new Error(`no challenge: ${reply.status} ${reply.text}`)
  return reply.body
}

export type Issued = { key: { id: string; status: string; description: string }; one_time_value?: string }

const scopes = ['payment_links:read', 'payment_links:write']

const creationOf = (description: string): Json => ({ description, environment: 'sandbox', scopes })

export const proveCreate = (keeper: Keeper, key: string, description: string) =>
  newProof(keeper, keeper, { action: 'api_key.create', key, params: creationOf(description) })

export const proveMove = (keeper: Keeper, move: 'rotate' | 'revoke', id: string, key: string) =>
  newProof(keeper, keeper, { action: `api_key.${move}`, key, params: { key_ref_id: id } })

export const createKey = (keeper: Keeper, key: string, proof: string, description: string) =>
  call<Issued>('POST', '/v1/api-keys', {
    bearer: keeper.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { description, scopes, tenant_id: keeper.tenantId, tenant_environment: 'sandbox' },
  })

export const moveKey = (keeper: Keeper, move: 'rotate' | 'revoke', id: string, key: string, proof: string) =>
  call<Issued>('POST', `/v1/api-keys/${id}/${move}`, {
    bearer: keeper.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { tenant_id: keeper.tenantId },
  })

/** The keeper's own key, made with its own proof. */
export async function issueKey(keeper: Keeper): Promise<{ id: string; apiKey: string }> {
  const key = randomUUID()
  const { status, body, text } = await createKey(
    keeper,
    key,
    await proveCreate(keeper, key, 'Storefront'),
    'Storefront',
  )
  if (status !== 201) throw new Error(`no key: ${status} ${text}`)
  return { id: body.key.id, apiKey: body.one_time_value! }
}

/** Revokes a key for good, as its keeper. */
export async function revokeKey(keeper: Keeper, id: string): Promise<number> {
  const key = randomUUID()
  return (await moveKey(keeper, 'revoke', id, key, await proveMove(keeper, 'revoke', id, key))).status
}
