import { payments } from '../../../drizzle/schema/payments.ts'
import {
  buyerBalanceMovements,
  unappliedFundsWithdrawals,
  type withdrawalKinds,
} from '../../../drizzle/schema/push-payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { transferMethod } from '../../../src/kernel/payment-methods.ts'
import { change, type EventDraft, insert, type Plan, post, type Write } from '../../../src/kernel/plan.ts'
import { buyerBalanceJournal } from '../../../src/ledger/journals.ts'
import type { BalanceMovement } from '../../../src/processors/port.ts'
import { about, type Submission } from './plan.ts'
import { awaits } from './plan-deposit.ts'
import { byFunds, planUnapplied, takeFunds } from './plan-unapplied.ts'
import { presentPayment } from './present.ts'
import type { UnappliedRow } from './store.ts'

/** An attempt by transfer, and what is left of the unapplied funds that its buyer's balance brought, the newest first. */
export interface BuyerBalance extends Submission {
  readonly funds: readonly UnappliedRow[]
}

type Kind = BalanceMovement['kind']
type WithdrawalKind = (typeof withdrawalKinds)[number]

interface Part {
  readonly funds: Omit<UnappliedRow, 'tenantId'>
  readonly amountMinor: bigint
}

interface Made {
  readonly writes: readonly Write[]
  readonly events: readonly EventDraft[]
}

const isWithdrawal = (kind: Kind): kind is WithdrawalKind =>
  kind !== 'return_failed' && kind !== 'refund_kept' && kind !== 'overdraft_covered'

/** Kinds that bring what the books never let go: only what they fill of a balance below zero is news. */
const isInBooks = (kind: Kind) => kind === 'unapplied' || kind === 'refilled'

/** Kinds whose other side is the merchant's balance at the processor. */
const isMerchants = (kind: Kind) => kind === 'taken' || kind === 'overdraft_covered'

const sizeOf = ({ changeMinor }: BalanceMovement) => (changeMinor < 0n ? -changeMinor : changeMinor)

/** Whether it changes the books at all. */
export const isNews = ({ kind, belowZeroMinor }: BalanceMovement): boolean =>
  !isInBooks(kind) || belowZeroMinor > 0n

/** What it takes of what the books keep for the buyer. What is below zero they never had. */
function takenOf(movement: BalanceMovement): bigint {
  if (!isWithdrawal(movement.kind)) return 0n
  return isInBooks(movement.kind) ? movement.belowZeroMinor : sizeOf(movement) - movement.belowZeroMinor
}

/**
 * Books a movement of a buyer's balance that changes the books: a row, a journal, and what it took of unapplied funds and
 * of a payment that waits, or brought as new funds. Null where the books have less than it took, or contradict it.
 */
export function planMovement(
  movement: BalanceMovement,
  balance: BuyerBalance,
  clock: Clock,
): Plan<object> | null {
  const { payment, attempt, bankTransfer } = balance
  const { kind, movementRef, changeMinor, belowZeroMinor, currency } = movement
  const isContradicted = kind === 'unapplied' && attempt.status === 'captured'
  if (!bankTransfer || payment.currency !== currency || isContradicted) return null
  const id = clock.newId()
  const takenMinor = takenOf(movement)
  const broughtMinor = isWithdrawal(kind) ? 0n : changeMinor - belowZeroMinor
  const left = partsOf(balance.funds, takenMinor)
  const apart = setApart(balance, takenMinor - sumOf(left), id, clock)
  if (sumOf([...left, ...apart]) < takenMinor) return null
  const fromPayment = planLess(balance, movement, sumOf(apart), clock)
  const brought = bring(balance, broughtMinor, id, clock)
  const taken = [...left, ...apart]
    .map((part) => ({
      fundsId: part.funds.id,
      ...withdraw(part, { id, kind: kind as WithdrawalKind }, clock),
    }))
    .toSorted(byFunds)
  const row = { id, movementRef, kind, attemptId: attempt.id, changeMinor, belowZeroMinor, currency }
  const booked = {
    unappliedMinor: broughtMinor - takenMinor,
    overdraftMinor: changeMinor < 0n ? -belowZeroMinor : belowZeroMinor,
  }
  const made = [fromPayment, ...apart.map(({ made }) => made), brought, ...taken]
  return {
    writes: [
      insert(buyerBalanceMovements, { ...row, createdAt: clock.now }),
      ...made.flatMap(({ writes }) => writes),
      post(
        buyerBalanceJournal(
          row,
          booked,
          isMerchants(kind) ? 'merchant_available' : 'processor_clearing',
          clock,
        ),
      ),
    ],
    events: made.flatMap(({ events }) => events),
    reply: {},
  }
}

const sumOf = (parts: readonly Part[]) => parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)

/** What to take of which funds, at most what they have. */
function partsOf(funds: readonly UnappliedRow[], amountMinor: bigint): Part[] {
  let missing = amountMinor
  const parts: Part[] = []
  for (const each of funds) {
    const part = each.remainingMinor < missing ? each.remainingMinor : missing
    if (part > 0n) parts.push({ funds: each, amountMinor: part })
    missing -= part
  }
  return parts
}

/** Parts of the transfers that a waiting payment counts, the newest first, as unapplied funds of their own. */
function setApart(balance: BuyerBalance, amountMinor: bigint, movementId: string, clock: Clock) {
  const { payment, attempt, bankTransfer } = balance
  const clabe = bankTransfer?.clabe
  if (!clabe || !awaits({ payment, attempt, clabe })) return []
  let missing = amountMinor
  const parts: (Part & { readonly made: Made })[] = []
  for (const { id, appliedMinor, currency } of bankTransfer.counted.toReversed()) {
    const part = appliedMinor < missing ? appliedMinor : missing
    missing -= part
    if (part === 0n) continue
    const made = planUnapplied(
      {
        reason: 'incomplete',
        method: transferMethod,
        amountMinor: part,
        currency,
        paymentId: payment.id,
        source: { kind: 'spei_deposit', id, takenBy: movementId },
      },
      clock,
    )
    parts.push({ funds: made.funds, amountMinor: part, made })
  }
  return parts
}

/** The payment counts less, or was paid with money that the processor is owed now. */
function planLess(
  { payment }: BuyerBalance,
  movement: BalanceMovement,
  lessMinor: bigint,
  clock: Clock,
): Made {
  const { kind, changeMinor, belowZeroMinor } = movement
  if (lessMinor === 0n && (changeMinor > 0n || belowZeroMinor === 0n)) return { writes: [], events: [] }
  const set = {
    amountReceivedMinor: payment.amountReceivedMinor - lessMinor,
    ...(lessMinor > 0n ? { updatedAt: clock.now } : {}),
  }
  const presented = presentPayment({ ...payment, ...set })
  const shown = { ...presented, withdrawal: kind, withdrawn: (lessMinor + belowZeroMinor).toString() }
  return {
    writes: lessMinor > 0n ? [change(payments, payment, set)] : [],
    events: [event(clock.newId(), 'payment.funds_withdrawn', about(payment), shown, presentPayment(payment))],
  }
}

/** Money that is the buyer's again, and in no payment. */
function bring({ payment }: BuyerBalance, amountMinor: bigint, movementId: string, clock: Clock): Made {
  if (amountMinor === 0n) return { writes: [], events: [] }
  const { id: paymentId, currency } = payment
  const source = { kind: 'buyer_balance_movement', id: movementId } as const
  return planUnapplied(
    { reason: 'came_back', method: transferMethod, amountMinor, currency, paymentId, source },
    clock,
  )
}

function withdraw(
  part: Part,
  { id, kind }: { readonly id: string; readonly kind: WithdrawalKind },
  clock: Clock,
): Made {
  const { writes, events } = takeFunds(part, 'unapplied_funds.withdrawn', { withdrawal: kind }, clock)
  const { funds, amountMinor } = part
  const withdrawal = {
    id: clock.newId(),
    unappliedFundsId: funds.id,
    movementId: id,
    amountMinor,
    createdAt: clock.now,
  }
  return { writes: [...writes, insert(unappliedFundsWithdrawals, withdrawal)], events }
}
