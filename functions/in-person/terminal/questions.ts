import { onFreshRows } from '../../../src/http/publishing.ts'
import { type BackgroundWork, type SystemCall, systemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import type { AskedQuestion, QuestionState } from '../../../src/processors/in-person.ts'
import type { Processor } from '../../../src/processors/port.ts'
import { processorOf } from '../../money/payments/api.ts'
import { placedDevice } from '../devices/api.ts'
import { settle } from './contract.ts'
import { isOver, planAnswered } from './plan-actions.ts'
import { actionById, type ReaderActionRow } from './store.ts'

// What a reader that its processor drives asks its buyer: the end of it, by the processor's word.

const plansMax = 5

/** Ends an action by what its processor says of the question, once. */
export const endAsked = async ({ read, publish }: SystemCall, id: string, answer: QuestionState) =>
  onFreshRows(plansMax, async () => {
    if (answer.state === 'asked' || answer.state === 'unknown') return
    const [[action]] = await read(settle, actionById({ id }))
    const clock = clockOf(new Date())
    const plan = action && planAnswered(action, answer, clock)
    if (plan) await publish(settle, plan, clock)
  })

/** The question as its processor knows it; null where no processor asks it. */
async function questionAt({ read }: SystemCall, action: ReaderActionRow): Promise<AskedQuestion | null> {
  if ((action.offers ?? action.inputs) === null || action.deviceKind !== 'reader') return null
  const [[device]] = await read(settle, placedDevice({ kind: 'reader', id: action.readerId }))
  if (!device?.processorRef) return null
  return { reference: action.id, readerRef: device.processorRef, accountId: device.processorAccountId }
}

/** Takes the question of an action that is over off its reader's screen. Best effort. */
export async function withdrawn(call: SystemCall, action: ReaderActionRow): Promise<void> {
  const asked = await questionAt(call, action)
  if (asked) await processorOf(call.services)?.inPerson?.withdraw?.(asked)
}

/**
 * A notification names an action. It is only a hint: the reader that our tables name is asked, at its own account.
 * @throws OutcomeUnknown without an answer: nothing else asks, so the notification must be repeated
 */
export async function takeAnswer(work: BackgroundWork, { inPerson }: Processor, id: string): Promise<void> {
  const tenantId = await work.services.db.call('door.action_tenant(uuid)', [id])
  if (!tenantId || !inPerson?.answerTo) return
  const call = systemCall(work, tenantId)
  const [[action]] = await call.read(settle, actionById({ id }))
  const asked = action && !isOver(action, clockOf(new Date())) ? await questionAt(call, action) : null
  if (!asked) return
  const answer = await inPerson.answerTo(asked)
  if (answer.state === 'unknown') throw new OutcomeUnknown('a reader has not said what its buyer gave')
  await endAsked(call, id, answer)
}
