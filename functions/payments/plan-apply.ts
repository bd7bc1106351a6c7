import { unappliedFunds, unappliedFundsApplications } from '../../drizzle/schema/cash.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { event } from '../../src/kernel/events.ts'
import { toMinorString } from '../../src/kernel/money.ts'
import {
  adjust,
  type EventDraft,
  insert,
  type Plan,
  type Refusal,
  refuse,
  type Write,
} from '../../src/kernel/plan.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import type { Submission } from './plan.ts'
import type { OnSuccess } from './plan-capture.ts'
import { awaits, missingOf, planPart, planWhole } from './plan-deposit.ts'
import { presentUnappliedFunds } from './present-unapplied.ts'
import type { ClabeRow, UnappliedRow } from './store.ts'

/** A payment that may take unapplied funds, with its last attempt and the CLABE of that. */
export interface Payable extends Submission {
  readonly clabe: ClabeRow | null
}

/** How much of which funds: all that is missing, as far as they reach, when no amount is said. */
export interface Application {
  readonly funds: UnappliedRow
  readonly amountMinor: bigint | null
  /** Further funds for the same payment, each with all it has as far as it is missing. */
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

/** What an application comes to: exact, whatever else happens to the funds at the same time. */
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

/** The payment waits for money, or its time has passed and all of it is wanted. */
const mayTake = ({ payment, attempt, clabe }: Payable): 'part' | 'whole' | null => {
  if (payment.method === 'card') return null
  if (clabe && awaits({ payment, attempt, clabe })) return 'part'
  return payment.status === 'expired' && attempt.status === 'expired' ? 'whole' : null
}

export const takesFunds = (payable: Payable): boolean => mayTake(payable) !== null

/**
 * Counts unapplied funds towards a payment as if they had arrived for it. Part of the amount only while the payment
 * waits; one that has expired is honoured at once or not at all, so that no money hangs on a payment that is over.
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
  if (!whole && takes === 'whole') return refuse('unapplied_funds_not_enough')
  const taken = shares.map((share) => take(share, payable, clock))
  const brought = taken.flatMap(({ writes }) => writes)
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
    const param = at === 0 ? 'amount' : 'together_with'
    if (each.currency !== payable.payment.currency) return refuse('unapplied_funds_currency_mismatch')
    if (each.remainingMinor === 0n) return refuse('unapplied_funds_settled')
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

/** Taken blindly, so that nobody waits for anybody: the database refuses more than is left. */
function take(
  { id, funds, amountMinor }: Share,
  { payment, attempt }: Payable,
  { now, newId }: Clock,
): { readonly writes: readonly Write[]; readonly events: readonly EventDraft[] } {
  const remainingMinor = funds.remainingMinor - amountMinor
  const left = { ...funds, status: remainingMinor === 0n ? 'settled' : 'open' }
  // What remains is put in by the door, before and after.
  const presented = presentUnappliedFunds(left)
  const remaining = toMinorString(remainingMinor)
  return {
    writes: [
      adjust(unappliedFunds, funds.id, { remainingMinor: -amountMinor }),
      insert(unappliedFundsApplications, {
        id,
        unappliedFundsId: funds.id,
        paymentId: payment.id,
        attemptId: attempt.id,
        amountMinor,
        createdAt: now,
      }),
    ],
    events: [
      {
        ...event(
          newId(),
          'unapplied_funds.applied',
          { type: 'unapplied_funds', id: funds.id },
          { ...presented, remaining, applied_to: payment.id },
          { ...presentUnappliedFunds(funds), remaining },
        ),
        counted: {
          table: unappliedFunds,
          id: funds.id,
          fields: { remaining: { column: 'remainingMinor', delta: -amountMinor } },
        },
      },
    ],
  }
}
