import { parseCookies, parseSetCookieHeader, setRequestCookie } from 'better-auth/cookies'
import type { Identity } from './identity.ts'

/*
 * better-auth uses cookies; this service uses bearers, so that no page of ours can act for a customer who merely visits
 * it. Incoming, a verified bearer becomes the session cookie and a ceremony's token its own cookie. Outgoing, the
 * session cookie becomes a bearer token and never leaves as a cookie; a ceremony's cookie leaves both ways, since all
 * it can do is finish what its holder began.
 */

/** The library's names for the cookies of a ceremony under way, and our names for their tokens. */
const ceremonies = { two_factor_token: 'two_factor', passkey_token: 'passkey' } as const
export type CeremonyToken = keyof typeof ceremonies

export type Outgoing = {
  /** Signed token of the session that a reply began, or null. */
  readonly sessionToken: string | null
  readonly ceremonyTokens: Partial<Record<CeremonyToken, string>>
  /** `Set-Cookie` values to pass on. */
  readonly cookies: readonly string[]
}

/**
 * The headers for the library: only those of the request that are named here. `bearer` and `passkeyToken` have been
 * re-signed.
 */
export async function incoming(
  auth: Identity,
  request: Headers,
  bearer: string | null,
  passkeyToken: string | undefined,
): Promise<Headers> {
  const context = await auth.$context
  const headers = new Headers()
  for (const name of ['user-agent', 'cf-connecting-ip', 'origin']) {
    const value = request.get(name)
    if (value !== null) headers.set(name, value)
  }
  if (bearer !== null) setRequestCookie(headers, context.authCookies.sessionToken.name, bearer)
  if (passkeyToken !== undefined)
    setRequestCookie(headers, context.createAuthCookie('passkey').name, passkeyToken)
  return headers
}

/** A ceremony's token from the request's cookies, for clients that keep cookies. */
export async function tokenInCookies(
  auth: Identity,
  request: Headers,
  token: CeremonyToken,
): Promise<string | undefined> {
  const { name } = (await auth.$context).createAuthCookie(ceremonies[token])
  return parseCookies(request.get('cookie') ?? '').get(name)
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
