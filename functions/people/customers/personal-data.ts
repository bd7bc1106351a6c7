import type { PersonalTables } from '../../../src/http/declaration.ts'

const ofCustomer = 't.customer_id = any (p_customers)'

export const personalData: PersonalTables = {
  // Emptied by the plan that ends the erasure: a CHECK holds it to that.
  customers: {
    whose: 't.id = any (p_customers)',
    shownAs: 'customers',
    columns: [
      {
        names: [
          'name',
          'email',
          'phone',
          'locale',
          'addresses',
          'tags',
          'tax_profile',
          'external_id',
          'metadata',
        ],
        fate: 'emptied',
        why: 'they identify the person, or say something of the person',
      },
      {
        names: ['field_stamps', 'own_fields', 'terms'],
        fate: 'emptied',
        why: 'they repeat the fields above',
        withheld: 'they repeat the fields above',
      },
      {
        names: ['id', 'created_at'],
        fate: 'kept',
        why: 'payments refer to the customer by its id, which says nothing of the person',
      },
    ],
    impersonal: 'erasure',
  },
  customer_terms: {
    columns: [
      {
        names: ['term'],
        fate: 'deleted',
        why: 'they hold words of the name, tags, addresses and numbers; a trigger deletes them with these',
        withheld: 'they repeat what other parts show',
      },
    ],
  },
  metadata_entries: {
    columns: [
      {
        names: ['entry'],
        fate: 'deleted',
        why: 'they are digests of the metadata',
        withheld: 'a digest tells the person nothing',
      },
    ],
  },
  customer_contacts: {
    whose: ofCustomer,
    while: `t.status <> 'removed' or t.value <> ''`,
    erasure: { set: `status = 'removed', value = '', mailbox = null, label = null` },
    goes: 'last',
    shownAs: 'contacts',
    columns: [
      { names: ['kind', 'status'], fate: 'kept', why: 'they say nothing of the person' },
      { names: ['value', 'label'], fate: 'emptied', why: 'they are the person’s addresses and numbers' },
      {
        names: ['mailbox'],
        fate: 'emptied',
        why: 'it is the person’s address, without what follows a plus sign',
        withheld: 'the address itself is shown',
      },
    ],
  },
  customer_consents: {
    whose: ofCustomer,
    shownAs: 'consents',
    while: 't.ip is not null',
    erasure: { set: 'ip = null' },
    columns: [
      { names: ['ip'], fate: 'emptied', why: 'it identifies the person' },
      {
        names: ['channel', 'purpose', 'given_at', 'method', 'text_version', 'withdrawn_at'],
        fate: 'kept',
        why: 'the business must be able to prove when and to what the customer agreed; with the contact deleted, these fields identify no person',
      },
    ],
  },
  customer_notes: {
    whose: ofCustomer,
    shownAs: 'notes',
    while: `t.text <> ''`,
    erasure: { set: `status = 'deleted', text = ''` },
    columns: [{ names: ['text'], fate: 'emptied', why: 'people write about the person in it' }],
  },
  customer_merges: {
    columns: [{ names: ['moved'], fate: 'kept', why: 'it holds ids only' }],
  },
  customer_timeline: {
    whose: ofCustomer,
    shownAs: 'timeline',
    columns: [
      {
        names: ['type', 'resource_type', 'resource_id', 'summary', 'occurred_at'],
        fate: 'kept',
        why: 'it holds types, ids, amounts and times only',
      },
    ],
    impersonal: 'source event_key',
  },
  events: {
    whose: `t.resource_type = 'customer' and t.resource_id = any (p_customers)`,
    by: 'events',
    shownAs: 'events',
    columns: [
      { names: ['type'], fate: 'kept', why: 'it says what happened, nothing of the person' },
      {
        names: ['object', 'previous_attributes'],
        fate: 'emptied',
        why: 'of events about the customer: the fields above, the contact, and the IP address of a consent',
      },
    ],
    impersonal: 'api_version resource_type request_id',
  },
  idempotency_claims: {
    by: 'replies',
    columns: [
      {
        names: ['reply_body'],
        fate: 'emptied',
        why: 'replies about the customer; a replay answers `reply_erased`, and the claim stays, so that a retry does not create the customer once more',
        withheld: 'they repeat what other parts show',
      },
    ],
    impersonal: 'operation key fingerprint',
  },
  Redis: {
    columns: [
      {
        names: ['reply'],
        fate: 'deleted',
        why: 'the same replies, where they are long and of the last day',
        withheld: 'they repeat what other parts show',
      },
    ],
  },
}
