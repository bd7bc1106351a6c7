import { and, eq, getTableColumns, isNull, or, type SQL, sql } from 'drizzle-orm'
import { deviceCredentials, devices } from '../../../drizzle/schema/devices.ts'
import { locations } from '../../../drizzle/schema/locations.ts'
import { offlineAllowances } from '../../../drizzle/schema/offline-payments.ts'
import { terminalConfigurations } from '../../../drizzle/schema/terminal-configurations.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type ConfigurationRow = Row<typeof terminalConfigurations>

export const configurationById = rowsBy(terminalConfigurations, 'id')
export const configurationsPage = newest(terminalConfigurations, ['status'])

/** The active one that a device names, else its location. */
const ofDevice = (which: SQL) =>
  build
    .select(getTableColumns(terminalConfigurations))
    .from(devices)
    .innerJoin(locations, and(eq(locations.tenantId, devices.tenantId), eq(locations.id, devices.locationId)))
    .innerJoin(
      terminalConfigurations,
      and(
        eq(terminalConfigurations.tenantId, devices.tenantId),
        eq(
          terminalConfigurations.id,
          sql`coalesce(${devices.terminalConfigurationId}, ${locations.terminalConfigurationId})`,
        ),
        eq(terminalConfigurations.status, 'active'),
      ),
    )
    .where(and(ownTenant(devices), which))

export const configurationOfDevice = select<ConfigurationRow>(() =>
  ofDevice(eq(devices.id, slot('deviceId'))),
)

const ofKid = sql`(select ${deviceCredentials.deviceId} from ${deviceCredentials}
  where ${ownTenant(deviceCredentials)} and ${deviceCredentials.kid} = ${slot('kid')})`

/** That of the calling device. */
export const configurationByKid = select<ConfigurationRow>(() => ofDevice(eq(devices.id, ofKid)))

export type AllowanceRow = Row<typeof offlineAllowances>

const allowances = (more: SQL) =>
  build
    .select()
    .from(offlineAllowances)
    .where(and(ownTenant(offlineAllowances), eq(offlineAllowances.deviceId, ofKid), more))

/** What the calling reader may store now. */
export const openAllowanceByKid = select<AllowanceRow>(() => allowances(isNull(offlineAllowances.endedAt)))

/** The same, and the allowances that it names. */
export const allowancesByKid = select<AllowanceRow>(() =>
  allowances(
    or(isNull(offlineAllowances.endedAt), sql`${offlineAllowances.id} = any (${slot('ids')}::uuid[])`)!,
  ),
)
