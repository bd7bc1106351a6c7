import type { Input, Operation, RequestContext } from './operation.ts'
import { Problem } from './problems.ts'
import { Replayed } from './publishing.ts'

/** A new reply, or a replayed one. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly replayed: boolean
}

/**
 * Runs the operation. Where its Idempotency-Key had its effect before, Postgres authorizes the caller and returns the
 * reply if it is short. A long one is read from Redis, or by one more round trip from Postgres where Redis no longer
 * has it.
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
    if (found === '') throw new Problem('reply_erased')
    if (found !== null) return { status, body: found, replayed: true }
    const { bodyLengthMax: _, ...claim } = request.claim!
    return doneOrReplayed(operation, input, { ...request, claim })
  }
}

/**
 * Postgres and Redis are asked at the same time: Redis may answer sooner that a step-up proof is spent. Afterwards the
 * Worker stores the spent proof in Redis; no reply waits for that.
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
