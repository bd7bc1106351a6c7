import { and, asc, eq, getTableColumns, gt, inArray, ne, sql } from 'drizzle-orm'
import { disputeFiles } from '../../../drizzle/schema/dispute-files.ts'
import { disputes } from '../../../drizzle/schema/disputes.ts'
import { fraudWarnings } from '../../../drizzle/schema/fraud-warnings.ts'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { cardMethods } from '../../../src/kernel/payment-methods.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, foundFirst, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type DisputeRow = Row<typeof disputes>
export type FileRow = Row<typeof disputeFiles>
export type FraudWarningRow = Row<typeof fraudWarnings>

/** The attempt that a bank disputes, with the payment that it is of. */
export type DisputedPayment = typeof payments.$inferSelect & {
  readonly attemptId: string
  readonly attemptStatus: string
  /** How a contradiction of the attempt ended. */
  readonly attemptResolution: string | null
}

const withAttempt = {
  ...getTableColumns(payments),
  attemptId: paymentAttempts.id,
  attemptStatus: paymentAttempts.status,
  attemptResolution: paymentAttempts.resolution,
}

const ofPayment = and(
  eq(paymentAttempts.tenantId, payments.tenantId),
  eq(paymentAttempts.paymentId, payments.id),
)

const ofAttempt = foundFirst(paymentAttempts.paymentId, eq(paymentAttempts.id, slot('attemptId')))

export const disputedPayment = select<DisputedPayment>(() =>
  build
    .select(withAttempt)
    .from(payments)
    .innerJoin(paymentAttempts, and(ofPayment, eq(paymentAttempts.id, slot('attemptId'))))
    .where(and(ownTenant(payments), eq(payments.id, ofAttempt))),
)

/** What a buyer's bank can dispute: a card payment. */
export const disputablePayment = select<DisputedPayment>(() =>
  build
    .select(withAttempt)
    .from(payments)
    .innerJoin(
      paymentAttempts,
      and(ofPayment, eq(paymentAttempts.status, 'captured'), inArray(paymentAttempts.method, cardMethods)),
    )
    .where(and(ownTenant(payments), eq(payments.id, slot('id')))),
)

export const disputeById = rowsBy(disputes, 'id')

export const disputeByRef = rowsBy(disputes, 'processor', 'processorRef')

/** Disputes of the attempt's payment that hold or have taken something: those that hold it first, then by age. */
export const takingDisputesOf = select<DisputeRow>(() =>
  build
    .select()
    .from(disputes)
    .where(
      and(
        ownTenant(disputes),
        eq(disputes.paymentId, ofAttempt),
        ne(disputes.status, 'won'),
        gt(disputes.heldMinor, 0n),
      ),
    )
    .orderBy(asc(eq(disputes.status, 'lost')), asc(disputes.createdAt), asc(disputes.id)),
)

export const disputesPage = newest(disputes, ['status', 'paymentId', 'customerId'])

export const fraudWarningById = rowsBy(fraudWarnings, 'id')

export const fraudWarningByRef = rowsBy(fraudWarnings, 'processor', 'processorRef')

export const fraudWarningsPage = newest(fraudWarnings, ['paymentId'])

/** What the interface shows: not what was never wholly uploaded. */
const shown = ne(disputeFiles.status, 'uploading')

export const fileById = rowsBy(disputeFiles, 'id')

export const shownFileById = select<FileRow>(() =>
  build
    .select()
    .from(disputeFiles)
    .where(and(ownTenant(disputeFiles), eq(disputeFiles.id, slot('id')), shown)),
)

export const filesPage = newest(disputeFiles, ['disputeId'], shown)

/** What the evidence of a dispute may name. */
export const storedFilesOf = rowsBy(disputeFiles, 'disputeId', 'status')

export const filesById = select<FileRow>(() =>
  build
    .select()
    .from(disputeFiles)
    .where(and(ownTenant(disputeFiles), sql`${disputeFiles.id} = any(${slot('ids')}::uuid[])`)),
)
