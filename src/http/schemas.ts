import * as z from 'zod'
import { containsCardNumber } from '../kernel/card-number.ts'
import { isClabe } from '../kernel/clabe.ts'
import { normalizeEmail } from '../kernel/email.ts'
import { publicIdsOf } from '../kernel/folio.ts'
import type { Json } from '../kernel/json.ts'
import { amountMinorMax } from '../kernel/money.ts'
import type { CommonCode, ProblemCode } from './problems.ts'

// Zod's compiled validators need eval, which Workers refuse.
z.config({ jitless: true })

export const amountMessage = 'must be a whole number of minor units, as a string of at most 18 digits'
export const boundedAmountMessage = `must be a whole number of minor units from 0 to ${amountMinorMax}, as a string`
export const clabeMessage = 'must be a CLABE of 18 digits with the right check digit'
export const cardNumberMessage = 'must not contain a card number'

/** Refusals with an error code of their own, by message; every other is `parameter_invalid`. */
export const codesOfRefusals: Readonly<Record<string, CommonCode>> = {
  [amountMessage]: 'amount_malformed',
  [boundedAmountMessage]: 'amount_malformed',
  [clabeMessage]: 'clabe_invalid',
  [cardNumberMessage]: 'card_number_refused',
}

/** Which of these codes a schema can refuse with: openapi.json declares them wherever the schema is used. */
export const refusals = z.registry<{ code: CommonCode }>()

/**
 * A text of a form. Without the form no later rule runs: it may rely on the form.
 * @param notText what a value of another type is refused with, instead of Zod's words.
 */
export function textOf(form: RegExp, message?: string, notText?: string): z.ZodString {
  const schema = z
    .string(notText)
    .regex(form, { abort: true, ...(message === undefined ? {} : { error: message }) })
  const code = codesOfRefusals[message ?? '']
  return code ? schema.register(refusals, { code }) : schema
}

const uuidForm = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Lowercased: one id is then one path, one filter and one request under an Idempotency-Key, however it was written. */
export const uuid = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^${uuidForm}$`), { abort: true, error: 'must be a UUID' })

/** A public id: `splink_` and 32 letters and digits. */
export const publicIdOf = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[a-z0-9]{32}$`))

/** A resource by its id or its public id. `noun`: `a payment link`. */
export const publicRef = (prefix: string, noun: string) =>
  z
    .string()
    .toLowerCase()
    .regex(
      new RegExp(`^(?:${uuidForm}|${prefix}_[a-z0-9]{32})$`),
      `must be the id or the public_id of ${noun}`,
    )

const instant = (error: string) =>
  z.iso
    .datetime({ offset: true, error, abort: true })
    // Postgres has no year 0 and does not read years of five digits as we write them.
    .refine((text) => Date.parse(text) >= Date.UTC(1900, 0), 'must not lie before 1900')
    .refine((text) => Date.parse(text) < Date.UTC(10000, 0), 'must lie before the year 10000')
const instantMessage = 'must be a date and time with its offset, like 2026-06-13T12:00:00Z'
export const timestamp = instant(instantMessage)

/** A time in a filter: a day stands for its start in UTC. */
const filterTime = z
  .preprocess(
    (text) => (typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text),
    instant(`${instantMessage}, or a day, like 2026-06-13`),
  )
  .meta({ format: undefined })
  .describe('A date and time with its offset, or a day: its start in UTC.')
const minorNotText = 'must be a string of minor units: "120000" is 1,200.00'
export const minorString = textOf(/^-?\d{1,18}$/, amountMessage, minorNotText)
/** In a request. A plan names what is below zero with an error of its own, so the sign is only left out of the form. */
export const minorAsked = minorString.meta({ pattern: '^\\d{1,18}$' })
export const positiveMinor = minorAsked.refine((text) => BigInt(text) > 0n, 'must be more than zero')
/** In a request, where nothing but the form bounds it: from 0 to `amountMinorMax`. */
export const boundedMinor = textOf(/^\d{1,12}$/, boundedAmountMessage, minorNotText)
export const currency = textOf(/^[a-z]{3}$/, 'must be three lowercase letters').describe(
  'The currency: three lowercase letters, as ISO 4217 has them.',
)
export const tenantId = textOf(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/, 'must be a workspace id').describe(
  'The workspace.',
)

export const clabe = z
  .string()
  .refine(isClabe, clabeMessage)
  .meta({ pattern: '^[0-9]{18}$', description: 'The account’s number: a CLABE of 18 digits.' })
  .register(refusals, { code: 'clabe_invalid' })

/**
 * Any 8 to 255 characters: only a digest of them is kept. The platform reads headers as UTF-8 and puts U+FFFD for
 * invalid bytes, which could make two keys one: keys with U+FFFD are refused.
 */
export const isIdempotencyKey = (key: string): boolean => {
  const { length } = [...key]
  return length >= 8 && length <= 255 && !key.includes('\ufffd')
}

/** The same in a body, where HTTP does not trim it. */
export const idempotencyKey = z
  .string()
  .overwrite((text) => text.replace(/^[ \t]+|[ \t]+$/g, ''))
  .refine((text) => isIdempotencyKey(text) && text.isWellFormed(), 'must be 8 to 255 characters')
  .meta({ minLength: 8, maxLength: 255 })

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const oneLine = /^[^\u0000-\u001f\u007f]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const lines = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/

const whole = (text: z.ZodString, letters = oneLine) =>
  text
    .regex(letters, { error: 'must not contain control characters', abort: true })
    .refine((text) => text.isWellFormed(), 'must be whole Unicode characters')

const readable = (text: z.ZodString, letters = oneLine) =>
  whole(text, letters)
    .refine((text) => !containsCardNumber(text), cardNumberMessage)
    .register(refusals, { code: 'card_number_refused' })

/** A merchant's free text: no card numbers, no control characters. */
export const freeText = (lengthMax: number) => readable(z.string().max(lengthMax))

/** The same with any number of lines. */
export const freeLines = (lengthMax: number) => readable(z.string().max(lengthMax), lines)

/** A password. Hashing would end at a NUL, so that two passwords were one. */
export const passwordText = whole(z.string().max(128))

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const kept = /^[^\u0000]*$/

/** An API key's description: any text, trimmed. Postgres stores no NUL. */
export const keyDescription = readable(z.string().max(120).trim(), kept)

export const phone = freeText(16).regex(
  /^\+[1-9]\d{6,14}$/,
  'must be a number as E.164 has it, like +525512345678',
)

/** Texts are checked in their normal form: a number with spaces is no card number because of them. */
export const normalized = (normalize: (text: string) => string | null, lengthMax: number, message: string) =>
  z
    .string()
    .max(lengthMax)
    .overwrite((text) => normalize(text) ?? '')
    .refine((text) => text !== '', { error: message, abort: true })
    .refine((text) => !containsCardNumber(text), cardNumberMessage)
    .register(refusals, { code: 'card_number_refused' })

/** In small letters, its domain in Punycode. */
export const emailAddress = normalized(normalizeEmail, 254, 'must be an e-mail address')

/** A card number in an address is a card number. */
export const email = z
  .email()
  .max(254)
  .refine((text) => !containsCardNumber(text), cardNumberMessage)
  .register(refusals, { code: 'card_number_refused' })

/** A merchant's own name for what is paid. */
export const clientReferenceId = freeText(200).min(1)

const metadataKey = freeText(40).min(1)
const metadataText = freeText(500)
const metadataDepthMax = 8
export const metadataKeysMax = 50
export const metadataLengthMax = 30_000

type Fault = { readonly path: readonly PropertyKey[]; readonly message: string }

/** The first thing in a JSON value that may not be stored, and its path. */
function faultOf(value: Json, depth = 1): Fault | null {
  if (typeof value === 'string') return faultOfText(metadataText, value)
  if (typeof value === 'number') return faultOfNumber(value)
  if (typeof value !== 'object' || value === null) return null
  if (depth === metadataDepthMax)
    return { path: [], message: `must not be nested deeper than ${metadataDepthMax} levels` }
  for (const [key, inner] of Object.entries(value)) {
    const ofKey = Array.isArray(value) ? null : faultOfText(metadataKey, key)
    const fault = ofKey ?? faultOf(inner as Json, depth + 1)
    if (fault) return { ...fault, path: [key, ...fault.path] }
  }
  return null
}

function faultOfText(schema: z.ZodType, text: string): Fault | null {
  const { error } = schema.safeParse(text)
  return error ? { path: [], message: error.issues[0]!.message } : null
}

/** JSON.parse has rounded what a double cannot hold, and Postgres writes tiny numbers with all of their zeros. */
function faultOfNumber(value: number): Fault | null {
  const size = Math.abs(value)
  if (size > Number.MAX_SAFE_INTEGER || (size > 0 && size < 1e-6))
    return {
      path: [],
      message: 'must be 0 or of a size from 0.000001 to 9007199254740991: send others as a text',
    }
  return containsCardNumber(String(value)) ? { path: [], message: cardNumberMessage } : null
}

/** A merchant's own data: any JSON under up to 50 keys. */
export const metadata = z
  .record(
    metadataKey,
    z
      .custom<Json>()
      .superRefine((value, found) => {
        const fault = faultOf(value)
        if (fault) found.addIssue({ code: 'custom', message: fault.message, path: [...fault.path] })
      })
      .register(refusals, { code: 'card_number_refused' }),
  )
  .refine(
    (record) => Object.keys(record).length <= metadataKeysMax,
    `must have at most ${metadataKeysMax} keys`,
  )
  .refine(
    (record) => JSON.stringify(record).length <= metadataLengthMax,
    `must be at most ${metadataLengthMax} characters of JSON`,
  )
  .describe('Your own data: up to 50 keys with any JSON, at most 8 levels and 30,000 characters of it')

/** `metadata[order]=1024`: resources with this text, number or boolean under this key. */
export const metadataFilter = z
  .record(metadataKey, metadataText)
  .refine((filter) => Object.keys(filter).length === 1, 'must name one key')
  .optional()
  .describe(
    'Only what has this value under this key of its metadata, as `metadata[order]=1024`: one key, and its whole text, number or boolean.',
  )

/** The folio of a receipt, however it is typed. */
export const folioFilter = (plural: string) =>
  z
    .string()
    .max(40)
    .refine((typed) => publicIdsOf(typed).length > 0, 'must be the folio of a receipt')
    .optional()
    .describe(
      `Only ${plural} whose receipt has this folio, as a buyer reads it out: \`ABC-DEF-GHJ\`. Spaces, hyphens and case do not matter.`,
    )

/** A whole number in a query: decimal digits alone. */
export const queryInt = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text),
    z.int(message).min(min, message).max(max, message),
  )
}

/** The items of a page. */
export const pageMax = 100
const limitMessage = `must be a whole number from 1 to ${pageMax}`

/** What a list takes beside its filters; `time` is the field that orders it. */
const listQueryBy = <const Time extends ListTime>(time: Time) => ({
  limit: z.preprocess(
    (text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text),
    z.int(limitMessage).min(1, limitMessage).max(pageMax, limitMessage).default(20),
  ),
  cursor: z.string().max(1024).optional(),
  ...(Object.fromEntries(
    ['gt', 'gte', 'lt', 'lte'].map((bound) => [`${time}.${bound}`, filterTime.optional()]),
  ) as Record<`${Time}.${'gt' | 'gte' | 'lt' | 'lte'}`, z.ZodOptional<typeof filterTime>>),
})

type ListTime = 'created_at' | 'occurred_at'
export const listQuery = listQueryBy('created_at')

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(item).describe('The items of this page.'),
    has_more: z.boolean().describe('Whether more items follow.'),
    next_cursor: z
      .string()
      .describe('Send it as `cursor` for the next page. Opaque; empty when has_more is false.'),
  })

const exampleList = (item: unknown) => ({
  reply: { object: 'list', data: [item], has_more: false, next_cursor: '' },
})

/** A contract's reply of a list without pages, with an example of an item. */
export const listed = <Item extends z.ZodType>(item: Item, example: unknown) => ({
  reply: { status: 200 as const, schema: listOf(item) },
  example: exampleList(example),
})

/** The same for a list in pages, with its own filters. */
export const paged = <
  Item extends z.ZodType,
  Filters extends z.ZodRawShape = Record<never, never>,
  const Time extends ListTime = 'created_at',
>(
  item: Item,
  example: unknown,
  filters = {} as Filters,
  time = 'created_at' as Time,
) => ({
  ...listed(item, example),
  query: z.strictObject({ ...filters, ...listQueryBy(time) }),
  errors: ['cursor_invalid'] as const,
})

/** The path and the reply of one resource, found by its id. */
export const one = <Item extends z.ZodType, const Code extends ProblemCode>(
  item: Item,
  example: unknown,
  notFound: Code,
) => ({
  params: z.strictObject({ id: uuid }),
  notFound,
  reply: { status: 200 as const, schema: item },
  errors: [notFound] as const,
  example: { reply: example },
})

/** An item of a list that does not fit its schema. */
export class Misfit {
  /** The one spelling of `value`: a request's fingerprint has it in place of what no canonical JSON may hold. */
  readonly spelling: string
  readonly #value: unknown
  readonly #issues: readonly z.core.$ZodIssue[]

  constructor(value: unknown, issues: readonly z.core.$ZodIssue[]) {
    this.spelling = JSON.stringify(value, sorted) ?? ''
    this.#value = value
    this.#issues = issues
  }

  get value(): unknown {
    return this.#value
  }

  get issues(): readonly z.core.$ZodIssue[] {
    return this.#issues
  }
}

/** Members in one order; a number beyond all doubles, which would be spelled `null`, as a text. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** An item that is refused by itself, not with its whole list: what does not fit comes as a Misfit. */
export const each = <Item extends z.ZodType>(item: Item): z.ZodType<z.output<Item> | Misfit, z.input<Item>> =>
  // Without a context the schema is described, not applied: it has no default.
  item.catch(
    (found) => (found && new Misfit(found.value, found.error.issues as z.core.$ZodIssue[])) as z.output<Item>,
  )
