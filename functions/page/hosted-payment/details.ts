import type { CollectedDetails, Collects, CustomField } from '../../../drizzle/schema/buyer-details.ts'
import { containsCardNumber } from '../../../src/kernel/card-number.ts'
import { cfdiUses } from '../../../src/kernel/cfdi.ts'
import { mexicanStateOf } from '../../../src/kernel/mexican-states.ts'
import { namesCompanyKind, personOfRfc, taxRegimes } from '../../../src/kernel/rfc.ts'

/** Why a field of the buyer's is wrong. */
export type DetailProblem =
  | 'missing'
  | 'phone'
  | 'postal_code'
  | 'rfc'
  | 'company_kind'
  | 'regime'
  | 'cfdi_use'
  | 'number'
  | 'option'
  | 'consent'
  | 'too_long'
  | 'card_number'

/** By the field's name, in the order of the form. */
export type WrongDetails = ReadonlyMap<string, DetailProblem>

/** The fields of a form with such questions, by name. */
export function detailNames(collects: Collects): string[] {
  return [
    ...(collects.shipping_countries.length > 0 ? shippingNames : []),
    ...(collects.name === 'no' ? [] : ['detail.name']),
    ...(collects.phone === 'no' ? [] : ['detail.phone']),
    ...collects.custom_fields.map(({ key }) => `field.${key}`),
    ...(collects.tax_data === 'no' ? [] : taxNames),
    ...(collects.tax_data === 'optional' ? ['tax.wanted'] : []),
    ...collects.consents.map(({ key }) => `consent.${key}`),
  ]
}

export const shippingNames = [
  'ship.name',
  'ship.country',
  'ship.postal_code',
  'ship.state',
  'ship.city',
  'ship.neighborhood',
  'ship.line1',
  'ship.line2',
]
export const taxNames = ['tax.rfc', 'tax.legal_name', 'tax.regime', 'tax.cfdi_use', 'tax.postal_code']

const lengthMax = 254

/** A number as it is stored: ten digits are Mexico's. Null where it is not a phone number. */
export function phoneOf(typed: string): string | null {
  const digits = typed.replaceAll(/[\s().-]/g, '')
  const number = /^\d{10}$/.test(digits) ? `+52${digits}` : digits
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : null
}

/** What a form's fields say, or which of them are wrong: all of them at once. */
export function readDetails(
  collects: Collects,
  typed: Readonly<Record<string, string>>,
  now: Date,
  /** As `normalizeEmail` makes it: its field is the form's own. Null: none was given. */
  email: string | null = null,
): { readonly details: CollectedDetails } | { readonly wrong: WrongDetails } {
  const wrong = new Map<string, DetailProblem>()
  const text = (name: string, isRequired: boolean): string => {
    const value = (typed[name] ?? '').trim()
    if (value.length > lengthMax) wrong.set(name, 'too_long')
    else if (containsCardNumber(value)) wrong.set(name, 'card_number')
    else if (isRequired && value === '') wrong.set(name, 'missing')
    return value
  }
  const checked = (name: string, isGood: boolean, problem: DetailProblem) => {
    if (!isGood && !wrong.has(name)) wrong.set(name, problem)
  }
  const shipping = collects.shipping_countries.length > 0 ? shippingOf(collects, text, checked) : null
  const name = collects.name === 'no' ? '' : text('detail.name', collects.name === 'required')
  const given = collects.phone === 'no' ? '' : text('detail.phone', collects.phone === 'required')
  const phone = phoneOf(given)
  checked('detail.phone', given === '' || phone !== null, 'phone')
  const custom_fields = collects.custom_fields.map((field) => {
    const name = `field.${field.key}`
    const value = text(name, field.required)
    const problem = problemOf(field, value)
    checked(name, problem === null, problem ?? 'missing')
    return { key: field.key, label: field.label, value }
  })
  const wantsTax =
    collects.tax_data === 'required' || (collects.tax_data === 'optional' && typed['tax.wanted'] === 'yes')
  const tax_data = wantsTax ? taxOf(text, checked) : null
  const consents = collects.consents.map(({ key, text: words, url, version, required }) => {
    const isGiven = typed[`consent.${key}`] === 'yes'
    checked(`consent.${key}`, isGiven || !required, 'consent')
    return { key, text: words, url, version, given_at: isGiven ? now.toISOString() : null }
  })
  return wrong.size > 0
    ? { wrong }
    : {
        details: {
          name: name || null,
          email: collects.email === 'no' ? null : email,
          phone,
          shipping,
          tax_data,
          custom_fields,
          consents,
        },
      }
}

type Text = (name: string, isRequired: boolean) => string
type Checked = (name: string, isGood: boolean, problem: DetailProblem) => void

function shippingOf({ shipping_countries: countries }: Collects, text: Text, checked: Checked) {
  const country = countries.length === 1 ? countries[0]! : text('ship.country', true)
  checked('ship.country', countries.includes(country), 'option')
  const name = text('ship.name', true)
  const inMexico = country === 'MX'
  const postal = text('ship.postal_code', inMexico)
  checked('ship.postal_code', !inMexico || postal === '' || /^\d{5}$/.test(postal), 'postal_code')
  const typedState = text('ship.state', inMexico)
  const state = inMexico ? mexicanStateOf(typedState) : typedState
  checked('ship.state', state !== null, 'option')
  const city = text('ship.city', true)
  const neighborhood = text('ship.neighborhood', inMexico)
  const line1 = text('ship.line1', true)
  const line2 = text('ship.line2', false)
  const address = {
    line1,
    line2: line2 || null,
    neighborhood: neighborhood || null,
    city,
    state: state || null,
    postal_code: postal || null,
    country,
  }
  return { name, address }
}

function taxOf(text: Text, checked: Checked) {
  const rfc = text('tax.rfc', true).toUpperCase().replaceAll(/[\s-]/g, '')
  const person = personOfRfc(rfc)
  const tax_regime = text('tax.regime', true)
  const cfdi_use = text('tax.cfdi_use', true)
  const postal_code = text('tax.postal_code', true)
  const legal_name = text('tax.legal_name', true)
  checked('tax.rfc', person !== null, 'rfc')
  checked('tax.legal_name', person !== 'company' || !namesCompanyKind(legal_name), 'company_kind')
  const persons = taxRegimes.get(tax_regime)
  checked('tax.regime', persons !== undefined && (person === null || persons.includes(person)), 'regime')
  checked('tax.cfdi_use', cfdiUses.get(cfdi_use)?.includes(tax_regime) === true, 'cfdi_use')
  checked('tax.postal_code', /^\d{5}$/.test(postal_code), 'postal_code')
  return { rfc, legal_name, tax_regime, cfdi_use, postal_code }
}

function problemOf({ type, options }: CustomField, value: string): DetailProblem | null {
  if (value === '') return null
  if (type === 'number') return /^-?\d{1,12}(\.\d{1,6})?$/.test(value) ? null : 'number'
  if (type === 'dropdown') return options.some((each) => each.value === value) ? null : 'option'
  return null
}
