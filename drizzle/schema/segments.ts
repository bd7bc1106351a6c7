import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { segmentLifecycle } from '../../functions/people/segments/lifecycle.ts'
import type { Rule } from '../../src/kernel/rule.ts'
import { changes, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { customers } from './customers.ts'
import { ofTenant } from './tenants.ts'

/** A time range: after `after`, before `before`. */
type Times = { readonly after?: string | undefined; readonly before?: string | undefined }

/** Payments that succeeded since `since`. */
type Since = { readonly since?: string | undefined }

export type SegmentCondition =
  | { readonly type: 'tag'; readonly is: string }
  | { readonly type: 'status'; readonly is: 'active' | 'blocked' }
  | { readonly type: 'locale'; readonly is: string }
  | { readonly type: 'metadata'; readonly key: string; readonly is: string }
  | {
      readonly type: 'has'
      readonly field: 'name' | 'email' | 'phone' | 'external_id' | 'tax_profile'
    }
  | ({ readonly type: 'created_at' } & Times)
  | ({ readonly type: 'last_payment_at' } & Times)
  | ({
      readonly type: 'payments_count'
      readonly gte?: number | undefined
      readonly lte?: number | undefined
    } & Since)
  | ({
      readonly type: 'payments_sum'
      readonly currency: string
      readonly gte?: string | undefined
      readonly lte?: string | undefined
    } & Since)
  | { readonly type: 'consent'; readonly channel: string; readonly purpose: string }

export type SegmentRule = Rule<SegmentCondition>

/** Customers that a rule finds. Who belongs to it is computed when it is read. */
export const segments = pgTable(
  'segments',
  {
    ...tenantRow,
    name: text('name').notNull(),
    rule: jsonb('rule').$type<SegmentRule>().notNull(),
    status: statusOf(segmentLifecycle),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('segments', t.tenantId),
      check('segments_status_known', known(t.status)),
      index('segments_list').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)

/** A customer who belongs to a segment, or does not, whatever its rule says. */
export const segmentPins = pgTable(
  'segment_pins',
  {
    ...tenantRow,
    segmentId: uuid('segment_id').notNull(),
    customerId: uuid('customer_id').notNull(),
    pinned: text('pinned', { enum: ['in', 'out', 'none'] }).notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('segment_pins_segment', t, t.segmentId, segments),
      refersTo('segment_pins_customer', t, t.customerId, customers),
      check('segment_pins_pinned_known', known(t.pinned)),
      uniqueIndex('segment_pins_one').on(t.tenantId, t.segmentId, t.customerId),
    ]
  },
)
