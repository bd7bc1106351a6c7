import type { Processor, ProcessorState } from '../../../src/processors/port.ts'
import type { AttemptRow } from './store.ts'

/** Ends an attempt at its processor. One that was never seen, where that cannot be closed, is over when none can arrive. */
export async function closed(processor: Processor, attempt: AttemptRow): Promise<ProcessorState> {
  const answer = await processor.cancel(attempt.id, attempt)
  if (answer.state !== 'not_found' || processor.arrivesWithinMs === undefined) return answer
  const mayArrive = Date.now() < attempt.createdAt.getTime() + processor.arrivesWithinMs
  return { state: mayArrive ? 'unknown' : 'canceled' }
}
