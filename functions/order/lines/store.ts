import { and, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { discounts } from '../../../drizzle/schema/discounts.ts'
import { stockLevels } from '../../../drizzle/schema/stock.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, rowOf, select, slot } from '../../../src/platform/query.ts'
import type { NamedDiscount } from './discounts.ts'

// What the database compares too, when a payment is tried.
const usesOf = (customerId: SQLWrapper) =>
  sql`door.discount_uses_of(${discounts.tenantId}, ${discounts.id}, ${customerId}::uuid)::int`

/** Discounts by their ids and codes, with the uses of a customer. */
export const discountsNamed = select<NamedDiscount>(() =>
  build
    .select({
      ...getTableColumns(discounts),
      customerUses: sql`${usesOf(slot('customerId'))}`.mapWith(discounts.uses),
    })
    .from(discounts)
    .where(
      and(
        ownTenant(discounts),
        sql`(${discounts.id} = any(${slot('ids')}::uuid[]) or ${discounts.code} = any(${slot('codes')}::text[]))`,
      ),
    ),
)

/** A discount as `discountsBeside` reads it: its columns as text by their names. */
export type DiscountText = Readonly<Record<string, string | null>>

/** Discounts of which this holds, in a column beside something else; null where there are none. */
export const discountsBeside = (is: SQL, customerId: SQLWrapper) =>
  sql`(select jsonb_agg((select jsonb_object_agg(n.key, n.value) from jsonb_each_text(to_jsonb(${discounts}.*)) n)
      || jsonb_build_object('customer_uses', ${usesOf(customerId)}::text))
    from ${discounts} where ${ownTenant(discounts)} and (${is}))`

/** The same as `discountsNamed` answers them. */
export const discountsFrom = (found: readonly DiscountText[] | null | undefined): readonly NamedDiscount[] =>
  (found ?? []).map((text) => ({ ...rowOf(discounts, text), customerUses: Number(text.customer_uses) }))

type StockLeft = Pick<Row<typeof stockLevels>, 'itemId' | 'onHand' | 'reserved'>

/** The levels of items at a place. */
export const stockLeft = select<StockLeft>(() =>
  build
    .select({ itemId: stockLevels.itemId, onHand: stockLevels.onHand, reserved: stockLevels.reserved })
    .from(stockLevels)
    .where(
      and(
        ownTenant(stockLevels),
        sql`${stockLevels.itemId} = any(${slot('items')}::uuid[])`,
        sql`${stockLevels.locationId} is not distinct from ${slot('locationId')}::uuid`,
      ),
    ),
)
