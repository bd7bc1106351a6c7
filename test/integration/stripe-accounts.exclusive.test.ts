import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { reencryptAll } from '../../local/reencrypt.ts'
import { brokenRules } from '../support/books.ts'
import { join, newCustomer, newProof } from '../support/customer.ts'
import { call, type Merchant, newLink, newMerchant } from '../support/merchant.ts'
import { attemptOf, resolve } from '../support/review.ts'
import { ownerSql, trigger } from '../support/stack.ts'
import {
  aboutAttempt,
  directUrl,
  hook,
  journals,
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
import {
  type Keys,
  keyOne,
  keyTwo,
  known,
  other,
  own,
  setKeys,
  withAccounts,
  withOwnAccount,
} from '../support/stripe-own-accounts.ts'
import { secretKey } from '../support/stripe-server.ts'

withStripe({})

const refusalOf = async (reply: ReturnType<typeof setKeys>) => {
  const { status, body } = await reply
  const { code, param } = body.error as { code: string; param: string }
  return [status, code, param]
}

test('where merchants may bring no account, none is stored', async () => {
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
  // A stranger reads nothing of it.
  const stranger = await newMerchant({ environment: 'live' })
  expect((await setKeys(customer, stranger, own)).body).toMatchObject({
    error: { code: 'workspace_not_found' },
  })
})

test('who may not set keys has none tried at the processor', async () => {
  await withAccounts({ 1: keyOne })
  known(own, 'acct_own')
  const merchant = await newMerchant({ environment: 'live' })
  const [owner, member, stranger] = [await newCustomer(), await newCustomer(), await newCustomer()]
  await join(owner, merchant)
  await join(member, merchant, 'member')
  const [mine, foreign] = ['processor_credentials.update', 'api_key.create']
  for (const [sender, prover, action, code] of [
    [member, member, foreign, 'insufficient_role'],
    [member, member, mine, 'insufficient_role'],
    [stranger, member, mine, 'insufficient_role'],
    [owner, owner, foreign, 'step_up_action_mismatch'],
  ] as const) {
    const key = randomUUID()
    const scope = 'api_keys:write'
    const proof = await newProof(prover, merchant, {
      action,
      scope,
      key,
      params: { processor: 'stripe', ...own },
    })
    server.seen.length = 0
    const reply = await call('POST', '/v1/payment-operations/processor-credentials', {
      environment: 'live',
      bearer: sender.token,
      headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
      body: { tenant_id: merchant.tenantId, processor: 'stripe', ...own },
    })
    expect([reply.body, server.seen]).toMatchObject([{ error: { code } }, []])
  }
})

test('keys of the test mode, of an account elsewhere and of one that may not charge are refused, and none is stored', async () => {
  await withAccounts({ 1: keyOne })
  const [customer, merchant] = [await newCustomer(), await newMerchant({ environment: 'live' })]
  await join(customer, merchant)
  const refused = (keys: Partial<Keys>) => refusalOf(setKeys(customer, merchant, { ...own, ...keys }))
  known(own, 'acct_own')
  for (const [name, key] of [
    ['secret_key', 'sk_test_of-a-merchant'],
    ['secret_key', 'rk_test_of-a-merchant'],
    ['publishable_key', 'pk_test_of-a-merchant'],
    ['webhook_secret', 'signing-secret-of-none'],
    ['secret_key', 'pk_live_of-a-merchant'],
  ] as const)
    expect(await refused({ [name]: key })).toEqual([422, 'processor_keys_of_other_mode', name])
  const settings = server.settings('acct_own')
  settings.country = 'US'
  expect(await refused({})).toEqual([422, 'processor_account_unfit', 'secret_key'])
  Object.assign(settings, { country: 'MX', chargesEnabled: false })
  expect(await refused({})).toEqual([422, 'processor_account_unfit', 'secret_key'])
  settings.chargesEnabled = true
  server.pages.set(other.publishable_key, 'acct_other')
  for (const [publishable_key, code] of [
    [other.publishable_key, 'processor_keys_of_two_accounts'],
    ['pk_live_of-nobody-at-all', 'processor_keys_refused'],
  ] as const)
    expect(await refused({ publishable_key })).toEqual([422, code, 'publishable_key'])
  server.failNext(/POST \/v1\/payment_intents$/, '403')
  expect(await refused({})).toEqual([422, 'processor_keys_refused', 'secret_key'])
  Object.assign(settings, {
    capabilities: { card_payments: 'active', oxxo_payments: 'pending' },
  })
  expect(await sql('select 1 from processor_credentials where tenant_id = $1', [merchant.tenantId])).toEqual(
    [],
  )
  const reply = await setKeys(customer, merchant, own)
  expect([reply.status, reply.body.methods]).toEqual([200, { card: 'active', oxxo: 'pending', spei: null }])
})

test("a merchant's own account: encrypted, used for new payments, notified at its own address, re-encrypted", async () => {
  await withAccounts({ 1: keyOne })
  known(own, 'acct_own')
  const customer = await newCustomer()
  const { merchant, link: before } = await liveLink({ usage: 'multi_use' })
  await join(customer, merchant)
  await payWith(before, 'pm_challenge')
  const old = await paymentOf(merchant)
  expect(server.seen.at(-1)!.account).toBe(secretKey)

  const reply = await setKeys(customer, merchant, own)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body).toMatchObject({
    secret_key_last4: 'w7Qz',
    status: 'active',
    account: 'acct_own',
    version: 1,
  })
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

  // What began on our account ends there; new payments go to the merchant's.
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

  // Its events arrive at its own address, signed with its own secret.
  server.move(server.intentFor(fresh.attempt)!.id, { status: 'succeeded' })
  const { body, signature } = await server.event('payment_intent.succeeded', aboutAttempt(fresh.attempt), {
    secret: own.webhook_secret,
  })
  const post = (to: string) =>
    fetch(directUrl + to, { method: 'POST', body, headers: { 'stripe-signature': signature } })
  expect((await post(hook)).status).toBe(400)
  expect((await post(`${hook}/tn_nobody`)).status).toBe(404)
  expect((await post(`${hook}/%00`)).status).toBe(404)
  expect((await post(`${hook}/${merchant.tenantId}`)).status).toBe(200)
  await until(async () => (await paymentOf(merchant)).status === 'succeeded')

  // We add a key and re-encrypt under it: then the old one may be removed.
  const keys = { 1: keyOne, 2: keyTwo }
  await withAccounts(keys)
  await reencryptAll(ownerSql('live'), 'SECRETS_KEYS', { current: '2', byVersion: keys })
  await withAccounts({ 2: keyTwo })
  const next = await newLink(merchant)
  await payWith(next, 'pm_approve')
  expect((await paymentOf(merchant)).status).toBe('succeeded')
  expect(server.seen.at(-1)!.account).toBe(own.secret_key)
  const [encrypted] = await sql<{ secret_key: string; webhook_secret: string }>(
    'select secret_key, webhook_secret from processor_credentials where tenant_id = $1',
    [merchant.tenantId],
  )
  expect([encrypted!.secret_key.slice(0, 2), encrypted!.webhook_secret.slice(0, 2)]).toEqual(['2.', '2.'])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
  expect(server.complaints).toEqual([])
})

const post = (merchant: Merchant, path: string, body: object = {}) =>
  call<{ id: string; status: string }>('POST', path, {
    environment: 'live',
    bearer: merchant.apiKey,
    body,
  })

/** Every request of `work` to Stripe goes to this account alone. */
async function onlyAt(keys: Keys, work: () => Promise<void>) {
  server.seen.length = 0
  await work()
  // The events of each account are read now and then.
  const seen = server.seen.filter(({ path }) => path !== '/v1/events')
  expect(seen.filter(({ account }) => account !== keys.secret_key)).toEqual([])
  expect(seen.length).toBeGreaterThan(0)
}

/** How many PaymentIntents are of attempts: setting keys leaves one that is canceled. */
const charges = () =>
  [...server.intents.values()].filter(({ metadata }) => metadata.attempt_id !== undefined).length

const nothingBroken = async ({ tenantId }: Merchant) => {
  expect(await brokenRules(tenantId, 'live')).toEqual([])
  expect(server.complaints).toEqual([])
}

describe('the merchant changes to another account: what began at the first ends there', () => {
  test('between authorization and capture, and before the refund; new sales go to the other', async () => {
    const { merchant, link, set } = await withOwnAccount({
      capture_method: 'manual',
      payment_method_types: ['card'],
    })
    await payWith(link, 'pm_approve')
    const { id } = await paymentOf(merchant)
    await set(other)
    await onlyAt(own, async () => {
      const captured = await post(merchant, `/v1/payments/${id}/capture`, { amount: '50000' })
      expect([captured.status, captured.body.status]).toEqual([200, 'partially_captured'])
      await post(merchant, '/v1/refunds', { payment_id: id, amount: '100', reason: 'requested_by_customer' })
      await until(async () => server.refunds.size === 1)
    })
    await until(async () => (await sql(`select 1 from refunds where status = 'succeeded'`)).length === 1)
    const next = await newLink(merchant)
    expect((await open(next)).html).toContain(other.publishable_key)
    await onlyAt(other, async () => {
      expect(await payWith(next, 'pm_approve')).toContain(next.public_id)
    })
    expect(charges()).toBe(2)
    await nothingBroken(merchant)
  })

  test.each([true, false])('between silence and the reconciler, arrived: %s', async (arrived) => {
    const { merchant, link, set } = await withOwnAccount()
    server.failNext(/POST \/v1\/payment_intents$/, arrived ? 'cut_after' : 'cut')
    await payWith(link, 'pm_approve')
    expect((await paymentOf(merchant)).attempt_status).toBe('unknown')
    await set(other)
    // What earlier tests left is not due now, however slow the machine is.
    for (const table of ['payment_attempts', 'refunds'])
      await sql(
        `update ${table} set next_check_at = case when tenant_id = $1 then now() else now() + interval '1 day' end
         where next_check_at is not null`,
        [merchant.tenantId],
      )
    await sql('update processor_notifications set next_try_at = null')
    await onlyAt(own, () => trigger('live'))
    // A payment that never arrived is closed at the account where it would have arrived.
    expect((await paymentOf(merchant)).status).toBe(arrived ? 'succeeded' : 'requires_payment_method')
    expect(charges()).toBe(1)
    await nothingBroken(merchant)
  })

  test('its notifications still arrive at the same address, signed by it; a dispute is looked up there', async () => {
    const { merchant, link, set } = await withOwnAccount({ usage: 'multi_use' })
    await payWith(link, 'pm_challenge')
    const { attempt } = await paymentOf(merchant)
    const intent = server.intentFor(attempt)!.id
    await set(other)
    server.move(intent, { status: 'succeeded' })
    const tell = async (type: string, about: object, keys: Keys) => {
      const { body, signature } = await server.event(type, about, { secret: keys.webhook_secret })
      const headers = { 'stripe-signature': signature }
      return fetch(`${directUrl}${hook}/${merchant.tenantId}`, { method: 'POST', body, headers })
    }
    await onlyAt(own, async () => {
      expect((await tell('payment_intent.succeeded', aboutAttempt(attempt), own)).status).toBe(200)
      await until(statusIs(merchant, 'succeeded'))
    })
    const about = server.dispute(intent, 'needs_response')
    // At the account that did not take it, it does not exist.
    expect((await tell('charge.dispute.created', about, other)).status).toBe(200)
    await until(async () => server.seen.at(-1)!.account === other.secret_key)
    await onlyAt(own, async () => {
      expect((await tell('charge.dispute.updated', about, own)).status).toBe(200)
      await until(async () => (await sql('select 1 from disputes')).length === 1)
    })
    await nothingBroken(merchant)
  })

  test('other keys of the same account are used at once; a former account comes back unchanged', async () => {
    const { customer, merchant, link, set } = await withOwnAccount({ usage: 'multi_use' })
    await payWith(link, 'pm_approve')
    const { id } = await paymentOf(merchant)
    const [first] = await accounts(merchant)
    await set(other)
    const rolled = { ...own, secret_key: 'sk_live_rolled-of-a-merchant' }
    server.accounts.delete(own.secret_key)
    server.accounts.set(rolled.secret_key, 'acct_own')
    expect(await set(rolled)).toMatchObject({ id: first!.id, account: 'acct_own', status: 'active' })
    expect(await accounts(merchant)).toMatchObject([
      { account_ref: 'acct_own', status: 'active' },
      { account_ref: 'acct_other', status: 'superseded' },
    ])
    await onlyAt(rolled, async () => {
      await post(merchant, '/v1/refunds', { payment_id: id, reason: 'requested_by_customer' })
      await until(async () => server.refunds.size === 1)
    })
    const wrong = await setKeys(customer, merchant, { ...own, secret_key: 'sk_live_of-nobody' })
    expect([wrong.status, wrong.body]).toMatchObject([422, { error: { code: 'processor_keys_refused' } }])
    server.failNext(/account$/, '500')
    expect((await setKeys(customer, merchant, other)).status).toBe(503)
    await nothingBroken(merchant)
  })

  test('merchants may bring none any more: new sales are ours, payments at their accounts stay there', async () => {
    const { merchant, link } = await withOwnAccount()
    await payWith(link, 'pm_approve')
    const { id } = await paymentOf(merchant)
    await setUp({ STRIPE_MERCHANT_ACCOUNTS: 'false', SECRETS_KEYS: JSON.stringify({ 1: keyOne }) })
    await onlyAt(own, async () => {
      await post(merchant, '/v1/refunds', { payment_id: id, reason: 'requested_by_customer' })
      await until(async () => server.refunds.size === 1)
    })
    const next = await newLink(merchant)
    await payWith(next, 'pm_approve')
    expect(server.seen.at(-1)!.account).toBe(secretKey)
    await nothingBroken(merchant)
  })

  test('a contradicting payment is given back there, once, however many ask', async () => {
    const { merchant, link, set } = await withOwnAccount()
    await payWith(link, 'pm_challenge')
    const { id, attempt } = await paymentOf(merchant)
    server.move(server.intentFor(attempt)!.id, { status: 'succeeded', received: 100 })
    await sql(`update payment_attempts set next_check_at = now() where tenant_id = $1`, [merchant.tenantId])
    await trigger('live')
    expect((await attemptOf(merchant, id)).review).toMatchObject({
      ours: { amount: '120000' },
      theirs: { amount: '100' },
    })
    await set(other)
    await onlyAt(own, async () => {
      server.failNext(/POST \/v1\/refunds$/, '500_after')
      expect((await resolve(merchant, id, 'void_or_refund')).status).toBe(200)
      await until(async () => {
        await sql(`update payment_attempts set next_check_at = now() where intent = 'void_or_refund'`)
        await trigger('live')
        return (await paymentOf(merchant)).status === 'canceled'
      })
    })
    expect([...server.refunds.values()]).toMatchObject([{ amount: 100, metadata: { refund_id: attempt } }])
    expect((await attemptOf(merchant, id)).review?.resolution).toBe('refunded')
    expect(await journals(merchant)).toBe(0)
    await nothingBroken(merchant)
  })

  test('the database lets no attempt move to another account', async () => {
    const { merchant, link } = await withOwnAccount()
    await payWith(link, 'pm_approve')
    const move = sql('update payment_attempts set account_id = null where tenant_id = $1', [
      merchant.tenantId,
    ])
    await expect(move).rejects.toThrow('an attempt stays with its account')
  })
})

const accounts = ({ tenantId }: Merchant) =>
  sql<{ id: string; account_ref: string; status: string }>(
    'select id, account_ref, status from processor_credentials where tenant_id = $1 order by status',
    [tenantId],
  )
