import type { Sold } from '../../../local/area-sql.ts'
import { donations, tableBills } from './tables.ts'

const common = { hasPublicIds: true, origin: 'origin.ts#origin' } as const

/** What exists only in the tests: what an area's `area.ts` would declare. */
export const sold: Sold = {
  kinds: {
    donation: { table: 'donations', ...common, freezes: true },
    table_bill: { table: 'table_bills', ...common, holds: ['table_bill'] },
  },
  counters: { donations: ['raised_minor'] },
  tables: [donations, tableBills],
}
