import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { customerMerges } from '../../../drizzle/schema/customer-merges.ts'
import {
  customerConsents,
  customerContacts,
  customerNotes,
  customers,
  customerTerms,
  customerTimeline,
} from '../../../drizzle/schema/customers.ts'
import { payments } from '../../../drizzle/schema/payments.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import {
  type BoundQuery,
  build,
  inWindow,
  type Listed,
  ownTenant,
  rowsLimit,
  type Selectable,
  select,
  slot,
} from '../../../src/platform/query.ts'
import { filtered, newest, rowsBy } from '../../../src/platform/rows.ts'
import { searchedPage, termSlots } from '../../../src/platform/searching.ts'
import { searchOf } from './search.ts'

export type CustomerRow = Row<typeof customers>
export type ContactRow = Row<typeof customerContacts>
export type ConsentRow = Row<typeof customerConsents>
export type NoteRow = Row<typeof customerNotes>
export type MergeRow = Row<typeof customerMerges>
export type TimelineRow = Row<typeof customerTimeline>

/** The row itself, merged or not: what changes read. */
export const customerById = rowsBy(customers, 'id')

/** The customer that an id stands for: the one that a merged customer became part of. */
const survivor = (id: string) => sql`(select door.surviving_customer(${slot(id)}::uuid))`

/** What reads show for an id. */
export const customerFor = select<CustomerRow>(() =>
  build
    .select()
    .from(customers)
    .where(and(ownTenant(customers), eq(customers.id, survivor('id')))),
)

/** The filters of the list that look among the terms: each a range of terms, or one term where it has no end. */
export function termsAsked(asked: {
  readonly query?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly tag?: string | undefined
}): Record<string, string> {
  const { query, email, phone, tag } = asked
  const terms = [
    ...(email === undefined ? [] : [{ term: `e:${email}`, whole: true }]),
    ...(phone === undefined ? [] : [{ term: `p:${phone.slice(1)}`, whole: true }]),
    ...(query === undefined ? [] : searchOf(query)),
    ...(tag === undefined ? [] : [{ term: `t:${tag}`, whole: true }]),
  ]
  return termSlots(terms)
}

const isCurrent = inArray(customers.status, ['active', 'blocked'])

export const customersPage = select<CustomerRow>((has) =>
  searchedPage({
    table: customers,
    terms: customerTerms,
    resource: 'customer',
    has,
    filters: [
      has('status') ? eq(customers.status, sql`${slot('status')}`) : isCurrent,
      ...filtered(customers, has, ['externalId']),
    ],
    few: has('externalId'),
  }),
)

export const contactById = rowsBy(customerContacts, 'id')
export const consentById = rowsBy(customerConsents, 'id')

export const noteById = select<NoteRow>(() =>
  build
    .select()
    .from(customerNotes)
    .where(
      and(ownTenant(customerNotes), eq(customerNotes.id, slot('id')), eq(customerNotes.status, 'active')),
    ),
)

/** The contacts that a customer has now. */
export const contactsOf = select<ContactRow>(() =>
  build
    .select()
    .from(customerContacts)
    .where(
      and(
        ownTenant(customerContacts),
        eq(customerContacts.customerId, slot('id')),
        eq(customerContacts.status, 'active'),
      ),
    )
    .orderBy(desc(customerContacts.createdAt), desc(customerContacts.id)),
)

/** The customer of a contact, a consent or a note that a request names. */
const customerOf = (table: typeof customerContacts | typeof customerConsents | typeof customerNotes) =>
  select<CustomerRow>(() => {
    const part = build
      .select({ customerId: table.customerId })
      .from(table)
      .where(and(ownTenant(table), eq(table.id, slot('id'))))
    return build
      .select()
      .from(customers)
      .where(and(ownTenant(customers), eq(customers.id, sql`(${part})`)))
  })
export const customerOfContact = customerOf(customerContacts)
export const customerOfConsent = customerOf(customerConsents)
export const customerOfNote = customerOf(customerNotes)

/** With its customer's `email` and `phone`. */
export type ShownContact = ContactRow & Pick<CustomerRow, 'email' | 'phone'>
const shownContacts = () =>
  build
    .select({ ...getTableColumns(customerContacts), email: customers.email, phone: customers.phone })
    .from(customerContacts)
    .innerJoin(
      customers,
      and(eq(customers.tenantId, customerContacts.tenantId), eq(customers.id, customerContacts.customerId)),
    )

export const shownContact = select<ShownContact>(() =>
  shownContacts().where(and(ownTenant(customerContacts), eq(customerContacts.id, slot('id')))),
)

export const contactsPage = select<ShownContact>((has) =>
  shownContacts()
    .where(
      and(
        ...inWindow(customerContacts, has),
        eq(customerContacts.customerId, survivor('ofCustomer')),
        eq(customerContacts.status, 'active'),
        ...filtered(customerContacts, has, ['kind']),
      ),
    )
    .orderBy(desc(customerContacts.createdAt), desc(customerContacts.id))
    .limit(rowsLimit),
)
export const consentsPage = newest(
  customerConsents,
  ['status', 'channel'],
  eq(customerConsents.customerId, survivor('ofCustomer')),
)
export const notesPage = newest(
  customerNotes,
  [],
  and(eq(customerNotes.customerId, survivor('ofCustomer')), eq(customerNotes.status, 'active')),
)

const survivorId = () =>
  build
    .select({ id: customers.mergedInto })
    .from(customers)
    .where(and(ownTenant(customers), eq(customers.id, slot('id'))))

/** The rows whose column names the customer that a merged one became part of. */
const ofSurvivor = <T extends typeof customers | typeof customerContacts>(
  table: T,
  column: PgColumn,
  condition?: SQL,
) =>
  select<T['$inferSelect']>(
    () =>
      build
        .select()
        .from(table as PgTable)
        .where(and(ownTenant(table), eq(column, sql`(${survivorId()})`), condition)) as unknown as Selectable<
        T['$inferSelect']
      >,
  )

export const survivorOf = ofSurvivor(customers, customers.id)
export const contactsOfSurvivor = ofSurvivor(
  customerContacts,
  customerContacts.customerId,
  eq(customerContacts.status, 'active'),
)
/** Everything that became part of the same customer, this one too. */
export const mergedBeside = ofSurvivor(customers, customers.mergedInto)

/** The contacts that stayed with them. */
export const contactsBeside = select<ContactRow>(() => {
  const beside = build
    .select({ id: customers.id })
    .from(customers)
    .where(and(ownTenant(customers), eq(customers.mergedInto, sql`(${survivorId()})`)))
  return build
    .select()
    .from(customerContacts)
    .where(
      and(
        ownTenant(customerContacts),
        sql`${customerContacts.customerId} = any (array(${beside}))`,
        eq(customerContacts.status, 'active'),
      ),
    )
})

export const mergesOf = rowsBy(customerMerges, 'customerId', 'status')

/** All that became part of a customer, directly or not. */
export const mergedWithin = select<CustomerRow>(() =>
  build
    .select()
    .from(customers)
    .where(
      and(
        ownTenant(customers),
        sql`${customers.id} = any (array(select door.customers_within(${slot('id')}::uuid)))`,
        sql`${customers.id} <> ${slot('id')}::uuid`,
      ),
    ),
)

export type OpenBusiness = 'payments' | 'disputes' | 'refunds'

/** What of a customer, and of all that became part of it, is under way; null where nothing is. */
export const openBusiness = ({ id }: { readonly id: string }): BoundQuery<OpenBusiness | null> => ({
  text: 'select door.open_business(array(select door.customers_within($1::uuid)))',
  values: [id],
  rows: (cells) => cells.map(([cell]) => (cell ?? null) as OpenBusiness | null),
})

/** A page of a part of what is held about a customer, each row as JSON. */
export const personalRows = (asked: {
  readonly id: string
  readonly part: string
  readonly after: string | undefined
  readonly rows: number
}): BoundQuery<string> => ({
  text: 'select door.personal_rows($1, $2::uuid, $3::uuid, $4::int)',
  values: [asked.part, asked.id, asked.after ?? '00000000-0000-0000-0000-000000000000', String(asked.rows)],
  rows: (cells) => cells.map(([row]) => row!),
})

/**
 * A page of what happened to a customer and to those that became part of it: a page of each, merged. Such rows do not
 * move with a merge.
 */
const pageOfAllMerged = <T extends PgTable & Listed & { readonly customerId: PgColumn }>(
  table: T,
  names: Parameters<typeof filtered<T>>[2],
) =>
  select<T['$inferSelect']>((has) => {
    const page = build
      .select()
      .from(table as PgTable)
      .where(and(...inWindow(table, has), sql`${table.customerId} = part.id`, ...filtered(table, has, names)))
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(rowsLimit)
      .as('row')
    const shown = page as unknown as Record<string, PgColumn>
    const columns = Object.keys(getTableColumns(table)).map((key) => [key, shown[key]!] as const)
    return build
      .select(Object.fromEntries(columns))
      .from(sql`door.customers_within(${slot('ofCustomer')}::uuid) part (id)`)
      .crossJoinLateral(page)
      .orderBy(desc(shown.createdAt!), desc(shown.id!))
      .limit(rowsLimit) as unknown as Selectable<T['$inferSelect']>
  })

export const paymentsOfCustomer = pageOfAllMerged(payments, ['status'])
export const timelinePage = pageOfAllMerged(customerTimeline, ['resourceType'])
