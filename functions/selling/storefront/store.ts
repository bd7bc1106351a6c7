import { and, eq, sql } from 'drizzle-orm'
import { catalogItems, digitalCatalogs } from '../../../drizzle/schema/digital-catalogs.ts'
import { stockLevels } from '../../../drizzle/schema/stock.ts'
import { type Branding, type FiscalProfile, tenants } from '../../../drizzle/schema/tenants.ts'
import type { PageMethod } from '../../../src/kernel/payment-methods.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'

/** A published catalog with its merchant. */
export interface Shop {
  readonly id: string
  readonly publicId: string
  readonly name: string
  readonly description: string | null
  readonly currency: string
  readonly methods: PageMethod[] | null
  readonly installmentMonths: number[]
  readonly locationId: string | null
  readonly isListedInSearch: boolean
  readonly workspaceName: string
  readonly workspaceStatus: (typeof tenants.status.enumValues)[number]
  readonly branding: Branding | null
  readonly fiscalProfile: FiscalProfile | null
  readonly supportEmail: string | null
  readonly supportPhone: string | null
}

const catalogs = digitalCatalogs

/** A draft or an archived catalog is not found, like one that does not exist. */
export const shopAt = select<Shop>(() =>
  build
    .select({
      id: catalogs.id,
      publicId: catalogs.publicId,
      name: catalogs.name,
      description: catalogs.description,
      currency: catalogs.currency,
      methods: catalogs.paymentMethodTypes,
      installmentMonths: catalogs.installmentMonths,
      locationId: catalogs.locationId,
      isListedInSearch: catalogs.isListedInSearch,
      workspaceName: tenants.name,
      workspaceStatus: tenants.status,
      branding: tenants.branding,
      fiscalProfile: tenants.fiscalProfile,
      supportEmail: tenants.supportEmail,
      supportPhone: tenants.supportPhone,
    })
    .from(catalogs)
    .innerJoin(tenants, eq(tenants.tenantId, catalogs.tenantId))
    .where(
      and(ownTenant(catalogs), eq(catalogs.publicId, slot('publicId')), eq(catalogs.status, 'published')),
    ),
)

export interface Stocked {
  readonly itemId: string
  readonly available: number
}

const variantIds = build
  .select({ id: catalogItems.id })
  .from(catalogItems)
  .where(
    and(
      ownTenant(catalogItems),
      eq(catalogItems.catalogId, slot('catalogId')),
      sql`${catalogItems.variantOf} = any(${slot('ids')}::uuid[])`,
    ),
  )

/** What is available of these items and of their variants, at a place. Items without a level there are not among the rows. */
export const stockOf = select<Stocked>(() =>
  build
    .select({
      itemId: stockLevels.itemId,
      available: sql`${sql`${stockLevels.onHand} - ${stockLevels.reserved}`}`.mapWith(stockLevels.onHand),
    })
    .from(stockLevels)
    .where(
      and(
        ownTenant(stockLevels),
        sql`${stockLevels.itemId} = any(${slot('ids')}::uuid[] || array(${variantIds}))`,
        sql`${stockLevels.locationId} is not distinct from ${slot('locationId')}::uuid`,
      ),
    ),
)
