import { and, desc, eq } from 'drizzle-orm'
import { locations } from '../../drizzle/schema/locations.ts'
import type { Row } from '../../src/kernel/plan.ts'
import { build, inWindow, ownTenant, rowsLimit, select, slot } from '../../src/platform/query.ts'

export type LocationRow = Row<typeof locations>

export const locationById = select<LocationRow>(() =>
  build
    .select()
    .from(locations)
    .where(and(ownTenant(locations), eq(locations.id, slot('id')))),
)

export const locationsPage = select<LocationRow>((has) =>
  build
    .select()
    .from(locations)
    .where(and(...inWindow(locations, has), has('status') ? eq(locations.status, slot('status')) : undefined))
    .orderBy(desc(locations.createdAt), desc(locations.id))
    .limit(rowsLimit),
)
