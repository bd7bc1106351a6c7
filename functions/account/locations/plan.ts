import { locations } from '../../../drizzle/schema/locations.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, named, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { presentLocation } from './present.ts'
import type { LocationRow } from './store.ts'

const { created, changed } = changesOf(locations, 'location', presentLocation)

export const planCreate = (
  {
    time_zone: timeZone,
    terminal_configuration_id: terminalConfigurationId,
    ...asked
  }: BodyOf<typeof contracts.create>,
  clock: Clock,
) =>
  created(
    { ...asked, ...newRow(clock), status: 'active', timeZone, terminalConfigurationId },
    'location.created',
    clock,
  )

export const planUpdate = (
  location: LocationRow,
  {
    time_zone: timeZone,
    terminal_configuration_id: terminalConfigurationId,
    ...asked
  }: BodyOf<typeof contracts.update>,
  clock: Clock,
) =>
  location.status === 'archived'
    ? refuse('location_archived')
    : changed(location, named({ ...asked, timeZone, terminalConfigurationId }), 'location.updated', clock)

export const planArchive = (location: LocationRow, clock: Clock) =>
  location.status === 'archived'
    ? refuse('location_archived')
    : changed(location, { status: 'archived' }, 'location.archived', clock)

export const planRestore = (location: LocationRow, clock: Clock) =>
  location.status === 'active'
    ? refuse('location_not_archived')
    : changed(location, { status: 'active' }, 'location.restored', clock)
