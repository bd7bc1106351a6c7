import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Customer, join, newCustomer, newProof } from './customer.ts'
import { call, type Merchant } from './merchant.ts'
import { liveLink, server, setUp } from './stripe-live.ts'

// Merchants with Stripe accounts of their own.

export const own = {
  secret_key: 'sk_live_of-a-merchant-w7Qz',
  webhook_secret: 'whsec_of-a-merchant',
  publishable_key: 'pk_live_of-a-merchant',
}
export type Keys = typeof own
export const other: Keys = {
  secret_key: 'sk_live_of-the-other-account',
  webhook_secret: 'whsec_of-the-other',
  publishable_key: 'pk_live_of-the-other',
}

/** Makes Stripe know the keys of an account. */
export function known({ secret_key, publishable_key }: Keys, account: string): void {
  server.accounts.set(secret_key, account)
  server.pages.set(publishable_key, account)
}

/** Sets the keys of a merchant's account, as an admin with a fresh proof. */
export async function setKeys(customer: Customer, merchant: Merchant, keys: Keys) {
  const body = { tenant_id: merchant.tenantId, processor: 'stripe', ...keys }
  const { tenant_id: _, ...params } = body
  const key = randomUUID()
  const proof = await newProof(customer, merchant, { action: 'processor_credentials.update', key, params })
  return call('POST', '/v1/payment-operations/processor-credentials', {
    environment: 'live',
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body,
  })
}

export const keyOne = randomBytes(32).toString('base64')
export const keyTwo = randomBytes(32).toString('base64')
export const withAccounts = (secretsKeys: Record<string, string>) =>
  setUp({ STRIPE_MERCHANT_ACCOUNTS: 'true', SECRETS_KEYS: JSON.stringify(secretsKeys) })

/** A merchant whose active account is `own`, and who may set another. */
export async function withOwnAccount(fields: Record<string, unknown> = {}) {
  await withAccounts({ 1: keyOne })
  known(own, 'acct_own')
  known(other, 'acct_other')
  const [customer, { merchant, link }] = [await newCustomer(), await liveLink(fields)]
  await join(customer, merchant)
  const set = async (keys: Keys) => {
    const reply = await setKeys(customer, merchant, keys)
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }
  await set(own)
  return { customer, merchant, link, set }
}
