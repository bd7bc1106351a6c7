import { Redis } from '@upstash/redis/cloudflare'
import type { Settings } from '../env/settings.ts'
import { seal, unseal } from './crypto.ts'

/** In characters. Longer replies are replayed from Redis; Postgres returns shorter ones with its replay decision. */
export const replyLengthMax = 2_048

/**
 * What Redis holds: long replies for their replays, and consumed step-up proofs. It never decides anything: entries are
 * signed for their exact name, so that a forged or corrupt one is a miss. Every method settles within its time budget
 * and never throws, but for `forgetReplies`.
 */
export interface Memory {
  /** The reply of a publish; null when Redis does not have it, whatever the reason. */
  reply(publishId: string): Promise<string | null>
  /** Does nothing for a reply short enough for Postgres to return it. */
  rememberReply(publishId: string, body: string): Promise<void>
  /** @throws when Redis does not confirm that it has none of these replies any more */
  forgetReplies(publishIds: readonly string[]): Promise<void>
  /** True only when this proof is remembered as consumed under another Idempotency-Key. */
  proofConsumed(tokenDigest: string, idempotencyKey: string): Promise<boolean>
  rememberProof(tokenDigest: string, idempotencyKey: string): Promise<void>
}

const replySeconds = 24 * 60 * 60
const proofSeconds = 900

const breakerFailuresMax = 5
const breakerOpenMs = 5_000

/** The environment's Redis, or a memory that keeps nothing when none is configured. One per isolate. */
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
    responseEncoding: false,
    enableAutoPipelining: false,
    enableTelemetry: false,
  })
  const guarded = breaker()

  const get = (name: string) =>
    guarded(null, async () => {
      const stored = await redis.get<unknown>(name)
      return typeof stored === 'string' ? unseal(secrets, name, stored) : null
    })
  const set = (name: string, text: string, ex: number) =>
    guarded(undefined, async () => {
      await redis.set(name, await seal(secrets, name, text), { ex })
    })

  return {
    reply: (publishId) => get(`reply:${publishId}`),
    rememberReply: async (publishId, body) => {
      if (body.length > replyLengthMax) await set(`reply:${publishId}`, body, replySeconds)
    },
    forgetReplies: async (publishIds) => {
      for (const id of publishIds) {
        const name = `reply:${id}`
        await redis.set(name, await seal(secrets, name, ''), { ex: 1 })
      }
    },
    proofConsumed: async (tokenDigest, idempotencyKey) => {
      const consumedBy = await get(`proof:${tokenDigest}`)
      return consumedBy !== null && consumedBy !== idempotencyKey
    },
    rememberProof: (tokenDigest, idempotencyKey) => set(`proof:${tokenDigest}`, idempotencyKey, proofSeconds),
  }
}

const forgetful: Memory = {
  reply: async () => null,
  rememberReply: async () => {},
  forgetReplies: async () => {},
  proofConsumed: async () => false,
  rememberProof: async () => {},
}

/** After some failures in a row we do not ask Redis for a while. Error messages carry values, so none is kept. */
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
