import { sql } from 'drizzle-orm'
import { check, foreignKey, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { locationLifecycle } from '../../functions/account/locations/lifecycle.ts'
import type { Json } from '../../src/kernel/json.ts'
import { changes, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { tenants } from './tenants.ts'
import { terminalConfigurations } from './terminal-configurations.ts'

export interface Address {
  line1: string
  line2: string | null
  neighborhood: string | null
  city: string
  state: string | null
  postal_code: string | null
  country: string
}

/** A place where the business sells. */
export const locations = pgTable(
  'locations',
  {
    ...tenantRow,
    status: statusOf(locationLifecycle),
    name: text('name').notNull(),
    address: jsonb('address').$type<Address>(),
    timeZone: text('time_zone').notNull(),
    phone: text('phone'),
    currency: text('currency').notNull(),
    /** The configuration that its devices get, where they name none themselves. */
    terminalConfigurationId: uuid('terminal_configuration_id'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      foreignKey({ name: 'locations_tenant', columns: [t.tenantId], foreignColumns: [tenants.tenantId] }),
      refersTo('locations_terminal_configuration', t, t.terminalConfigurationId, terminalConfigurations),
      uniqueIndex('locations_name').on(t.tenantId, sql`lower(${t.name})`).where(sql`status = 'active'`),
      check('locations_status_known', known(t.status)),
      check('locations_name_length', sql`char_length(${t.name}) between 1 and 120`),
      check('locations_phone_form', sql`${t.phone} ~ '^\\+[1-9][0-9]{6,14}$'`),
      check(
        'locations_address_form',
        sql`${t.address} is null or (jsonb_typeof(${t.address}) = 'object' and ${t.address} ?& array['line1', 'city'] and ${t.address}->>'country' ~ '^[A-Z]{2}$') is true`,
      ),
      check('locations_currency_form', sql`${t.currency} ~ '^[a-z]{3}$'`),
      index('locations_by_configuration')
        .on(t.tenantId, t.terminalConfigurationId)
        .where(sql`terminal_configuration_id is not null`),
      index('locations_list').on(t.tenantId, t.createdAt, t.id),
      index('locations_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)
