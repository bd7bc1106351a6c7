import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { configurationLifecycle } from '../../functions/in-person/configurations/lifecycle.ts'
import { changes, known, minor, ownKey, statusOf, tenantRow } from './columns.ts'
import { ofTenant } from './tenants.ts'

export const deviceLanguages = ['es-MX', 'en'] as const

/** Which tips are offered where a till names none. A preset is a part in basis points, or an amount in minor units. */
export interface ConfiguredTips {
  presets: readonly ({ bps: number } | { amount: string })[]
  allows_other: boolean
  allows_none: boolean
}

/** What devices get: which tips they offer, in which languages, and what they may take without a network. */
export const terminalConfigurations = pgTable(
  'terminal_configurations',
  {
    ...tenantRow,
    status: statusOf(configurationLifecycle),
    name: text('name').notNull(),
    tips: jsonb('tips').$type<ConfiguredTips>(),
    /** The first one is what a buyer sees before choosing. */
    languages: jsonb('languages').$type<readonly (typeof deviceLanguages)[number][]>().notNull(),
    offlineEnabled: boolean('offline_enabled').notNull(),
    currency: text('currency').notNull(),
    /** The most of one payment, tip included, and of all that one device stores before it forwards. */
    amountMaxMinor: minor('amount_max_minor').notNull(),
    storedAmountMaxMinor: minor('stored_amount_max_minor').notNull(),
    storedHoursMax: integer('stored_hours_max').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('terminal_configurations', t.tenantId),
      uniqueIndex('terminal_configurations_name')
        .on(t.tenantId, sql`lower(${t.name})`)
        .where(sql`status = 'active'`),
      check('terminal_configurations_status_known', known(t.status)),
      check('terminal_configurations_name_length', sql`char_length(${t.name}) between 1 and 120`),
      check(
        'terminal_configurations_tips_offered',
        sql`${t.tips} is null or (jsonb_array_length(${t.tips}->'presets') between 0 and 4
          and (${t.tips} @> '{"allows_other": true}' or jsonb_array_length(${t.tips}->'presets') > 0)) is true`,
      ),
      check(
        'terminal_configurations_languages_known',
        sql`${t.languages} in ('["es-MX"]', '["en"]', '["es-MX", "en"]', '["en", "es-MX"]')`,
      ),
      check('terminal_configurations_currency_form', sql`${t.currency} ~ '^[a-z]{3}$'`),
      check(
        'terminal_configurations_amounts',
        sql`${t.amountMaxMinor} between 1 and ${t.storedAmountMaxMinor} and ${t.storedAmountMaxMinor} <= 999999999999`,
      ),
      check('terminal_configurations_hours', sql`${t.storedHoursMax} between 1 and 72`),
      index('terminal_configurations_list').on(t.tenantId, t.createdAt, t.id),
      index('terminal_configurations_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)
