import type { Bindings } from '../../env.ts'
import type { RateClass } from '../contract.ts'
import { Problem } from '../problems.ts'

/** What each class allows per minute; the bindings in wrangler.toml carry the same numbers and do the counting. */
export const ratePolicies = {
  read: { binding: 'RATE_READ', limit: 600 },
  write: { binding: 'RATE_WRITE', limit: 300 },
  public: { binding: 'RATE_PUBLIC', limit: 120 },
  auth: { binding: 'RATE_AUTH', limit: 20 },
} as const satisfies Record<RateClass, { binding: keyof Bindings; limit: number }>

const windowSeconds = 60

/** `RateLimit-Policy` of the IETF draft: what applies, on every reply. */
export const ratePolicyHeader: Readonly<Record<RateClass, string>> = {
  read: `"read";q=${ratePolicies.read.limit};w=${windowSeconds}`,
  write: `"write";q=${ratePolicies.write.limit};w=${windowSeconds}`,
  public: `"public";q=${ratePolicies.public.limit};w=${windowSeconds}`,
  auth: `"auth";q=${ratePolicies.auth.limit};w=${windowSeconds}`,
}

/** Counts a request with the platform's own counter: no round trip. The platform tells no remainder, only when it is over. */
export async function limitRate(env: Bindings, rate: RateClass, key: string): Promise<void> {
  const outcome = await env[ratePolicies[rate].binding]?.limit({ key })
  if (outcome?.success === false) {
    throw new Problem('rate_limited', {
      headers: { 'Retry-After': String(windowSeconds), RateLimit: `"${rate}";r=0;t=${windowSeconds}` },
    })
  }
}
