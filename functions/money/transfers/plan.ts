import { transfers } from '../../../drizzle/schema/transfers.ts'
import { isClabe } from '../../../src/kernel/clabe.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { canMove, type EventOf } from '../../../src/kernel/lifecycle.ts'
import { change, insert, type Plan, post, type Refusal, refuse } from '../../../src/kernel/plan.ts'
import { callLeaseMs } from '../../../src/kernel/poll-schedule.ts'
import { movementJournal } from '../../../src/ledger/journals.ts'
import { count, type SpendLimit, withinLimit } from '../bank-orders/api-pure.ts'
import { transferLifecycle } from './lifecycle.ts'
import { presentTransfer } from './present.ts'
import type { TransferRow } from './store.ts'

/** The currency of CLABEs: SPEI carries pesos and nothing else. */
const clabeCurrency = 'mxn'

/** The merchant's request. */
export interface Asked {
  readonly amountMinor: bigint
  readonly currency: string
  readonly destination:
    | { readonly type: 'clabe'; readonly clabe: string; readonly holder: string }
    | { readonly type: 'tenant'; readonly tenant_id: string }
  readonly concept: string
  readonly metadata: Readonly<Record<string, Json>>
}

/** The caller, and what we know of the currency and destination it names. */
export interface Sender {
  readonly tenantId: string
  readonly apiKeyId: string
  /** More than this in a day waits for approval. */
  readonly spendLimit: SpendLimit
  readonly currencySupported: boolean
  readonly destinationKnown: boolean
  readonly processor: string
}

export const can = (transfer: TransferRow, move: EventOf<typeof transferLifecycle>) =>
  canMove(transferLifecycle, transfer.status, move)

export const about = ({ id }: { readonly id: string }) => ({ type: 'transfer', id })

/** The requested transfer, or the reason why it is refused. */
export function drawTransfer(
  asked: Asked,
  sender: Sender,
  { now, newId }: Clock,
): TransferRow | Refusal<Refused> {
  const refusal = refusalOf(asked, sender)
  if (refusal) return refusal
  const { destination } = asked
  const waits = !withinLimit(sender.spendLimit, asked.currency, asked.amountMinor, now)
  return {
    tenantId: sender.tenantId,
    id: newId(),
    status: waits ? 'pending_approval' : 'pending',
    amountMinor: asked.amountMinor,
    currency: asked.currency,
    destinationType: destination.type,
    destinationClabe: destination.type === 'clabe' ? destination.clabe : null,
    destinationHolder: destination.type === 'clabe' ? destination.holder : null,
    destinationTenantId: destination.type === 'tenant' ? destination.tenant_id : null,
    concept: asked.concept,
    metadata: asked.metadata,
    apiKeyId: sender.apiKeyId,
    approvedByUserId: null,
    approvedAt: null,
    processor: destination.type === 'clabe' ? sender.processor : 'spindle',
    claveRastreo: null,
    returnClaveRastreo: null,
    failureCode: null,
    nextCheckAt: waits ? null : new Date(now.getTime() + callLeaseMs),
    checksCount: 0,
    resolvedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

type Refused =
  | 'transfer_amount_not_positive'
  | 'currency_unsupported'
  | 'clabe_invalid'
  | 'transfer_destination_own'
  | 'transfer_destination_unknown'

function refusalOf({ amountMinor, currency, destination }: Asked, sender: Sender): Refusal<Refused> | null {
  if (amountMinor <= 0n) return refuse('transfer_amount_not_positive', { param: 'amount' })
  if (!sender.currencySupported) return refuse('currency_unsupported', { param: 'currency' })
  if (destination.type === 'clabe') {
    if (currency !== clabeCurrency)
      return refuse('currency_unsupported', {
        param: 'currency',
        message: `Transfers to a CLABE are in ${clabeCurrency}.`,
      })
    return isClabe(destination.clabe) ? null : refuse('clabe_invalid', { param: 'destination.clabe' })
  }
  const param = 'destination.tenant_id'
  if (destination.tenant_id === sender.tenantId) return refuse('transfer_destination_own', { param })
  return sender.destinationKnown ? null : refuse('transfer_destination_unknown', { param })
}

type Presented = ReturnType<typeof presentTransfer>

/** Records a transfer; counted and debited unless it waits for approval. */
export function planCreate(transfer: TransferRow, spendLimit: SpendLimit, clock: Clock): Plan<Presented> {
  const reply = presentTransfer(transfer)
  return {
    writes: [
      insert(transfers, transfer),
      ...(transfer.status === 'pending'
        ? [count(spendLimit, transfer.currency, transfer.amountMinor, clock), post(debit(transfer, clock))]
        : []),
    ],
    events: [event(clock.newId(), `transfer.${created(transfer)}`, about(transfer), reply)],
    reply,
    subjectId: transfer.id,
  }
}

const created = ({ status }: TransferRow) => (status === 'pending' ? 'created' : 'pending_approval')

const debit = (transfer: TransferRow, clock: Clock) =>
  movementJournal('transfer.transfer', transfer, transfer.amountMinor, clock)

/** An authorized user approves exactly what they saw: it is debited, and on its way. */
export function planApprove(
  transfer: TransferRow,
  seen: { readonly amount: string; readonly currency: string },
  userId: string,
  clock: Clock,
): Plan<Presented> | Refusal<'transfer_not_pending_approval' | 'transfer_terms_mismatch'> {
  if (!can(transfer, 'approve')) return refuse('transfer_not_pending_approval')
  if (BigInt(seen.amount) !== transfer.amountMinor)
    return refuse('transfer_terms_mismatch', { param: 'amount' })
  if (seen.currency !== transfer.currency) return refuse('transfer_terms_mismatch', { param: 'currency' })
  const { now, newId } = clock
  const approved = approvedOf(transfer, userId, now)
  const { status, approvedByUserId, approvedAt, nextCheckAt, updatedAt } = approved
  const reply = presentTransfer(approved)
  return {
    writes: [
      change(transfers, transfer, { status, approvedByUserId, approvedAt, nextCheckAt, updatedAt }),
      post(debit(transfer, clock)),
    ],
    events: [event(newId(), 'transfer.approved', about(transfer), reply, presentTransfer(transfer))],
    reply,
    subjectId: transfer.id,
  }
}

/** The row as an approval leaves it. */
export const approvedOf = (transfer: TransferRow, userId: string, now: Date): TransferRow => ({
  ...transfer,
  status: 'pending',
  approvedByUserId: userId,
  approvedAt: now,
  nextCheckAt: new Date(now.getTime() + callLeaseMs),
  updatedAt: now,
  version: transfer.version + 1,
})

/** Ends a transfer that waits for approval: nothing was debited. */
export function planReject(
  transfer: TransferRow,
  { now, newId }: Clock,
): Plan<Presented> | Refusal<'transfer_not_pending_approval'> {
  if (transfer.status !== 'pending_approval') return refuse('transfer_not_pending_approval')
  const set = { status: 'canceled' as const, resolvedAt: now, updatedAt: now }
  const reply = presentTransfer({ ...transfer, ...set })
  return {
    writes: [change(transfers, transfer, set)],
    events: [event(newId(), 'transfer.canceled', about(transfer), reply, presentTransfer(transfer))],
    reply,
    subjectId: transfer.id,
  }
}

/** The transfer as it is: the request already took effect. */
export const unchanged = (transfer: TransferRow): Plan<Presented> => ({
  writes: [],
  events: [],
  reply: presentTransfer(transfer),
  subjectId: transfer.id,
})
