import { expect, test } from 'vitest'
import { locations } from '../../../drizzle/schema/locations.ts'
import { changesOf, named, newRow } from '../../../src/kernel/changes.ts'
import type { Row } from '../../../src/kernel/plan.ts'

const made = new Date('2026-06-13T12:00:00.000Z')
const later = new Date('2026-06-14T12:00:00.000Z')
let ids = 0
const clockAt = (now: Date) => ({ now, newId: () => `id-${++ids}` })

const present = ({ id, name, version, updatedAt }: Row<typeof locations>) => ({
  id,
  name,
  version,
  updated_at: updatedAt.toISOString(),
})
const { created, changed } = changesOf(locations, 'location', present)
const row = {
  ...newRow(clockAt(made)),
  status: 'active',
  name: 'Roma',
  address: null,
  timeZone: 'UTC',
  phone: null,
  currency: 'mxn',
  terminalConfigurationId: null,
  metadata: {},
} as const

test('a new row has an id, its first version and the time', () => {
  expect(row).toMatchObject({ id: expect.any(String), version: 1, createdAt: made, updatedAt: made })
})

test('a new resource is inserted, told and answered as it is shown', () => {
  const shown = { id: row.id, name: 'Roma', version: 1, updated_at: made.toISOString() }
  expect(created(row, 'location.created', clockAt(made))).toEqual({
    writes: [{ kind: 'insert', table: locations, rows: [row] }],
    events: [
      {
        id: expect.any(String),
        type: 'location.created',
        resourceType: 'location',
        resourceId: row.id,
        object: shown,
        previousAttributes: {},
      },
    ],
    reply: shown,
    subjectId: row.id,
  })
})

test('a change writes what it sets against the version that was read, and tells what it was before', () => {
  const shown = { id: row.id, name: 'Condesa', version: 2, updated_at: later.toISOString() }
  expect(changed(row, { name: 'Condesa' }, 'location.updated', clockAt(later))).toEqual({
    writes: [
      {
        kind: 'change',
        table: locations,
        id: row.id,
        version: 1,
        fromStatus: 'active',
        set: { name: 'Condesa', updatedAt: later },
      },
    ],
    events: [
      {
        id: expect.any(String),
        type: 'location.updated',
        resourceType: 'location',
        resourceId: row.id,
        object: shown,
        previousAttributes: { name: 'Roma' },
      },
    ],
    reply: shown,
    subjectId: row.id,
  })
})

test('a field that is not named is left out, one that is null is kept', () => {
  expect(Object.keys(named({ name: undefined, phone: null, position: 0 }))).toEqual(['phone', 'position'])
})
