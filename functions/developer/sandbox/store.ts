import { vouchers } from '../../../drizzle/schema/push-payments.ts'
import { sandboxClocks } from '../../../drizzle/schema/sandbox.ts'
import { tenants } from '../../../drizzle/schema/tenants.ts'
import { build, ownTenant, select } from '../../../src/platform/query.ts'
import { rowsBy } from '../../../src/platform/rows.ts'

export type ClockRow = typeof sandboxClocks.$inferSelect

export const clockOf = select<ClockRow>(() =>
  build.select().from(sandboxClocks).where(ownTenant(sandboxClocks)),
)

export type VoucherRow = typeof vouchers.$inferSelect

export const voucherByReference = rowsBy(vouchers, 'reference')

/** The calling workspace. */
export const self = select<{ readonly tenantId: string }>(() =>
  build.select({ tenantId: tenants.tenantId }).from(tenants).where(ownTenant(tenants)),
)
