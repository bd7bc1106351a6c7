import { and, eq } from 'drizzle-orm'
import { logos } from '../../../drizzle/schema/logos.ts'
import { tenants } from '../../../drizzle/schema/tenants.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select } from '../../../src/platform/query.ts'
import { rowsBy } from '../../../src/platform/rows.ts'

export type LogoRow = Row<typeof logos>

/** The columns of a workspace that its branding is made of. */
export type BrandedRow = Pick<
  Row<typeof tenants>,
  'id' | 'version' | 'status' | 'name' | 'branding' | 'updatedAt'
>

export const branded = select<BrandedRow>(() =>
  build
    .select({
      id: tenants.id,
      version: tenants.version,
      status: tenants.status,
      name: tenants.name,
      branding: tenants.branding,
      updatedAt: tenants.updatedAt,
    })
    .from(tenants)
    .where(ownTenant(tenants)),
)

export const logoById = rowsBy(logos, 'id')

/** The logo that the branding shows: at most one. */
export const storedLogo = select<LogoRow>(() =>
  build
    .select()
    .from(logos)
    .where(and(ownTenant(logos), eq(logos.status, 'stored'))),
)
