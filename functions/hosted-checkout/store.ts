import { and, desc, eq, getTableColumns, type SQLWrapper, sql } from 'drizzle-orm'
import { checkoutSessions, checkoutSettings } from '../../drizzle/schema/checkout-sessions.ts'
import { holdsItsOrigin, payments } from '../../drizzle/schema/payments.ts'
import { stockLevels } from '../../drizzle/schema/stock.ts'
import { isPublicId } from '../../src/kernel/ids.ts'
import type { Row } from '../../src/kernel/plan.ts'
import { newestPage } from '../../src/platform/listing.ts'
import { build, ownTenant, rowOf, select, slot } from '../../src/platform/query.ts'
import { filtered } from '../../src/platform/rows.ts'
import { currentLevelsOf, levelsOfSale } from '../payment-policy/api.ts'

type Sessions = Row<typeof checkoutSessions>
/** A session with the payment that is under way, if any. */
export type SessionRow = Sessions & { readonly livePaymentId: string | null }
/** As its page needs it. */
export type ShownRow = SessionRow & { readonly isSoldOut?: boolean }
export type SettingsRow = Row<typeof checkoutSettings>

const columns = getTableColumns(checkoutSessions)

/** Of a session's payments the one under way. */
const livePaymentOf = (sessionId: SQLWrapper) =>
  sql`(select ${payments.id} from ${payments} where ${ownTenant(payments)}
  and ${payments.originKind} = 'checkout_session' and ${payments.originId} = ${sessionId}
  and ${holdsItsOrigin()})`

// Drizzle leaves out the table of a column that stands in a field of SQL itself; within a nested one it stays.
const liveOf = (sessionId: SQLWrapper) => ({
  livePaymentId: sql`${livePaymentOf(sessionId)}`.mapWith(payments.id),
})
const live = liveOf(checkoutSessions.id)

const isSoldOut = sql`(${livePaymentOf(checkoutSessions.id)} is null and exists (
  select from jsonb_to_recordset(${checkoutSessions.stock}->'lines') n (item_id uuid, quantity int)
  left join ${stockLevels} on ${ownTenant(stockLevels)} and ${stockLevels.itemId} = n.item_id
    and ${stockLevels.locationId} is not distinct from (${checkoutSessions.stock}->>'location_id')::uuid
  where coalesce(${stockLevels.onHand} - ${stockLevels.reserved}, 0) < n.quantity))`

export const sessionById = select<SessionRow>((has) =>
  build
    .select({ ...columns, ...live })
    .from(checkoutSessions)
    .where(
      and(
        ownTenant(checkoutSessions),
        has('publicId')
          ? eq(checkoutSessions.publicId, slot('publicId'))
          : eq(checkoutSessions.id, slot('id')),
      ),
    ),
)

/** The same for the buyer's page: with whether too little of what it sells is left. */
export const sessionForSale = select<ShownRow>(() =>
  build
    .select({
      ...columns,
      ...live,
      isSoldOut: sql`${isSoldOut}`.mapWith(payments.exclusive),
    })
    .from(checkoutSessions)
    .where(and(ownTenant(checkoutSessions), eq(checkoutSessions.publicId, slot('publicId')))),
)

/** A session by the reference in the path: its id or its public id. */
export const sessionAt = (ref: string) => sessionById(isPublicId(ref) ? { publicId: ref } : { id: ref })

const currentLevels = currentLevelsOf(checkoutSessions)

/** The payment policy as it is now, for a session by the reference in the path. */
export const policyAt = (ref: string) => currentLevels(isPublicId(ref) ? { publicId: ref } : { id: ref })

export const policyOfSession = levelsOfSale(checkoutSessions)

export const sessionOfPayment = select<SessionRow>(() =>
  build
    .select({ ...columns, ...live })
    .from(checkoutSessions)
    .innerJoin(
      payments,
      and(
        eq(payments.tenantId, checkoutSessions.tenantId),
        eq(payments.originKind, 'checkout_session'),
        eq(payments.originId, checkoutSessions.id),
      ),
    )
    .where(and(ownTenant(checkoutSessions), eq(payments.id, slot('paymentId')))),
)

export const sessionsPage = select<SessionRow>((has) => {
  const filters = filtered(checkoutSessions, has, ['clientReferenceId', 'customerId', 'status'])
  const few = has('clientReferenceId') || has('customerId')
  const page = newestPage(checkoutSessions, 'checkout_session', has, filters, few)
  const found = (page as unknown as ReturnType<typeof everySession>).as('found')
  const shown = Object.keys(columns).map((key) => [key, found[key as keyof typeof columns]])
  return build
    .select({ ...(Object.fromEntries(shown) as typeof columns), ...liveOf(found.id) })
    .from(found)
    .orderBy(desc(found.createdAt), desc(found.id))
})

const everySession = () => build.select().from(checkoutSessions)

export const sessionFrom = (record: Readonly<Record<string, string | null>>): SessionRow => ({
  ...rowOf(checkoutSessions, record),
  livePaymentId: null,
})

export const settingsOfCheckout = select<SettingsRow>(() =>
  build.select().from(checkoutSettings).where(ownTenant(checkoutSettings)),
)
