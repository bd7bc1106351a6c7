import { createHash, randomUUID } from 'node:crypto'
import { canonicalJson } from '../src/kernel/canonical.ts'
import type { Json } from '../src/kernel/json.ts'
import { totp } from './totp.ts'

/** A person who can prove themselves: a session, an authenticator and backup codes. */
export type Person = {
  email: string
  password: string
  session: string
  totpSecret: string
  backupCodes: string[]
}

export type Reply<Body = Record<string, unknown>> = { status: number; headers: Headers; body: Body }

/** One call of the interface; `bearer` is a session or an API key. */
export async function call<Body = Record<string, unknown>>(
  baseUrl: string,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  options: { bearer?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply<Body>> {
  const headers = new Headers(options.headers)
  if (options.bearer) headers.set('authorization', `Bearer ${options.bearer}`)
  if (options.body !== undefined) headers.set('content-type', 'application/json')
  const body = options.body === undefined ? null : JSON.stringify(options.body)
  const response = await fetch(baseUrl + path, { method, headers, body, redirect: 'manual' })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: (text.startsWith('{') ? JSON.parse(text) : text) as Body,
  }
}

async function expectStatus<Body>(status: number, reply: Promise<Reply<Body>>): Promise<Body> {
  const { status: got, body } = await reply
  if (got !== status) throw new Error(`expected ${status}, got ${got}: ${JSON.stringify(body)}`)
  return body
}

/** Signs somebody up and enrols an authenticator. */
export async function signUp(baseUrl: string, email: string, password: string): Promise<Person> {
  const up = await expectStatus(
    200,
    call<{ token: string }>(baseUrl, 'POST', '/v1/auth/sign-up/email', {
      body: { name: email.split('@')[0], email, password },
    }),
  )
  const enabled = await expectStatus(
    200,
    call<{ totpURI: string; backupCodes: string[] }>(baseUrl, 'POST', '/v1/auth/two-factor/enable', {
      bearer: up.token,
      body: { password },
    }),
  )
  const totpSecret = new URL(enabled.totpURI).searchParams.get('secret')!
  const confirmed = await expectStatus(
    200,
    call<{ token: string }>(baseUrl, 'POST', '/v1/auth/two-factor/verify-totp', {
      bearer: up.token,
      body: { code: await totp(totpSecret) },
    }),
  )
  return { email, password, session: confirmed.token, totpSecret, backupCodes: enabled.backupCodes }
}

export async function openWorkspace(
  baseUrl: string,
  person: Person,
  name: string,
  tenantId?: string,
): Promise<string> {
  const reply = await expectStatus(
    201,
    call<{ tenant_id: string }>(baseUrl, 'POST', '/v1/workspaces', {
      bearer: person.session,
      headers: { 'idempotency-key': randomUUID() },
      body: { name, ...(tenantId ? { tenant_id: tenantId } : {}) },
    }),
  )
  return reply.tenant_id
}

/** The params_hash of a proof: lowercase SHA-256 of canonical JSON. */
export const paramsHash = (params: Json): string =>
  createHash('sha256').update(canonicalJson(params)).digest('hex')

export type ProofWanted = {
  action: string
  tenantId: string
  environment: 'sandbox' | 'live'
  idempotencyKey: string
  params: Json
}

/** Answers a step-up challenge with a backup code, which unlike a TOTP code never has to be waited for. */
export async function stepUp(baseUrl: string, person: Person, wanted: ProofWanted): Promise<string> {
  const challenge = await expectStatus(
    201,
    call<{ id: string }>(baseUrl, 'POST', '/v1/auth/step-up/challenges', {
      bearer: person.session,
      body: {
        action: wanted.action,
        scope: 'api_keys:write',
        tenant_id: wanted.tenantId,
        tenant_environment: wanted.environment,
        idempotency_key: wanted.idempotencyKey,
        params_hash: paramsHash(wanted.params),
      },
    }),
  )
  const proof = await expectStatus(
    200,
    call<{ step_up_token: string }>(baseUrl, 'POST', `/v1/auth/step-up/challenges/${challenge.id}/verify`, {
      bearer: person.session,
      body: { method: 'backup_code', response: person.backupCodes.pop() },
    }),
  )
  return proof.step_up_token
}

/** Makes an API key as a customer would; answers the plaintext and the key's id. */
export async function createKey(
  baseUrl: string,
  person: Person,
  key: { tenantId: string; environment: 'sandbox' | 'live'; description: string; scopes: string[] },
): Promise<{ id: string; token: string }> {
  const idempotencyKey = randomUUID()
  const { description, environment, scopes, tenantId } = key
  const proof = await stepUp(baseUrl, person, {
    action: 'api_key.create',
    tenantId,
    environment,
    idempotencyKey,
    params: { description, environment, scopes: [...scopes].sort() },
  })
  const reply = await expectStatus(
    201,
    call<{ key: { id: string }; one_time_value: string }>(baseUrl, 'POST', '/v1/api-keys', {
      bearer: person.session,
      headers: { 'idempotency-key': idempotencyKey, 'x-sp-step-up-token': proof },
      body: { tenant_id: tenantId, tenant_environment: environment, description, scopes },
    }),
  )
  return { id: reply.key.id, token: reply.one_time_value }
}
