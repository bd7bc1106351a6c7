import { and, eq, sql } from 'drizzle-orm'
import { speiDeposits, unappliedFunds } from '../../../drizzle/schema/push-payments.ts'
import { build, foundFirst, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type FundsRow = typeof unappliedFunds.$inferSelect

export const fundsById = rowsBy(unappliedFunds, 'id')

const ofFunds = foundFirst(unappliedFunds.depositId, eq(unappliedFunds.id, slot('id')))

/** The transfer that brought these funds, with the CLABE that it came from; none for cash from a shop. */
export const depositOfFunds = select<{ senderClabe: string | null }>(() =>
  build
    .select({ senderClabe: speiDeposits.senderClabe })
    .from(speiDeposits)
    .where(and(ownTenant(speiDeposits), eq(speiDeposits.id, ofFunds))),
)

/** `ids` as a Postgres array literal. */
export const fundsByIds = select<FundsRow>(() =>
  build
    .select()
    .from(unappliedFunds)
    .where(and(ownTenant(unappliedFunds), sql`${unappliedFunds.id} = any (${slot('ids')}::uuid[])`)),
)

export const fundsPage = newest(unappliedFunds, ['status', 'reason'])
