import { and, eq, getTableColumns } from 'drizzle-orm'
import { stripeConnections } from '../../../../drizzle/schema/stripe-connections.ts'
import { build, ownTenant, select, slot } from '../../../../src/platform/query.ts'

// The Worker's role reads no ciphertext of the table.
const { apiKey: _, webhookSecret: __, tenantId: ___, ...columns } = getTableColumns(stripeConnections)

export type ConnectionRow = Omit<
  typeof stripeConnections.$inferSelect,
  'apiKey' | 'webhookSecret' | 'tenantId'
>

export const connectionById = select<ConnectionRow>(() =>
  build
    .select(columns)
    .from(stripeConnections)
    .where(and(ownTenant(stripeConnections), eq(stripeConnections.id, slot('id')))),
)
