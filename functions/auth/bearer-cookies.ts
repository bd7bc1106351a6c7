import { parseSetCookieHeader, setRequestCookie } from 'better-auth/cookies'
import type { VersionedKeys } from '../../src/env.ts'
import type { Identity } from './identity.ts'
import { signedAnew } from './session.ts'

/*
 * better-auth uses cookies; this service uses bearers, so that no page of ours can act for a customer who merely visits
 * it. Incoming, a verified bearer becomes the session cookie and a ceremony's token its own cookie. Outgoing, the
 * session cookie becomes a bearer token and never leaves as a cookie; a ceremony's cookie leaves both ways, since all
 * it can do is finish what its holder began.
 */

/** The library's names for the cookies of a ceremony under way, and our names for their tokens. */
const ceremonies = { twoFactorToken: 'two_factor', passkeyToken: 'passkey' } as const
export type CeremonyToken = keyof typeof ceremonies

export type Outgoing = {
  /** Signed token of the session that a reply began, or null. */
  readonly sessionToken: string | null
  readonly ceremonyTokens: Partial<Record<CeremonyToken, string>>
  /** `Set-Cookie` values to pass on. */
  readonly cookies: readonly string[]
}

/** The headers for the library: only those of the request that are named here. `bearer` is re-signed. */
export async function incoming(
  auth: Identity,
  secrets: VersionedKeys,
  request: Headers,
  bearer: string | null,
  tokens: Partial<Record<CeremonyToken, string | undefined>>,
): Promise<Headers> {
  const context = await auth.$context
  const headers = new Headers()
  for (const name of ['user-agent', 'cf-connecting-ip', 'origin']) {
    const value = request.get(name)
    if (value !== null) headers.set(name, value)
  }
  if (bearer !== null) setRequestCookie(headers, context.authCookies.sessionToken.name, bearer)
  for (const [token, cookie] of Object.entries(ceremonies)) {
    const value = tokens[token as CeremonyToken]
    if (value === undefined) continue
    setRequestCookie(headers, context.createAuthCookie(cookie).name, await signedAnew(value, secrets))
  }
  return headers
}

/** A ceremony's token from the request's cookies, for clients that keep cookies. */
export async function tokenInCookies(
  auth: Identity,
  request: Headers,
  token: CeremonyToken,
): Promise<string | undefined> {
  const { name } = (await auth.$context).createAuthCookie(ceremonies[token])
  const cookies = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const value = cookies.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  try {
    return value ? decodeURIComponent(value) : undefined
  } catch {
    return undefined
  }
}

export async function outgoing(auth: Identity, reply: Headers | null | undefined): Promise<Outgoing> {
  const context = await auth.$context
  let sessionToken: string | null = null
  const ceremonyTokens: Partial<Record<CeremonyToken, string>> = {}
  const cookies: string[] = []
  for (const line of reply?.getSetCookie() ?? []) {
    const [[name, cookie]] = [...parseSetCookieHeader(line)] as [
      [string, { value: string; 'max-age'?: number }],
    ]
    const live = cookie.value !== '' && cookie['max-age'] !== 0
    if (name === context.authCookies.sessionToken.name && live) sessionToken = cookie.value
    for (const [token, ceremony] of Object.entries(ceremonies)) {
      if (name !== context.createAuthCookie(ceremony).name) continue
      cookies.push(line)
      if (live) ceremonyTokens[token as CeremonyToken] = cookie.value
    }
  }
  return { sessionToken, ceremonyTokens, cookies }
}
