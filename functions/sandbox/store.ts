import { sandboxClocks } from '../../drizzle/schema/sandbox.ts'
import { build, ownTenant, select } from '../../src/platform/query.ts'

export type ClockRow = typeof sandboxClocks.$inferSelect

export const clockOf = select<ClockRow>(() =>
  build.select().from(sandboxClocks).where(ownTenant(sandboxClocks)),
)
