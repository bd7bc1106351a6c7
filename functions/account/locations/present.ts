import type { LocationRow } from './store.ts'

/** A location as the interface shows it. */
export const presentLocation = (location: LocationRow) => ({
  id: location.id,
  object: 'location' as const,
  status: location.status,
  name: location.name,
  address: location.address && { ...location.address },
  time_zone: location.timeZone,
  phone: location.phone,
  currency: location.currency,
  terminal_configuration_id: location.terminalConfigurationId,
  metadata: location.metadata,
  version: location.version,
  created_at: location.createdAt.toISOString(),
  updated_at: location.updatedAt.toISOString(),
})
