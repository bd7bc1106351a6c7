import { inPersonPayments, readerActions } from '../../../drizzle/schema/in-person.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { presentedMethod } from '../../../src/kernel/payment-methods.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type { Processor } from '../../../src/processors/port.ts'
import { evaluate, type Governing } from '../../money/payment-policy/api-pure.ts'
import { type FeeSchedule, planPresented } from '../../money/payments/api-pure.ts'
import type { DeviceRow, PlacedDevice } from '../devices/api-pure.ts'
import type { SessionRow } from '../tap-to-pay/api-pure.ts'
import type { process } from './contract.ts'
import type { progress, result } from './contract-device.ts'
import { inPerson } from './facts.ts'
import {
  about,
  expectInSession,
  expectPaired,
  expectPlaced,
  newAction,
  planDone,
  problemOfDevice,
  problemOfParts,
} from './plan-actions.ts'
import { expectServing, type Found, isSameSale, soldBy, tipFieldOf } from './plan-sale.ts'
import { presentAction, presentOrder } from './present.ts'
import type { AskedRow, InPersonRow, NextActionRow, ReaderActionRow, TakenRow } from './store.ts'

type Asked = BodyOf<typeof process>

/** Under what a reader takes a payment. */
export interface Taking extends Governing, Found {
  /** Of a phone: the session that is open; null where none is, and of a reader. */
  readonly session: SessionRow | null
  readonly schedule: FeeSchedule | null
  readonly processor: Pick<Processor, 'name' | 'inPerson'>
  /** The account that takes new payments: a merchant's own; null: the environment's. */
  readonly accountId: string | null
  readonly publicIds: { readonly sold: string; readonly payment: string }
}

/** Why a payment of these terms is refused, with the field that it is about. */
function refusalOf(
  asked: Asked,
  { totalMinor, tipMinor }: { readonly totalMinor: bigint; readonly tipMinor: bigint },
  { policy, schedule }: Taking,
) {
  const { currency, installment_months: months, capture_method: captureMethod } = asked
  const reasonAt = (amountMinor: bigint) =>
    evaluate(policy, schedule, {
      amountMinor,
      currency,
      method: presentedMethod,
      captureMethod,
      months: months === null ? [] : [months],
      pricing: { feeAllocation: 'absorb', merchantMarkupBps: 0 },
      eligible: null,
    }).reasons[0]
  const reason = reasonAt(totalMinor)
  if (!reason) return null
  const { code, message } = reason
  if (code === 'payment_method_unavailable' && schedule && !schedule[presentedMethod])
    return refuse(code, { param: 'currency', message: `No card is taken at a device in ${currency}.` })
  const param = /^amount/.test(code)
    ? { param: reasonAt(totalMinor - tipMinor)?.code === code ? 'amount' : tipFieldOf(asked) }
    : code === 'currency_unsupported'
      ? { param: 'currency' }
      : code === 'manual_capture_not_allowed'
        ? { param: 'capture_method' }
        : reason.months === null
          ? {}
          : { param: 'installment_months' }
  return refuse(code, { message, ...param })
}

/** What the processor does not take at this device; null where it takes it. */
function problemOfRail(
  { kind, processorRef, processorAccountId }: DeviceRow,
  { installment_months: months }: Asked,
  { processor: { inPerson: rail }, accountId, session }: Taking,
) {
  if (rail?.hasTerms === false && months !== null)
    return refuse('installments_unavailable', {
      param: 'installment_months',
      message: 'The processor offers no installments at readers.',
    })
  if (kind === 'phone' && session?.accountId !== accountId) return refuse('tap_session_other_account')
  if (!rail?.needsRegistration || kind === 'phone') return null
  return processorRef === null || processorAccountId !== accountId ? refuse('reader_not_registered') : null
}

/** One publish records what is asked of the reader, the payment and its attempt: the processor is asked after it. */
export function planProcess(reader: PlacedDevice, asked: Asked, taking: Taking, clock: Clock) {
  const { session } = taking
  const unable = problemOfDevice(reader, session, clock)
  if (unable) return unable
  const sold = soldBy(asked, taking, reader, clock)
  if ('refused' in sold) return sold
  const refusal = refusalOf(asked, sold, taking) ?? problemOfRail(reader, asked, taking)
  if (refusal) return refusal
  const sale: InPersonRow = {
    ...newRow(clock),
    publicId: taking.publicIds.sold,
    deviceId: reader.id,
    amountMinor: sold.totalMinor,
    currency: asked.currency,
    installmentMonths: asked.installment_months ?? 1,
    description: asked.description,
    clientReferenceId: asked.client_reference_id,
    metadata: asked.metadata,
    waiterId: asked.waiter_id,
    termsVersion: 1,
    policyVersion: taking.policyVersion,
    locationId: reader.locationId,
  }
  const { submission, plan } = planPresented(
    {
      originType: inPerson.kind,
      originId: sale.id,
      exclusive: false,
      description: sale.description,
      clientReferenceId: sale.clientReferenceId,
      totalMinor: sale.amountMinor,
      markupMinor: 0n,
      tipMinor: sold.tipMinor,
      bought: sold.bought,
      taxes: sold.taxes,
      currency: sale.currency,
      installmentMonths: sale.installmentMonths,
      captureMethod: asked.capture_method,
      policyVersion: sale.policyVersion,
      locationId: sale.locationId,
    },
    {
      publicId: taking.publicIds.payment,
      processor: taking.processor.name,
      accountId: taking.accountId,
      schedule: taking.schedule!,
    },
    expectPaired(reader),
    clock,
  )
  const action: ReaderActionRow = {
    ...newAction('process_payment', reader, { session, seconds: asked.expires_in_seconds }, clock),
    inPersonPaymentId: sale.id,
    paymentId: submission.payment.id,
    tipActionId: asked.tip_action_id,
  }
  const reply = presentAction(action)
  const [condition, ...writes] = plan.writes
  return {
    submission,
    action,
    plan: {
      writes: [
        expectPlaced(reader),
        condition!,
        ...expectInSession(session),
        ...(taking.waiter ? [expectServing(taking.waiter)] : []),
        insert(inPersonPayments, sale),
        ...writes,
        insert(readerActions, action),
      ],
      events: [...plan.events, event(clock.newId(), 'reader_action.created', about(action), reply)],
      reply,
      subjectId: action.id,
    } satisfies Plan<unknown>,
  }
}

/** The same request by the merchant's own name gets the first result, however that ended. */
export function planRepeated(first: AskedRow, asked: Asked) {
  const isSame =
    isSameSale(first, asked) &&
    first.currency === asked.currency &&
    first.installmentMonths === (asked.installment_months ?? 1) &&
    first.captureMethod === asked.capture_method
  if (!isSame) return refuse('client_reference_id_used', { param: 'client_reference_id' })
  return { writes: [], events: [], reply: presentAction(first), subjectId: first.id }
}

type Planned = ReturnType<typeof planProcess>
export type Processed = Exclude<Planned, { readonly refused: unknown }>
export const isProcessed = (planned: Planned): planned is Processed => !('refused' in planned)

/** What a publish of the payment's end shows of its action: the database moves it. */
export const canceled = (action: ReaderActionRow, { now }: Pick<Clock, 'now'>): ReaderActionRow => ({
  ...action,
  status: 'canceled',
  endedAt: now,
  announcedAt: null,
  version: action.version + 1,
  updatedAt: now,
})

/** What a publish of a capture or a cancellation shows: the database moves an action that is not over. */
export const changedBy = (
  sale: TakenRow,
  paid: { readonly status: TakenRow['paymentStatus']; readonly amount_captured: string },
): TakenRow => ({
  ...sale,
  paymentStatus: paid.status,
  amountCapturedMinor: BigInt(paid.amount_captured),
  actionStatus:
    paid.status === 'canceled' && (sale.actionStatus === 'in_progress' || sale.actionStatus === 'unknown')
      ? 'canceled'
      : sale.actionStatus,
})

/**
 * Publishes the event of an action that has ended. One whose time is over without an answer of the processor becomes
 * `unknown`, and its reader takes the next action; one that takes no payment has timed out. Null where there is nothing to
 * publish.
 */
export function planSettled(action: ReaderActionRow, { now, newId }: Clock): Plan<object> | null {
  const isLost = action.status === 'in_progress' && action.expiresAt <= now
  if (!isLost && action.announcedAt !== null) return null
  const set = { ...(isLost ? lost(action, now) : {}), announcedAt: now, updatedAt: now }
  const after = { ...action, ...set, version: action.version + 1 }
  if (after.status === 'in_progress') return null
  return {
    writes: [change(readerActions, action, set)],
    events: [event(newId(), `reader_action.${after.status}`, about(action), presentAction(after))],
    reply: {},
    subjectId: action.id,
  }
}

const lost = ({ paymentId }: ReaderActionRow, now: Date) =>
  paymentId === null ? { status: 'timed_out' as const, endedAt: now } : { status: 'unknown' as const }

const told = (
  action: NextActionRow,
  set: Partial<Pick<ReaderActionRow, 'step' | 'reportedAs'>>,
  { now }: Clock,
) => ({
  writes: [change(readerActions, action, { ...set, updatedAt: now })],
  events: [],
  reply: presentOrder(action),
  subjectId: action.id,
})

export const planProgress = (action: NextActionRow, { step }: BodyOf<typeof progress>, clock: Clock) =>
  action.status === 'in_progress' ? told(action, { step }, clock) : refuse('reader_action_over')

/** The first result counts: the same again changes nothing. */
export function planResult(action: NextActionRow, asked: BodyOf<typeof result>, clock: Clock) {
  if (action.paymentId === null) return planDone(action, asked, clock)
  const { outcome } = asked
  const problem = problemOfParts(action, asked)
  if (problem) return problem
  if (action.reportedAs === null) return told(action, { reportedAs: outcome }, clock)
  if (action.reportedAs !== outcome) return refuse('reader_action_reported')
  return { writes: [], events: [], reply: presentOrder(action), subjectId: action.id }
}
