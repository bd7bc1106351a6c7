import type * as z from 'zod'
import { locations } from '../../../drizzle/schema/locations.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { presentLocation } from './present.ts'
import type { LocationRow } from './store.ts'

const about = ({ id }: LocationRow) => ({ type: 'location', id })

export function planCreate(
  asked: z.output<NonNullable<typeof contracts.create.body>>,
  { now, newId }: Clock,
) {
  const { time_zone: timeZone, ...rest } = asked
  const row: LocationRow = {
    ...rest,
    id: newId(),
    status: 'active',
    timeZone,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const reply = presentLocation(row)
  return {
    writes: [insert(locations, row)],
    events: [event(newId(), 'location.created', about(row), reply)],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}

export function planUpdate(
  location: LocationRow,
  { time_zone: timeZone, ...asked }: z.output<NonNullable<typeof contracts.update.body>>,
  clock: Clock,
) {
  if (location.status === 'archived') return refuse('location_archived')
  const patch = { ...asked, ...(timeZone === undefined ? {} : { timeZone }) }
  return planChange(location, patch as Partial<LocationRow>, 'location.updated', clock)
}

export const planArchive = (location: LocationRow, clock: Clock) =>
  location.status === 'archived'
    ? refuse('location_archived')
    : planChange(location, { status: 'archived' }, 'location.archived', clock)

export const planRestore = (location: LocationRow, clock: Clock) =>
  location.status === 'active'
    ? refuse('location_not_archived')
    : planChange(location, { status: 'active' }, 'location.restored', clock)

function planChange(
  location: LocationRow,
  patch: Partial<LocationRow>,
  type: EventType,
  { now, newId }: Clock,
) {
  const after = presentLocation({ ...location, ...patch, version: location.version + 1, updatedAt: now })
  return {
    writes: [change(locations, location, { ...patch, updatedAt: now })],
    events: [event(newId(), type, about(location), after, presentLocation(location))],
    reply: after,
  } satisfies Plan<unknown>
}
