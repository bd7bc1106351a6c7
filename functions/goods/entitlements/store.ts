import { and, asc, eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { checkoutSessions } from '../../../drizzle/schema/checkout-sessions.ts'
import { catalogItems, digitalCatalogs } from '../../../drizzle/schema/digital-catalogs.ts'
import {
  deliveredFiles,
  entitlementDownloads,
  entitlements,
  grantedMax,
  licenseKeys,
} from '../../../drizzle/schema/entitlements.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, foundFirst, ownTenant, rowsIn, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type EntitlementRow = Row<typeof entitlements>
export type KeyRow = Row<typeof licenseKeys>
export type FileRow = Row<typeof deliveredFiles>

export const entitlementById = rowsBy(entitlements, 'id')
export const entitlementByCode = rowsBy(entitlements, 'codeDigest')
export const entitlementsPage = newest(entitlements, ['paymentId', 'checkoutSessionId', 'itemId', 'status'])

export const entitlementsById = select<EntitlementRow>(() =>
  build
    .select()
    .from(entitlements)
    .where(and(ownTenant(entitlements), sql`${entitlements.id} = any(${slot('ids')}::uuid[])`)),
)

/** What the buyer's receipt shows of an entitlement, with its key or code still encrypted. */
export interface GrantedRow extends EntitlementRow {
  readonly itemName: string
  readonly catalogPublicId: string
  readonly keyId: string | null
  readonly keyCiphertext: string | null
}

// Each is looked up for an entitlement, never the other way round: a limit keeps the order.
const item = build
  .select({ name: catalogItems.name, catalogId: catalogItems.catalogId })
  .from(catalogItems)
  .where(and(ownTenant(catalogItems), eq(catalogItems.id, entitlements.itemId)))
  .limit(1)
  .as('item')
const catalog = build
  .select({ publicId: digitalCatalogs.publicId })
  .from(digitalCatalogs)
  .where(and(ownTenant(digitalCatalogs), eq(digitalCatalogs.id, item.catalogId)))
  .limit(1)
  .as('catalog')

const granted = () =>
  build
    .select({
      ...getTableColumns(entitlements),
      itemName: item.name,
      catalogPublicId: catalog.publicId,
      keyId: licenseKeys.id,
      keyCiphertext: licenseKeys.ciphertext,
    })
    .from(entitlements)
    .innerJoinLateral(item, sql`true`)
    .innerJoinLateral(catalog, sql`true`)
    .leftJoin(licenseKeys, and(ownTenant(licenseKeys), eq(licenseKeys.entitlementId, entitlements.id)))

export const grantedById = select<GrantedRow>(() =>
  granted().where(and(ownTenant(entitlements), eq(entitlements.id, slot('id')))),
)

/** What a buyer was granted, in the order of their receipt. */
const grantedOf = (those: SQL) =>
  granted()
    .where(and(ownTenant(entitlements), those))
    .orderBy(asc(entitlements.itemId), asc(entitlements.number))
    .limit(grantedMax)

/** A file of an entitlement, and how often the buyer downloaded it. */
export interface CountedFile extends FileRow {
  readonly entitlementId: string
  readonly downloadsCount: number
}

const downloadsCount = sql`coalesce((select ${entitlementDownloads.downloadsCount} from ${entitlementDownloads}
  where ${ownTenant(entitlementDownloads)} and ${entitlementDownloads.entitlementId} = ${entitlements.id}
    and ${entitlementDownloads.fileId} = ${deliveredFiles.id}), 0)`

const itemsOf = (those: SQL) =>
  sql`${deliveredFiles.itemId} = any (array${foundFirst(entitlements.itemId, those)})`

/** The files that buyers can download, of some entitlements, the oldest first. */
const filesOf = (those: SQL) =>
  build
    .select({
      ...getTableColumns(deliveredFiles),
      entitlementId: entitlements.id,
      downloadsCount: downloadsCount.mapWith(entitlements.downloadsCount),
    })
    .from(deliveredFiles)
    .innerJoin(entitlements, and(ownTenant(entitlements), eq(entitlements.itemId, deliveredFiles.itemId)))
    .where(and(ownTenant(deliveredFiles), itemsOf(those), those, eq(deliveredFiles.status, 'stored')))
    .orderBy(asc(deliveredFiles.createdAt), asc(deliveredFiles.id))

/** What a payment granted, and the files of it. */
export type Granted = readonly [granted: readonly GrantedRow[], files: readonly CountedFile[]]

/** The same in columns beside the payment. */
export const grantedBeside = (paymentId: SQLWrapper) => {
  const those = sql`${entitlements.paymentId} = ${paymentId}`
  return { granted: rowsIn<GrantedRow>(grantedOf(those)), files: rowsIn<CountedFile>(filesOf(those)) }
}

const ofSession =
  () => sql`${entitlements.checkoutSessionId} = (select ${checkoutSessions.id} from ${checkoutSessions}
  where ${ownTenant(checkoutSessions)} and ${checkoutSessions.receiptRef} = ${slot('receiptRef')})`

const grantedFree = select<GrantedRow>(() => grantedOf(ofSession()))
const filesFree = select<CountedFile>(() => filesOf(ofSession()))

/** What a session that cost nothing granted, by the public reference of its receipt. */
export const grantedFreely = (receiptRef: string) =>
  [grantedFree({ receiptRef }), filesFree({ receiptRef })] as const

/** The files of an item that buyers can download, the oldest first. */
export const storedFilesOf = select<FileRow>(() =>
  build
    .select()
    .from(deliveredFiles)
    .where(
      and(
        ownTenant(deliveredFiles),
        eq(deliveredFiles.itemId, slot('itemId')),
        eq(deliveredFiles.status, 'stored'),
      ),
    )
    .orderBy(asc(deliveredFiles.createdAt), asc(deliveredFiles.id)),
)

/** The same of the item of an entitlement. */
export const storedFilesFor = select<CountedFile>(() => filesOf(eq(entitlements.id, slot('id'))))

export const fileById = rowsBy(deliveredFiles, 'id')

/** What the interface shows: not what was never wholly uploaded. */
const shown = sql`${deliveredFiles.status} <> 'uploading'`
export const shownFileById = select<FileRow>(() =>
  build
    .select()
    .from(deliveredFiles)
    .where(and(ownTenant(deliveredFiles), eq(deliveredFiles.id, slot('id')), shown)),
)
export const filesPage = newest(deliveredFiles, ['itemId'], shown)

export const keyById = rowsBy(licenseKeys, 'id')
export const keysPage = newest(licenseKeys, ['itemId', 'status'])

/** Which of these digests the pool of an item has. */
export const knownKeys = select<Pick<KeyRow, 'digest'>>(() =>
  build
    .select({ digest: licenseKeys.digest })
    .from(licenseKeys)
    .where(
      and(
        ownTenant(licenseKeys),
        eq(licenseKeys.itemId, slot('itemId')),
        sql`${licenseKeys.digest} = any(${slot('digests')}::text[])`,
      ),
    ),
)
