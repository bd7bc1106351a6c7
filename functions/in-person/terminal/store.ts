import { and, eq, getTableColumns, type SQL } from 'drizzle-orm'
import { deviceCredentials, devices } from '../../../drizzle/schema/devices.ts'
import { inPersonPayments, readerActions } from '../../../drizzle/schema/in-person.ts'
import { payments } from '../../../drizzle/schema/payments.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'
import { queriesOf } from '../../order/sales/api.ts'
import { inPerson } from './facts.ts'

export type ReaderActionRow = Row<typeof readerActions>
export type InPersonRow = Row<typeof inPersonPayments>
export type NextActionRow = ReaderActionRow &
  Pick<InPersonRow, 'amountMinor' | 'currency' | 'installmentMonths' | 'description'>

export const actionById = rowsBy(readerActions, 'id')
export const actionsPage = newest(readerActions, ['status', 'readerId'])
/** What a reader is busy with. */
export const actionInProgress = select<ReaderActionRow>(() =>
  build
    .select()
    .from(readerActions)
    .where(
      and(
        ownTenant(readerActions),
        eq(readerActions.readerId, slot('readerId')),
        eq(readerActions.status, 'in_progress'),
      ),
    ),
)

export const inPersonById = rowsBy(inPersonPayments, 'id')
export const inPersonPage = newest(inPersonPayments, ['deviceId', 'locationId', 'clientReferenceId'])
export const inPersonQueries = queriesOf(inPersonPayments, inPerson.kind)

/** Actions of the calling reader, of its present pairing. */
const ofKid = (...more: SQL[]) => {
  const { amountMinor, currency, installmentMonths, description } = inPersonPayments
  return build
    .select({ ...getTableColumns(readerActions), amountMinor, currency, installmentMonths, description })
    .from(deviceCredentials)
    .innerJoin(
      devices,
      and(eq(devices.tenantId, deviceCredentials.tenantId), eq(devices.id, deviceCredentials.deviceId)),
    )
    .innerJoin(
      readerActions,
      and(
        eq(readerActions.tenantId, devices.tenantId),
        eq(readerActions.readerId, devices.id),
        eq(readerActions.pairing, devices.pairingsCount),
      ),
    )
    .innerJoin(
      inPersonPayments,
      and(
        eq(inPersonPayments.tenantId, readerActions.tenantId),
        eq(inPersonPayments.id, readerActions.inPersonPaymentId),
      ),
    )
    .innerJoin(
      payments,
      and(eq(payments.tenantId, readerActions.tenantId), eq(payments.id, readerActions.paymentId)),
    )
    .where(and(ownTenant(deviceCredentials), eq(deviceCredentials.kid, slot('kid')), ...more))
}

/** What the calling reader shall do now: nothing before the processor waits for its card. */
export const nextActionOf = select<NextActionRow>(() =>
  ofKid(eq(readerActions.status, 'in_progress'), eq(payments.status, 'requires_action')),
)

export const ownActionById = select<NextActionRow>(() => ofKid(eq(readerActions.id, slot('id'))))
