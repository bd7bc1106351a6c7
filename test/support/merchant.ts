import { createHmac, randomInt, randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { scopes as allScopes } from '../../src/http/contract.ts'
import { mintApiKey, obfuscate } from '../../src/kernel/api-key.ts'
import { uuidv7, workspaceId } from '../../src/kernel/ids.ts'
import { writtenByHand } from './kept-books.ts'
import { adminSql, stack } from './stack.ts'

export type Environment = 'sandbox' | 'live'

export type Merchant = {
  environment: Environment
  tenantId: string
  ownerId: string
  apiKey: string
  keyId: string
}

/**
 * A fresh tenant with an owner and an API key, written straight into the database: what most tests need, in a few
 * milliseconds. How customers open one themselves is tested with identity and API keys.
 */
export async function newMerchant(
  options: { environment?: Environment; scopes?: readonly string[]; name?: string } = {},
): Promise<Merchant> {
  const { environment = 'sandbox', scopes = allScopes, name = 'Café Azul' } = options
  const tenantId = workspaceId(randomUUID().replaceAll('-', ''))
  const ownerId = randomUUID()
  const sql = adminSql(environment)
  await sql(
    `insert into tenants (tenant_id, name, status, created_at, updated_at) values ($1, $2, 'active', now(), now())`,
    [tenantId, name],
  )
  await sql(
    `insert into memberships (tenant_id, user_id, email, role, status, created_at, updated_at)
     values ($1, $2, 'owner@example.com', 'owner', 'active', now(), now())`,
    [tenantId, ownerId],
  )
  const { keyId, apiKey } = await newApiKey({ environment, tenantId, ownerId }, { scopes })
  return { environment, tenantId, ownerId, apiKey, keyId }
}

/** Another key of a tenant, in any status. */
export async function newApiKey(
  merchant: { environment: Environment; tenantId: string; ownerId: string },
  options: {
    scopes?: readonly string[]
    status?: string
    expiresAt?: Date | null
    graceEndsAt?: Date | null
  } = {},
): Promise<{ keyId: string; apiKey: string }> {
  const { scopes = allScopes, status = 'active', expiresAt = null, graceEndsAt = null } = options
  const { token, kid } = mintApiKey({ environment: merchant.environment })
  const pepper = (JSON.parse(stack[merchant.environment].apiKeyPeppers) as Record<string, string>)['1']!
  const digest = createHmac('sha256', pepper).update(token).digest('hex')
  const keyId = uuidv7(Date.now())
  await adminSql(merchant.environment)(
    `insert into api_keys (tenant_id, id, kid, digest, pepper_version, obfuscated_value, description, environment, scopes,
       status, expires_at, grace_ends_at, created_by_user_id, created_by_email, created_at, updated_at)
     values ($1, $2, $3, $4, 1, $5, 'Test', $6, $7, $8, $9, $10, $11, 'owner@example.com',
       date_trunc('milliseconds', now()), now())`,
    [
      merchant.tenantId,
      keyId,
      kid,
      digest,
      obfuscate(token),
      merchant.environment,
      scopes,
      status,
      expiresAt,
      graceEndsAt,
      merchant.ownerId,
    ],
  )
  return { keyId, apiKey: token }
}

export type Reply<Body = Record<string, unknown>> = {
  status: number
  headers: Headers
  body: Body
  text: string
}

type Sent = {
  bearer?: string | undefined
  body?: unknown
  headers?: Record<string, string>
  environment?: Environment
}

/** Where nothing breaks on purpose, a busy machine alone makes an outcome unknown. It is asked again under the same key. */
const sendsMax = 5

/** One call of the interface, straight to the Worker. POST and PATCH get a fresh Idempotency-Key unless given one. */
export async function call<Body = Record<string, unknown>>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { bearer, body, headers, environment = 'sandbox' }: Sent = {},
): Promise<Reply<Body>> {
  const all = new Headers(headers)
  if (bearer) all.set('authorization', `Bearer ${bearer}`)
  if (method !== 'GET' && !all.has('idempotency-key')) all.set('idempotency-key', randomUUID())
  if (body !== undefined && !all.has('content-type')) all.set('content-type', 'application/json')
  const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
  for (let sends = 1; ; sends++) {
    const response = await fetch(stack[environment].directUrl + path, {
      method,
      headers: all,
      body: sent,
      redirect: 'manual',
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : {}
    const isUnknown = response.status === 503 && json.error?.code === 'outcome_unknown'
    if (!isUnknown || inject('isAlone') || sends === sendsMax)
      return { status: response.status, headers: response.headers, body: json as Body, text }
  }
}

export type Link = {
  id: string
  public_id: string
  status: string
  version: number
  checkout_session_ref: string | null
}

export async function newLink(merchant: Merchant, fields: Record<string, unknown> = {}): Promise<Link> {
  const reply = await call<Link>('POST', '/v1/payment-links', {
    bearer: merchant.apiKey,
    environment: merchant.environment,
    body: { manual_amount: 120_000, currency: 'mxn', ...fields },
  })
  if (reply.status !== 201) throw new Error(`no link: ${reply.status} ${reply.text}`)
  return reply.body
}

export type PayForm = { quote: string; attempt_key: string }

/** Pages that say "try again" are opened again so often: on a busy machine the database may be late. */
const openingsMax = 5

/** Where a buyer comes from: what is counted by network is theirs alone. */
export const newNetwork = () => `198.51.${randomInt(256)}.${randomInt(256)}`

/** Opens a link's page as a buyer would and answers the hidden fields of its form. */
export async function openLink(publicId: string, query = '', openings = 1): Promise<PayForm> {
  const response = await fetch(`${stack.sandbox.directUrl}/${publicId}${query}`)
  const html = await response.text()
  if (response.status === 503 && openings < openingsMax) return openLink(publicId, query, openings + 1)
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]
  const [quote, attemptKey] = [field('quote'), field('attempt_key')]
  if (!quote || !attemptKey) throw new Error(`no form at ${publicId}: ${response.status}`)
  return { quote, attempt_key: attemptKey }
}

/** Sends the form of a link's page; `months` where the link offers installments. Answers where the buyer is sent. */
export async function pay(
  publicId: string,
  form: PayForm,
  token: string,
  months?: number,
): Promise<{ status: number; location: string | null; html: string }> {
  const body = new URLSearchParams({
    ...form,
    card_token: token,
    locale: 'en',
    ...(months ? { months: String(months) } : {}),
  })
  const url = `${stack.sandbox.directUrl}/${publicId}/attempts`
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  return { status: response.status, location: response.headers.get('location'), html: await response.text() }
}

/**
 * Workspaces beside the one that a test fills: Postgres does not know the tenant when it plans, and plans for the
 * average tenant, which is small.
 */
export async function smallWorkspaces(count = 300): Promise<string[]> {
  const made = await adminSql('sandbox')<{ tenant_id: string }>(
    `insert into tenants (tenant_id, name, status, version, created_at, updated_at)
     select overlay(gen_random_uuid()::text placing '61' from 1)::uuid, 'Small', 'active', 1, now(), now() from generate_series(1, $1::int) returning tenant_id`,
    [count],
  )
  for (const { tenant_id } of made) writtenByHand(tenant_id)
  return made.map(({ tenant_id }) => tenant_id)
}
