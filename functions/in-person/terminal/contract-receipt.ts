import * as z from 'zod'
import { environments } from '../../../drizzle/schema/columns.ts'
import { refunds } from '../../../drizzle/schema/refunds.ts'
import { contract, reads } from '../../../src/http/contract.ts'
import { currency, minorString, timestamp, uuid } from '../../../src/http/schemas.ts'
import { exampleCard, examplePayment, Payment, PresentedCard } from '../../money/payments/api-pure.ts'
import { exampleAction } from './contract-action.ts'

export const receiptMarks = [
  'authorized',
  'canceled',
  'refund_pending',
  'partially_refunded',
  'refunded',
] as const

/** The widths of the paper of receipt printers, with the letters that a line holds. */
export const paperColumns = { '80mm': 48, '58mm': 32 } as const

const Address = z.strictObject({
  line1: z.string().describe('Street and number.'),
  line2: z.string().nullable().describe('The rest of the street address.'),
  neighborhood: z.string().nullable().describe('Its colonia.'),
  city: z.string().describe('The city or town.'),
  state: z.string().nullable().describe('The state.'),
  postal_code: z.string().nullable().describe('The postal code.'),
  country: z.string().describe('The country: two letters, as ISO 3166 has them.'),
})

const ReceiptLine = z.strictObject({
  name: z.string().describe('What was bought.'),
  quantity: z.int().min(1).describe('How many of it were bought.'),
  amount_total: minorString.describe('The price for all of them, with IVA; minor units.'),
})

const Receipt = z
  .strictObject({
    object: z.literal('in_person_receipt'),
    in_person_payment_id: uuid.describe('What was taken.'),
    payment_id: uuid.describe('Its payment.'),
    payment_public_id: z
      .string()
      .regex(/^spcs_[a-z0-9]{32}$/)
      .describe('The last part of the address of its payment’s page.'),
    folio: z.string().describe('By which people find it: `ABC-DEF-GHJ`.'),
    mark: z
      .enum(receiptMarks)
      .nullable()
      .describe(
        'What is printed across it. `authorized`: the card was authorized. `refund_pending`: not all that goes back is with the buyer yet. Null: it is paid and stands.',
      ),
    environment: z.enum(environments).describe('In `sandbox` no money moved.'),
    merchant: z
      .strictObject({
        name: z.string().describe('The name that buyers know.'),
        legal_name: z.string().nullable().describe('The name that SAT knows.'),
        rfc: z.string().nullable().describe('Its tax number.'),
        email: z.string().nullable().describe('Where buyers write.'),
        phone: z.string().nullable().describe('Where buyers call.'),
        website_url: z.string().nullable().describe('Its site on the web.'),
      })
      .describe('Whom the buyer paid.'),
    location: z
      .strictObject({
        id: uuid,
        name: z.string().describe('The name of the location.'),
        address: Address.nullable().describe('Where it is.'),
        time_zone: z.string().describe('Its time zone.'),
      })
      .nullable()
      .describe('Where the device stood; null where it stood nowhere.'),
    device_id: uuid.describe('The device that read the card.'),
    approved_at: timestamp.describe('When Spindle learned that the bank had approved it.'),
    description: z.string().nullable().describe('What is paid for.'),
    line_items: z
      .array(ReceiptLine)
      .describe('What is paid for, line by line; empty where the payment has no lines.'),
    client_reference_id: z.string().nullable().describe('Your own name for it.'),
    amount: minorString.describe('What the card was read for, tip included; minor units.'),
    currency,
    amount_tip: minorString.describe('The part of it that is a tip, in minor units.'),
    amount_captured: minorString.describe('What was taken, in minor units.'),
    amount_refunded: minorString.describe('What went back or is on its way, in minor units.'),
    taxes: Payment.shape.taxes,
    installments: z
      .strictObject({ months: z.int().min(2).max(60).describe('How many monthly payments.') })
      .nullable()
      .describe('The term; null: paid at once.'),
    card: PresentedCard.describe('The card, and how the device read it.'),
    signature_needed: z.boolean().describe('Whether the buyer signs: a printed receipt has a line for it.'),
    refunds: z
      .array(
        z.strictObject({
          id: uuid,
          amount: minorString.describe('In minor units.'),
          status: z.enum(refunds.status.enumValues).describe('Its status, as the refund has it.'),
          created_at: timestamp,
        }),
      )
      .describe('The refunds so far, oldest first, without those that failed or were canceled.'),
  })
  .meta({ id: 'InPersonReceipt' })

const example = {
  object: 'in_person_receipt',
  in_person_payment_id: exampleAction.in_person_payment_id,
  payment_id: exampleAction.payment_id,
  payment_public_id: examplePayment.public_id,
  folio: '0G4-6M6-F5E',
  mark: null,
  environment: 'live',
  merchant: {
    name: 'Café Azul',
    legal_name: 'Cafés del Centro',
    rfc: 'CCE010203AB1',
    email: 'hola@cafeazul.example',
    phone: '+525555550123',
    website_url: 'https://cafeazul.example',
  },
  location: {
    id: '0190a6d2-7c3e-7b1a-9f00-000000000031',
    name: 'Café Azul, Roma Norte',
    address: {
      line1: 'Orizaba 101',
      line2: null,
      neighborhood: 'Roma Norte',
      city: 'Ciudad de México',
      state: 'CDMX',
      postal_code: '06700',
      country: 'MX',
    },
    time_zone: 'America/Mexico_City',
  },
  device_id: exampleAction.reader_id,
  approved_at: '2026-06-13T12:00:05.000Z',
  description: 'Silla',
  line_items: [],
  client_reference_id: 'order-1024',
  amount: '120000',
  currency: 'mxn',
  amount_tip: '0',
  amount_captured: '120000',
  amount_refunded: '0',
  taxes: examplePayment.taxes,
  installments: null,
  card: exampleCard,
  signature_needed: false,
  refunds: [],
} as const

const ofReceipt = {
  ...reads,
  tag: 'In-person Payments',
  access: { api_key: { scopes: ['terminal:read', 'tap_to_pay:read', 'physical_checkout:read'] } },
  params: z.strictObject({ id: uuid }),
  notFound: 'in_person_payment_not_found',
  errors: ['in_person_payment_not_found', 'receipt_not_available'],
} as const

export const getReceipt = contract({
  ...ofReceipt,
  id: 'in_person_payments.get_receipt',
  path: '/v1/in-person-payments/:id/receipt',
  summary: 'Get the receipt of a payment in person',
  description:
    'All that a receipt says, as data, as it is now: with the refunds so far, and marked where it was canceled. There is one as soon as a card was approved. The same is there to print: `receipt.escpos` and `receipt.pdf`.',
  reply: { status: 200, schema: Receipt },
  example: { reply: example },
})

const locale = z.enum(['es-MX', 'en']).default('es-MX').describe('The language of its words.')
const file = { status: 200, schema: z.custom<ReadableStream<Uint8Array>>() } as const

export const printReceipt = contract({
  ...ofReceipt,
  id: 'in_person_payments.print_receipt',
  path: '/v1/in-person-payments/:id/receipt.escpos',
  summary: 'Get the receipt of a payment in person for a printer',
  description:
    'ESC/POS commands: send the bytes to the printer as they are. Letters are in code page 850, which has all of Spanish; what it lacks is printed as a question mark. It ends with a cut.',
  query: z.strictObject({
    locale,
    paper: z
      .enum(Object.keys(paperColumns) as (keyof typeof paperColumns)[])
      .default('80mm')
      .describe('The width of the paper: lines of 48 or of 32 letters.'),
  }),
  reply: file,
  download: { type: 'application/octet-stream', name: 'receipt.bin' },
  example: { reply: '\u001b@Café Azul\n' },
})

export const drawReceipt = contract({
  ...ofReceipt,
  id: 'in_person_payments.draw_receipt',
  path: '/v1/in-person-payments/:id/receipt.pdf',
  summary: 'Get the receipt of a payment in person as PDF',
  description: 'On US Letter, as the buyer’s own receipt is.',
  // Drawing takes as much CPU as many reads.
  rate: 'write',
  query: z.strictObject({ locale }),
  reply: file,
  download: { type: 'application/pdf', name: 'receipt.pdf' },
  example: { reply: '%PDF-1.7' },
})
