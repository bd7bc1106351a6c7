import * as z from 'zod'
import { containsCardNumber } from '../kernel/card-number.ts'
import { isClabe } from '../kernel/clabe.ts'

// Zod's compiled validators need eval, which Workers refuse.
z.config({ jitless: true })

export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'must be a UUID')
export const timestamp = z.iso
  .datetime({
    offset: true,
    error: 'must be a date and time with its offset, like 2026-06-13T12:00:00Z',
    abort: true,
  })
  // Postgres knows no year 0.
  .refine((text) => Date.parse(text) >= Date.UTC(1900, 0), 'must not lie before 1900')
/** Marks the refusal of an amount that is none, so that it gets its own error code. */
export const amountMessage = 'must be a whole number of minor units, as a string of at most 18 digits'
export const minorString = z.string().regex(/^-?\d{1,18}$/, amountMessage)
export const currency = z.string().regex(/^[a-z]{3}$/, 'must be three lowercase letters')
export const tenantId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/, 'must be a workspace id')

/** Marks the refusal of a CLABE, so that it gets its own error code. */
export const clabeMessage = 'must be a CLABE of 18 digits with the right check digit'

export const clabe = z.string().refine(isClabe, clabeMessage).meta({ pattern: '^[0-9]{18}$' })

/** Marks the refusal of a card number, so that it gets its own error code. */
export const cardNumberMessage = 'must not contain a card number'

const readable = (text: z.ZodString) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters')
    .refine((text) => text.isWellFormed(), 'must be whole Unicode characters')
    .refine((text) => !containsCardNumber(text), cardNumberMessage)

/** Free text of a merchant: no card number passes, no control characters. */
export const freeText = (lengthMax: number) => readable(z.string().max(lengthMax))

/** The same without the white space around it, of which lines may end and begin. */
export const trimmedText = (lengthMax: number) => readable(z.string().max(lengthMax).trim())

/** A merchant's own data: up to 50 keys with string values. */
export const metadata = z
  .record(freeText(40).min(1), freeText(500))
  .refine((record) => Object.keys(record).length <= 50, 'must have at most 50 keys')

const limitMessage = 'must be a whole number from 1 to 100'

export const listQuery = {
  limit: z.preprocess(
    (text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text),
    z.int(limitMessage).min(1, limitMessage).max(100, limitMessage).default(20),
  ),
  cursor: z.string().max(1024).optional(),
  'created_at.gte': timestamp.optional(),
  'created_at.lte': timestamp.optional(),
}

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().describe('Opaque; empty when has_more is false'),
  })
