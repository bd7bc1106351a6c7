import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { customers } from '../../../drizzle/schema/customers.ts'
import { disputes } from '../../../drizzle/schema/disputes.ts'
import { fraudWarnings } from '../../../drizzle/schema/fraud-warnings.ts'
import { paymentContacts } from '../../../drizzle/schema/payment-contacts.ts'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import {
  type BacktestOutcome,
  riskBacktests,
  riskEvaluations,
  riskListItems,
  riskLists,
  riskReviews,
  riskRules,
} from '../../../drizzle/schema/risk.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'
import { triesMax } from './contract.ts'

export type RuleRow = Row<typeof riskRules>
export type ListRow = Row<typeof riskLists>
export type ItemRow = Row<typeof riskListItems>
export type ReviewRow = Row<typeof riskReviews>
export type BacktestRow = Row<typeof riskBacktests>
export type EvaluationRow = Row<typeof riskEvaluations>
export type Judged = Pick<EvaluationRow, 'decision' | 'features' | 'matches'>

export const ruleById = rowsBy(riskRules, 'id')
export const rulesPage = newest(riskRules, ['status'])
export const listById = rowsBy(riskLists, 'id')
export const listsPage = newest(riskLists)
export const itemById = rowsBy(riskListItems, 'id')
export const itemsPage = newest(riskListItems, ['status'], eq(riskListItems.listId, slot('listId')))
export const itemsByIds = select<ItemRow>(() =>
  build
    .select()
    .from(riskListItems)
    .where(and(ownTenant(riskListItems), sql`${riskListItems.id} = any (${slot('ids')}::uuid[])`)),
)
export const reviewById = rowsBy(riskReviews, 'id')
export const reviewsPage = newest(riskReviews, ['status'])
export const reviewsByIds = select<ReviewRow>(() =>
  build
    .select()
    .from(riskReviews)
    .where(and(ownTenant(riskReviews), sql`${riskReviews.id} = any (${slot('ids')}::uuid[])`)),
)
export const backtestById = rowsBy(riskBacktests, 'id')
export const backtestsPage = newest(riskBacktests, [], eq(riskBacktests.ruleId, slot('ruleId')))

/** Of these ids, the lists that there are. */
export const listsNamed = select<{ id: string }>(() =>
  build
    .select({ id: riskLists.id })
    .from(riskLists)
    .where(
      and(
        ownTenant(riskLists),
        sql`${riskLists.id} = any (${slot('ids')}::uuid[])`,
        eq(riskLists.status, 'active'),
      ),
    ),
)

export const customerById = select<{ id: string }>(() =>
  build
    .select({ id: customers.id })
    .from(customers)
    .where(and(ownTenant(customers), eq(customers.id, slot('id')))),
)

/** What a payment has of each kind of list. */
export const valuesOf = select<{
  readonly details: Row<typeof payments>['methodDetails']
  readonly customerId: string | null
  readonly email: string | null
}>(() => {
  const newest = build
    .select({ email: paymentContacts.email })
    .from(paymentContacts)
    .where(and(ownTenant(paymentContacts), eq(paymentContacts.paymentId, payments.id)))
    .orderBy(desc(paymentContacts.createdAt), desc(paymentContacts.id))
    .limit(1)
  return build
    .select({
      details: payments.methodDetails,
      customerId: payments.customerId,
      email: sql`(${newest})`.mapWith(paymentContacts.email) as SQL as SQL<string | null>,
    })
    .from(payments)
    .where(and(ownTenant(payments), eq(payments.id, slot('id'))))
})

export const paymentExists = select<{ id: string }>(() =>
  build
    .select({ id: payments.id })
    .from(payments)
    .where(and(ownTenant(payments), eq(payments.id, slot('id')))),
)

export const evaluationsOf = select<EvaluationRow>(() =>
  build
    .select({
      id: riskEvaluations.id,
      paymentId: riskEvaluations.paymentId,
      decision: riskEvaluations.decision,
      features: riskEvaluations.features,
      matches: riskEvaluations.matches,
      createdAt: riskEvaluations.createdAt,
    })
    .from(paymentAttempts)
    .innerJoin(
      riskEvaluations,
      and(eq(riskEvaluations.tenantId, paymentAttempts.tenantId), eq(riskEvaluations.id, paymentAttempts.id)),
    )
    .where(and(ownTenant(paymentAttempts), eq(paymentAttempts.paymentId, slot('id'))))
    .orderBy(paymentAttempts.number),
)

interface Tested {
  readonly triesCount: number
  readonly matchedCount: number
  readonly overruledCount: number
  readonly outcomes: readonly BacktestOutcome[]
  readonly examples: readonly string[]
}

const ofPayment = (table: typeof disputes | typeof fraudWarnings): SQL =>
  sql`exists (select from ${table} other where other.tenant_id = ${payments.tenantId} and other.payment_id = ${payments.id})`

/** What became of a try, and of its payment where it was paid. */
const outcome = sql`case
  when ${paymentAttempts.status} = 'captured' then case
    when ${ofPayment(disputes)} or ${ofPayment(fraudWarnings)} then 'disputed'
    when ${payments.amountRefundedMinor} = ${payments.amountCapturedMinor} then 'refunded' else 'paid' end
  when ${paymentAttempts.status} = 'declined' then case
    when ${paymentAttempts.declineCode} = 'blocked' then 'blocked' else 'declined' end
  when ${paymentAttempts.status} in ('canceled', 'expired') then 'abandoned' else 'open' end`

/**
 * Whether what was decided at a try comes before what a rule of this action does: a list that blocks before all, what
 * allows before what blocks, that before what confirms, that before what reviews.
 */
const overruled = (action: SQL) => {
  const blocking = build
    .select({ id: riskLists.id })
    .from(riskLists)
    .where(and(ownTenant(riskLists), eq(riskLists.effect, 'block')))
  return sql<boolean>`case ${riskEvaluations.decision} when 'block' then ${action} in ('confirm', 'review')
      or ${riskEvaluations.features}->'lists' ?| array(${blocking})::text[]
    when 'allow' then ${action} <> 'allow' when 'confirm' then ${action} = 'review' else false end`
}

/**
 * What a rule meets among the newest tries between two moments. The id of an attempt has the moment at which it was
 * made, so that older ones are not read.
 */
export const tested = select<Tested>(() => {
  const ofRule = (column: 'condition' | 'action') =>
    build
      .select({ asked: riskRules[column] })
      .from(riskRules)
      .where(and(ownTenant(riskRules), eq(riskRules.id, slot('id'))))
  const tries = build.$with('tries').as(
    build
      .select({
        id: riskEvaluations.id,
        holds: sql<boolean>`door.risk_holds((${ofRule('condition')}), ${riskEvaluations.features})`.as(
          'holds',
        ),
        overruled: overruled(sql`(${ofRule('action')})`).as('overruled'),
      })
      .from(riskEvaluations)
      .where(
        and(
          ownTenant(riskEvaluations),
          sql`${riskEvaluations.id} >= ${slot('firstId')}::uuid`,
          sql`${riskEvaluations.id} < ${slot('endId')}::uuid`,
          sql`${riskEvaluations.createdAt} >= ${slot('begins')}::timestamptz`,
          sql`${riskEvaluations.createdAt} < ${slot('ends')}::timestamptz`,
        ),
      )
      .orderBy(desc(riskEvaluations.id))
      .limit(triesMax),
  )
  const met = build.$with('met').as(
    build
      // A payment once for each of its outcomes: with its newest try.
      .selectDistinctOn([payments.id, outcome], {
        id: payments.id,
        createdAt: payments.createdAt,
        currency: paymentAttempts.currency,
        amountMinor: paymentAttempts.amountMinor,
        outcome: outcome.as('outcome'),
      })
      .from(paymentAttempts)
      .innerJoin(
        payments,
        and(eq(payments.tenantId, paymentAttempts.tenantId), eq(payments.id, paymentAttempts.paymentId)),
      )
      .where(
        and(
          ownTenant(paymentAttempts),
          sql`${paymentAttempts.id} in (select tries.id from tries where tries.holds and not tries.overruled)`,
        ),
      )
      .orderBy(payments.id, outcome, desc(paymentAttempts.number)),
  )
  const sums = sql`select outcome, currency, count(*) payments, sum(amount_minor)::text amount from met group by 1, 2`
  const newest = sql`select id from met group by id, created_at order by created_at desc, id desc limit 10`
  return build
    .with(tries, met)
    .select({
      triesCount: sql`count(*)`.mapWith(Number) as SQL as SQL<number>,
      matchedCount: sql`count(*) filter (where holds)`.mapWith(Number) as SQL as SQL<number>,
      overruledCount: sql`count(*) filter (where holds and overruled)`.mapWith(Number) as SQL as SQL<number>,
      outcomes:
        sql`coalesce((select jsonb_agg(o order by o.outcome, o.currency) from (${sums}) o), '[]')`.mapWith(
          riskBacktests.outcomes,
        ) as SQL as SQL<readonly BacktestOutcome[]>,
      examples: sql`coalesce((select jsonb_agg(e.id) from (${newest}) e), '[]')`.mapWith(
        riskBacktests.examples,
      ) as SQL as SQL<readonly string[]>,
    })
    .from(tries)
})

/** What a dry run answers: no row where there is nothing to be asked about. */
const judgedBy = (dry: () => SQL) =>
  select<Judged>(() =>
    build
      .select({
        decision: sql`dry.decision`.mapWith(riskEvaluations.decision) as SQL as SQL<Judged['decision']>,
        features: sql`dry.features`.mapWith(riskEvaluations.features) as SQL as SQL<Judged['features']>,
        matches: sql`dry.matches`.mapWith(riskEvaluations.matches) as SQL as SQL<Judged['matches']>,
      })
      .from(sql`${dry()} dry`),
  )

export const askedAgain = judgedBy(() => sql`door.risk_asked_again(${slot('id')}::uuid)`)
/** `described`: JSON, as `door.risk_described` reads it. */
export const askedOf = judgedBy(() => sql`door.risk_described(${slot('described')}::jsonb)`)
