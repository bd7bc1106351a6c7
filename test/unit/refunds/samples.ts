import type { SpendLimit } from '../../../functions/money/bank-orders/api-pure.ts'
import type { CreateBounds, RefundRequest, RefundRoutes } from '../../../functions/money/refunds/plan.ts'
import type { RefundAnswer } from '../../../functions/money/refunds/plan-outcome.ts'
import type { SourceRow } from '../../../functions/money/refunds/plan-source.ts'
import type { FundsRow, RefundablePayment, RefundRow } from '../../../functions/money/refunds/store.ts'
import type { Plan, Write } from '../../../src/kernel/plan.ts'
import { now, submission } from '../payments/samples.ts'

export const paymentId = '00000000-0000-7000-8000-00000000aaaa'
export const refundId = '00000000-0000-7000-8000-00000000bbbb'
export const fundsId = '00000000-0000-7000-8000-00000000cccc'

/** 100.00 captured by card, with the given changes to its rows. */
export const payment = (changes: Partial<RefundablePayment> = {}): RefundablePayment => ({
  ...submission().payment,
  tenantId: 'tn_1',
  id: paymentId,
  status: 'succeeded',
  amountMinor: 10_000n,
  amountAuthorizedMinor: 10_000n,
  amountCapturedMinor: 10_000n,
  version: 3,
  attemptId: '00000000-0000-7000-8000-00000000dddd',
  attemptProcessor: 'simulator',
  attemptProcessorRef: 'sim_1',
  attemptAccountId: null,
  ...changes,
})

export const funds = (changes: Partial<FundsRow> = {}): FundsRow => ({
  tenantId: 'tn_1',
  id: fundsId,
  status: 'open',
  reason: 'overpaid',
  method: 'spei',
  amountMinor: 10_000n,
  remainingMinor: 4_000n,
  currency: 'mxn',
  paymentId: null,
  depositId: null,
  voucherId: null,
  movementId: null,
  version: 2,
  createdAt: now,
  updatedAt: now,
  ...changes,
})

export const request = (changes: Partial<RefundRequest> = {}): RefundRequest => ({
  reason: 'requested_by_customer',
  method: 'original',
  metadata: {},
  ...changes,
})

export const routes: RefundRoutes = { processor: 'simulator', original: true, transfers: false, spei: true }
export const destination = { clabe: '646180000000000012', holder: 'Ana Torres' }

/** The key's limit to CLABEs today. */
export const allowed = (limitMinor: bigint): SpendLimit => ({
  kid: 'kid',
  kind: 'refunds',
  limitMinor,
  sums: [],
})

/** The merchant's balances: available, pending and reserve. */
export const cover = (
  [available, pending, reserve]: readonly [bigint, bigint, bigint],
  overdraftMinor = 0n,
  spendLimit = allowed(1_000_000n),
): CreateBounds => ({
  spendLimit,
  lastDay: null,
  overdraftMinor,
  accounts: [
    ['mxn', 'merchant_available', available],
    ['mxn', 'merchant_pending', pending],
    ['mxn', 'merchant_reserve', reserve],
    ['mxn', 'dispute_hold', 1_000_000n],
    ['usd', 'merchant_available', 1_000_000n],
  ].map(([currency, code, balanceMinor]) => ({ tenantId: 'tn_1', currency, code, balanceMinor })) as never,
})
export const plenty = cover([10_000n, 0n, 0n])
/** Enough of everything, but the key may send nothing. */
export const bound: CreateBounds = { ...plenty, spendLimit: allowed(5_999n) }

export const refundRow = (changes: Partial<RefundRow> = {}): RefundRow => ({
  id: refundId,
  paymentId,
  unappliedFundsId: null,
  customerId: null,
  clientReferenceId: null,
  checkoutSessionId: null,
  paymentLinkId: null,
  origin: 'api',
  status: 'processing',
  method: 'original',
  amountMinor: 6_000n,
  currency: 'mxn',
  reason: 'requested_by_customer',
  destinationClabe: null,
  destinationHolder: null,
  processor: 'simulator',
  processorRef: null,
  claveRastreo: null,
  pendingReason: null,
  failureCode: null,
  contradiction: null,
  approvedByUserId: null,
  approvedAt: null,
  lineItems: null,
  metadata: {},
  nextCheckAt: now,
  checksCount: 0,
  resolvedAt: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
  ...changes,
})

const succeeded = { state: 'succeeded', currency: 'mxn', processorRef: 'sim_r', claveRastreo: null } as const

export const answers = {
  processing: { state: 'processing', processorRef: 'sim_r' },
  succeeded: { ...succeeded, amountMinor: 6_000n },
  'succeeded, another amount': { ...succeeded, amountMinor: 6_001n },
  'succeeded, another currency': { ...succeeded, amountMinor: 6_000n, currency: 'usd' },
  kept: { state: 'kept', processorRef: 'sim_r' },
  failed: { state: 'failed', code: 'declined_by_bank' },
  not_found: { state: 'not_found' },
  unknown: { state: 'unknown' },
} as const satisfies Record<string, RefundAnswer>

/** The effect of a write, in one line. */
function told(write: Write): string {
  switch (write.kind) {
    case 'insert':
      return 'sumMinor' in write.rows[0]!
        ? `count ${write.rows[0].sumMinor}`
        : `insert ${(write.rows[0] as { status: string }).status}`
    case 'change':
      return `change ${write.fromStatus} -> ${(write.set as { status?: string }).status ?? 'same'}`
    case 'adjust':
      return Object.entries(write.deltas)
        .map(([column, delta]) => `adjust ${column} ${delta}`)
        .join(', ')
    case 'expect':
      return `expect ${Object.entries(write.where)
        .map(([column, value]) => `${column} ${value}`)
        .join(', ')}`
    case 'post':
      return `post ${write.entryKind} ${write.postings.map((p) => `${p.account} ${p.amountMinor}`).join(', ')}${
        write.leaves ? `, leaves ${write.leaves.balanceMinorMin}` : ''
      }`
    default:
      return write.kind
  }
}
export const summary = (plan: Plan<object>) => [
  ...plan.writes.map(told),
  ...plan.events.map(({ type }) => type),
]

export const ofPayment: SourceRow = { kind: 'payment', payment: payment() }
export const back = ['adjust amountRefundedMinor -6000', 'expect version 3']
