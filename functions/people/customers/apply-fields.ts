import type { FieldStamps, OwnFields } from '../../../drizzle/schema/customers.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { nameTerms } from '../../../src/kernel/fold.ts'
import type { Json } from '../../../src/kernel/json.ts'
import type { CustomerRow } from './store.ts'

/** What a source may say about a customer. */
export type CustomerFields = Pick<
  CustomerRow,
  'name' | 'email' | 'phone' | 'locale' | 'addresses' | 'tags' | 'taxProfile' | 'externalId' | 'metadata'
>

export type FieldChanges = { readonly [F in keyof CustomerFields]?: CustomerFields[F] | undefined }

/** The state of the fields: what `applyFields` reads and makes. */
export type FieldState = CustomerFields & Pick<CustomerRow, 'fieldStamps' | 'terms' | 'ownFields'>

export interface Saying {
  /** `api`, or the source of a synchronisation. */
  readonly source: string
  /** The source's own time of the change. */
  readonly at: Date
}

export const noFields: FieldState = {
  name: null,
  email: null,
  phone: null,
  locale: null,
  addresses: [],
  tags: [],
  taxProfile: null,
  externalId: null,
  metadata: {},
  fieldStamps: {},
  terms: [],
  ownFields: null,
}

/**
 * A customer's fields after a source has set some of them. Each field is of who set it last, by the sources' times: the
 * same updates in any order make the same fields. At one time the source decides, then the value.
 */
export function applyFields<State extends FieldState>(
  customer: State,
  changes: FieldChanges,
  { source, at }: Saying,
): State {
  const stamped = Object.entries(changes).flatMap(([field, value]) =>
    value === undefined ? [] : [[field as FieldName, value as Json, [at.getTime(), source]] as const],
  )
  const { ownFields } = customer
  return found({
    ...customer,
    ...lastSet(customer, stamped),
    ownFields: ownFields && { ...ownFields, ...lastSet(ownFields, stamped) },
  })
}

/** The fields of two customers as one: each of who set it last, so that merges and updates may come in any order. */
export const joinFields = <State extends FieldState>(customer: State, other: OwnFields): State =>
  found({
    ...customer,
    ...lastSet(
      customer,
      Object.entries(other.fieldStamps).map(
        ([field, stamp]) => [field as FieldName, other[field as FieldName] as Json, stamp] as const,
      ),
    ),
  })

/** The fields as `joinFields` takes and `ownFields` keeps them. */
export const fieldsOnly = (customer: OwnFields): OwnFields => ({
  name: customer.name,
  email: customer.email,
  phone: customer.phone,
  locale: customer.locale,
  addresses: customer.addresses,
  tags: customer.tags,
  taxProfile: customer.taxProfile,
  externalId: customer.externalId,
  metadata: customer.metadata,
  fieldStamps: customer.fieldStamps,
})

type FieldName = keyof CustomerFields

/** What of these is later than what the fields are from, with all stamps. */
function lastSet(known: OwnFields, stamped: readonly (readonly [FieldName, Json, Stamp])[]) {
  const values: Record<string, unknown> = {}
  const stamps: Record<string, Stamp> = { ...known.fieldStamps }
  for (const [field, value, stamp] of stamped) {
    const before = known.fieldStamps[field]
    if (before && !isLater(stamp, value, before, known[field] as Json)) continue
    values[field] = value
    stamps[field] = stamp
  }
  return { ...values, fieldStamps: stamps }
}

const found = <State extends FieldState>(customer: State): State => ({
  ...customer,
  terms: termsOf(customer),
})

type Stamp = FieldStamps[string]

function isLater([at, source]: Stamp, value: Json, [knownAt, knownSource]: Stamp, known: Json): boolean {
  if (at !== knownAt) return at > knownAt
  if (source !== knownSource) return source > knownSource
  return canonicalJson(value) > canonicalJson(known)
}

/** What a customer is found by beside its contacts. */
const termsOf = ({ name, tags }: Pick<FieldState, 'name' | 'tags'>): string[] => [
  ...nameTerms(name ?? ''),
  ...tags.map((tag) => `t:${tag}`),
]

/**
 * A time of the caller's own at which each of these fields changes: now, or just after what another source has set with
 * a clock that is ahead, so that a change answered with success is one.
 */
export const timeToChange = (
  { fieldStamps }: Pick<FieldState, 'fieldStamps'>,
  changes: FieldChanges,
  now: Date,
): Date =>
  new Date(
    Math.max(now.getTime(), ...Object.keys(changes).map((field) => (fieldStamps[field]?.[0] ?? -1) + 1)),
  )

/** What a change of the fields writes of them. */
export const fieldState = (customer: FieldState): FieldState => {
  const written: Record<string, unknown> = {}
  for (const field of Object.keys(noFields) as (keyof FieldState)[]) written[field] = customer[field]
  return written as unknown as FieldState
}
