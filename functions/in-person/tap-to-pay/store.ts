import { and, eq, getTableColumns } from 'drizzle-orm'
import { deviceCredentials, devices } from '../../../drizzle/schema/devices.ts'
import { connectionTokens, tapSessions } from '../../../drizzle/schema/in-person.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type TokenRow = Row<typeof connectionTokens>
export type SessionRow = Row<typeof tapSessions>

export const sessionById = rowsBy(tapSessions, 'id')
export const sessionsPage = newest(tapSessions, ['deviceId'])

/** The session in which a phone takes cards; one whose time is over too. */
export const openSessionOf = select<SessionRow>(() =>
  build
    .select()
    .from(tapSessions)
    .where(
      and(ownTenant(tapSessions), eq(tapSessions.deviceId, slot('deviceId')), eq(tapSessions.status, 'open')),
    ),
)

/** The open session of the calling phone. */
export const ownSession = select<SessionRow>(() =>
  build
    .select(getTableColumns(tapSessions))
    .from(tapSessions)
    .innerJoin(
      deviceCredentials,
      and(
        eq(deviceCredentials.tenantId, tapSessions.tenantId),
        eq(deviceCredentials.deviceId, tapSessions.deviceId),
      ),
    )
    .where(
      and(ownTenant(tapSessions), eq(deviceCredentials.kid, slot('kid')), eq(tapSessions.status, 'open')),
    ),
)

/** The token of a device that was not redeemed yet. */
export const issuedOf = select<TokenRow>(() =>
  build
    .select()
    .from(connectionTokens)
    .where(
      and(
        ownTenant(connectionTokens),
        eq(connectionTokens.deviceId, slot('deviceId')),
        eq(connectionTokens.status, 'issued'),
      ),
    ),
)

/** A token of the calling phone, of its present pairing. */
export const ownToken = select<TokenRow>(() =>
  build
    .select(getTableColumns(connectionTokens))
    .from(connectionTokens)
    .innerJoin(
      devices,
      and(
        eq(devices.tenantId, connectionTokens.tenantId),
        eq(devices.id, connectionTokens.deviceId),
        eq(devices.pairingsCount, connectionTokens.pairing),
        eq(devices.locationId, connectionTokens.locationId),
      ),
    )
    .innerJoin(
      deviceCredentials,
      and(eq(deviceCredentials.tenantId, devices.tenantId), eq(deviceCredentials.deviceId, devices.id)),
    )
    .where(
      and(
        ownTenant(connectionTokens),
        eq(deviceCredentials.kid, slot('kid')),
        eq(connectionTokens.digest, slot('digest')),
      ),
    ),
)
