import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { canonicalJson } from '../src/kernel/canonical.ts'
import type { Json } from '../src/kernel/json.ts'
import { sha256Hex } from '../src/platform/crypto.ts'
import { mailsTo } from './mailbox.ts'
import type { Environment } from './postgres.ts'
import { totp } from './totp.ts'

/** An account with an authenticator, made through the public interface. */
export type Account = {
  email: string
  password: string
  /** Base32, as an authenticator app takes it. */
  totpSecret: string
  backupCodes: string[]
  /** Of its first session. */
  token: string
}

type Sent = { method?: string; bearer?: string; key?: string; headers?: Record<string, string>; body?: Json }

/** A request to the service, as a merchant's backend would send it. `key` is the Idempotency-Key. */
export function send(
  baseUrl: string,
  path: string,
  { method = 'POST', bearer, key, headers, body }: Sent = {},
): Promise<Response> {
  return fetch(baseUrl + path, {
    method,
    headers: {
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
      ...(key && { 'Idempotency-Key': key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** Comes back when `Retry-After` says, as an app would where the service is busy for a moment. */
async function take<Reply>(baseUrl: string, path: string, sent: Sent, triesLeft = 5): Promise<Reply> {
  const response = await send(baseUrl, path, sent)
  const retryAfterSeconds = Number(response.headers.get('Retry-After'))
  if (response.status === 503 && retryAfterSeconds > 0 && triesLeft > 1) {
    await response.body?.cancel()
    await delay(retryAfterSeconds * 1000)
    return take(baseUrl, path, sent, triesLeft - 1)
  }
  const text = await response.text()
  if (!response.ok) throw new Error(`${sent.method ?? 'POST'} ${path}: ${response.status} ${text}`)
  return JSON.parse(text) as Reply
}

/** Signs up, and in with the password alone: such a session can only enrol a second factor. */
export async function signUp(baseUrl: string, name: string, email: string) {
  const password = randomBytes(12).toString('base64url')
  await take(baseUrl, '/v1/auth/sign-up/email', { body: { name, email, password } })
  const { token } = await take<{ token: string }>(baseUrl, '/v1/auth/sign-in/email', {
    body: { email, password },
  })
  return { email, password, token }
}

/** Signs up and enrols an authenticator, with the previous half minute's code: the current one still works. */
export async function openAccount(baseUrl: string, name: string, email: string): Promise<Account> {
  const { password, token } = await signUp(baseUrl, name, email)
  const enrolment = await take<{ totp_uri: string; backup_codes: string[] }>(
    baseUrl,
    '/v1/auth/two-factor/enable',
    {
      bearer: token,
      body: { password },
    },
  )
  const totpSecret = new URL(enrolment.totp_uri).searchParams.get('secret') ?? ''
  const confirm = async (halfMinutes: number) =>
    take<{ token: string }>(baseUrl, '/v1/auth/two-factor/verify-totp', {
      bearer: token,
      body: { code: await totp(totpSecret, halfMinutes) },
    })
  const confirmed = await confirm(-1).catch(() => confirm(0)) // the half minute may have ended on the way
  return { email, password, totpSecret, backupCodes: [...enrolment.backup_codes], token: confirmed.token }
}

/**
 * Confirms the address of an account that was just opened, with the link that the mailbox received and the account's own
 * session: without it, its second factors would go.
 */
export async function confirmAddress(
  mailboxUrl: string,
  baseUrl: string,
  { email, token: bearer }: Pick<Account, 'email' | 'token'>,
): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const [mail] = await mailsTo(mailboxUrl, email)
    const [, linked] = /http\S+\/account\/confirm\/(\S+)/.exec(mail?.text ?? '') ?? []
    if (linked) {
      await take(baseUrl, '/v1/auth/verify-email', { bearer, body: { token: linked } })
      return
    }
    await delay(200)
  }
  throw new Error(`no mail arrived for ${email}`)
}

/** Opens a workspace that the account owns. @returns its tenant_id */
export async function openWorkspace(
  baseUrl: string,
  { token }: Account,
  name: string,
  tenantId?: string,
): Promise<string> {
  const body = tenantId ? { name, tenant_id: tenantId } : { name }
  const opened = await take<{ tenant_id: string }>(baseUrl, '/v1/workspaces', {
    bearer: token,
    key: randomUUID(),
    body,
  })
  return opened.tenant_id
}

export type Mutation = {
  action: string
  /** `api_keys:write` when absent. */
  scope?: string
  tenantId: string
  environment: Environment
  key: string
  params: Json
}

/** Proves a mutation with one of the account's backup codes, so that no authenticator code is used up. */
export async function stepUp(baseUrl: string, account: Account, mutation: Mutation): Promise<string> {
  const challenge = await take<{ id: string }>(baseUrl, '/v1/auth/step-up/challenges', {
    bearer: account.token,
    body: {
      action: mutation.action,
      scope: mutation.scope ?? 'api_keys:write',
      tenant_id: mutation.tenantId,
      tenant_environment: mutation.environment,
      idempotency_key: mutation.key,
      params_hash: await sha256Hex(canonicalJson(mutation.params)),
    },
  })
  const code = account.backupCodes.shift()
  if (!code) throw new Error('the account has no backup code left')
  const path = `/v1/auth/step-up/challenges/${challenge.id}/verify`
  const proof = { method: 'backup_code', response: code }
  return (await take<{ step_up_token: string }>(baseUrl, path, { bearer: account.token, body: proof }))
    .step_up_token
}

export type KeyOrder = { tenantId: string; environment: Environment; description: string; scopes: string[] }

/** Creates an API key with a step-up proof. @returns the plaintext credential */
export async function createApiKey(baseUrl: string, account: Account, order: KeyOrder): Promise<string> {
  const { tenantId, environment, description, scopes } = order
  const key = randomUUID()
  const params = { description, environment, scopes: [...scopes].sort() }
  const proof = await stepUp(baseUrl, account, {
    action: 'api_key.create',
    tenantId,
    environment,
    key,
    params,
  })
  const created = await take<{ one_time_value: string }>(baseUrl, '/v1/api-keys', {
    bearer: account.token,
    key,
    headers: { 'x-sp-step-up-token': proof },
    body: { description, scopes, tenant_id: tenantId, tenant_environment: environment },
  })
  return created.one_time_value
}

export type PayoutOrder = { tenantId: string; environment: Environment; clabe: string; holder: string }

/** Adds a bank account, waits until it is verified, and has pesos paid out to it by hand, with step-up proofs. */
export async function setPayouts(baseUrl: string, account: Account, order: PayoutOrder): Promise<void> {
  const { clabe, holder } = order
  const { id } = await proven<{ id: string }>(baseUrl, account, order, {
    path: '/v1/workspace/bank-accounts',
    proof: { action: 'bank_account.create', scope: 'workspace:write', params: { clabe, holder } },
    body: { clabe, holder },
  })
  const at = `/v1/workspace/bank-accounts/${id}?tenant_id=${order.tenantId}`
  for (let tries = 0; ; tries++) {
    const { status } = await take<{ status: string }>(baseUrl, at, { method: 'GET', bearer: account.token })
    if (status === 'verified') break
    if (tries === 100) throw new Error(`the bank account is still ${status}`)
    await delay(100)
  }
  const settings = { currency: 'mxn', interval: 'manual', amount_min: '0', bank_account_id: id }
  await proven(baseUrl, account, order, {
    path: '/v1/payment-operations/payout-settings',
    proof: {
      action: 'payout_settings.update',
      scope: 'transfers:write',
      params: { ...settings, anchor_day: null },
    },
    body: settings,
  })
}

/** One change of a workspace with a step-up proof for it. */
async function proven<Reply>(
  baseUrl: string,
  account: Account,
  { tenantId, environment }: PayoutOrder,
  {
    path,
    proof,
    body,
  }: {
    path: string
    proof: Pick<Mutation, 'action' | 'params'> & { scope: string }
    body: Record<string, Json>
  },
): Promise<Reply> {
  const key = randomUUID()
  const token = await stepUp(baseUrl, account, { ...proof, tenantId, environment, key })
  return take<Reply>(baseUrl, path, {
    bearer: account.token,
    key,
    headers: { 'x-sp-step-up-token': token },
    body: { ...body, tenant_id: tenantId },
  })
}

/** Creates a payment link. @returns its public id */
export async function createPaymentLink(baseUrl: string, apiKey: string, body: Json): Promise<string> {
  const sent = { bearer: apiKey, key: randomUUID(), body }
  return (await take<{ public_id: string }>(baseUrl, '/v1/payment-links', sent)).public_id
}
