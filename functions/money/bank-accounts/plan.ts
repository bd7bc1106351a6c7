import { bankAccounts } from '../../../drizzle/schema/bank-accounts.ts'
import { bankOf } from '../../../src/kernel/banks.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { canMove } from '../../../src/kernel/lifecycle.ts'
import { change, type Plan, refuse } from '../../../src/kernel/plan.ts'
import { callLeaseMs, firstWatch, pollAgain, watchAgain } from '../../../src/kernel/poll-schedule.ts'
import type { BankState } from '../../../src/processors/port.ts'
import { noticeToOwners } from '../../account/mails/api-pure.ts'
import { isSameHolder } from './holder.ts'
import { bankAccountLifecycle } from './lifecycle.ts'
import { presentBankAccount } from './present.ts'
import type { BankAccountRow } from './store.ts'

export interface NewAccount {
  readonly tenantId: string
  readonly clabe: string
  readonly holder: string
  /** Of the fiscal profile; null without one. */
  readonly legalName: string | null
  /** Whether a bank is connected that the deposit can be sent through. */
  readonly hasBank: boolean
}

const { created, changed } = changesOf(bankAccounts, 'bank_account', presentBankAccount)

/** The row of an account that was just added. */
export const newAccount = (
  { tenantId, clabe, holder, legalName, hasBank }: NewAccount,
  clock: Clock,
): BankAccountRow => ({
  ...newRow(clock),
  tenantId,
  status: 'pending_verification',
  clabe,
  holder,
  holderMatches: legalName === null ? null : isSameHolder(holder, legalName),
  verification: hasBank ? 'deposit' : 'review',
  rejectionCode: null,
  verifiedAt: null,
  coolDownEndsAt: null,
  nextCheckAt: hasBank ? new Date(clock.now.getTime() + callLeaseMs) : null,
  checksCount: 0,
  resolvedAt: null,
})

/** Records an account and mails the owners. */
export function planCreate(
  account: BankAccountRow,
  by: { readonly email: string; readonly environment: string },
  clock: Clock,
) {
  const bank = bankOf(account.clabe)
  if (!bank) return refuse('clabe_bank_unknown', { param: 'clabe' })
  const plan = created(account, 'bank_account.created', clock)
  const data = {
    environment: by.environment,
    account: `${bank.name} ···${plan.reply.clabe_last4}`,
    holder: account.holder,
    by: by.email,
    at: clock.now.toISOString(),
  }
  const notice = noticeToOwners(plan.events[0]!.id, 'bank_account_added', data, clock.now)
  return { ...plan, writes: [...plan.writes, notice] }
}

type Patch = Partial<BankAccountRow> & Pick<BankAccountRow, 'status'>
type Told = 'bank_account.verified' | 'bank_account.rejected' | 'bank_account.disabled'

const planMove = (account: BankAccountRow, type: Told, patch: Patch, clock: Clock) =>
  changed(account, { nextCheckAt: null, ...patch, resolvedAt: clock.now }, type, clock)

/** Ends an account, verified or not. */
export const planDisable = (account: BankAccountRow, clock: Clock) =>
  canMove(bankAccountLifecycle, account.status, 'disable')
    ? planMove(account, 'bank_account.disabled', { status: 'disabled' }, clock)
    : refuse('bank_account_over')

export type Verdict = 'verified' | NonNullable<BankAccountRow['rejectionCode']>

const hourMs = 3_600_000

/**
 * The bank's or a reviewer's verdict; null once there is one. The verdict `verified` starts the cool-down.
 */
export function planVerdict(account: BankAccountRow, verdict: Verdict, coolDownHours: number, clock: Clock) {
  if (account.status !== 'pending_verification') return null
  if (verdict !== 'verified')
    return planMove(account, 'bank_account.rejected', { status: 'rejected', rejectionCode: verdict }, clock)
  const verifiedAt = clock.now
  const coolDownEndsAt = new Date(verifiedAt.getTime() + coolDownHours * hourMs)
  // Its bank may still send the deposit back; a review has none.
  const polls =
    account.verification === 'deposit' ? { nextCheckAt: firstWatch(verifiedAt), checksCount: 0 } : {}
  const patch = { status: 'verified', verifiedAt, coolDownEndsAt, ...polls } as const
  return planMove(account, 'bank_account.verified', patch, clock)
}

/** What the fate of the deposit changes; null where that is nothing. Only a return changes a verified account. */
export function planDeposit(account: BankAccountRow, state: BankState, coolDownHours: number, clock: Clock) {
  const verdict = verdictOf(state)
  if (verdict === null) return null
  return state.state === 'returned' && canMove(bankAccountLifecycle, account.status, 'return')
    ? planMove(account, 'bank_account.rejected', { status: 'rejected', rejectionCode: state.code }, clock)
    : planVerdict(account, verdict, coolDownHours, clock)
}

/** What the fate of the deposit says of the account; null while it is open. */
export function verdictOf(state: BankState): Verdict | null {
  if (state.state === 'paid') return 'verified'
  return state.state === 'failed' || state.state === 'returned' ? state.code : null
}

export function planNextPoll(account: BankAccountRow, { state }: BankState, now: Date): Plan<object> | null {
  if (account.nextCheckAt === null) return null
  const polls =
    account.status === 'verified' ? watchAgain(account, state !== 'unknown', now) : pollAgain(account, now)
  return { writes: [change(bankAccounts, account, polls)], events: [], reply: {} }
}
