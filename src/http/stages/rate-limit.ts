import type { Bindings, RateLimit } from '../../env/settings.ts'
import { networkOf } from '../../kernel/network.ts'
import type { RateClass } from '../contract.ts'
import { Problem } from '../problems.ts'

/** What each class allows per minute; the bindings in wrangler.toml have the same numbers and count. */
export const ratePolicies = {
  read: { binding: 'RATE_READ', limit: 600 },
  write: { binding: 'RATE_WRITE', limit: 300 },
  public: { binding: 'RATE_PUBLIC', limit: 120 },
  auth: { binding: 'RATE_AUTH', limit: 20 },
  // As much as one API key may read: an unknown caller's address costs us no more than a known caller's key.
  stranger: { binding: 'RATE_STRANGER', limit: 600 },
} as const satisfies Record<RateClass | 'stranger', { binding: keyof Bindings; limit: number }>

const windowSeconds = 60

/** `RateLimit-Policy` of the IETF draft, on every reply. */
export const ratePolicyHeader = (rate: RateClass): string =>
  `"${rate}";q=${ratePolicies[rate].limit};w=${windowSeconds}`

/** Counts with the platform's counter: no round trip. The platform only says whether the limit is exceeded. */
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

/** Where a request comes from. Cloudflare sets this header and overwrites what a client sends in it. */
export const networkOfCaller = ({ req }: Asking): string =>
  networkOf(req.header('cf-connecting-ip') ?? 'local')

const knownMax = 10_000
const knownMs = 60 * 60_000
/** Digests of credentials and until when they do not count against their address. Says nothing about their validity. */
const known = new Map<string, number>()

/**
 * A credential that the database accepted within the hour in this isolate passes; any other request counts against its
 * address first, so that an attacker cannot cost us a round trip per invented credential. So a merchant's server counts
 * here once per credential, isolate and hour.
 */
export async function limitStranger(asking: Asking, credential: string): Promise<void> {
  if ((known.get(credential) ?? 0) > Date.now()) return
  await limitRate(asking.env, 'stranger', networkOfCaller(asking))
}

/** To be called when the database has accepted this credential. */
export function makeKnown(credential: string): void {
  known.delete(credential)
  known.set(credential, Date.now() + knownMs)
  if (known.size > knownMax) known.delete(known.keys().next().value!)
}
