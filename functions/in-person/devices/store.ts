import { and, eq, getTableColumns, gt, isNull, or, sql } from 'drizzle-orm'
import {
  deviceCredentials,
  devicePairingCodes,
  devicePlaces,
  devices,
} from '../../../drizzle/schema/devices.ts'
import { locations } from '../../../drizzle/schema/locations.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

// The Worker's role may not read digests.
const { digest: _code, ...codeColumns } = getTableColumns(devicePairingCodes)
const { digest: _token, ...credentialColumns } = getTableColumns(deviceCredentials)

export type DeviceRow = Row<typeof devices>
export type PairingCodeRow = Omit<Row<typeof devicePairingCodes>, 'digest'>
export type CredentialRow = Omit<Row<typeof deviceCredentials>, 'digest'>
export type PlaceRow = Row<typeof devicePlaces>
export type LocationRow = Row<typeof locations>

export const deviceById = rowsBy(devices, 'kind', 'id')
export const devicesPage = newest(devices, ['status', 'locationId'], eq(devices.kind, slot('kind')))

/** A device with the status of its location. */
export type PlacedDevice = DeviceRow & { readonly locationStatus: LocationRow['status'] }

export const placedDevice = select<PlacedDevice>(() =>
  build
    .select({ ...getTableColumns(devices), locationStatus: locations.status })
    .from(devices)
    .innerJoin(locations, and(eq(locations.tenantId, devices.tenantId), eq(locations.id, devices.locationId)))
    .where(and(ownTenant(devices), eq(devices.kind, slot('kind')), eq(devices.id, slot('id')))),
)

export const locationById = rowsBy(locations, 'id')

/** Where a device stands. */
export const locationOfDevice = select<LocationRow>(() =>
  build
    .select(getTableColumns(locations))
    .from(locations)
    .innerJoin(devices, and(eq(devices.tenantId, locations.tenantId), eq(devices.locationId, locations.id)))
    .where(and(ownTenant(locations), eq(devices.id, slot('deviceId')))),
)

/** What processors call the location of a device: one row for each account. */
export const placesOfDevice = select<PlaceRow>(() =>
  build
    .select(getTableColumns(devicePlaces))
    .from(devicePlaces)
    .innerJoin(
      devices,
      and(eq(devices.tenantId, devicePlaces.tenantId), eq(devices.locationId, devicePlaces.locationId)),
    )
    .where(and(ownTenant(devicePlaces), eq(devices.id, slot('deviceId')))),
)

/** The code of a device that may still be entered, or has run out. */
export const activeCodeOf = select<PairingCodeRow>(() =>
  build
    .select(codeColumns)
    .from(devicePairingCodes)
    .where(
      and(
        ownTenant(devicePairingCodes),
        eq(devicePairingCodes.deviceId, slot('deviceId')),
        eq(devicePairingCodes.status, 'active'),
      ),
    ),
)

export const codeById = select<PairingCodeRow>(() =>
  build
    .select(codeColumns)
    .from(devicePairingCodes)
    .where(and(ownTenant(devicePairingCodes), eq(devicePairingCodes.id, slot('id')))),
)

/** The code that a device was shown, by its prefix. */
export const codeByPrefix = select<PairingCodeRow>(() =>
  build
    .select(codeColumns)
    .from(devicePairingCodes)
    .where(
      and(
        ownTenant(devicePairingCodes),
        eq(devicePairingCodes.prefix, slot('prefix')),
        eq(devicePairingCodes.status, 'active'),
      ),
    ),
)

const ofPrefix = sql`(select ${devicePairingCodes.deviceId} from ${devicePairingCodes}
  where ${ownTenant(devicePairingCodes)} and ${devicePairingCodes.prefix} = ${slot('prefix')}
    and ${devicePairingCodes.status} = 'active')`

/** The device that a code was made for. */
export const deviceByPrefix = select<DeviceRow>(() =>
  build
    .select()
    .from(devices)
    .where(and(ownTenant(devices), eq(devices.id, ofPrefix))),
)

const ofKid = sql`(select ${deviceCredentials.deviceId} from ${deviceCredentials}
  where ${ownTenant(deviceCredentials)} and ${deviceCredentials.kid} = ${slot('kid')})`

/** The calling device, by the public part of its credential. */
export const deviceByKid = select<DeviceRow>(() =>
  build
    .select()
    .from(devices)
    .where(and(ownTenant(devices), eq(devices.id, ofKid))),
)

/** The credentials of the calling device that open something now. */
export const credentialsByKid = select<CredentialRow>(() =>
  build
    .select(credentialColumns)
    .from(deviceCredentials)
    .innerJoin(
      devices,
      and(
        eq(devices.tenantId, deviceCredentials.tenantId),
        eq(devices.id, deviceCredentials.deviceId),
        eq(devices.pairingsCount, deviceCredentials.pairing),
      ),
    )
    .where(
      and(
        ownTenant(deviceCredentials),
        eq(deviceCredentials.deviceId, ofKid),
        or(isNull(deviceCredentials.endsAt), gt(deviceCredentials.endsAt, sql`now()`)),
      ),
    ),
)
