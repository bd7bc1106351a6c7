import type { StripeCustomer } from '../../../../src/processors/stripe/index.ts'
import { customerFields } from '../../customers/api-pure.ts'
import { incomingOf } from '../incoming.ts'
import type { Incoming } from '../plan-records.ts'

type Field = 'name' | 'email' | 'phone' | 'locale' | 'addresses' | 'metadata'
type Parts = Readonly<Record<string, unknown>>

/** What a customer at Stripe is here: each field, the fields of Stripe's that it is of, and its value when it is empty. */
const mapping: readonly {
  readonly field: Field
  readonly of: readonly (keyof StripeCustomer)[]
  readonly value: (customer: StripeCustomer) => unknown
  readonly empty: unknown
}[] = [
  { field: 'name', of: ['name'], value: ({ name }) => name, empty: null },
  { field: 'email', of: ['email'], value: ({ email }) => email, empty: null },
  { field: 'phone', of: ['phone'], value: ({ phone }) => phone, empty: null },
  {
    field: 'locale',
    of: ['preferred_locales'],
    value: ({ preferred_locales }) => preferred_locales?.[0],
    empty: null,
  },
  { field: 'addresses', of: ['address', 'shipping'], value: addressesOf, empty: [] },
  { field: 'metadata', of: ['metadata'], value: ({ metadata }) => metadata, empty: {} },
]

/**
 * What a customer at Stripe says at a time: one record, and where it has values that do not fit here, a second one of
 * these, which is refused. `changed`: only Stripe's fields of these names, also where they were emptied; null: all that
 * have a value.
 */
export function recordsOf(
  customer: StripeCustomer,
  at: Date,
  changed: readonly string[] | null = null,
): readonly Incoming[] {
  const fit: Record<string, unknown> = {}
  const unfit: Record<string, unknown> = {}
  for (const { field, of, value, empty } of mapping) {
    if (changed && !of.some((name) => changed.includes(name))) continue
    const found = value(customer)
    if (isEmpty(found)) {
      if (changed) fit[field] = empty
    } else if (field === 'metadata') {
      const [fits, not] = parted(found as Parts, (entry) => fitsAs('metadata', entry))
      fit.metadata = fits
      if (!isEmpty(not)) unfit.metadata = not
    } else if (fitsAs(field, found)) fit[field] = found
    else unfit[field] = found
  }
  const record = (fields: object) =>
    incomingOf({ external_id: customer.id, updated_at: at.toISOString(), customer: fields })
  return [record(fit), ...(isEmpty(unfit) ? [] : [record(unfit)])]
}

const fitsAs = (field: Field, value: unknown) => customerFields.shape[field].safeParse(value).success

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** The entries that fit and those that do not. */
function parted(all: Parts, fits: (entry: Parts) => boolean): [fits: Parts, not: Parts] {
  const entries = Object.entries(all)
  const ones = entries.filter(([key, value]) => fits({ [key]: value }))
  return [Object.fromEntries(ones), Object.fromEntries(entries.filter((entry) => !ones.includes(entry)))]
}

/** Stripe's addresses may be a country and a postal code alone: those of a street are kept. */
function addressesOf({ address, shipping }: StripeCustomer): readonly object[] {
  const labelled = [['billing', address] as const, ['shipping', shipping?.address] as const]
  return labelled.flatMap(([label, found]) => {
    if (!found) return []
    const { line1, line2, city, state, postal_code, country } = found
    const one = {
      label,
      line1: line1 || null,
      line2: line2 || null,
      city: city || null,
      state: state || null,
      postal_code: postal_code || null,
      ...(country ? { country } : {}),
    }
    return fitsAs('addresses', [one]) ? [one] : []
  })
}
