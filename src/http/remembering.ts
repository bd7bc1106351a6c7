import type { RequestContext } from './operation.ts'
import { Problem } from './problems.ts'

/** A reply on its way out, or one that was given before. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly replayed: boolean
}

/**
 * Postgres and Redis leave together: Redis may know sooner that a step-up proof is spent. Afterwards Redis is told, and
 * nothing waits for it. Replays are Postgres's alone: with them it decides whether the credential still lives.
 */
export async function racedWithMemory(request: RequestContext, work: Promise<Answer>): Promise<Answer> {
  const { claim, proofDigest, later, services } = request
  const { memory } = services
  if (!claim || proofDigest === undefined) return work
  const spent = memory.proofConsumed(proofDigest, claim.keys[0]!).then(async (consumed) => {
    if (!consumed) return work
    await request.session()
    throw new Problem('step_up_already_used')
  })
  const answer = await Promise.race([work, spent])
  if (!answer.replayed) later(memory.rememberProof(proofDigest, claim.keys[0]!))
  return answer
}
