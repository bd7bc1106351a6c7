import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { isOneOf } from '../../../drizzle/schema/columns.ts'
import { balanceActivity, ledgerAccounts } from '../../../drizzle/schema/ledger.ts'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { cardMethods, pushMethods } from '../../../src/kernel/payment-methods.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import type { dimensions } from './contract.ts'
import type { Movement } from './forecast.ts'

const whole = (text: SQL) => text.mapWith(Number) as SQL as SQL<number>
const money = (text: SQL) => text.mapWith(BigInt) as SQL as SQL<bigint>
const text = (value: SQL) => value.mapWith(String) as SQL as SQL<string>

const inMexicoCity = (column: PgColumn) => sql`(${column} at time zone 'America/Mexico_City')`

/** Made between two moments, in one currency. */
const inPeriod = () =>
  and(
    ownTenant(payments),
    eq(payments.currency, slot('currency')),
    gte(payments.createdAt, slot('begins')),
    lt(payments.createdAt, slot('ends')),
  )

const lastTried = (column: PgColumn) => sql`(array_agg(${column} order by ${paymentAttempts.number} desc))[1]`

/**
 * What became of the cards that were tried at a payment, which may have been paid otherwise since; all null where none was.
 * An open one may still be accepted, an unknown one may have been.
 */
export const outcomes = () =>
  build
    .select({
      method: lastTried(paymentAttempts.method).as('tried_method'),
      details: lastTried(paymentAttempts.methodDetails).as('tried_details'),
      months: lastTried(paymentAttempts.installmentMonths).as('tried_months'),
      attempts: whole(
        sql`count(*) filter (where ${paymentAttempts.declineCode} is distinct from 'blocked')`,
      ).as('attempts'),
      declined:
        sql<boolean>`bool_or(${paymentAttempts.status} = 'declined' and ${paymentAttempts.declineCode} is distinct from 'blocked')`.as(
          'declined',
        ),
      blocked: sql<boolean>`bool_or(${paymentAttempts.declineCode} = 'blocked')`.as('blocked'),
      unknown: sql<boolean>`bool_or(${paymentAttempts.status} in ('unknown', 'amount_mismatch'))`.as(
        'unknown',
      ),
      open: sql<boolean>`bool_or(${paymentAttempts.status} in ('submitting', 'pending_customer'))`.as('open'),
      confirmed: sql<boolean>`bool_or(${paymentAttempts.threeDs} is not null)`.as('confirmed'),
    })
    .from(paymentAttempts)
    .where(
      and(
        ownTenant(paymentAttempts),
        eq(paymentAttempts.paymentId, payments.id),
        isOneOf(paymentAttempts.method, cardMethods),
      ),
    )
    .as('outcome')

const wasPaid = sql`${payments.amountAuthorizedMinor} > 0`
/** By card. */
export const wasAccepted = sql`(${wasPaid} and ${isOneOf(payments.method, cardMethods)})`
const unknown = sql`not (${wasAccepted}) and "unknown"`
const open = sql`not (${wasAccepted}) and not "unknown" and "open"`
export const declined = sql`not (${wasAccepted}) and not "unknown" and not "open" and "declined"`
const ended = sql`not (${wasAccepted}) and not "unknown" and not "open" and not coalesce("declined", false)`
/** A rule of the merchant's own answered in the bank's place, and no bank declined it. */
export const blocked = sql`${ended} and coalesce("blocked", false)`
const abandoned = sql`${ended} and not coalesce("blocked", false)`
const counted = (condition: SQL) => whole(sql`count(*) filter (where ${condition})`)

const created = inMexicoCity(payments.createdAt)

const keys: { readonly [D in (typeof dimensions)[number]]: SQL } = {
  method: sql`"tried_method"`,
  brand: sql`"tried_details"->>'brand'`,
  funding: sql`"tried_details"->>'funding'`,
  bin: sql`"tried_details"->>'bin6'`,
  installments: sql`"tried_months"::text`,
  three_ds: sql`case when "confirmed" then 'confirmed' else 'not_confirmed' end`,
  hour: sql`to_char(${created}, 'HH24')`,
  weekday: sql`to_char(${created}, 'ID')`,
  day: sql`to_char(${created}, 'YYYY-MM-DD')`,
  location: sql`${payments.locationId}::text`,
  origin: sql`${payments.originType}`,
}

export interface AcceptanceRow {
  readonly group: string | null
  readonly payments: number
  readonly accepted: number
  readonly declined: number
  readonly blocked: number
  readonly abandoned: number
  readonly open: number
  readonly unknown: number
  readonly firstAccepted: number
  readonly retried: number
  readonly recovered: number
  readonly acceptedMinor: bigint
}

/** How many groups a report shows at most: the largest. */
export const groupsMax = 200

/** By one dimension, named by a value of that name; by none, one row. */
export const acceptance = select<AcceptanceRow>((has) => {
  const by = Object.entries(keys).find(([dimension]) => has(dimension))?.[1]
  const group = text(by ?? sql`null`)
  const wasTried = sql`"open" is not null`
  const query = build
    .select({
      group,
      payments: whole(sql`count(*)`),
      accepted: counted(wasAccepted),
      declined: counted(declined),
      blocked: counted(blocked),
      abandoned: counted(abandoned),
      open: counted(open),
      unknown: counted(unknown),
      firstAccepted: counted(sql`${wasAccepted} and "attempts" = 1`),
      retried: counted(sql`"attempts" > 1`),
      recovered: counted(sql`${wasAccepted} and "declined"`),
      acceptedMinor: money(sql`coalesce(sum(${payments.amountMinor}) filter (where ${wasAccepted}), 0)`),
    })
    .from(payments)
    .innerJoinLateral(outcomes(), wasTried)
    .where(inPeriod())
  return by ? query.groupBy(sql`1`).orderBy(sql`2 desc`, sql`1`).limit(groupsMax) : query
})

export interface DeclineRow {
  readonly code: string
  readonly category: string
  readonly attempts: number
  readonly payments: number
  readonly declinedMinor: bigint
  readonly retried: number
  readonly recovered: number
}

/** A payment that was declined twice for one reason is one payment of that reason. */
export const declines = select<DeclineRow>(() => {
  const later = sql`exists (select from ${paymentAttempts} l where l.tenant_id = ${paymentAttempts.tenantId}
    and l.payment_id = ${paymentAttempts.paymentId} and l.number > ${paymentAttempts.number})`
  const undecided = sql`exists (select from ${paymentAttempts} l where l.tenant_id = ${paymentAttempts.tenantId}
    and l.payment_id = ${paymentAttempts.paymentId}
    and l.status in ('submitting', 'pending_customer', 'unknown', 'amount_mismatch'))`
  const reasons = build
    .select({
      code: paymentAttempts.declineCode,
      category: paymentAttempts.declineCategory,
      attempts: sql<number>`count(*)`.as('tries'),
      amountMinor: sql<bigint>`max(${payments.amountMinor})`.as('asked'),
      retried: sql<boolean>`bool_or(${later})`.as('retried'),
      paid: sql<boolean>`bool_or(${wasPaid})`.as('paid'),
      undecided: sql<boolean>`bool_or(${undecided})`.as('undecided'),
    })
    .from(payments)
    .innerJoin(
      paymentAttempts,
      and(
        eq(paymentAttempts.tenantId, payments.tenantId),
        eq(paymentAttempts.paymentId, payments.id),
        eq(paymentAttempts.status, 'declined'),
        isOneOf(paymentAttempts.method, cardMethods),
      ),
    )
    .where(inPeriod())
    .groupBy(payments.id, paymentAttempts.declineCode, paymentAttempts.declineCategory)
    .as('reasons')
  return build
    .select({
      code: text(sql`${reasons.code}`),
      category: text(sql`${reasons.category}`),
      attempts: whole(sql`sum("tries")`),
      payments: whole(sql`count(*)`),
      declinedMinor: money(sql`coalesce(sum("asked") filter (where not "paid" and not "undecided"), 0)`),
      retried: counted(sql`"retried"`),
      recovered: counted(sql`"retried" and "paid"`),
    })
    .from(reasons)
    .groupBy(reasons.code, reasons.category)
    .orderBy(sql`4 desc`, sql`1`)
})

export interface ConversionRow {
  readonly method: string
  readonly payments: number
  readonly paid: number
  readonly lapsed: number
  readonly open: number
  readonly paidMinor: bigint
  readonly medianSeconds: number | null
  readonly slowSeconds: number | null
}

/** Of vouchers and bank transfers. Seconds from the voucher or CLABE to the money: half, and nine of ten, were quicker. */
export const conversion = select<ConversionRow>(() => {
  const paid = sql`${payments.succeededAt} is not null`
  const lapsed = sql`${payments.succeededAt} is null and ${payments.status} in ('canceled', 'expired', 'requires_payment_method')`
  // A card may have been tried before.
  const begun = build
    .select({ at: sql`max(${paymentAttempts.createdAt})`.as('begun_at') })
    .from(paymentAttempts)
    .where(
      and(
        ownTenant(paymentAttempts),
        eq(paymentAttempts.paymentId, payments.id),
        eq(paymentAttempts.method, payments.method),
      ),
    )
    .as('begun')
  // A sandbox whose clock was put forward has aged the success and not the beginning.
  const seconds = sql`case when ${paid} then greatest(0, extract(epoch from ${payments.succeededAt} - "begun_at")::int) end`
  return build
    .select({
      method: payments.method,
      payments: whole(sql`count(*)`),
      paid: counted(paid),
      lapsed: counted(lapsed),
      open: counted(sql`not (${paid}) and not (${lapsed})`),
      paidMinor: money(sql`coalesce(sum(${payments.amountMinor}) filter (where ${paid}), 0)`),
      medianSeconds: whole(sql`percentile_disc(0.5) within group (order by ${seconds})`),
      slowSeconds: whole(sql`percentile_disc(0.9) within group (order by ${seconds})`),
    })
    .from(payments)
    .innerJoinLateral(begun, sql`true`)
    .where(and(inPeriod(), isOneOf(payments.method, pushMethods)))
    .groupBy(payments.method)
    .orderBy(asc(payments.method))
})

const day = (value: SQL) => text(sql`to_char(${value}, 'YYYY-MM-DD')`)

/**
 * What of each day's captures becomes available when, since a day. Each day ends at the time of day of the call, so that
 * what a day brings after it is still to come on that day, on every day alike.
 */
export const incomeByDay = select<Movement>(() =>
  build
    .select({
      availableOn: day(sql`${payments.availableOn}`),
      knownOn: day(
        sql`${inMexicoCity(payments.succeededAt)} - make_interval(secs => ${slot('secondsOfDay')}) + interval '1 day'`,
      ),
      amountMinor: money(sql`sum(${payments.netMinor} - ${payments.reserveMinor})`),
    })
    .from(payments)
    .where(
      and(
        ownTenant(payments),
        eq(payments.currency, slot('currency')),
        gte(payments.createdAt, slot('since')),
        sql`${payments.availableOn} is not null`,
      ),
    )
    .groupBy(sql`1`, sql`2`),
)

/** What is released from the reserve, by day. */
export const releasesByDay = select<Movement>(() =>
  build
    .select({
      availableOn: day(sql`${payments.reserveReleaseOn}`),
      knownOn: day(inMexicoCity(payments.succeededAt)),
      amountMinor: money(sql`sum(${payments.reserveMinor})`),
    })
    .from(payments)
    .where(
      and(
        ownTenant(payments),
        eq(payments.currency, slot('currency')),
        sql`${payments.reserveReleaseOn} is not null`,
      ),
    )
    .groupBy(sql`1`, sql`2`),
)

/** What buyers and their banks took back, and what came back of that, by day. */
export const takenByDay = select<Movement>(() => {
  const on = day(inMexicoCity(balanceActivity.createdAt))
  return build
    .select({ availableOn: on, knownOn: on, amountMinor: money(sql`sum(${balanceActivity.amountMinor})`) })
    .from(balanceActivity)
    .where(
      and(
        ownTenant(balanceActivity),
        eq(balanceActivity.currency, slot('currency')),
        gte(balanceActivity.createdAt, slot('since')),
        isOneOf(balanceActivity.sourceType, ['refund', 'dispute', 'buyer_balance_movement']),
      ),
    )
    .groupBy(sql`1`)
})

/** What was due to become available by a day, and is not yet: the jobs release it within a minute of midnight. */
const dueBy = (amountMinor: PgColumn | SQL, isDue: SQL) =>
  select<{ readonly dueMinor: bigint }>(() =>
    build
      .select({ dueMinor: money(sql`coalesce(sum(${amountMinor}), 0)`) })
      .from(payments)
      .where(and(ownTenant(payments), eq(payments.currency, slot('currency')), isDue)),
  )
export const incomeDueBy = dueBy(
  sql`${payments.netMinor} - ${payments.reserveMinor}`,
  sql`${payments.fundsStatus} = 'pending' and ${payments.availableOn} <= ${slot('today')}::date`,
)
export const reserveDueBy = dueBy(
  payments.reserveMinor,
  sql`${payments.reserveReleaseOn} <= ${slot('today')}::date`,
)

export const availableNow = select<{ readonly balanceMinor: bigint }>(() =>
  build
    .select({ balanceMinor: ledgerAccounts.balanceMinor })
    .from(ledgerAccounts)
    .where(
      and(
        ownTenant(ledgerAccounts),
        eq(ledgerAccounts.currency, slot('currency')),
        eq(ledgerAccounts.code, 'merchant_available'),
      ),
    ),
)
