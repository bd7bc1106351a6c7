import { describe, expect, test } from 'vitest'
import { create } from '../../../functions/account/locations/contract.ts'
import {
  planArchive,
  planCreate,
  planRestore,
  planUpdate,
} from '../../../functions/account/locations/plan.ts'
import type { LocationRow } from '../../../functions/account/locations/store.ts'
import { isTimeZone } from '../../../functions/account/locations/time-zone.ts'
import { isRefusal, type Plan, type Refusal } from '../../../src/kernel/plan.ts'

const now = new Date('2026-06-13T12:00:00.000Z')
let ids = 0
const clock = { now, newId: () => `id-${++ids}` }

const location: LocationRow = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000031',
  status: 'active',
  name: 'Roma',
  address: null,
  timeZone: 'America/Mexico_City',
  phone: '+525512345678',
  currency: 'mxn',
  terminalConfigurationId: null,
  metadata: {},
  version: 3,
  createdAt: now,
  updatedAt: now,
}
const archived: LocationRow = { ...location, status: 'archived' }

function planned<Reply>(plan: Plan<Reply> | Refusal): Plan<Reply> {
  if (isRefusal(plan)) throw new Error(plan.refused)
  return plan
}

test('a new location has the defaults of Mexico', () => {
  const { writes, events, reply } = planCreate(create.body!.parse({ name: '  Roma ' }), clock)
  expect(reply).toMatchObject({
    status: 'active',
    name: 'Roma',
    address: null,
    time_zone: 'America/Mexico_City',
    phone: null,
    currency: 'mxn',
    metadata: {},
    version: 1,
  })
  expect(writes).toMatchObject([{ kind: 'insert', rows: [{ name: 'Roma', status: 'active' }] }])
  expect(events).toMatchObject([{ type: 'location.created', resourceId: reply.id, object: reply }])
})

test('a change sets the named fields alone, and its event tells the former values', () => {
  const { writes, events, reply } = planned(
    planUpdate(location, { phone: null, time_zone: 'America/Cancun' }, clock),
  )
  expect(writes).toEqual([
    expect.objectContaining({
      kind: 'change',
      id: location.id,
      version: 3,
      set: { phone: null, timeZone: 'America/Cancun', updatedAt: now },
    }),
  ])
  expect(events).toMatchObject([
    {
      type: 'location.updated',
      previousAttributes: { phone: '+525512345678', time_zone: 'America/Mexico_City' },
    },
  ])
  expect(reply).toMatchObject({ name: 'Roma', phone: null, time_zone: 'America/Cancun', version: 4 })
})

describe('archived and restored', () => {
  test.each([
    ['archive', planArchive(location, clock), 'location.archived', 'archived', 'active'],
    ['restore', planRestore(archived, clock), 'location.restored', 'active', 'archived'],
  ] as const)('%s', (_what, plan, type, status, before) => {
    const { events, reply } = planned(plan)
    expect(reply.status).toBe(status)
    expect(events).toMatchObject([{ type, previousAttributes: { status: before } }])
  })

  test.each([
    ['archive again', planArchive(archived, clock), 'location_archived'],
    ['restore again', planRestore(location, clock), 'location_not_archived'],
    ['change what is archived', planUpdate(archived, { name: 'Condesa' }, clock), 'location_archived'],
  ] as const)('%s: refused', (_what, plan, code) => {
    expect(plan).toEqual({ refused: code })
  })
})

test.each([
  ['America/Mexico_City', true],
  ['America/Argentina/Buenos_Aires', true],
  ['America/Port-au-Prince', true],
  ['Asia/Kolkata', true],
  ['UTC', true],
  ['america/mexico_city', false],
  ['America/MEXICO_CITY', false],
  ['America/Nowhere', false],
  ['+01:00', false],
  ['CST', false],
  ['', false],
])('time zone %s: %s', (name, known) => {
  expect(isTimeZone(name)).toBe(known)
})

test.each([
  ['phone', '+525512345678', true],
  ['phone', '+123456789012345', true],
  ['phone', '+1234567890123456', false],
  ['phone', '5512345678', false],
  ['phone', '+052551234567', false],
  ['phone', '+52 55 1234 5678', false],
  ['phone', '+378282246310005', false],
  ['currency', 'usd', true],
  ['currency', 'MXN', false],
  ['name', ' ', false],
  ['name', 'x'.repeat(121), false],
  ['time_zone', 'America/Tijuana', true],
  ['address', { line1: 'Orizaba 101', city: 'CDMX' }, true],
  ['address', { line1: 'Orizaba 101', city: 'CDMX', country: 'mx' }, false],
  ['address', { line1: 'Orizaba 101' }, false],
])('%s %j is taken: %s', (field, value, taken) => {
  expect(create.body!.safeParse({ name: 'Roma', [field]: value }).success).toBe(taken)
})
