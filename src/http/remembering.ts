import type { RequestContext } from './operation.ts'
import { Problem } from './problems.ts'

/** A reply on its way out, or one that was given before. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly replayed: boolean
}

/**
 * Postgres and Redis leave together and whichever answers first with something usable wins: Redis with the reply that
 * this key got before, or with the news that the proof is spent. Afterwards Redis is told, and nobody waits for it.
 */
export async function racedWithMemory(
  operation: string,
  request: RequestContext,
  work: Promise<Answer>,
): Promise<Answer> {
  const { apiKey, claim, proofDigest, sent, later, services } = request
  if (!claim) return work
  const { memory } = services
  if (apiKey) {
    const address = { kid: apiKey.kid, digest: apiKey.digest, operation, key: claim.keys[0]! }
    const remembered = memory.replay(address).then((reply): Answer | Promise<Answer> => {
      // A key used with another request is for Postgres to refuse.
      return reply?.fingerprint === claim.fingerprint ? { ...reply, replayed: true } : work
    })
    const answer = await Promise.race([work, remembered])
    if (!answer.replayed && sent.reply !== null) {
      const { status, fingerprint } = claim
      later(memory.rememberReply(address, { status, body: sent.reply, fingerprint }))
    }
    return answer
  }
  if (proofDigest === undefined) return work
  const spent = memory.proofConsumed(proofDigest, claim.keys[0]!).then(async (consumed) => {
    if (!consumed) return work
    await request.session()
    throw new Problem('step_up_already_used')
  })
  const answer = await Promise.race([work, spent])
  if (!answer.replayed) later(memory.rememberProof(proofDigest, claim.keys[0]!))
  return answer
}
