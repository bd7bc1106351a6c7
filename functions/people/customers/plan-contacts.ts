import { customerConsents, customerContacts } from '../../../drizzle/schema/customers.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { change, insert, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract-contacts.ts'
import {
  type Changing,
  contactsMax,
  type Known,
  newContact,
  planChange,
  refusalOf,
  setByCaller,
} from './plan.ts'
import { presentConsent, presentContact } from './present.ts'
import type { ConsentRow, ContactRow, CustomerRow } from './store.ts'

export function planAddContact(
  { customer, contacts }: Known,
  asked: BodyOf<typeof contracts.addContact>,
  clock: Clock,
) {
  const closed = refusalOf(customer)
  if (closed) return closed
  if (customer.status === 'blocked') return refuse('customer_blocked')
  const { kind, value } = asked
  if (contacts.some((known) => known.kind === kind && known.value === value))
    return refuse('customer_contact_exists')
  if (contacts.length >= contactsMax) return refuse('customer_contacts_too_many')
  const contact = newContact(customer, asked, clock)
  const isPrimary = asked.primary || customer[kind] === null
  const set = isPrimary ? setByCaller(customer, { [kind]: value }, clock.now) : {}
  const writes = [insert(customerContacts, contact)]
  const plan = contactChange(customer, contact, { type: 'customer.contact_added', set, writes }, clock)
  return { ...plan, subjectId: contact.id }
}

export function planVerifyContact(customer: CustomerRow, contact: ContactRow, clock: Clock) {
  const closed = refusalOf(customer)
  if (closed) return closed
  if (contact.status === 'removed') return refuse('customer_contact_removed')
  if (contact.verifiedAt) return refuse('customer_contact_verified')
  const verified = { verifiedAt: clock.now, updatedAt: clock.now }
  const writes = [change(customerContacts, contact, verified)]
  const after = { ...contact, ...verified }
  return contactChange(customer, after, { type: 'customer.contact_verified', writes }, clock)
}

export function planRemoveContact(customer: CustomerRow, contact: ContactRow, clock: Clock) {
  const closed = refusalOf(customer)
  if (closed) return closed
  if (contact.status === 'removed') return refuse('customer_contact_removed')
  const isPrimary = customer[contact.kind] === contact.value
  const set = isPrimary ? setByCaller(customer, { [contact.kind]: null }, clock.now) : {}
  const removed = { status: 'removed', updatedAt: clock.now } as const
  const writes = [change(customerContacts, contact, removed)]
  const after = { ...contact, ...removed }
  return contactChange(customer, after, { type: 'customer.contact_removed', set, writes }, clock)
}

function contactChange(customer: CustomerRow, contact: ContactRow, changing: Changing, clock: Clock) {
  const { email, phone } = { ...customer, ...changing.set }
  const reply = presentContact({ ...contact, email, phone })
  return { ...planChange(customer, { ...changing, adds: { contact: reply } }, clock), reply }
}

export function planGiveConsent(
  customer: CustomerRow,
  contact: ContactRow,
  asked: BodyOf<typeof contracts.giveConsent>,
  clock: Clock,
) {
  const closed = refusalOf(customer)
  if (closed) return closed
  if (contact.status === 'removed') return refuse('customer_contact_removed')
  if ((asked.channel === 'email') !== (contact.kind === 'email'))
    return refuse('customer_consent_channel', { param: 'channel' })
  const givenAt = asked.given_at === undefined ? clock.now : new Date(asked.given_at)
  if (givenAt > clock.now) return refuse('customer_consent_in_future', { param: 'given_at' })
  const consent: ConsentRow = {
    ...newRow(clock),
    customerId: customer.id,
    contactId: contact.id,
    channel: asked.channel,
    purpose: asked.purpose,
    status: 'given',
    givenAt,
    method: asked.method,
    textVersion: asked.text_version,
    ip: asked.ip,
    withdrawnAt: null,
  }
  const writes = [insert(customerConsents, consent)]
  const plan = consentChange(customer, consent, { type: 'customer.consent_given', writes }, clock)
  return { ...plan, subjectId: consent.id }
}

export function planWithdrawConsent(customer: CustomerRow, consent: ConsentRow, clock: Clock) {
  const closed = refusalOf(customer)
  if (closed) return closed
  if (consent.status === 'withdrawn') return refuse('customer_consent_withdrawn')
  const withdrawn = { status: 'withdrawn', withdrawnAt: clock.now, updatedAt: clock.now } as const
  const writes = [change(customerConsents, consent, withdrawn)]
  const after = { ...consent, ...withdrawn }
  return consentChange(customer, after, { type: 'customer.consent_withdrawn', writes }, clock)
}

function consentChange(customer: CustomerRow, consent: ConsentRow, changing: Changing, clock: Clock) {
  const reply = presentConsent(consent)
  return { ...planChange(customer, { ...changing, adds: { consent: reply } }, clock), reply }
}
