import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { deviceCredentials, devices } from '../../../drizzle/schema/devices.ts'
import { locations } from '../../../drizzle/schema/locations.ts'
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

/** That of the calling device. */
export const configurationByKid = select<ConfigurationRow>(() =>
  ofDevice(sql`${devices.id} = (select ${deviceCredentials.deviceId} from ${deviceCredentials}
    where ${ownTenant(deviceCredentials)} and ${deviceCredentials.kid} = ${slot('kid')})`),
)
