import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import { presentPayment } from '../../money/payments/api-pure.ts'
import * as contracts from './contract.ts'
import * as ofContacts from './contract-contacts.ts'
import { erase } from './contract-erasure.ts'
import * as ofMerges from './contract-merges.ts'
import * as ofNotes from './contract-notes.ts'
import { inShort, listCustomerPayments } from './contract-payments.ts'
import { listTimeline } from './contract-timeline.ts'
import { exportOperations } from './operations-export.ts'
import { planBlock, planCreate, planUnblock, planUpdate } from './plan.ts'
import {
  planAddContact,
  planGiveConsent,
  planRemoveContact,
  planVerifyContact,
  planWithdrawConsent,
} from './plan-contacts.ts'
import { planRequestErasure } from './plan-erasure.ts'
import { planMerge, planUnmerge } from './plan-merges.ts'
import { planAddNote, planDeleteNote, planUpdateNote } from './plan-notes.ts'
import {
  presentConsent,
  presentContact,
  presentCustomer,
  presentNote,
  presentTimelineEvent,
} from './present.ts'
import {
  consentById,
  consentsPage,
  contactById,
  contactsBeside,
  contactsOf,
  contactsOfSurvivor,
  contactsPage,
  customerById,
  customerFor,
  customerOfConsent,
  customerOfContact,
  customerOfNote,
  customersPage,
  mergedBeside,
  mergesOf,
  noteById,
  notesPage,
  openBusiness,
  paymentsOfCustomer,
  shownContact,
  survivorOf,
  termsAsked,
  timelinePage,
} from './store.ts'

const createCustomer = operation(contracts.create, (call) => call.publish(planCreate(call.body, call)))

const listCustomers = listOperation(contracts.list, customersPage, presentCustomer, {
  values: ({ query }) => termsAsked(query),
})
const getCustomer = getOperation(contracts.get, customerFor, presentCustomer)

const updateCustomer = operation(contracts.update, async (call) => {
  const [[customer], contacts] = await call.readAll(customerById(call.params), contactsOf(call.params))
  return customer
    ? call.publish(planUpdate({ customer, contacts }, call.body, call))
    : call.fail('customer_not_found')
})

const mergeCustomer = operation(ofMerges.merge, async (call) => {
  const into = { id: call.body.into }
  const [[customer], contacts, [survivor], ofSurvivor] = await call.readAll(
    customerById(call.params),
    contactsOf(call.params),
    customerById(into),
    contactsOf(into),
  )
  if (!customer) return call.fail('customer_not_found')
  return survivor
    ? call.publish(planMerge({ customer, contacts }, { customer: survivor, contacts: ofSurvivor }, call))
    : call.publish(refuse('customer_not_found', { param: 'into' }))
})

const unmergeCustomer = operation(ofMerges.unmerge, async (call) => {
  const { params } = call
  const [[customer], contacts, [merge], [survivor], ofSurvivor, beside, ofBeside] = await call.readAll(
    customerById(params),
    contactsOf(params),
    mergesOf({ customerId: params.id, status: 'merged' }),
    survivorOf(params),
    contactsOfSurvivor(params),
    mergedBeside(params),
    contactsBeside(params),
  )
  if (!customer) return call.fail('customer_not_found')
  if (!merge || !survivor)
    return call.publish(refuse(customer.status === 'erased' ? 'customer_erased' : 'customer_not_merged'))
  const kept = { customer: survivor, contacts: ofSurvivor }
  const all = { beside, contactsBeside: ofBeside }
  return call.publish(planUnmerge({ customer, contacts, merge, survivor: kept, ...all }, call))
})

const eraseCustomer = operation(erase, async (call) => {
  const [[customer], [open]] = await call.readAll(customerById(call.params), openBusiness(call.params))
  return customer
    ? call.publish(planRequestErasure(customer, open ?? null, call))
    : call.fail('customer_not_found')
})

/** What belongs to a customer, also by the id of a customer that became part of it. */
const within = (params: { readonly id: string }) =>
  ({ query: customerFor(params), missing: 'customer_not_found' }) as const
const ofThis = {
  values: ({ params }: { readonly params: { id: string } }) => ({ ofCustomer: params.id }),
  within,
}

const listContacts = listOperation(ofContacts.listContacts, contactsPage, presentContact, ofThis)
const getContact = getOperation(ofContacts.getContact, shownContact, presentContact)

const addContact = operation(ofContacts.addContact, async (call) => {
  const [[customer], contacts] = await call.readAll(customerById(call.params), contactsOf(call.params))
  return customer
    ? call.publish(planAddContact({ customer, contacts }, call.body, call))
    : call.fail('customer_not_found')
})

const changesContact = (
  declared: typeof ofContacts.verifyContact | typeof ofContacts.removeContact,
  plan: typeof planVerifyContact | typeof planRemoveContact,
) =>
  operation(declared, async (call) => {
    const [[contact], [customer]] = await call.readAll(
      contactById(call.params),
      customerOfContact(call.params),
    )
    return contact && customer
      ? call.publish(plan(customer, contact, call))
      : call.fail('customer_contact_not_found')
  })
const verifyContact = changesContact(ofContacts.verifyContact, planVerifyContact)
const removeContact = changesContact(ofContacts.removeContact, planRemoveContact)

const listConsents = listOperation(ofContacts.listConsents, consentsPage, presentConsent, ofThis)
const getConsent = getOperation(ofContacts.getConsent, consentById, presentConsent)

const giveConsent = operation(ofContacts.giveConsent, async (call) => {
  const [[contact], [customer]] = await call.readAll(contactById(call.params), customerOfContact(call.params))
  return contact && customer
    ? call.publish(planGiveConsent(customer, contact, call.body, call))
    : call.fail('customer_contact_not_found')
})

const withdrawConsent = operation(ofContacts.withdrawConsent, async (call) => {
  const [[consent], [customer]] = await call.readAll(consentById(call.params), customerOfConsent(call.params))
  return consent && customer
    ? call.publish(planWithdrawConsent(customer, consent, call))
    : call.fail('customer_consent_not_found')
})

const listNotes = listOperation(ofNotes.listNotes, notesPage, presentNote, ofThis)
const getNote = getOperation(ofNotes.getNote, noteById, presentNote)

const updateNote = operation(ofNotes.updateNote, async (call) => {
  const [[note], [customer]] = await call.readAll(noteById(call.params), customerOfNote(call.params))
  return note && customer
    ? call.publish(planUpdateNote(customer, note, call.body, call))
    : call.fail('customer_note_not_found')
})

const deleteNote = operation(ofNotes.deleteNote, async (call) => {
  const [[note], [customer]] = await call.readAll(noteById(call.params), customerOfNote(call.params))
  return note && customer
    ? call.publish(planDeleteNote(customer, note, call))
    : call.fail('customer_note_not_found')
})

const listTimelineEvents = listOperation(listTimeline, timelinePage, presentTimelineEvent, {
  values: ({ params }) => ({ ofCustomer: params.customer_id }),
  within: ({ customer_id: id }) => within({ id }),
})

const listPayments = listOperation(
  listCustomerPayments,
  paymentsOfCustomer,
  (payment) => inShort(presentPayment(payment)),
  ofThis,
)

export const operations = [
  ...exportOperations,
  listPayments,
  listTimelineEvents,
  createCustomer,
  listCustomers,
  getCustomer,
  updateCustomer,
  changeOperation(contracts.block, customerById, planBlock),
  changeOperation(contracts.unblock, customerById, planUnblock),
  mergeCustomer,
  unmergeCustomer,
  eraseCustomer,
  listContacts,
  addContact,
  getContact,
  verifyContact,
  removeContact,
  listConsents,
  giveConsent,
  getConsent,
  withdrawConsent,
  listNotes,
  changeOperation(ofNotes.addNote, customerById, (customer, call) => planAddNote(customer, call.body, call)),
  getNote,
  updateNote,
  deleteNote,
]
