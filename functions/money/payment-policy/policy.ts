import type { PolicyChange, PolicySettings } from '../../../drizzle/schema/payment-policies.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import type { Json } from '../../../src/kernel/json.ts'

export type { PolicySettings } from '../../../drizzle/schema/payment-policies.ts'

type Narrower = (a: Json, b: Json) => Json

const bothTrue: Narrower = (a, b) => a === true && b === true
const smallerNumber: Narrower = (a, b) => Math.min(a as number, b as number)
const smallerAmount: Narrower = (a, b) => (BigInt(a as string) <= BigInt(b as string) ? a : b)
const largerAmount: Narrower = (a, b) => (BigInt(a as string) >= BigInt(b as string) ? a : b)
const inBoth: Narrower = (a, b) => (a as Json[]).filter((item) => (b as Json[]).includes(item))

/** By a field's name: the narrower of two values. Each is commutative, associative and idempotent. */
const narrower: Readonly<Record<string, Narrower>> = {
  enabled: bothTrue,
  amount_min: largerAmount,
  amount_max: smallerAmount,
  expires_days: smallerNumber,
  terms: inBoth,
  fee_allocations: inBoth,
  markup_cap_bps: smallerNumber,
  manual_allowed: bothTrue,
  required_from: smallerAmount,
  window_days: smallerNumber,
  share_bps: smallerNumber,
}

type Fields = ReadonlyMap<string, Json>

/** `methods.oxxo.amount_max.mxn`: every field that a level names, with its value. */
export function fieldsOf(settings: PolicySettings): Fields {
  const fields = new Map<string, Json>()
  const add = (value: Json | undefined, path: readonly string[]) => {
    if (value === undefined) return
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      fields.set(path.join('.'), value as Json)
    else for (const [name, inner] of Object.entries(value)) add(inner as Json | undefined, [...path, name])
  }
  add(settings as Json, [])
  return fields
}

type Nest = { [name: string]: Json | Nest }

function settingsOf(fields: Fields): PolicySettings {
  const settings: Nest = {}
  for (const [field, value] of fields) {
    const path = field.split('.')
    const last = path.pop()!
    let at = settings
    for (const name of path) {
      at[name] ??= {}
      at = at[name] as Nest
    }
    at[last] = value
  }
  return settings as PolicySettings
}

/** The narrower of two values of a field. */
const narrow = (field: string, a: Json, b: Json): Json =>
  narrower[field.split('.').find((name) => name in narrower)!]!(a, b)

/** What all levels allow: of each field the narrowest value, in whatever order they come. */
export function effectiveOf(...levels: readonly PolicySettings[]): PolicySettings {
  const fields = new Map<string, Json>()
  for (const level of levels)
    for (const [field, value] of fieldsOf(level)) {
      const before = fields.get(field)
      fields.set(field, before === undefined ? value : narrow(field, before, value))
    }
  return settingsOf(fields)
}

/** A field in which `below` would allow what `above` does not, with the value above; null where there is none. */
export function widerField(
  above: PolicySettings,
  below: PolicySettings,
): { readonly field: string; readonly value: Json } | null {
  const bounds = fieldsOf(above)
  for (const [field, value] of fieldsOf(below)) {
    const bound = bounds.get(field)
    if (bound !== undefined && canonicalJson(narrow(field, bound, value)) !== canonicalJson(value))
      return { field, value: bound }
  }
  return null
}

/** Which level each field of the effective policy comes from: the highest that says the same, else the lowest. */
export function sourcesOf<Level extends string>(
  levels: readonly (readonly [Level, PolicySettings])[],
): Record<string, Level> {
  const named = levels.map(([level, settings]) => [level, fieldsOf(settings)] as const)
  const effective = fieldsOf(effectiveOf(...levels.map(([, settings]) => settings)))
  return Object.fromEntries(
    [...effective].map(([field, value]) => {
      const saying = named.filter(([, fields]) => fields.has(field))
      const same = saying.find(([, fields]) => canonicalJson(fields.get(field)!) === canonicalJson(value))
      return [field, (same ?? saying.at(-1)!)[0]]
    }),
  )
}

/** The levels from the widest: a location's has three. */
export const levelsOf = (
  platform: PolicySettings,
  {
    workspace,
    location,
  }: { readonly workspace: PolicySettings | null; readonly location: PolicySettings | null },
  locationId: string | null,
) =>
  [
    ['platform', platform],
    ['workspace', workspace ?? {}],
    ...(locationId === null ? [] : [['location', location ?? {}] as const]),
  ] as const

/** A field of what holds, by its path, with the level that it comes from. */
export interface PolicyField {
  readonly path: string
  readonly value: Json
  readonly level: 'platform' | 'workspace' | 'location'
}

/** What changed between two states of a level, field by field. */
export function changesBetween(before: PolicySettings, after: PolicySettings): PolicyChange[] {
  const [from, to] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((field) => ({ field, from: from.get(field) ?? null, to: to.get(field) ?? null }))
    .filter((changed) => canonicalJson(changed.from) !== canonicalJson(changed.to))
    .sort((a, b) => (a.field < b.field ? -1 : 1))
}
