import * as z from 'zod'
import { containsCardNumber } from '../kernel/card-number.ts'
import { isClabe } from '../kernel/clabe.ts'
import type { Json } from '../kernel/json.ts'

// Zod's compiled validators need eval, which Workers refuse.
z.config({ jitless: true })

/** In lower case, however it was written: one id is one path, one filter and one request under an Idempotency-Key. */
export const uuid = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'must be a UUID')
export const timestamp = z.iso
  .datetime({
    offset: true,
    error: 'must be a date and time with its offset, like 2026-06-13T12:00:00Z',
    abort: true,
  })
  // Postgres knows no year 0, and five digits of a year neither in what we write.
  .refine((text) => Date.parse(text) >= Date.UTC(1900, 0), 'must not lie before 1900')
  .refine((text) => Date.parse(text) < Date.UTC(10000, 0), 'must lie before the year 10000')
/** Marks the refusal of an amount that is none, so that it gets its own error code. */
export const amountMessage = 'must be a whole number of minor units, as a string of at most 18 digits'
export const minorString = z.string().regex(/^-?\d{1,18}$/, amountMessage)
export const currency = z.string().regex(/^[a-z]{3}$/, 'must be three lowercase letters')
export const tenantId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/, 'must be a workspace id')

/**
 * Any 8 to 255 characters: only a digest of them is kept. The platform reads headers as UTF-8 and puts U+FFFD where bytes
 * are none: two keys would be one, so they are refused.
 */
export const isIdempotencyKey = (key: string): boolean => {
  const { length } = [...key]
  return length >= 8 && length <= 255 && !key.includes('\ufffd')
}

/** The same in a body, where HTTP does not take the white space around it away. */
export const idempotencyKey = z
  .string()
  .overwrite((text) => text.replace(/^[ \t]+|[ \t]+$/g, ''))
  .refine((text) => isIdempotencyKey(text) && text.isWellFormed(), 'must be 8 to 255 characters')
  .meta({ minLength: 8, maxLength: 255 })

/** Marks the refusal of a CLABE, so that it gets its own error code. */
export const clabeMessage = 'must be a CLABE of 18 digits with the right check digit'

export const clabe = z.string().refine(isClabe, clabeMessage).meta({ pattern: '^[0-9]{18}$' })

/** Marks the refusal of a card number, so that it gets its own error code. */
export const cardNumberMessage = 'must not contain a card number'

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const oneLine = /^[^\u0000-\u001f\u007f]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const lines = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/

const readable = (text: z.ZodString, letters = oneLine) =>
  text
    .regex(letters, 'must not contain control characters')
    .refine((text) => text.isWellFormed(), 'must be whole Unicode characters')
    .refine((text) => !containsCardNumber(text), cardNumberMessage)

/** Free text of a merchant: no card number passes, no control characters. */
export const freeText = (lengthMax: number) => readable(z.string().max(lengthMax))

/** The same in as many lines as one likes. */
export const freeLines = (lengthMax: number) => readable(z.string().max(lengthMax), lines)

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const kept = /^[^\u0000]*$/

/** Of an API key: any text, as the interface has it, without the white space around it. Postgres keeps no NUL. */
export const keyDescription = readable(z.string().max(120).trim(), kept)

/** A merchant's own name for what is paid. */
export const clientReferenceId = freeText(200).min(1)

const metadataKey = freeText(40).min(1)
const metadataText = freeText(500)
const metadataDepthMax = 8
const metadataLengthMax = 30_000

type Fault = { readonly path: readonly PropertyKey[]; readonly message: string }

/** The first thing in a JSON value that may not be kept, and where it is. */
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

/** What a double does not hold is another number by now, and Postgres writes the smallest with all of their zeros. */
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
    z.custom<Json>().superRefine((value, found) => {
      const fault = faultOf(value)
      if (fault) found.addIssue({ code: 'custom', message: fault.message, path: [...fault.path] })
    }),
  )
  .refine((record) => Object.keys(record).length <= 50, 'must have at most 50 keys')
  .refine(
    (record) => JSON.stringify(record).length <= metadataLengthMax,
    `must be at most ${metadataLengthMax} characters of JSON`,
  )
  .describe('Your own data: up to 50 keys with any JSON, at most 8 levels and 30,000 characters of it')

/** `metadata[order]=1024`: what has this text, number or boolean under this key. */
export const metadataFilter = z
  .record(metadataKey, metadataText)
  .refine((filter) => Object.keys(filter).length === 1, 'must name one key')
  .optional()
  .describe(
    'Only what has this value under this key of its metadata, as `metadata[order]=1024`: one key, and its whole text, number or boolean.',
  )

const limitMessage = 'must be a whole number from 1 to 100'

export const listQuery = {
  limit: z.preprocess(
    (text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text),
    z.int(limitMessage).min(1, limitMessage).max(100, limitMessage).default(20),
  ),
  cursor: z.string().max(1024).optional(),
  'created_at.gt': timestamp.optional(),
  'created_at.gte': timestamp.optional(),
  'created_at.lt': timestamp.optional(),
  'created_at.lte': timestamp.optional(),
}

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().describe('Opaque; empty when has_more is false'),
  })
