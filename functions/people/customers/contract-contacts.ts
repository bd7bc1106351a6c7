import * as z from 'zod'
import { customerConsents, customerContacts } from '../../../drizzle/schema/customers.ts'
import { contract } from '../../../src/http/contract.ts'
import { resource } from '../../../src/http/contract-resource.ts'
import { freeText, paged, timestamp, uuid } from '../../../src/http/schemas.ts'
import { customerEmail, customerPhone, ofCustomer, reading, tagName } from './contract.ts'

const fields = {
  kind: z.enum(customerContacts.kind.enumValues).describe('The kind of contact.'),
  label: freeText(40).trim().min(1).nullable().describe('Your own name for it: `work`.'),
}

export const Contact = z
  .strictObject({
    id: uuid,
    object: z.literal('customer_contact'),
    customer_id: uuid.describe('Id of the customer.'),
    ...fields,
    value: z
      .string()
      .describe(
        'The e-mail address in small letters, its domain in Punycode, or the number as E.164 has it.',
      ),
    primary: z.boolean().describe('Whether it is the customer’s `email` or `phone`.'),
    verified_at: timestamp
      .nullable()
      .describe('When you said that it is this customer’s; null where nothing shows it.'),
    status: z
      .enum(customerContacts.status.enumValues)
      .describe('`removed` ones are kept for their consents.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'CustomerContact' })

export const exampleContact = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000052',
  object: 'customer_contact',
  customer_id: '0190a6d2-7c3e-7b1a-9f00-000000000051',
  kind: 'email',
  label: 'work',
  value: 'ana@work.example.com',
  primary: false,
  verified_at: null,
  status: 'active',
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

export const Consent = z
  .strictObject({
    id: uuid,
    object: z.literal('customer_consent'),
    customer_id: uuid.describe('Who gave it.'),
    contact_id: uuid.describe('The contact that it is for.'),
    channel: z.enum(customerConsents.channel.enumValues).describe('How the contact may be used.'),
    purpose: z
      .enum(customerConsents.purpose.enumValues)
      .describe('What it allows the contact to be used for.'),
    status: z.enum(customerConsents.status.enumValues).describe('`withdrawn` ones are kept as proof.'),
    given_at: timestamp.describe('When the person agreed.'),
    method: z.enum(customerConsents.method.enumValues).describe('How the person agreed.'),
    text_version: z.string().describe('Which text the person agreed to: your own name for it.'),
    ip: z.string().nullable().describe('The address that it came from on the web.'),
    withdrawn_at: timestamp.nullable().describe('When the person took it back; null while it counts.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'CustomerConsent' })

export const exampleConsent = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000053',
  object: 'customer_consent',
  customer_id: exampleContact.customer_id,
  contact_id: exampleContact.id,
  channel: 'email',
  purpose: 'marketing',
  status: 'given',
  given_at: '2026-06-13T11:59:00.000Z',
  method: 'web_form',
  text_version: 'newsletter-2026-01',
  ip: '203.0.113.7',
  withdrawn_at: null,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const ofBoth = {
  tag: tagName,
  reads: reading.access,
  writes: { api_key: { scopes: ['customer_hub.contacts:write'] } },
} as const
const contacts = resource({
  ...ofBoth,
  path: '/v1/customer-hub/contacts',
  within: { ...ofCustomer, path: '/v1/customer-hub/customers/:id/contacts' },
  tables: ['customers', 'customer_contacts'],
  notFound: 'customer_contact_not_found',
  schema: Contact,
  example: exampleContact,
})
const consents = resource({
  ...ofBoth,
  path: '/v1/customer-hub/consents',
  within: { ...contacts.one, path: `${contacts.one.path}/consents` },
  tables: ['customers', 'customer_consents'],
  notFound: 'customer_consent_not_found',
  schema: Consent,
  example: exampleConsent,
})

export const listContacts = contacts.list({
  id: 'customers.list_contacts',
  summary: 'List a customer’s contacts',
  filters: {
    kind: fields.kind.optional().describe('Only what is of this kind.'),
  },
})

export const addContact = contacts.create({
  id: 'customers.add_contact',
  summary: 'Add a contact to a customer',
  description:
    'Several customers may have one contact, but only one of them verified. The first of a kind becomes the customer’s `email` or `phone`.',
  body: z
    .strictObject({
      kind: fields.kind,
      value: z
        .string()
        .max(254)
        .describe('The e-mail address, or the phone number: without a country code it is Mexican.'),
      label: fields.label.default(null),
      primary: z.boolean().default(false).describe('Makes it the customer’s `email` or `phone`.'),
      verified: z.boolean().default(false).describe('You know that it is this customer’s.'),
    })
    .superRefine(({ kind, value }, found) => {
      const { error } = (kind === 'email' ? customerEmail : customerPhone).safeParse(value)
      for (const { message } of error?.issues ?? [])
        found.addIssue({ code: 'custom', message, path: ['value'] })
    })
    .overwrite((body) => ({
      ...body,
      value: (body.kind === 'email' ? customerEmail : customerPhone).safeParse(body.value).data ?? body.value,
    })),
  errors: [
    'customer_merged',
    'customer_erased',
    'customer_blocked',
    'customer_contact_exists',
    'customer_contact_taken',
    'customer_contacts_too_many',
    'card_number_refused',
  ],
  example: { kind: 'email', value: 'ana@work.example.com', label: 'work' },
})

export const getContact = contacts.get({ id: 'customers.get_contact', summary: 'Get a contact' })

export const verifyContact = contacts.move('verify', {
  id: 'customers.verify_contact',
  summary: 'Mark a contact as verified',
  description:
    'Send this after the person has shown that the contact is theirs, for instance by a code you sent there.',
  errors: [
    'customer_merged',
    'customer_erased',
    'customer_contact_removed',
    'customer_contact_verified',
    'customer_contact_taken',
  ],
  example: { verified_at: '2026-06-13T12:30:00.000Z' },
})

export const removeContact = contract({
  ...contacts.writing,
  ...contacts.one,
  id: 'customers.remove_contact',
  method: 'DELETE',
  idempotency: 'none',
  tables: ['customers', 'customer_contacts'],
  summary: 'Remove a contact',
  description:
    'The contact no longer finds the customer, and becomes `removed` where a consent names it. The customer’s `email` or `phone` becomes null where it was this contact.',
  reply: { status: 200, schema: Contact },
  errors: ['customer_contact_not_found', 'customer_merged', 'customer_erased', 'customer_contact_removed'],
  example: { reply: { ...exampleContact, status: 'removed' } },
})

export const listConsents = contract({
  ...reading,
  ...ofCustomer,
  id: 'customers.list_consents',
  path: '/v1/customer-hub/customers/:id/consents',
  summary: 'List a customer’s consents',
  ...paged(Consent, exampleConsent, {
    status: z.enum(customerConsents.status.enumValues).optional(),
    channel: Consent.shape.channel.optional().describe('Only what is for this channel.'),
  }),
  errors: ['customer_not_found', 'cursor_invalid'],
})

export const giveConsent = consents.create({
  id: 'customers.give_consent',
  summary: 'Record a consent',
  description:
    'A consent is for one contact, channel and purpose, and keeps its proof: when, how, and to which text the person agreed. One that was withdrawn can be given again.',
  body: z.strictObject({
    channel: Consent.shape.channel.describe(
      'How the contact may be used: an e-mail address by `email` alone.',
    ),
    purpose: Consent.shape.purpose.default('marketing'),
    given_at: timestamp.optional().describe('When the person agreed; now when absent.'),
    method: Consent.shape.method,
    text_version: freeText(120)
      .trim()
      .min(1)
      .describe('Which text the person agreed to: your own name for it.'),
    ip: z
      .union([z.ipv4(), z.ipv6()])
      .nullable()
      .default(null)
      .describe('The address that it came from on the web.'),
  }),
  errors: [
    'customer_merged',
    'customer_erased',
    'customer_contact_removed',
    'customer_consent_channel',
    'customer_consent_in_future',
    'customer_consent_exists',
  ],
  example: {
    channel: 'email',
    purpose: 'marketing',
    given_at: '2026-06-13T11:59:00.000Z',
    method: 'web_form',
    text_version: 'newsletter-2026-01',
    ip: '203.0.113.7',
  },
})

export const getConsent = consents.get({ id: 'customers.get_consent', summary: 'Get a consent' })

export const withdrawConsent = consents.move('withdraw', {
  id: 'customers.withdraw_consent',
  summary: 'Withdraw a consent',
  description: 'The person took it back: it no longer counts, and stays as proof.',
  errors: ['customer_merged', 'customer_erased', 'customer_consent_withdrawn'],
  example: { status: 'withdrawn', withdrawn_at: '2026-06-14T12:00:00.000Z' },
})
