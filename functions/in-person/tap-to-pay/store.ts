import { and, eq, getTableColumns } from 'drizzle-orm'
import { deviceCredentials, devices } from '../../../drizzle/schema/devices.ts'
import { connectionTokens } from '../../../drizzle/schema/in-person.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'

export type TokenRow = Row<typeof connectionTokens>

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
