import { sql } from 'drizzle-orm'
import {
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  listItemLifecycle,
  riskListLifecycle,
  riskReviewLifecycle,
  riskRuleLifecycle,
} from '../../functions/insight/risk/lifecycle.ts'
import { statusesOf } from '../../src/kernel/lifecycle.ts'
import type { Rule } from '../../src/kernel/rule.ts'
import {
  amount,
  changes,
  createdAt,
  instant,
  isOneOf,
  known,
  ownKey,
  refersTo,
  statusOf,
  tenantRow,
} from './columns.ts'
import { paymentAttempts, payments } from './payments.ts'
import { ofTenant } from './tenants.ts'

/** What a list's values are. */
export const riskListKinds = ['masked_card', 'bin', 'email', 'email_domain', 'customer'] as const
/** What a list does by itself to whom it names. */
export const riskListEffects = ['none', 'allow', 'block', 'review'] as const
export const riskActions = ['allow', 'block', 'confirm', 'review'] as const
export const riskDecisions = ['none', ...riskActions] as const

/** Whole numbers that a trigger reads when a card is tried (drizzle/sql/059_risk.sql). */
export const riskFigures = [
  'installments',
  'hour',
  'score',
  'customer_payments',
  'card_tries_hour',
  'card_tries_day',
  'card_failures_day',
  'email_cards_hour',
  'email_cards_day',
  'email_failures_day',
  'network_cards_hour',
  'network_failures_hour',
] as const
export type RiskFigure = (typeof riskFigures)[number]

/** Texts that it reads. */
export const riskTexts = ['card_brand', 'card_funding', 'card_bin', 'email_domain', 'origin_type'] as const
export type RiskText = (typeof riskTexts)[number]

type Bounds<Bound> = { readonly gte?: Bound | undefined; readonly lte?: Bound | undefined }

export type RiskCondition =
  | ({ readonly type: 'amount'; readonly currency: string } & Bounds<string>)
  | ({ readonly type: RiskFigure } & Bounds<number>)
  | { readonly type: RiskText; readonly is: string }
  | { readonly type: 'in_list'; readonly list_id: string }

/** What was known of a try when it was judged. */
export type RiskFeatures = { readonly [F in RiskFigure]: number } & {
  readonly [T in RiskText]: string | null
} & {
  /** Minor units, as a decimal string. */
  readonly amount: string
  readonly currency: string
  /** The bank was asked to confirm the buyer. */
  readonly is_confirmed: boolean
  /** The lists that name the card, the address or the customer. */
  readonly lists: readonly string[]
  /** What the score is the sum of. */
  readonly points: readonly { readonly name: string; readonly points: number }[]
}

/** A rule that held, and what it was then. */
export type RiskMatch = {
  readonly rule_id: string
  readonly action: (typeof riskActions)[number]
  readonly status: 'shadow' | 'active'
}

const author = {
  createdByUserId: text('created_by_user_id').notNull(),
  createdByEmail: text('created_by_email').notNull(),
}

/** Cards, addresses or customers that a merchant named. */
export const riskLists = pgTable(
  'risk_lists',
  {
    ...tenantRow,
    name: text('name').notNull(),
    kind: text('kind', { enum: riskListKinds }).notNull(),
    effect: text('effect', { enum: riskListEffects }).notNull(),
    status: statusOf(riskListLifecycle),
    ...author,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('risk_lists', t.tenantId),
      check('risk_lists_kind_known', known(t.kind)),
      check('risk_lists_effect_known', known(t.effect)),
      check('risk_lists_status_known', known(t.status)),
      index('risk_lists_list').on(t.tenantId, t.createdAt, t.id),
    ]
  },
)

/** One value of a list, until it expires or is removed: a job ends it, and the sweep deletes it 30 days later. */
export const riskListItems = pgTable(
  'risk_list_items',
  {
    ...tenantRow,
    listId: uuid('list_id').notNull(),
    /** As its kind has it: `424242******4242`, a BIN, a mailbox (`door.mailbox_of`), a domain, a customer's id. */
    value: text('value').notNull(),
    reason: text('reason'),
    /** The payment whose value it is, where one was named. */
    paymentId: uuid('payment_id'),
    expiresAt: instant('expires_at'),
    status: statusOf(listItemLifecycle),
    ...author,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('risk_list_items_list', t, t.listId, riskLists),
      refersTo('risk_list_items_payment', t, t.paymentId, payments),
      check('risk_list_items_status_known', known(t.status)),
      // What has no digits of a card's number would name each card without them.
      check('risk_list_items_value_form', sql`${t.value} <> '' and ${t.value} not like '*%'`),
      uniqueIndex('risk_list_items_one').on(t.tenantId, t.listId, t.value).where(sql`status = 'active'`),
      index('risk_list_items_named').on(t.tenantId, t.value).where(sql`status = 'active'`),
      index('risk_list_items_due').on(t.expiresAt).where(sql`status = 'active' and expires_at is not null`),
      index('risk_list_items_swept').on(t.updatedAt).where(sql`status = 'removed'`),
      index('risk_list_items_list').on(t.tenantId, t.listId, t.createdAt, t.id),
    ]
  },
)

/** What a merchant has the service do with a card that is tried. Its condition stays from its first shadow on. */
export const riskRules = pgTable(
  'risk_rules',
  {
    ...tenantRow,
    name: text('name').notNull(),
    action: text('action', { enum: riskActions }).notNull(),
    condition: jsonb('condition').$type<Rule<RiskCondition>>().notNull(),
    reason: text('reason').notNull(),
    status: statusOf(riskRuleLifecycle),
    shadowedAt: instant('shadowed_at'),
    activatedAt: instant('activated_at'),
    retiredAt: instant('retired_at'),
    ...author,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('risk_rules', t.tenantId),
      check('risk_rules_action_known', known(t.action)),
      check('risk_rules_status_known', known(t.status)),
      check('risk_rules_shadowed', sql`(${t.status} in ('draft', 'retired')) or ${t.shadowedAt} is not null`),
      check('risk_rules_activated', sql`${t.status} <> 'active' or ${t.activatedAt} is not null`),
      check('risk_rules_retired', sql`(${t.status} = 'retired') = (${t.retiredAt} is not null)`),
      index('risk_rules_list').on(t.tenantId, t.createdAt, t.id),
      index('risk_rules_live').on(t.tenantId).where(sql`status in ('shadow', 'active')`),
    ]
  },
)

export const backtestOutcomes = [
  'paid',
  'refunded',
  'disputed',
  'declined',
  'blocked',
  'abandoned',
  'open',
] as const

/** Payments by what became of them: how many, and what they asked for in minor units, as a decimal string. */
export type BacktestOutcome = {
  readonly outcome: (typeof backtestOutcomes)[number]
  readonly currency: string
  readonly payments: number
  readonly amount: string
}

/** What a rule would have met among the tries of some days. */
export const riskBacktests = pgTable(
  'risk_backtests',
  {
    ...tenantRow,
    ruleId: uuid('rule_id').notNull(),
    /** What the rule said then. */
    condition: jsonb('condition').$type<Rule<RiskCondition>>().notNull(),
    action: text('action', { enum: riskActions }).notNull(),
    beginsOn: date('begins_on', { mode: 'string' }).notNull(),
    endsOn: date('ends_on', { mode: 'string' }).notNull(),
    /** How many tries were looked at, and how many of them the rule meets. */
    triesCount: integer('tries_count').notNull(),
    matchedCount: integer('matched_count').notNull(),
    /** Of these, where another rule or a list decided before it. */
    overruledCount: integer('overruled_count').notNull(),
    outcomes: jsonb('outcomes').$type<readonly BacktestOutcome[]>().notNull(),
    examples: jsonb('examples').$type<readonly string[]>().notNull(),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('risk_backtests_rule', t, t.ruleId, riskRules),
      check(
        'risk_backtests_counts',
        sql`0 <= ${t.overruledCount} and ${t.overruledCount} <= ${t.matchedCount} and ${t.matchedCount} <= ${t.triesCount}`,
      ),
      index('risk_backtests_list').on(t.tenantId, t.ruleId, t.createdAt, t.id),
    ]
  },
)

/**
 * How a try of a card was judged, under the id of its attempt: a trigger writes it with the try, and nothing changes it
 * later. The sweep deletes it after 180 days.
 */
export const riskEvaluations = pgTable(
  'risk_evaluations',
  {
    ...tenantRow,
    paymentId: uuid('payment_id').notNull(),
    decision: text('decision', { enum: riskDecisions }).notNull(),
    features: jsonb('features').$type<RiskFeatures>().notNull(),
    matches: jsonb('matches').$type<readonly RiskMatch[]>().notNull(),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      foreignKey({
        name: 'risk_evaluations_attempt',
        columns: [t.tenantId, t.id],
        foreignColumns: [paymentAttempts.tenantId, paymentAttempts.id],
      }),
      check('risk_evaluations_decision_known', known(t.decision)),
      index('risk_evaluations_swept').on(t.createdAt),
    ]
  },
)

/**
 * A payment that a person is to look at: a trigger opens it with the money that was authorized or taken, and ends it
 * where that is given back or lapses (drizzle/sql/059_risk_reviews.sql).
 */
export const riskReviews = pgTable(
  'risk_reviews',
  {
    ...tenantRow,
    paymentId: uuid('payment_id').notNull(),
    /** The try that was sent to review. */
    attemptId: uuid('attempt_id').notNull(),
    status: statusOf(riskReviewLifecycle),
    /** What the try was for, and the sum of its points. */
    ...amount,
    score: integer('score').notNull(),
    /** When the authorization lapses; null once it is captured. */
    expiresAt: instant('expires_at'),
    note: text('note'),
    decidedByUserId: text('decided_by_user_id'),
    decidedByEmail: text('decided_by_email'),
    endedAt: instant('ended_at'),
    /** As the last event showed it; null: none has. A scheduled job publishes what triggers changed. */
    announced: text('announced', { enum: statusesOf(riskReviewLifecycle) }),
    announcedExpiresAt: instant('announced_expires_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('risk_reviews_payment', t, t.paymentId, payments),
      refersTo('risk_reviews_attempt', t, t.attemptId, paymentAttempts),
      uniqueIndex('risk_reviews_one').on(t.tenantId, t.paymentId),
      check('risk_reviews_status_known', known(t.status)),
      check('risk_reviews_announced_known', known(t.announced)),
      check('risk_reviews_ended', sql`(${t.status} = 'open') = (${t.endedAt} is null)`),
      check(
        'risk_reviews_decided',
        sql`${isOneOf(t.status, ['approved', 'rejected'])} = (${t.decidedByUserId} is not null)
        and (${t.decidedByUserId} is null) = (${t.decidedByEmail} is null)`,
      ),
      check('risk_reviews_note', sql`${t.note} is null or ${t.decidedByUserId} is not null`),
      index('risk_reviews_list').on(t.tenantId, t.createdAt, t.id),
      index('risk_reviews_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('risk_reviews_due').on(t.updatedAt).where(sql`announced is distinct from status`),
    ]
  },
)
