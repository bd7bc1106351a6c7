import { and, asc, desc, eq, getTableColumns, isNotNull } from 'drizzle-orm'
import { processorCredentials } from '../../../drizzle/schema/processors.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'

// The Worker's role reads no ciphertext of the table.
const { secretKey: _, webhookSecret: __, ...columns } = getTableColumns(processorCredentials)

export type CredentialRow = Omit<typeof processorCredentials.$inferSelect, 'secretKey' | 'webhookSecret'>

export const credentials = select<CredentialRow>(() =>
  build
    .select(columns)
    .from(processorCredentials)
    .where(ownTenant(processorCredentials))
    .orderBy(asc(processorCredentials.status), desc(processorCredentials.updatedAt)),
)

export const credentialById = select<CredentialRow>(() =>
  build
    .select(columns)
    .from(processorCredentials)
    .where(and(ownTenant(processorCredentials), eq(processorCredentials.id, slot('id')))),
)

/** At most one: an account of the workspace's own, active or former, whose money the processor pays out by itself. */
export const ownAccountOf = select<Pick<CredentialRow, 'processor'>>(() =>
  build
    .select({ processor: processorCredentials.processor })
    .from(processorCredentials)
    .where(and(ownTenant(processorCredentials), isNotNull(processorCredentials.accountRef)))
    .limit(1),
)

/** The workspace's own account that takes what is sold from now on. */
export const activeAccount = select<Pick<CredentialRow, 'id'>>(() =>
  build
    .select({ id: processorCredentials.id })
    .from(processorCredentials)
    .where(and(ownTenant(processorCredentials), eq(processorCredentials.status, 'active'))),
)
