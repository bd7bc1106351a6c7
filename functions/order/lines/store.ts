import { and, getTableColumns, sql } from 'drizzle-orm'
import { customers } from '../../../drizzle/schema/customers.ts'
import { discounts, discountUses } from '../../../drizzle/schema/discounts.ts'
import { stockLevels } from '../../../drizzle/schema/stock.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import type { NamedDiscount } from './discounts.ts'

// What the database compares too, when a payment is tried: door.discount_uses_of.
const customerUses = sql`(with recursive family (id) as (
    select door.surviving_customer(${slot('customerId')}::uuid)
    union
    select ${customers.id} from family join ${customers}
      on ${ownTenant(customers)} and ${customers.mergedInto} = family.id)
  select count(*)::int from family
  join ${discountUses} on ${ownTenant(discountUses)} and ${discountUses.customerId} = family.id
    and ${discountUses.discountId} = ${discounts.id} and ${discountUses.isCounted})`

/** Discounts by their ids and codes, with the uses of a customer. */
export const discountsNamed = select<NamedDiscount>(() =>
  build
    .select({ ...getTableColumns(discounts), customerUses: sql`${customerUses}`.mapWith(discounts.uses) })
    .from(discounts)
    .where(
      and(
        ownTenant(discounts),
        sql`(${discounts.id} = any(${slot('ids')}::uuid[]) or ${discounts.code} = any(${slot('codes')}::text[]))`,
      ),
    ),
)

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
