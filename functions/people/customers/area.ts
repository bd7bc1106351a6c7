import type { Declaration } from '../../../src/http/declaration.ts'
import { uuid } from '../../../src/http/schemas.ts'
import { tagName } from './contract.ts'
import { Consent, Contact, exampleConsent, exampleContact } from './contract-contacts.ts'
import { erasure } from './contract-erasure.ts'
import { errors } from './errors.ts'
import {
  consentLifecycle,
  contactLifecycle,
  customerLifecycle,
  mergeLifecycle,
  noteLifecycle,
} from './lifecycle.ts'
import { personalData } from './personal-data.ts'
import { contactsMax } from './plan.ts'

const contact = {
  fields: { contact: Contact.describe('The contact after the change.') },
  example: { contact: exampleContact },
}
const consent = {
  fields: { consent: Consent.describe('The consent after the change.') },
  example: { consent: exampleConsent },
}
const note = {
  fields: { note_id: uuid.describe('The note: its text is in no event.') },
  example: { note_id: '0190a6d2-7c3e-7b1a-9f00-000000000054' },
}

export const area: Declaration = {
  routes: [{ at: ['/v1/customer-hub'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 47,
      name: tagName,
      description:
        'Who buys from you: names, contacts, consents and notes. E-mail addresses and phone numbers are compared in one normal form. Each customer’s changes are events about the customer.',
    },
  ],
  nouns: { customers: 'customer', contacts: 'contact', consents: 'consent', notes: 'note' },
  kinds: { customer: { table: 'customers', hasMetadata: true } },
  publishes: [erasure],
  jobs: {
    customers: {
      at: 177,
      runs: 'erase.ts#eraseCustomers',
      table: 'customers',
      due: 'd.erase_at <= $1',
      firstBy: 'erase_at',
    },
  },
  personalData,
  lookedUp: ['customers'],
  deadlines: [
    { table: 'customers', columns: ['erase_at'] },
    { table: 'customer_merges', columns: ['undoable_until'], while: `status = 'merged'` },
  ],
  appendOnly: ['customer_timeline'],
  lifecycles: [customerLifecycle, contactLifecycle, consentLifecycle, noteLifecycle, mergeLifecycle],
  events: {
    customer: {
      scopes: ['customer_hub:read'],
      shownBy: 'customers.get',
      types: {
        created: { says: 'A customer was created.', trigger: 'customers.create' },
        updated: { says: 'A customer was changed.', trigger: 'customers.update' },
        blocked: { says: 'A customer was blocked.', trigger: 'customers.block' },
        unblocked: { says: 'A blocked customer was unblocked.', trigger: 'customers.unblock' },
        merged: 'A customer became part of the one in `merged_into`, whose own event is `customer.updated`.',
        unmerged: 'A merge was undone: the customer is a separate one again.',
        erasure_requested: {
          says: 'A customer is to be erased at `erases_at` and is blocked until then.',
          trigger: 'customers.erase',
        },
        erased: 'The person’s data was deleted, here and in earlier events about the customer. Delete yours.',
        contact_added: {
          says: 'A customer got another e-mail address or phone number.',
          trigger: 'customers.add_contact',
          adds: contact,
        },
        contact_verified: {
          says: 'A contact was marked as verified.',
          trigger: 'customers.verify_contact',
          adds: contact,
        },
        contact_removed: {
          says: 'A contact was removed.',
          trigger: 'customers.remove_contact',
          adds: contact,
        },
        consent_given: {
          says: 'A customer agreed to be written to or called.',
          trigger: 'customers.give_consent',
          adds: consent,
        },
        consent_withdrawn: {
          says: 'A customer took a consent back.',
          trigger: 'customers.withdraw_consent',
          adds: consent,
        },
        note_added: { says: 'A note was added.', trigger: 'customers.add_note', adds: note },
        note_updated: { says: 'A note was changed.', trigger: 'customers.update_note', adds: note },
        note_deleted: { says: 'A note was deleted.', trigger: 'customers.delete_note', adds: note },
      },
    },
  },
  errors,
  limits: {
    customer_contacts: { most: contactsMax, unit: 'count', says: 'The contacts of a customer.' },
  },
  constraints: {
    customers_external_id: { code: 'customer_external_id_taken', param: 'external_id' },
    customers_survivor_current: 'stale',
    customers_erased_open: 'stale',
    customer_merges_one: 'stale',
    customer_contacts_own: 'stale',
    customer_contacts_verified: { code: 'customer_contact_taken' },
    payment_links_customer: { code: 'customer_not_found', param: 'customer_id' },
    customer_is_blocked: { code: 'customer_blocked', param: 'customer_id' },
    customer_is_merged: { code: 'customer_merged', param: 'customer_id' },
    customer_is_erased: { code: 'customer_erased', param: 'customer_id' },
    customer_consents_given: { code: 'customer_consent_exists' },
  },
  samples: {
    'customers.create': { unique: ['external_id'] },
    'customers.update': { other: { name: 'Another' } },
    'customers.unblock': { after: ['customers.block'] },
    'customers.add_contact': { other: { kind: 'email', value: 'other@example.com' } },
    'customers.give_consent': { other: { channel: 'email', method: 'paper', text_version: 'other' } },
    'customers.add_note': { other: { text: 'Another' } },
    'customers.update_note': { other: { text: 'Another' } },
  },
}
