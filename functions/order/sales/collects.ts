import * as z from 'zod'
import type { CollectedDetails, Collects } from '../../../drizzle/schema/buyer-details.ts'
import { addressFields } from '../../../src/http/address.ts'
import { fiscalFields } from '../../../src/http/fiscal.ts'
import { freeText, timestamp, uuid } from '../../../src/http/schemas.ts'
import type { DetailsRow } from './store.ts'

export const customFieldsMax = 5
export const consentsMax = 5
const optionsMax = 100
/** The form that pays carries the questions. */
const collectsBytesMax = 32 * 1024
const countriesMax = 50

const key = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,39}$/,
    'must be 1 to 40 small letters, digits or underscores, and begin with a letter',
  )
  .describe('Your name for it.')

const asking = z.enum(['no', 'optional', 'required'])

const country = z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters, as ISO 3166 has them')

const unique = <T>(list: readonly T[], of: (each: T) => string) => new Set(list.map(of)).size === list.length

const option = z.strictObject({
  value: freeText(100).min(1).describe('What you get.'),
  label: freeText(100).min(1).describe('What the buyer reads.'),
})

const customField = z
  .strictObject({
    key,
    label: freeText(100).trim().min(1).describe('The question, as the buyer reads it.'),
    type: z.enum(['text', 'number', 'dropdown']).default('text').describe('What is answered.'),
    required: z.boolean().default(false).describe('Whether it must be answered.'),
    options: z
      .array(option)
      .max(optionsMax)
      .refine((list) => unique(list, ({ value }) => value), 'must not name a value twice')
      .default([])
      .describe('What a dropdown offers; empty elsewhere.'),
  })
  .refine(({ type, options }) => (type === 'dropdown') === options.length > 0, {
    path: ['options'],
    error: 'must have what a dropdown offers, and nothing elsewhere',
  })

const consent = z.strictObject({
  key,
  text: freeText(500).trim().min(1).describe('What the buyer agrees to.'),
  url: freeText(2048)
    .regex(/^https:\/\/[^\s]+$/, 'must be an address that begins with https://')
    .refine((text) => URL.canParse(text), 'must be an address')
    .nullable()
    .default(null)
    .describe('Where the buyer can read it in full.'),
  version: freeText(40).min(1).describe('Which version of the text this is: it is recorded with the answer.'),
  required: z.boolean().default(false).describe('Whether the buyer cannot pay without it.'),
})

/** What a sale asks of its buyer, in a request. */
export const collectsAsked = z
  .strictObject({
    name: asking.default('no').describe('Whether the buyer’s name is asked for.'),
    email: asking
      .default('no')
      .describe(
        'Whether an e-mail address is asked for. The page says beside the field that you receive it, and what for. OXXO and SPEI ask for name and address anyway, for who processes the payment: you receive them only with this and `name`.',
      ),
    phone: asking.default('no').describe('Whether a phone number is asked for.'),
    shipping_countries: z
      .array(country)
      .max(countriesMax)
      .refine((list) => unique(list, (each) => each), 'must not name a country twice')
      .default([])
      .describe('The countries that you send to: an address in one of them is asked for; empty: none is.'),
    tax_data: asking.default('no').describe('Whether what a CFDI needs is asked for.'),
    custom_fields: z
      .array(customField)
      .max(customFieldsMax)
      .refine((list) => unique(list, (each) => each.key), 'must not name a key twice')
      .default([])
      .describe('Questions of yours.'),
    consents: z
      .array(consent)
      .max(consentsMax)
      .refine((list) => unique(list, (each) => each.key), 'must not name a key twice')
      .default([])
      .describe('Boxes that the buyer ticks; none is ticked beforehand.'),
  })
  .refine((asked) => new TextEncoder().encode(JSON.stringify(asked)).byteLength <= collectsBytesMax, {
    error: `must have at most ${collectsBytesMax} bytes as JSON`,
  })
  .nullable()

/** The same in a reply. */
export const collectsShown = collectsAsked.describe('What the page asks of the buyer; null: nothing more.')

const collectedGiven = z.strictObject({
  name: z.string().nullable().describe('The buyer’s name; null where it was not asked for, or not given.'),
  email: z
    .string()
    .nullable()
    .describe(
      'The e-mail address, in small letters; null where it was not asked for, or not given. It is not verified.',
    ),
  phone: z.string().nullable().describe('The number, as E.164 has it.'),
  shipping: z
    .strictObject({
      name: z.string().describe('Who receives it.'),
      address: z.strictObject(addressFields).describe('Where it is sent.'),
    })
    .nullable()
    .describe('Where it is sent; null where no address was asked for.'),
  tax_data: z
    .strictObject({
      ...fiscalFields,
      cfdi_use: z.string().describe('The uso de CFDI: a code of SAT’s catalog c_UsoCFDI.'),
    })
    .nullable()
    .describe('What the CFDI needs; null where the buyer wants none.'),
  custom_fields: z
    .array(
      z.strictObject({
        key: z.string().describe('Your name for the question.'),
        label: z.string().describe('The question, as the buyer read it.'),
        value: z.string().describe('The answer; empty where there is none.'),
      }),
    )
    .describe('The answers to your questions.'),
  consents: z
    .array(
      z.strictObject({
        key: z.string().describe('Your name for the box.'),
        text: z.string().describe('What the buyer read.'),
        url: z.string().nullable().describe('Where it could be read in full.'),
        version: z.string().describe('The version of the text.'),
        given_at: timestamp.nullable().describe('When the buyer ticked it and paid; null: not ticked.'),
      }),
    )
    .describe('What the buyer agreed to, and what not.'),
})

/** What a buyer gave, in a reply. */
export const collectedShown = collectedGiven
  .nullable()
  .describe(
    'What the buyer gave with the last attempt to pay; null before, once the customer is erased, and in replays.',
  )

/** What one payment's buyer gave, in a list. */
export const CollectedDetailsShown = z
  .strictObject({
    id: uuid,
    object: z.literal('collected_details'),
    payment_id: uuid.describe('The payment that it was given with.'),
    collected: collectedGiven.describe('What the buyer gave with the last attempt of this payment.'),
    created_at: timestamp,
  })
  .meta({ id: 'CollectedDetails' })

/** What a sale asks for, as the interface shows it. */
export const presentCollects = (collects: Collects | null) =>
  collects && {
    ...collects,
    shipping_countries: [...collects.shipping_countries],
    custom_fields: collects.custom_fields.map((field) => ({ ...field, options: [...field.options] })),
    consents: collects.consents.map((each) => ({ ...each })),
  }

/** What a buyer gave, as the interface shows it. */
export const presentCollected = (details: CollectedDetails | null) =>
  details && {
    ...details,
    shipping: details.shipping && { ...details.shipping, address: { ...details.shipping.address } },
    custom_fields: details.custom_fields.map((each) => ({ ...each })),
    consents: details.consents.map((each) => ({ ...each })),
  }

/** What one payment's buyer gave, as a list shows it. */
export const presentDetails = ({ id, paymentId, details, createdAt }: DetailsRow) => ({
  id,
  object: 'collected_details' as const,
  payment_id: paymentId,
  collected: presentCollected(details)!,
  created_at: createdAt.toISOString(),
})
