/** What erasing a customer does with the person's data. A test compares docs/decisions/erasure.md with this list. */
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
    'they identify the person, or say something of the person',
  ),
  entry('customers', ['field_stamps', 'own_fields', 'terms'], 'deleted', 'they repeat the fields above'),
  entry(
    'customers',
    ['id', 'created_at'],
    'kept',
    'payments refer to the customer by its id, which says nothing of the person',
  ),
  entry('customer_terms', ['term'], 'deleted', 'they hold words of the name, tags, addresses and numbers'),
  entry('metadata_entries', ['entry'], 'deleted', 'they are digests of the metadata'),
  entry('customer_contacts', ['value', 'label'], 'deleted', 'they are the person’s addresses and numbers'),
  entry('customer_consents', ['ip'], 'deleted', 'it identifies the person'),
  entry(
    'customer_consents',
    ['channel', 'purpose', 'given_at', 'method', 'text_version', 'withdrawn_at'],
    'kept',
    'the business must be able to prove when and to what the customer agreed; with the contact deleted, these fields identify no person',
  ),
  entry('customer_notes', ['text'], 'deleted', 'people write about the person in it'),
  entry('customer_merges', ['moved'], 'kept', 'it holds ids only'),
  entry(
    'customer_timeline',
    ['type', 'resource_id', 'summary'],
    'kept',
    'it holds types, ids and amounts only',
  ),
  entry(
    'events',
    ['object', 'previous_attributes'],
    'deleted',
    'of events about the customer: the fields above, the contact, and the IP address of a consent',
  ),
  entry(
    'webhook_attempts',
    ['response_body'],
    'deleted',
    'an endpoint may repeat in its answer what it was sent',
  ),
  entry(
    'idempotency_claims',
    ['reply_body'],
    'deleted',
    'replies about the customer, and of batches that name it or its id at a source; a replay answers `reply_erased`, and the claim stays, so that a retry does not create the customer once more',
  ),
  entry('Redis', ['reply'], 'deleted', 'the same replies, where they are long and of the last day'),
  entry(
    'buyer_details',
    ['details', 'email', 'email_digests'],
    'deleted',
    'they are what the person gave to pay',
  ),
  entry(
    'checkout_sessions',
    ['customer_email', 'customer_name'],
    'deleted',
    'they fill in the page of a session for the customer, or for one of its addresses',
  ),
  entry('payment_links', ['customer_email', 'customer_name'], 'deleted', 'the same of a payment link'),
  entry(
    'checkout_recoveries',
    ['email'],
    'deleted',
    'a mail that waits for the end of a checkout, to one of the customer’s addresses or of a session of the customer, is given up',
  ),
  entry(
    'outgoing_mails',
    ['recipient', 'data'],
    'deleted',
    'a waiting mail to one of the customer’s addresses, or about one of its payments, is given up',
  ),
  entry(
    'payment_contacts',
    ['email'],
    'deleted',
    'addresses that buyers gave with the customer’s payments, and those of the customer wherever they were given',
  ),
  entry(
    'customer_external_ids',
    ['external_id'],
    'deleted',
    'a keyed digest stays, so that a synchronisation does not create the customer once more',
  ),
  entry(
    'sync_files',
    ['content', 'shape'],
    'deleted',
    'uploaded files of the sources that know the customer, with the rows that were refused, are removed a minute later',
  ),
  entry(
    'sync_refusals',
    ['records'],
    'deleted',
    'lists of refused records of the sources that know the customer: they name customers by the source’s id',
  ),
  entry('audit_events', ['objects'], 'kept', 'they are ids only, so the chain of digests stays as it is'),
  entry(
    'payments, refunds, disputes and their journals',
    ['amounts', 'dates', 'card brand and last four digits', 'bank account'],
    'kept',
    'tax law (Código Fiscal, five years) and the rules of the card schemes for disputes',
  ),
  entry(
    'dispute_files',
    ['name', 'content'],
    'kept',
    'evidence to a bank, which may ask again; each file is removed 180 days after it was uploaded or last named',
  ),
]
