import { type Document, referred, type Shape } from './document.ts'
import { code } from './text.ts'

/** A schema with its references followed and the parts of an `allOf` put together. */
export interface Plain extends Omit<Shape, '$ref' | 'type' | 'pattern' | 'anyOf' | 'oneOf' | 'allOf'> {
  readonly type?: string
  readonly nullable: boolean
  readonly patterns: readonly string[]
  /** Of which it has one; empty where there is no choice. */
  readonly forms: readonly Shape[]
}

const nothing: Plain = { nullable: false, patterns: [], forms: [] }

/** @throws Error on a reference to nothing */
export function plainOf(document: Document, shape: Shape): Plain {
  const { $ref, allOf = [], anyOf = [], oneOf = [], pattern, type, ...own } = shape
  const types = [type ?? []].flat()
  const all = [...anyOf, ...oneOf]
  const forms = all.filter((each) => each.type !== 'null')
  const parts = [
    ...($ref === undefined ? [] : [referred<Shape>(document, { $ref })]),
    ...allOf,
    ...(forms.length === 1 ? forms : []),
  ].map((each) => plainOf(document, each))
  const kept = types.find((each) => each !== 'null')
  return [
    ...parts,
    {
      ...own,
      ...(kept === undefined ? {} : { type: kept }),
      nullable: types.includes('null') || forms.length < all.length,
      patterns: pattern === undefined ? [] : [pattern],
      forms: forms.length === 1 ? [] : forms,
    },
  ].reduce(together, nothing)
}

const together = (one: Plain, other: Plain): Plain => ({
  ...one,
  ...other,
  nullable: one.nullable || other.nullable,
  patterns: [...one.patterns, ...other.patterns],
  forms: [...one.forms, ...other.forms],
  ...(one.properties || other.properties ? { properties: { ...one.properties, ...other.properties } } : {}),
  required: [...(one.required ?? []), ...(other.required ?? [])],
})

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** What patterns mean that many fields have. */
const words: Readonly<Record<string, string>> = {
  '^[^\\u0000-\\u001f\\u007f]*$': 'no control characters',
  '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$':
    'no control characters but line breaks and tabs',
  [`^${uuid}$`]: 'a UUID',
  '^-?\\d{1,18}$': 'an integer of at most 18 digits',
  '^\\d{1,18}$': '1 to 18 digits',
}

function patternOf(pattern: string): string {
  if (pattern.endsWith('(?:Z|([+-](?:[01]\\d|2[0-3]):[0-5]\\d)))$')) return 'RFC 3339, with an offset'
  const [, prefix] = pattern.split(`^(?:${uuid}|`)
  if (prefix) return `a UUID, or ${code(prefix.replace(/_.*/, '_…'))}`
  return words[pattern] ?? `pattern ${code(pattern)}`
}

/** `string`, `list of objects`, `integer or null`. */
export function typeOf(document: Document, plain: Plain): string {
  const kinds = plain.nullable ? [...kindsOf(document, plain), 'null'] : kindsOf(document, plain)
  return [...new Set(kinds)].join(' or ')
}

function kindsOf(document: Document, { type, items, forms, format, ...rest }: Plain): string[] {
  if (forms.length > 0) return forms.flatMap((form) => kindsOf(document, plainOf(document, form)))
  if (items) {
    const [kind, ...others] = new Set(kindsOf(document, plainOf(document, items)))
    return [`list of ${others.length > 0 || kind === 'anything' ? 'values' : `${kind}s`}`]
  }
  const values = [rest.const ?? [], rest.enum ?? []].flat()
  return [type ?? (values.length > 0 ? typeof values[0] : 'anything')]
}

const shown = (value: unknown) => code(typeof value === 'string' ? value : JSON.stringify(value))

/** So many values are shown at once; the others are behind a click. */
const valuesMax = 16

const valuesOf = (values: readonly unknown[]) =>
  values.length > valuesMax
    ? `<details><summary>one of ${values.length} values</summary>${values.map(shown).join(' ')}</details>`
    : `one of ${values.map(shown).join(', ')}`

function range(from: number | undefined, to: number | undefined, unit: string): string[] {
  const of = unit === '' ? '' : ` ${(to ?? from) === 1 ? unit : `${unit}s`}`
  if (from !== undefined && to !== undefined) return [from === to ? `${from}${of}` : `${from} to ${to}${of}`]
  if (from !== undefined) return from === 0 ? [] : [`at least ${from}${of}`]
  return to === undefined ? [] : [`at most ${to}${of}`]
}

/** The bounds of a value in words, as HTML. */
export function boundsOf(document: Document, plain: Plain): string[] {
  const { items, propertyNames, additionalProperties: values, forms } = plain
  const inner = (about: string, shape: Shape) =>
    boundsOf(document, plainOf(document, shape)).map((each) => `${about} ${each}`)
  return [
    ...(plain.format === undefined ? [] : [code(plain.format)]),
    ...('const' in plain ? [`always ${shown(plain.const)}`] : []),
    ...(plain.enum ? [valuesOf(plain.enum)] : []),
    ...range(plain.minimum, plain.maximum, ''),
    ...range(plain.minLength, plain.maxLength, 'character'),
    ...range(plain.minItems, plain.maxItems, 'item'),
    ...(plain.uniqueItems ? ['all different'] : []),
    ...plain.patterns.map(patternOf),
    ...('default' in plain ? [`${shown(plain.default)} when left out`] : []),
    ...(items ? inner('each', items) : []),
    ...(propertyNames ? inner('names:', propertyNames) : []),
    ...(typeof values === 'object' ? inner('values:', values) : []),
    ...(plain.properties ? [] : [...new Set(forms.flatMap((form) => inner('', form)))]),
  ]
}

/** Fields below a value: of itself, of each item of its list, of each value of its map, of each of its forms. */
export function partsOf(document: Document, plain: Plain): { readonly about: string; readonly of: Plain }[] {
  const { properties, items, additionalProperties: values, forms } = plain
  const below = (about: string, shape: Shape) =>
    partsOf(document, plainOf(document, shape)).map((part) => ({ ...part, about: part.about || about }))
  return [
    ...(Object.keys(properties ?? {}).length > 0 ? [{ about: '', of: plain }] : []),
    ...(items ? below('each item', items) : []),
    ...(typeof values === 'object' ? below('each value', values) : []),
    ...forms.flatMap((form) => below(formOf(plainOf(document, form)), form)),
  ]
}

/** What tells a form from the others: its constant, or its required fields. */
function formOf({ properties = {}, required = [] }: Plain): string {
  const [name, shape] = Object.entries(properties).find(([, each]) => 'const' in each) ?? []
  if (name !== undefined && shape) return `${code(name)} ${shown(shape.const)}`
  return required.length > 0 ? `the form with ${required.map(code).join(', ')}` : 'another form'
}
