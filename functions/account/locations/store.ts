import { locations } from '../../../drizzle/schema/locations.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type LocationRow = Row<typeof locations>

export const locationById = rowsBy(locations, 'id')

export const locationsPage = newest(locations, ['status'])
