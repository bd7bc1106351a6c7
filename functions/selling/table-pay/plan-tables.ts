import { diningTables } from '../../../drizzle/schema/table-pay.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, named, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract-tables.ts'
import { presentTable } from './present.ts'
import type { TableRow } from './store.ts'

/** A plan's context: ids, the time, the address of pages. */
export interface Making extends Clock {
  readonly linkBaseUrl: string
}

const { created, changed } = changesOf(diningTables, 'dining_table', (table: TableRow, making: Making) =>
  presentTable(table, making),
)

export const planCreateTable = (
  { seats_count: seatsCount, location_id: locationId, ...asked }: BodyOf<typeof contracts.create>,
  publicId: string,
  making: Making,
) =>
  created(
    { ...asked, ...newRow(making), publicId, status: 'active', seatsCount, locationId },
    'dining_table.created',
    making,
  )

export const planUpdateTable = (
  table: TableRow,
  { seats_count: seatsCount, location_id: locationId, ...asked }: BodyOf<typeof contracts.update>,
  making: Making,
) =>
  table.status === 'archived'
    ? refuse('dining_table_archived')
    : changed(table, named({ ...asked, seatsCount, locationId }), 'dining_table.updated', making)

export const planArchiveTable = (table: TableRow, making: Making) =>
  table.status === 'archived'
    ? refuse('dining_table_archived')
    : changed(table, { status: 'archived' }, 'dining_table.archived', making)

export const planRestoreTable = (table: TableRow, making: Making) =>
  table.status === 'active'
    ? refuse('dining_table_not_archived')
    : changed(table, { status: 'active' }, 'dining_table.restored', making)
