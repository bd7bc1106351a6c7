import { Redis } from '@upstash/redis/cloudflare'
import type { Settings } from '../env.ts'
import { seal, unseal } from './crypto.ts'

/**
 * What Redis remembers: consumed step-up proofs. It is raced against Postgres and never decides anything: entries are
 * signed, so that nonsense is a miss, and every method settles within its time budget without throwing.
 */
export interface Memory {
  /** True only when this proof is remembered as consumed under another Idempotency-Key. */
  proofConsumed(tokenDigest: string, idempotencyKey: string): Promise<boolean>
  rememberProof(tokenDigest: string, idempotencyKey: string): Promise<void>
}

const proofSeconds = 900

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

  const open = async (key: string, stored: unknown) =>
    typeof stored === 'string' ? unseal(secrets, key, stored) : null

  return {
    proofConsumed: (tokenDigest, idempotencyKey) =>
      guarded(false, async () => {
        const key = `proof:${tokenDigest}`
        const consumedBy = await open(key, await redis.get<unknown>(key))
        return consumedBy !== null && consumedBy !== idempotencyKey
      }),
    rememberProof: (tokenDigest, idempotencyKey) =>
      guarded(undefined, async () => {
        const key = `proof:${tokenDigest}`
        await redis.set(key, await seal(secrets, key, idempotencyKey), { ex: proofSeconds })
      }),
  }
}

const forgetful: Memory = {
  proofConsumed: async () => false,
  rememberProof: async () => {},
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
