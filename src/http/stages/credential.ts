import { parseApiKey } from '../../kernel/api-key.ts'
import { hmacHex } from '../../platform/crypto.ts'
import type { Credential } from '../../platform/postgres.ts'
import { Problem } from '../problems.ts'
import { environmentMismatch } from '../publishing.ts'
import type { CustomerSession, Services } from '../services.ts'

/** The token of `Authorization: Bearer <token>`. */
export function bearerOf(authorization: string | undefined): string {
  if (!authorization) throw new Problem('credential_missing', { headers: { 'WWW-Authenticate': 'Bearer' } })
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1]
  if (!token) throw new Problem('credential_malformed', { headers: { 'WWW-Authenticate': 'Bearer' } })
  return token
}

export interface ApiKeyCredential {
  readonly credential: Credential
  readonly kid: string
  /** Under the current pepper. */
  readonly digest: string
}

const looksLikeSession = /^[A-Za-z0-9]{32}\./

/** The refusal of a bearer of the other kind, valid or not. */
export const wrongKind = (taken: 'an API key' | 'a customer session'): Problem =>
  new Problem('credential_not_accepted', { message: `This operation takes ${taken}.` })

/** An API key as the database checks it. Garbage and the other environment's keys are refused here, without a trip. */
export async function apiKeyCredential(bearer: string, services: Services): Promise<ApiKeyCredential> {
  const parsed = parseApiKey(bearer)
  if (looksLikeSession.test(bearer)) throw wrongKind('an API key')
  if (!parsed.ok) throw new Problem('api_key_invalid')
  if (parsed.environment !== services.settings.environment) throw environmentMismatch(services)
  const { byVersion, current } = services.settings.peppers
  const digests: Record<string, string> = {}
  for (const [version, pepper] of Object.entries(byVersion)) digests[version] = await hmacHex(pepper, bearer)
  const { kid } = parsed
  return { credential: { kind: 'api_key', kid, digests }, kid, digest: digests[current]! }
}

/** The customer behind a bearer. They must have shown two factors: a password alone opens no operation. */
export async function customerOf(bearer: string, services: Services): Promise<CustomerSession> {
  const session = await services.sessionOf(bearer)
  if (!session) throw new Problem('session_invalid')
  if (session.secondFactor !== 'shown') throw new Problem('second_factor_required')
  return session
}
