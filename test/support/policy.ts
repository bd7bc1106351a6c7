import { randomUUID } from 'node:crypto'
import type { Json } from '../../src/kernel/json.ts'
import { type Customer, join, newCustomer, newProof } from './customer.ts'
import { call, type Merchant, newMerchant } from './merchant.ts'

export type Policy = {
  version: number
  location_id: string | null
  settings: Json
  effective: Record<string, Record<string, Json>>
  sources: Record<string, string>
  policy_version: string
  effective_at: string
  upcoming: { policy_version: string; starts_at: string; settings: Json }[]
  error?: { code: string; param: string | null }
}

let signedUp: Promise<Customer> | undefined

/** A fresh workspace, and the admin who may set its policy: one for the whole file. */
export async function newGoverned(): Promise<{ merchant: Merchant; admin: Customer }> {
  signedUp ??= newCustomer()
  const [admin, merchant] = [await signedUp, await newMerchant()]
  await join(admin, merchant)
  return { merchant, admin }
}

/** Sets a level of a workspace's policy, with a fresh proof. */
export async function setPolicy(
  { merchant, admin }: { merchant: Merchant; admin: Customer },
  settings: Json,
  locationId: string | null = null,
  headers: Record<string, string> = {},
  planned: { starts_at?: string; ends_at?: string; replaces_planned?: true } = {},
) {
  const key = randomUUID()
  const params = { location_id: locationId, settings, ...planned }
  const action = 'payment_policy.update'
  const proof = await newProof(admin, merchant, { action, scope: 'policies:write', key, params })
  return call<Policy>('PUT', '/v1/payment-policy', {
    bearer: admin.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof, ...headers },
    body: { tenant_id: merchant.tenantId, ...params },
  })
}

export const policyOf = (merchant: Merchant, query = '') =>
  call<Policy>('GET', `/v1/payment-policy${query}`, { bearer: merchant.apiKey })

export async function newLocation(merchant: Merchant): Promise<string> {
  const body = { name: `Roma ${randomUUID().replace(/\d/g, 'x')}` }
  return (await call<{ id: string }>('POST', '/v1/workspace/locations', { bearer: merchant.apiKey, body }))
    .body.id
}
