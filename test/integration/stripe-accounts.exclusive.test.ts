import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenRules } from '../support/books.ts'
import { type Customer, join, newCustomer, newProof } from '../support/customer.ts'
import { call, type Merchant, newLink, newMerchant } from '../support/merchant.ts'
import { trigger } from '../support/stack.ts'
import {
  aboutAttempt,
  directUrl,
  hook,
  liveLink,
  notify,
  open,
  paymentOf,
  payWith,
  server,
  setUp,
  sql,
  statusIs,
  until,
  withStripe,
} from '../support/stripe-live.ts'
import { secretKey } from '../support/stripe-server.ts'

withStripe({})

const own = {
  secret_key: 'stand-in-key-of-a-merchant-w7Qz',
  webhook_secret: 'stand-in-signing-of-a-merchant',
  publishable_key: 'stand-in-publishable-of-a-merchant',
}

/** Sets the keys of a merchant's account, as an admin with a fresh proof. */
async function setKeys(customer: Customer, merchant: Merchant, keys: typeof own) {
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

const keyOne = randomBytes(32).toString('base64')
const keyTwo = randomBytes(32).toString('base64')
const withAccounts = (secretsKeys: Record<string, string>) =>
  setUp({ STRIPE_MERCHANT_ACCOUNTS: 'true', SECRETS_KEYS: JSON.stringify(secretsKeys) })

test('where merchants bring no account, none is kept', async () => {
  const [customer, merchant] = [await newCustomer(), await newMerchant({ environment: 'live' })]
  await join(customer, merchant)
  const reply = await setKeys(customer, merchant, own)
  expect([reply.status, reply.body]).toMatchObject([
    422,
    { error: { code: 'processor_account_unavailable' } },
  ])
  expect(await sql('select 1 from processor_credentials where tenant_id = $1', [merchant.tenantId])).toEqual(
    [],
  )
})

test("a merchant's own account: sealed, used for what begins after it, told at its own address, sealed anew", async () => {
  await withAccounts({ 1: keyOne })
  server.accounts.add(own.secret_key)
  const customer = await newCustomer()
  const { merchant, link: before } = await liveLink({ usage: 'multi_use' })
  await join(customer, merchant)
  await payWith(before, 'pm_challenge')
  const old = await paymentOf(merchant)
  expect(server.seen.at(-1)!.account).toBe(secretKey)

  const reply = await setKeys(customer, merchant, own)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body).toMatchObject({ secret_key_last4: 'w7Qz', status: 'active', version: 1 })
  const listed = await call(
    'GET',
    `/v1/payment-operations/processor-credentials?tenant_id=${merchant.tenantId}`,
    {
      environment: 'live',
      bearer: customer.token,
    },
  )
  const [row] = await sql<{ row: string }>(
    'select to_jsonb(c)::text as row from processor_credentials c where tenant_id = $1',
    [merchant.tenantId],
  )
  const told = await sql<{ row: string }>(
    'select to_jsonb(e)::text as row from events e where tenant_id = $1',
    [merchant.tenantId],
  )
  for (const text of [reply.text, listed.text, row!.row, ...told.map((each) => each.row)]) {
    expect(text).not.toContain(own.secret_key)
    expect(text).not.toContain(own.webhook_secret)
  }

  // What began on our account ends there; what begins now goes to the merchant's.
  server.move(server.intentFor(old.attempt)!.id, { status: 'succeeded' })
  await notify('payment_intent.succeeded', aboutAttempt(old.attempt))
  await until(statusIs(merchant, 'succeeded'))
  const link = await newLink(merchant)
  const { html } = await open(link)
  expect(html).toContain(`data-key="${own.publishable_key}"`)
  server.seen.length = 0
  await payWith(link, 'pm_challenge')
  const fresh = await paymentOf(merchant)
  expect(new Set(server.seen.map(({ account }) => account))).toEqual(new Set([own.secret_key]))

  // Its events come to its own address, signed with its own secret.
  server.move(server.intentFor(fresh.attempt)!.id, { status: 'succeeded' })
  const { body, signature } = await server.event('payment_intent.succeeded', aboutAttempt(fresh.attempt), {
    secret: own.webhook_secret,
  })
  const post = (to: string) =>
    fetch(directUrl + to, { method: 'POST', body, headers: { 'stripe-signature': signature } })
  expect((await post(hook)).status).toBe(400)
  expect((await post(`${hook}/tn_nobody`)).status).toBe(404)
  expect((await post(`${hook}/${merchant.tenantId}`)).status).toBe(200)
  await until(async () => (await paymentOf(merchant)).status === 'succeeded')

  // Another key of ours: everything is sealed under it, and the old one may go.
  await withAccounts({ 1: keyOne, 2: keyTwo })
  await trigger('live')
  await withAccounts({ 2: keyTwo })
  const next = await newLink(merchant)
  await payWith(next, 'pm_approve')
  expect((await paymentOf(merchant)).status).toBe('succeeded')
  expect(server.seen.at(-1)!.account).toBe(own.secret_key)
  const [sealed] = await sql<{ secret_key: string; version: number }>(
    'select secret_key, version from processor_credentials where tenant_id = $1',
    [merchant.tenantId],
  )
  expect([sealed!.secret_key.slice(0, 2), sealed!.version]).toEqual(['2.', 2])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
  expect(server.complaints).toEqual([])
})
