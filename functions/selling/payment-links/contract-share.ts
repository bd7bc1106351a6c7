import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { email, freeText, timestamp, uuid } from '../../../src/http/schemas.ts'
import { newLinkErrors, writing } from './contract.ts'
import { exampleLink, PaymentLink } from './contract-link.ts'
import { ofLink, reading } from './contract-read.ts'

const sharing = { ...reading, ...ofLink, method: 'GET' } as const

const drawn = 'Black on white with the border that scanners need. What it says is the link’s `url`.'

export const qrSvg = contract({
  ...sharing,
  id: 'payment_links.qr_svg',
  path: '/v1/payment-links/:id/qr.svg',
  summary: 'Get the QR code of a payment link as SVG',
  description: `It scales to any size. ${drawn}`,
  reply: { status: 200, schema: z.custom<ReadableStream<Uint8Array>>() },
  download: { type: 'image/svg+xml', name: 'payment-link.svg' },
  errors: ['payment_link_not_found'],
  example: { reply: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45"></svg>' },
})

export const qrPng = contract({
  ...sharing,
  id: 'payment_links.qr_png',
  path: '/v1/payment-links/:id/qr.png',
  summary: 'Get the QR code of a payment link as PNG',
  description: `About 500 pixels wide. ${drawn}`,
  reply: { status: 200, schema: z.custom<ReadableStream<Uint8Array>>() },
  download: { type: 'image/png', name: 'payment-link.png' },
  errors: ['payment_link_not_found'],
  example: { reply: '\u0089PNG' },
})

const Share = z
  .strictObject({
    object: z.literal('payment_link_share'),
    url: z.string().describe('The address that the buyer pays at.'),
    text: z
      .string()
      .describe('What to send: what is paid for, the amount where it is fixed, and the address.'),
    whatsapp_url: z.string().describe('Opens WhatsApp with the text; you choose to whom.'),
    sms_url: z.string().describe('Opens the phone’s messages with the text.'),
  })
  .meta({ id: 'PaymentLinkShare' })

export const share = contract({
  ...sharing,
  id: 'payment_links.share',
  path: '/v1/payment-links/:id/share',
  summary: 'Get the text of a message with a payment link',
  query: z.strictObject({
    locale: z.enum(['es-MX', 'en']).default('es-MX').describe('The language of the text.'),
  }),
  reply: { status: 200, schema: Share },
  errors: ['payment_link_not_found'],
  example: {
    reply: {
      object: 'payment_link_share',
      url: exampleLink.url,
      text: `Silla: $1,200.00 MXN. Paga aquí: ${exampleLink.url}`,
      whatsapp_url: `https://wa.me/?text=${encodeURIComponent(`Silla: $1,200.00 MXN. Paga aquí: ${exampleLink.url}`)}`,
      sms_url: `sms:?&body=${encodeURIComponent(`Silla: $1,200.00 MXN. Paga aquí: ${exampleLink.url}`)}`,
    },
  },
})

export const duplicate = contract({
  ...writing,
  ...ofLink,
  id: 'payment_links.duplicate',
  versioned: true,
  method: 'POST',
  path: '/v1/payment-links/:id/duplicate',
  location: '/v1/payment-links/:id',
  summary: 'Duplicate a payment link',
  description:
    'A new active link with an address of its own and the same fields, whatever the status of the first one. Its terms obey the current payment policy, and its items are for sale now; they cost what they cost in the first one. It is not paid yet, and times that have passed and discounts that no longer apply are left out.',
  idempotency: 'required',
  reply: { status: 201, schema: PaymentLink },
  errors: ['payment_link_not_found', ...newLinkErrors],
  example: { reply: exampleLink },
})

export const send = contract({
  ...writing,
  ...ofLink,
  id: 'payment_links.send',
  method: 'POST',
  path: '/v1/payment-links/:id/send',
  summary: 'Send a payment link by e-mail',
  description:
    'In your look, with your message. Takes a workspace of which an owner has confirmed an address. One mailbox gets at most ten sent links an hour from a workspace, and a workspace that we have not reviewed sends twenty a day; more are held back, as are those to addresses that refused one for good. `GET /v1/workspace/mails/{id}` says what became of it.',
  idempotency: 'required',
  tables: ['memberships', 'outgoing_mails'],
  body: z.strictObject({
    email: email.describe('Who gets it.'),
    locale: z.enum(['es-MX', 'en']).default('es-MX').describe('The language of the mail.'),
    message: freeText(500).nullable().default(null).describe('What you say to the buyer.'),
  }),
  reply: {
    status: 200,
    schema: z
      .strictObject({
        id: uuid.describe('The id of the mail.'),
        object: z.literal('payment_link_mail'),
        payment_link_id: uuid.describe('The link that it is about.'),
        created_at: timestamp,
      })
      .meta({ id: 'PaymentLinkMail' }),
  },
  errors: [
    'payment_link_not_found',
    'email_not_confirmed',
    'payment_link_archived',
    'payment_link_paid',
    'payment_link_revoked',
    'payment_link_expired',
    'payment_link_used_up',
    'payment_link_inactive',
  ],
  example: {
    body: { email: 'ana@example.com', message: 'Gracias por tu pedido.' },
    reply: {
      id: '0190a6d2-7c3e-7b1a-9f00-000000000095',
      object: 'payment_link_mail',
      payment_link_id: exampleLink.id,
      created_at: '2026-06-13T12:00:00.000Z',
    },
  },
})
