import * as z from 'zod'
import type { Input } from '../../../drizzle/schema/in-person.ts'
import { emailAddress, freeText, phone } from '../../../src/http/schemas.ts'

export const inputTypes = [
  'email',
  'phone',
  'numeric',
  'text',
  'selection',
] as const satisfies readonly Input['type'][]

export const inputsMax = 5
export const answerLengthMax = 500

/** A text that a buyer gave, as a device or a processor reports it. */
export const answerValue = freeText(answerLengthMax).trim().min(1)

/** Room on the screen of a reader of the processor's own, in characters: https://docs.stripe.com/api/terminal/readers/collect_inputs */
export const screenBounds = { titleLengthMax: 40, choiceLengthMax: 30 } as const

/** What a buyer is asked for, in a request. */
export const inputAsked = z
  .strictObject({
    type: z
      .enum(inputTypes)
      .describe(
        'What is given. `numeric`: digits alone, at most 40. `phone`: a number as E.164 has it. A reader of the processor’s own takes what it takes for one.',
      ),
    title: freeText(60).trim().min(1).describe('The question, as the buyer reads it.'),
    description: freeText(200)
      .trim()
      .min(1)
      .nullable()
      .default(null)
      .describe('What stands below the question; null: nothing.'),
    required: z
      .boolean()
      .default(false)
      .describe('Whether the buyer must answer; otherwise they may skip it.'),
    choices: z
      .array(
        z.strictObject({
          id: freeText(40).trim().min(1).describe('Your own name for it, which is the answer.'),
          text: freeText(40).trim().min(1).describe('What the buyer reads.'),
        }),
      )
      .min(2)
      .max(8)
      .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'must not name an id twice')
      .nullable()
      .default(null)
      .describe('Of `selection`: what the buyer chooses from; null elsewhere.'),
  })
  .refine(({ type, choices }) => (type === 'selection') === (choices !== null), {
    path: ['choices'],
    error: 'must have what a selection offers, and nothing elsewhere',
  })

export const exampleInputs = [
  { type: 'email', title: '¿A qué correo va tu factura?', description: null, required: true, choices: null },
  {
    type: 'selection',
    title: '¿Cómo nos conociste?',
    description: 'Nos ayuda a mejorar.',
    required: false,
    choices: [
      { id: 'friend', text: 'Por un amigo' },
      { id: 'street', text: 'Pasé por aquí' },
    ],
  },
] as const

const digits = z.string().regex(/^[0-9]{1,40}$/)

/** What an answer must be, as the service takes it elsewhere, and what is said of another. */
const forms = {
  email: { schema: emailAddress, says: 'It must be an e-mail address.' },
  phone: { schema: phone, says: 'It must be a number as E.164 has it, like +525512345678.' },
  numeric: { schema: digits, says: 'It must be 1 to 40 digits.' },
  text: { schema: z.string(), says: 'It must be a text.' },
}

/** The answer as it is stored, or why it is none. */
export function answerTo({ type, choices }: Input, value: string): { value: string } | { wrong: string } {
  if (type === 'selection')
    return choices?.some(({ id }) => id === value) ? { value } : { wrong: 'It must be the id of a choice.' }
  const { schema, says } = forms[type]
  const { data } = schema.safeParse(value)
  return data === undefined ? { wrong: says } : { value: data }
}
