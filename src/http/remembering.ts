import type { Input, Operation, RequestContext } from './operation.ts'
import { Problem } from './problems.ts'
import { Replayed } from './publishing.ts'

/** A reply on its way out, or one that was given before. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly replayed: boolean
}

/**
 * Runs the operation. Where its Idempotency-Key had its effect before, Postgres says so, having authorised the caller, and
 * sends a short reply along. A long one is read from Redis, or in one trip more from Postgres where Redis has it no more.
 */
export async function doneOrReplayed(
  operation: Operation,
  input: Input,
  request: RequestContext,
): Promise<Answer> {
  try {
    const body = JSON.stringify(await operation.run(input, request))
    return { status: operation.contract.reply.status, body, replayed: false }
  } catch (error) {
    if (!(error instanceof Replayed)) throw error
    const { status, publishId, body } = error.reply
    const found = body ?? (await request.services.memory.reply(publishId))
    if (found !== null) return { status, body: found, replayed: true }
    const { bodyLengthMax: _, ...claim } = request.claim!
    return doneOrReplayed(operation, input, { ...request, claim })
  }
}

/**
 * Postgres and Redis leave together: Redis may know sooner that a step-up proof is spent. Afterwards the Worker stores the
 * spent proof in Redis, and no reply waits for that.
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
