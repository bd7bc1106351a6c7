/** What erasing a customer does with a person's data: the one list, which the tests and docs/decisions/erasure.md follow. */
export interface ErasedData {
  readonly where: string
  /** Field or column names. */
  readonly fields: readonly string[]
  readonly fate: 'deleted' | 'kept'
  readonly why: string
}

const entry = (
  where: string,
  fields: readonly string[],
  fate: ErasedData['fate'],
  why: string,
): ErasedData => ({
  where,
  fields,
  fate,
  why,
})

export const erasedData: readonly ErasedData[] = [
  entry(
    'customers',
    ['name', 'email', 'phone', 'locale', 'addresses', 'tags', 'tax_profile', 'external_id', 'metadata'],
    'deleted',
    'they are the person, or what the business said of the person',
  ),
  entry('customers', ['field_stamps', 'own_fields', 'terms'], 'deleted', 'they repeat the fields'),
  entry('customers', ['id', 'created_at'], 'kept', 'payments refer to them; they name nobody'),
  entry('customer_terms', ['term'], 'deleted', 'a search must find nothing'),
  entry('metadata_entries', ['entry'], 'deleted', 'a filter must find nothing'),
  entry('customer_contacts', ['value', 'label'], 'deleted', 'they reach the person'),
  entry('customer_consents', ['ip'], 'deleted', 'it identifies the person'),
  entry(
    'customer_consents',
    ['channel', 'purpose', 'given_at', 'method', 'text_version', 'withdrawn_at'],
    'kept',
    'the proof that a consent was there and when, which the business owes; without the contact it names nobody',
  ),
  entry('customer_notes', ['text'], 'deleted', 'it is about the person'),
  entry('customer_merges', ['moved'], 'kept', 'ids alone'),
  entry('customer_timeline', ['type', 'resource_id', 'summary'], 'kept', 'types, ids and amounts alone'),
  entry(
    'events',
    ['object', 'previous_attributes'],
    'deleted',
    'of the events about the customer: the fields above, and the contact and the address of a consent that they carry',
  ),
  entry(
    'webhook_payloads',
    ['body'],
    'deleted',
    'it is the event again, and becomes what the event says now',
  ),
  entry('webhook_attempts', ['response_body'], 'deleted', 'an endpoint may answer with what it was sent'),
  entry(
    'idempotency_claims',
    ['reply_body'],
    'deleted',
    'a replay answers `reply_erased`; the claim stays, so that no retry makes the person anew',
  ),
  entry('Redis', ['reply'], 'deleted', 'long replies of the last day'),
  entry(
    'outgoing_mails',
    ['recipient', 'data'],
    'deleted',
    'a mail that waits for one of the person’s addresses is given up',
  ),
  entry(
    'payment_contacts',
    ['email'],
    'deleted',
    'where buyers wanted the mails about the customer’s payments',
  ),
  entry(
    'customer_external_ids',
    ['external_id'],
    'deleted',
    'a keyed digest stays, so that a synchronisation does not make the person anew',
  ),
  entry(
    'sync_files',
    ['content', 'shape'],
    'deleted',
    'every file of a source that knows the customer is removed, with the rows that were refused; the next run of the job does it',
  ),
  entry('audit_events', ['objects'], 'kept', 'ids alone, so the chain stays as it is'),
  entry(
    'payments, refunds, disputes and their journals',
    ['amounts', 'dates', 'card brand and last four digits', 'bank account'],
    'kept',
    'tax law (Código Fiscal, five years) and the rules of the card schemes for disputes',
  ),
]
