import { and, desc, eq, getTableColumns } from 'drizzle-orm'
import { apiKeys } from '../../../drizzle/schema/api-keys.ts'
import type { Owned, Row } from '../../../src/kernel/plan.ts'
import { build, inWindow, ownTenant, rowsLimit, select, slot } from '../../../src/platform/query.ts'

// The Worker's role may not read digests.
const { digest: _, ...columns } = getTableColumns(apiKeys)

export type ApiKeyRow = Omit<Row<typeof apiKeys>, 'digest'>

export const keyById = select<ApiKeyRow>(() =>
  build
    .select(columns)
    .from(apiKeys)
    .where(and(ownTenant(apiKeys), eq(apiKeys.id, slot('id')))),
)

/** The calling key, by its public part. */
export const keyByKid = select<Owned<ApiKeyRow>>(() =>
  build
    .select(columns)
    .from(apiKeys)
    .where(and(ownTenant(apiKeys), eq(apiKeys.kid, slot('kid')))),
)

export const keysPage = select<ApiKeyRow>((has) =>
  build
    .select(columns)
    .from(apiKeys)
    .where(and(...inWindow(apiKeys, has), has('status') ? eq(apiKeys.status, slot('status')) : undefined))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(rowsLimit),
)
