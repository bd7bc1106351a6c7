import type { Clock } from '../../../src/kernel/clock.ts'
import type { DeviceRow } from './store.ts'

/** A device that was heard of within this time is online: it asks at least every 60 seconds. */
const onlineMs = 150_000

/** Whether it was heard of lately. It only informs: no operation asks it. */
const connectionOf = ({ lastSeenAt }: DeviceRow, now: Date) => {
  if (lastSeenAt === null) return 'never_seen' as const
  return now.getTime() - lastSeenAt.getTime() <= onlineMs ? ('online' as const) : ('offline' as const)
}

/** Readers and phones have it alone, as their contracts say. */
const configured = ({ kind, terminalConfigurationId }: DeviceRow) =>
  (kind === 'register' ? {} : { terminal_configuration_id: terminalConfigurationId }) as {
    terminal_configuration_id: string | null
  }

/** Phones have it alone, as their contracts say. */
const attestation = (device: DeviceRow, now: Date) =>
  (device.kind === 'phone' ? { attestation: attestationOf(device, now) } : {}) as {
    attestation: ReturnType<typeof attestationOf>
  }

/** The database has all of it or nothing. */
const attestationOf = ({ attestedBy, attestedUntil, ...device }: DeviceRow, now: Date) =>
  attestedBy
    ? {
        provider: attestedBy,
        app: device.attestedApp!,
        environment: device.attestedEnvironment!,
        status: attestedUntil! > now ? ('valid' as const) : ('expired' as const),
        verified_at: device.attestedAt!.toISOString(),
        expires_at: attestedUntil!.toISOString(),
      }
    : null

/** A device as the interface shows it. */
export const presentDevice = (device: DeviceRow, { now }: Pick<Clock, 'now'>) => ({
  id: device.id,
  object: device.kind,
  status: device.status,
  connection: connectionOf(device, now),
  name: device.name,
  location_id: device.locationId,
  ...configured(device),
  model: device.model,
  serial_number: device.serialNumber,
  software_version: device.softwareVersion,
  paired_at: device.pairedAt?.toISOString() ?? null,
  last_seen_at: device.lastSeenAt?.toISOString() ?? null,
  ...attestation(device, now),
  metadata: device.metadata,
  version: device.version,
  created_at: device.createdAt.toISOString(),
  updated_at: device.updatedAt.toISOString(),
})
