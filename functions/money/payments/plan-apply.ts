import { unappliedFundsApplications } from '../../../drizzle/schema/push-payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { isPush } from '../../../src/kernel/payment-methods.ts'
import {
  type EventDraft,
  insert,
  type Plan,
  type Refusal,
  refuse,
  type Write,
} from '../../../src/kernel/plan.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import type { Submission } from './plan.ts'
import type { OnSuccess } from './plan-capture.ts'
import { awaits, missingOf, planPart, planWhole } from './plan-deposit.ts'
import { byFunds, takeFunds } from './plan-unapplied.ts'
import type { ClabeRow, UnappliedRow } from './store.ts'

/** A payment that may take unapplied funds, with its last attempt and the CLABE of that. */
export interface Payable extends Submission {
  readonly clabe: ClabeRow | null
}

/** The funds to apply and the amount; null amount: what is missing, or the funds if less. */
export interface Application {
  readonly funds: UnappliedRow
  readonly amountMinor: bigint | null
  /** Further funds for the same payment, each used in full up to what is still missing. */
  readonly others: readonly UnappliedRow[]
}

export type ApplyRefusal =
  | 'payment_not_awaiting_funds'
  | 'unapplied_funds_settled'
  | 'unapplied_funds_exceeded'
  | 'unapplied_funds_currency_mismatch'
  | 'unapplied_funds_beyond_missing'
  | 'unapplied_funds_not_enough'

interface Share {
  readonly id: string
  readonly funds: UnappliedRow
  readonly amountMinor: bigint
}

/** The result of an application: exact, whatever else changes the funds at the same time. */
export const presentApplied = (shares: readonly Share[], payment: Submission['payment'], whole: boolean) => ({
  object: 'unapplied_funds_application' as const,
  payment_id: payment.id,
  payment_status: whole ? ('succeeded' as const) : ('requires_action' as const),
  currency: payment.currency,
  amount: shares.reduce((sum, { amountMinor }) => sum + amountMinor, 0n).toString(),
  parts: shares.map(({ id, funds, amountMinor }) => ({
    id,
    unapplied_funds_id: funds.id,
    amount: amountMinor.toString(),
  })),
})

export type Applied = ReturnType<typeof presentApplied>

/** `part`: the payment waits for money. `whole`: it has expired and takes only the full amount. */
const mayTake = ({ payment, attempt, clabe }: Payable): 'part' | 'whole' | null => {
  if (!isPush(payment)) return null
  if (clabe && awaits({ payment, attempt, clabe })) return 'part'
  return payment.status === 'expired' && attempt.status === 'expired' ? 'whole' : null
}

export const takesFunds = (payable: Payable): boolean => mayTake(payable) !== null

/**
 * Counts unapplied funds towards a payment as if they had arrived for it. Part of the amount only while the payment
 * waits; an expired payment takes the full amount at once or nothing, so that no money is tied to a payment that is
 * over.
 */
export function planApply(
  payable: Payable,
  application: Application,
  schedule: FeeSchedule,
  onSuccess: OnSuccess,
  clock: Clock,
): Plan<Applied> | Refusal<ApplyRefusal> {
  const { payment } = payable
  const takes = mayTake(payable)
  if (!takes) return refuse('payment_not_awaiting_funds', { param: 'payment_id' })
  const shares = sharesOf(payable, application, clock)
  if ('refused' in shares) return shares
  const totalMinor = shares.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const whole = totalMinor === missingOf(payable)
  if (!whole && takes === 'whole') {
    const param = application.amountMinor === null ? 'together_with' : 'amount'
    return refuse('unapplied_funds_not_enough', { param })
  }
  const taken = shares.map((share) => ({ fundsId: share.funds.id, ...take(share, payable, clock) }))
  const brought = taken.toSorted(byFunds).flatMap(({ writes }) => writes)
  const funded = whole
    ? planWhole(payable, { claveRastreo: null, brought }, schedule, onSuccess, clock)
    : planPart({ ...payable, clabe: payable.clabe! }, totalMinor, brought, clock)
  return {
    writes: funded.writes,
    events: [...funded.events, ...taken.flatMap(({ events }) => events)],
    reply: presentApplied(shares, payment, whole),
    subjectId: application.funds.id,
  }
}

function sharesOf(
  payable: Payable,
  { funds, amountMinor, others }: Application,
  { newId }: Clock,
): Share[] | Refusal<ApplyRefusal> {
  let missingMinor = missingOf(payable)
  const shares: Share[] = []
  for (const [at, each] of [funds, ...others].entries()) {
    if (at > 0 && missingMinor === 0n) break
    const param = at === 0 ? 'amount' : 'together_with'
    if (each.currency !== payable.payment.currency)
      return refuse('unapplied_funds_currency_mismatch', { param: at === 0 ? 'payment_id' : param })
    if (each.remainingMinor === 0n) return refuse('unapplied_funds_settled', at === 0 ? {} : { param })
    const asked = at === 0 ? amountMinor : null
    if (asked !== null && asked > each.remainingMinor) return refuse('unapplied_funds_exceeded', { param })
    const reaches = each.remainingMinor >= missingMinor
    const given = asked ?? (reaches ? missingMinor : each.remainingMinor)
    if (given > missingMinor || given === 0n) return refuse('unapplied_funds_beyond_missing', { param })
    missingMinor -= given
    shares.push({ id: newId(), funds: each, amountMinor: given })
  }
  return shares
}

function take(
  { id, funds, amountMinor }: Share,
  { payment, attempt }: Payable,
  clock: Clock,
): { readonly writes: readonly Write[]; readonly events: readonly EventDraft[] } {
  const adds = { applied_to: payment.id }
  const { writes, events } = takeFunds({ funds, amountMinor }, 'unapplied_funds.applied', adds, clock)
  const application = {
    id,
    unappliedFundsId: funds.id,
    paymentId: payment.id,
    attemptId: attempt.id,
    amountMinor,
    createdAt: clock.now,
  }
  return { writes: [...writes, insert(unappliedFundsApplications, application)], events }
}
