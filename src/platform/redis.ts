import { Redis } from '@upstash/redis/cloudflare'
import type { Settings } from '../env.ts'
import { seal, unseal } from './crypto.ts'

/** A reply that was given before, as Redis remembers it. */
export interface RememberedReply {
  readonly status: number
  readonly body: string
  readonly fingerprint: string
}

export interface ReplayAddress {
  /** The key's id: while its record stands, the credential was live a moment ago. */
  readonly kid: string
  /** Digest of the whole credential: a replay is served to the credential that made it, nobody else. */
  readonly digest: string
  readonly operation: string
  /** A digest of the Idempotency-Key. */
  readonly key: string
}

/**
 * What Redis remembers: replies under their Idempotency-Key, live credentials, and consumed step-up proofs. It is
 * raced against Postgres and never decides anything: entries are signed, so that nonsense is a miss, and every method
 * settles within its time budget without throwing.
 */
export interface Memory {
  /** The remembered reply, when the credential is still on record as live; null otherwise, whatever went wrong. */
  replay(address: ReplayAddress): Promise<RememberedReply | null>
  /** True only when this proof is remembered as consumed. */
  proofConsumed(tokenDigest: string, idempotencyKey: string): Promise<boolean>
  /** Replies of the same moment leave together: settles at once when another request's background work sends it. */
  rememberReply(address: ReplayAddress, reply: RememberedReply): Promise<void>
  rememberProof(tokenDigest: string, idempotencyKey: string): Promise<void>
  /** Puts a tombstone on a credential; false when Redis did not confirm it. */
  forgetCredential(kid: string): Promise<boolean>
}

const replySeconds = 24 * 60 * 60
/** How long a replay may be served without asking Postgres whether the credential still lives. */
const credentialSeconds = 30
/** Outlives every credential record that a request begun before the revocation may still write. */
const tombstoneSeconds = 300
const proofSeconds = 900

/** How long a reply waits for others to be remembered with. */
const gatherMs = 10

const breakerFailuresMax = 5
const breakerOpenMs = 5_000

/** The environment's Redis, or a memory that remembers nothing when none is configured. One per isolate. */
export function memory(settings: Settings): Memory {
  if (!settings.redis) return forgetful
  const { url, token, timeoutMs } = settings.redis
  const secrets = settings.signingSecrets
  const redis = new Redis({
    url,
    token,
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(timeoutMs),
    automaticDeserialization: false,
    enableAutoPipelining: false,
    enableTelemetry: false,
  })
  const guarded = breaker()

  const replyKey = ({ digest, operation, key }: ReplayAddress) => `reply:${digest}:${operation}:${key}`
  const open = async (key: string, stored: unknown) =>
    typeof stored === 'string' ? unseal(secrets, key, stored) : null

  const remember = together((replies: readonly { address: ReplayAddress; reply: RememberedReply }[]) =>
    guarded(undefined, async () => {
      const pipeline = redis.pipeline()
      for (const kid of new Set(replies.map(({ address }) => address.kid))) {
        const key = `live:${kid}`
        pipeline.set(key, await seal(secrets, key, liveUntil()), { ex: credentialSeconds, nx: true })
      }
      for (const { address, reply } of replies) {
        const key = replyKey(address)
        pipeline.set(key, await seal(secrets, key, JSON.stringify(reply)), { ex: replySeconds })
      }
      await pipeline.exec()
    }),
  )

  return {
    replay: (address) =>
      guarded(null, async () => {
        const keys = [`live:${address.kid}`, replyKey(address)] as const
        const found = await redis.mget<unknown[]>(...keys)
        if (!Array.isArray(found)) return null
        const [live, reply] = await Promise.all([open(keys[0], found[0]), open(keys[1], found[1])])
        return isLive(live) && reply !== null ? (JSON.parse(reply) as RememberedReply) : null
      }),
    proofConsumed: (tokenDigest, idempotencyKey) =>
      guarded(false, async () => {
        const key = `proof:${tokenDigest}`
        const consumedBy = await open(key, await redis.get<unknown>(key))
        return consumedBy !== null && consumedBy !== idempotencyKey
      }),
    rememberReply: (address, reply) => remember({ address, reply }),
    rememberProof: (tokenDigest, idempotencyKey) =>
      guarded(undefined, async () => {
        const key = `proof:${tokenDigest}`
        await redis.set(key, await seal(secrets, key, idempotencyKey), { ex: proofSeconds })
      }),
    forgetCredential: (kid) =>
      guarded(false, async () => {
        const key = `live:${kid}`
        return (await redis.set(key, await seal(secrets, key, 'revoked'), { ex: tombstoneSeconds })) === 'OK'
      }),
  }
}

// The end is in the signed value too: a copy that lags behind or keeps what should be gone is believed no longer.
const liveUntil = () => `live until ${Date.now() + credentialSeconds * 1000}`
const isLive = (record: string | null) =>
  Number(/^live until (\d+)$/.exec(record ?? '')?.[1] ?? 0) > Date.now()

const forgetful: Memory = {
  replay: async () => null,
  proofConsumed: async () => false,
  rememberReply: async () => {},
  rememberProof: async () => {},
  forgetCredential: async () => true,
}

/**
 * Gathers for a moment and sends once: a round trip costs the Worker more than the rest of remembering. The first to come
 * sends for all, in its own request's background; when it should have and did not (its request was ended), the next does.
 */
function together<T>(send: (items: readonly T[]) => Promise<void>): (item: T) => Promise<void> {
  let waiting: T[] = []
  let sender = 0
  let overdueAt = 0
  return async (item) => {
    waiting.push(item)
    const now = Date.now()
    if (now < overdueAt) return
    overdueAt = now + 100 * gatherMs
    const me = ++sender
    await new Promise((resolve) => setTimeout(resolve, gatherMs))
    if (me !== sender) return
    const items = waiting
    waiting = []
    overdueAt = 0
    await send(items)
  }
}

/** After some failures in a row Redis is left alone for a while. Error messages carry values, so none is kept. */
function breaker() {
  let failures = 0
  let closedAgainAt = 0
  return async <T>(otherwise: T, ask: () => Promise<T>): Promise<T> => {
    if (failures >= breakerFailuresMax && Date.now() < closedAgainAt) return otherwise
    try {
      const answer = await ask()
      failures = 0
      return answer
    } catch {
      failures += 1
      closedAgainAt = Date.now() + breakerOpenMs
      return otherwise
    }
  }
}
