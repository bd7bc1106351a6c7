import type { Bindings, RateLimit } from '../../env.ts'
import { networkOf } from '../../kernel/network.ts'
import type { RateClass } from '../contract.ts'
import { Problem } from '../problems.ts'

/** What each class allows per minute; the bindings in wrangler.toml carry the same numbers and do the counting. */
export const ratePolicies = {
  read: { binding: 'RATE_READ', limit: 600 },
  write: { binding: 'RATE_WRITE', limit: 300 },
  public: { binding: 'RATE_PUBLIC', limit: 120 },
  auth: { binding: 'RATE_AUTH', limit: 20 },
  // As much as one API key may read: an address costs no more before it is known than afterwards.
  stranger: { binding: 'RATE_STRANGER', limit: 600 },
} as const satisfies Record<RateClass | 'stranger', { binding: keyof Bindings; limit: number }>

const windowSeconds = 60

/** `RateLimit-Policy` of the IETF draft: what applies, on every reply. */
export const ratePolicyHeader: Readonly<Record<RateClass, string>> = {
  read: `"read";q=${ratePolicies.read.limit};w=${windowSeconds}`,
  write: `"write";q=${ratePolicies.write.limit};w=${windowSeconds}`,
  public: `"public";q=${ratePolicies.public.limit};w=${windowSeconds}`,
  auth: `"auth";q=${ratePolicies.auth.limit};w=${windowSeconds}`,
}

/** Counts a request with the platform's own counter: no round trip. The platform tells no remainder, only when it is over. */
export async function limitRate(env: Bindings, rate: keyof typeof ratePolicies, key: string): Promise<void> {
  const counter: RateLimit | undefined = env[ratePolicies[rate].binding]
  const outcome = await counter?.limit({ key })
  if (outcome?.success === false) {
    throw new Problem('rate_limited', {
      headers: { 'Retry-After': String(windowSeconds), RateLimit: `"${rate}";r=0;t=${windowSeconds}` },
    })
  }
}

interface Asking {
  readonly env: Bindings
  readonly req: { header(name: string): string | undefined }
}

/** Where a request comes from. Cloudflare puts the address there, over whatever a client sends under that name. */
export const networkOfCaller = ({ req }: Asking): string =>
  networkOf(req.header('cf-connecting-ip') ?? 'local')

const knownMax = 10_000
const knownMs = 60 * 60_000
/** Credentials, by digest, and until when they spare their address its bucket. Whether one is still good they do not say. */
const known = new Map<string, number>()

/**
 * What the database accepted lately in this isolate may ask it again; anything else is counted by its address before it
 * costs a trip, or invented credentials would cost one each. So a merchant's server is counted here once for each of
 * its credentials, isolate and hour.
 */
export async function limitStranger(asking: Asking, credential: string): Promise<void> {
  if ((known.get(credential) ?? 0) > Date.now()) return
  await limitRate(asking.env, 'stranger', networkOfCaller(asking))
}

/** The database has accepted this credential just now. */
export function makeKnown(credential: string): void {
  known.delete(credential)
  known.set(credential, Date.now() + knownMs)
  if (known.size > knownMax) known.delete(known.keys().next().value!)
}
