import { type Call, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { eachDueApart } from '../../../src/http/scheduled.ts'
import { type JobRun, type SystemCall, systemCall } from '../../../src/http/system-call.ts'
import { mexicoCityDate } from '../../../src/kernel/bank-days.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { isRefusal, refuse } from '../../../src/kernel/plan.ts'
import type { RowsOf } from '../../../src/platform/postgres.ts'
import type { BoundQuery } from '../../../src/platform/query.ts'
import { publishUnderPolicy } from '../../money/payment-policy/api.ts'
import {
  askAbout,
  carryOut,
  currentSchedule,
  handToDevice,
  requireConfigured,
  requireProcessor,
  secretOfPayment,
} from '../../money/payments/api.ts'
import { accountNow, activeAccount } from '../../money/processors/api.ts'
import { itemsOf } from '../../order/lines/api.ts'
import { placedDevice } from '../devices/api.ts'
import { openSessionOf } from '../tap-to-pay/api.ts'
import * as contracts from './contract.ts'
import * as ofDevice from './contract-device.ts'
import { processAtPhone } from './contract-phones.ts'
import { getOwnAction, nextAction } from './operations-read.ts'
import { inPersonOrigin } from './origin.ts'
import {
  canceled,
  changedBy,
  isProcessed,
  type Processed,
  planProcess,
  planProgress,
  planRepeated,
  planResult,
  planSettled,
} from './plan.ts'
import { planGivenUp } from './plan-actions.ts'
import { presentAction, presentInPerson } from './present.ts'
import { withdrawn } from './questions.ts'
import {
  actionById,
  actionByReference,
  actionsPage,
  ownActionById,
  type TakenRow,
  takenById,
  takenPage,
  waiterById,
} from './store.ts'

const origins = { [inPersonOrigin.kind]: inPersonOrigin }

type Naming<Rows extends readonly unknown[]> = { readonly [At in keyof Rows]: BoundQuery<Rows[At]> | null }

/** Some queries in one trip; of one that is null there is nothing to read, and no row. */
export async function readingNamed<Rows extends readonly unknown[]>(
  { reading }: Pick<Call<unknown, unknown, unknown, unknown>, 'reading'>,
  ...queries: Naming<Rows>
) {
  const { principal, rows } = await reading(...queries.filter((query) => query !== null))
  const found = [...rows]
  return { principal, rows: queries.map((query) => (query ? found.shift()! : [])) as unknown as RowsOf<Rows> }
}

/** Has a reader or a phone take a card. */
const taking = (declared: typeof contracts.process, kind: 'reader' | 'phone') =>
  operation(declared, async (call) => {
    requireConfigured(call.settings)
    const { body, params, now, services } = call
    const { line_items: lines = [], waiter_id: waiterId, tip_action_id: tipActionId } = body
    const processor = requireProcessor(services)
    const { principal, rows } = await readingNamed(
      call,
      placedDevice({ kind, id: params.id }),
      actionByReference({
        readerId: params.id,
        reference: body.client_reference_id,
        day: mexicoCityDate(now),
      }),
      kind === 'phone' ? openSessionOf({ deviceId: params.id }) : null,
      waiterId === null ? null : waiterById({ id: waiterId }),
      tipActionId === null ? null : actionById({ id: tipActionId }),
      processor.inPerson?.needsRegistration ? activeAccount({}) : null,
    )
    const [[device], [first], [session = null], [waiter = null], [tipAction = null], [active]] = rows
    if (!device) return call.fail('device_not_found')
    if (first) return call.publish(planRepeated(first, body))
    if (waiterId !== null && !waiter) return call.fail('waiter_not_found', { param: 'waiter_id' })
    if (tipActionId !== null && !tipAction)
      return call.fail('reader_action_not_found', { param: 'tip_action_id' })
    const under = {
      items: await itemsOf(call.read, lines, { now, locationId: device.locationId }),
      waiter,
      tipAction,
      session,
      schedule: currentSchedule(call.settings, now, body.currency),
      processor,
      accountId: accountNow(services, active),
      publicIds: { sold: publicId(inPersonOrigin.publicIdPrefix), payment: publicId('spcs') },
    }
    let made: Processed | null = null
    const reply = await publishUnderPolicy(call, device.locationId, (governing) => {
      const planned = planProcess(device, body, { ...governing, ...under }, call)
      if (!isProcessed(planned)) return planned
      made = planned
      return planned.plan
    })
    const { submission, action } = made as unknown as Processed
    const handed = {
      tenantId: principal.tenantId,
      deviceId: device.id,
      readerRef: device.processorRef,
      expiresAt: action.expiresAt,
    }
    await handToDevice(call, { processor, origin: inPersonOrigin }, submission, handed)
    return reply
  })

/** Cancels the payment as its own operation does, and answers the action. */
const cancel = operation(contracts.cancelAction, async (call) => {
  const { principal, rows } = await call.reading(actionById(call.params))
  const [[action]] = rows
  if (!action) return call.fail('reader_action_not_found')
  const { paymentId } = action
  if (paymentId === null) {
    if (action.status !== 'in_progress') return call.fail('reader_action_over')
    const reply = await call.publish(planGivenUp(action, call))
    call.later(withdrawn(systemCall(call, principal.tenantId), action))
    return reply
  }
  const isRepeated = action.status === 'canceled'
  const isOpen = action.status === 'in_progress' || action.status === 'unknown'
  if (!isOpen && !isRepeated) return call.fail('reader_action_over')
  const after = isRepeated ? action : canceled(action, call)
  const reply = await carryOut(
    {
      ...call,
      params: { id: paymentId },
      publish: async (plan) => {
        if (isRefusal(plan)) {
          await call.publish(isRepeated ? refuse('reader_action_over') : plan)
          throw new Fault('a refusal was published')
        }
        await call.publish({ ...plan, reply: presentAction(after), subjectId: action.id })
        return plan.reply
      },
    },
    origins,
    { kind: 'cancel' },
  )
  if (reply.status !== 'canceled') return presentAction(action)
  call.later(settleAction(systemCall(call, principal.tenantId), action.id))
  return presentAction(after)
})

/** Captures or cancels the payment as its own operation does, and answers what was taken in person. */
async function carried(
  call: Call<{ id: string }, unknown, unknown, ReturnType<typeof presentInPerson>>,
  wish: Parameters<typeof carryOut>[2],
) {
  const { principal, rows } = await call.reading(takenById(call.params))
  const [[sale]] = rows
  if (!sale) return call.fail('in_person_payment_not_found')
  const before: TakenRow = sale
  let shown = presentInPerson(before)
  await carryOut(
    {
      ...call,
      params: { id: before.paymentId },
      publish: async (plan) => {
        if (isRefusal(plan)) {
          await call.publish(plan)
          throw new Fault('a refusal was published')
        }
        shown = presentInPerson(changedBy(before, plan.reply))
        shown = await call.publish({ ...plan, reply: shown, subjectId: before.id })
        return plan.reply
      },
    },
    origins,
    wish,
  )
  if (before.actionId !== null && shown.status === 'canceled')
    call.later(settleAction(systemCall(call, principal.tenantId), before.actionId))
  return shown
}

/** Round trips: the action, its attempts, the processor. */
const paymentSecret = operation(ofDevice.secret, async (call) => {
  const { id } = call.params
  const { principal, rows } = await call.reading(ownActionById({ id, kid: call.kid }))
  const [[action]] = rows
  if (!action) return call.fail('reader_action_not_found')
  const { paymentId, status, expiresAt } = action
  if (paymentId === null || status !== 'in_progress' || expiresAt <= call.now)
    return call.fail('reader_action_over')
  const secret = await secretOfPayment(call, paymentId)
  if (secret !== 'over') return { object: 'payment_secret' as const, action_id: id, ...secret }
  call.later(askAndSettle(systemCall(call, principal.tenantId), paymentId, id))
  return call.fail('reader_action_over')
})

const reportProgress = operation(ofDevice.progress, async (call) => {
  const [action] = await call.read(ownActionById({ id: call.params.id, kid: call.kid }))
  return action ? call.publish(planProgress(action, call.body, call)) : call.fail('reader_action_not_found')
})

const reportResult = operation(ofDevice.result, async (call) => {
  const { principal, rows } = await call.reading(ownActionById({ id: call.params.id, kid: call.kid }))
  const [[action]] = rows
  if (!action) return call.fail('reader_action_not_found')
  const reply = await call.publish(planResult(action, call.body, call))
  const { paymentId } = action
  if (paymentId === null) return reply
  call.later(askAndSettle(systemCall(call, principal.tenantId), paymentId, action.id))
  return reply
})

const askAndSettle = (work: SystemCall, paymentId: string, actionId: string): Promise<void> =>
  askAbout(work, origins, paymentId).then(() => settleAction(work, actionId))

/** Publishes the event of an action that has ended. Best effort where a request calls it: the job finds the rest. */
export async function settleAction(work: SystemCall, id: string): Promise<void> {
  const [[action]] = await work.read(contracts.settle, actionById({ id }))
  const clock = clockOf(new Date())
  const plan = action && planSettled(action, clock)
  if (!plan) return
  await work.publish(contracts.settle, plan, clock)
  await withdrawn(work, action)
}

/** Scheduled: frees readers whose time is over, and publishes the events of ended actions. */
export const settleActions = (run: JobRun) => eachDueApart(run, 'reader_actions', settleAction)

export const operations = [
  taking(contracts.process, 'reader'),
  taking(processAtPhone, 'phone'),
  listOperation(contracts.listActions, actionsPage, presentAction),
  getOperation(contracts.getAction, actionById, presentAction),
  cancel,
  listOperation(contracts.listInPerson, takenPage, presentInPerson),
  getOperation(contracts.getInPerson, takenById, presentInPerson),
  operation(contracts.captureInPerson, (call) =>
    carried(call, { kind: 'capture', amount: call.body.amount }),
  ),
  operation(contracts.cancelInPerson, (call) => carried(call, { kind: 'cancel' })),
  nextAction,
  getOwnAction,
  paymentSecret,
  reportProgress,
  reportResult,
]
