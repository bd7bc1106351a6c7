import { and, desc, eq, sql } from 'drizzle-orm'
import { speiDeposits, unappliedFunds } from '../../drizzle/schema/push-payments.ts'
import { build, inWindow, ownTenant, rowsLimit, select, slot } from '../../src/platform/query.ts'

export type FundsRow = typeof unappliedFunds.$inferSelect

export const fundsById = select<FundsRow>(() =>
  build
    .select()
    .from(unappliedFunds)
    .where(and(ownTenant(unappliedFunds), eq(unappliedFunds.id, slot('id')))),
)

/** The transfer that brought these funds, with the CLABE that it came from; none for cash from a shop. */
export const depositOfFunds = select<{ senderClabe: string | null }>(() =>
  build
    .select({ senderClabe: speiDeposits.senderClabe })
    .from(unappliedFunds)
    .innerJoin(
      speiDeposits,
      and(eq(speiDeposits.tenantId, unappliedFunds.tenantId), eq(speiDeposits.id, unappliedFunds.depositId)),
    )
    .where(and(ownTenant(unappliedFunds), eq(unappliedFunds.id, slot('id')))),
)

/** `ids` as a Postgres array literal. */
export const fundsByIds = select<FundsRow>(() =>
  build
    .select()
    .from(unappliedFunds)
    .where(and(ownTenant(unappliedFunds), sql`${unappliedFunds.id} = any (${slot('ids')}::uuid[])`)),
)

export const fundsPage = select<FundsRow>((has) =>
  build
    .select()
    .from(unappliedFunds)
    .where(
      and(
        ...inWindow(unappliedFunds, has),
        has('status') ? eq(unappliedFunds.status, slot('status')) : undefined,
        has('reason') ? eq(unappliedFunds.reason, slot('reason')) : undefined,
      ),
    )
    .orderBy(desc(unappliedFunds.createdAt), desc(unappliedFunds.id))
    .limit(rowsLimit),
)
