import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { deviceCredentials } from '../../../drizzle/schema/devices.ts'
import { offlineLosses, offlinePayments } from '../../../drizzle/schema/offline-payments.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, inWindow, ownTenant, pages, rowsLimit, select, slot } from '../../../src/platform/query.ts'
import { filtered } from '../../../src/platform/rows.ts'

/** With its loss, where there is one. */
export type OfflineRow = Row<typeof offlinePayments> & {
  readonly lossReason: (typeof offlineLosses.$inferSelect)['reason'] | null
  readonly lostAt: Date | null
}

const ofKid = sql`(select ${deviceCredentials.deviceId} from ${deviceCredentials}
  where ${ownTenant(deviceCredentials)} and ${deviceCredentials.kid} = ${slot('kid')})`

const offline = () =>
  build
    .select({
      ...getTableColumns(offlinePayments),
      lossReason: offlineLosses.reason,
      lostAt: offlineLosses.createdAt,
    })
    .from(offlinePayments)
    .leftJoin(
      offlineLosses,
      and(eq(offlineLosses.tenantId, offlinePayments.tenantId), eq(offlineLosses.id, offlinePayments.id)),
    )

export const offlineById = select<OfflineRow>(() =>
  offline().where(and(ownTenant(offlinePayments), eq(offlinePayments.id, slot('id')))),
)

export const offlinePage = select<OfflineRow>(
  (has) =>
    offline()
      .where(
        and(...inWindow(offlinePayments, has), ...filtered(offlinePayments, has, ['status', 'deviceId'])),
      )
      .orderBy(desc(offlinePayments.createdAt), desc(offlinePayments.id))
      .limit(rowsLimit),
  pages,
)

const named = alias(offlinePayments, 'named')

/**
 * What the calling reader has forwarded before, by its own names, and by the places in its allowances: each is looked up in
 * an index of its own, however much the reader has forwarded.
 */
export const forwardedByKid = select<OfflineRow>(() =>
  offline().where(
    and(
      ownTenant(offlinePayments),
      eq(offlinePayments.deviceId, ofKid),
      sql`${offlinePayments.id} = any (array(
        select found.id from unnest(${slot('names')}::text[]) as of (name) cross join lateral (
          select ${named.id} from ${offlinePayments} ${named} where ${ownTenant(named)} and ${named.deviceId} = ${ofKid}
            and ${named.devicePaymentId} = of.name offset 0) found
        union all
        select found.id from unnest(${slot('ids')}::uuid[], ${slot('sequences')}::int[]) as of (allowance, place) cross join lateral (
          select ${named.id} from ${offlinePayments} ${named} where ${ownTenant(named)} and ${named.allowanceId} = of.allowance
            and ${named.sequence} = of.place and ${named.status} <> 'refused' offset 0) found))`,
    ),
  ),
)
