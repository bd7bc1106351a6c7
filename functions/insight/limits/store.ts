import { tenants } from '../../../drizzle/schema/tenants.ts'
import { build, ownTenant, select } from '../../../src/platform/query.ts'

type Standing = Pick<typeof tenants.$inferSelect, 'status'>

export const standingOf = select<Standing>(() =>
  build.select({ status: tenants.status }).from(tenants).where(ownTenant(tenants)),
)
