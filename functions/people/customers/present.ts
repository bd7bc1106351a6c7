import type { ConsentRow, CustomerRow, NoteRow, ShownContact, TimelineRow } from './store.ts'

/** A customer as the interface shows it. */
export const presentCustomer = (customer: CustomerRow) => ({
  id: customer.id,
  object: 'customer' as const,
  status: customer.status,
  name: customer.name,
  email: customer.email,
  phone: customer.phone,
  locale: customer.locale,
  addresses: customer.addresses.map((address) => ({ ...address })),
  tags: [...customer.tags],
  tax_profile: customer.taxProfile && { ...customer.taxProfile },
  external_id: customer.externalId,
  metadata: customer.metadata,
  merged_into: customer.mergedInto,
  erases_at: customer.eraseAt?.toISOString() ?? null,
  version: customer.version,
  created_at: customer.createdAt.toISOString(),
  updated_at: customer.updatedAt.toISOString(),
})

/** A contact as the interface shows it. */
export const presentContact = (contact: ShownContact) => ({
  id: contact.id,
  object: 'customer_contact' as const,
  customer_id: contact.customerId,
  kind: contact.kind,
  label: contact.label,
  value: contact.value,
  primary: contact.status === 'active' && contact[contact.kind] === contact.value,
  verified_at: contact.verifiedAt?.toISOString() ?? null,
  status: contact.status,
  created_at: contact.createdAt.toISOString(),
  updated_at: contact.updatedAt.toISOString(),
})

/** A consent as the interface shows it. */
export const presentConsent = (consent: ConsentRow) => ({
  id: consent.id,
  object: 'customer_consent' as const,
  customer_id: consent.customerId,
  contact_id: consent.contactId,
  channel: consent.channel,
  purpose: consent.purpose,
  status: consent.status,
  given_at: consent.givenAt.toISOString(),
  method: consent.method,
  text_version: consent.textVersion,
  ip: consent.ip,
  withdrawn_at: consent.withdrawnAt?.toISOString() ?? null,
  created_at: consent.createdAt.toISOString(),
  updated_at: consent.updatedAt.toISOString(),
})

/** A note as the interface shows it. */
export const presentNote = (note: NoteRow) => ({
  id: note.id,
  object: 'customer_note' as const,
  customer_id: note.customerId,
  text: note.text,
  created_at: note.createdAt.toISOString(),
  updated_at: note.updatedAt.toISOString(),
})

/** An event of a timeline as the interface shows it. */
export const presentTimelineEvent = (event: TimelineRow) => ({
  id: event.id,
  object: 'timeline_event' as const,
  customer_id: event.customerId,
  type: event.type,
  source: event.source,
  resource: { type: event.resourceType, id: event.resourceId },
  summary: { ...event.summary },
  occurred_at: event.createdAt.toISOString(),
  received_at: event.receivedAt.toISOString(),
})
