import { operation } from '../../src/http/operation.ts'
import { metadataOf } from '../../src/http/pagination.ts'
import type { Services } from '../../src/http/services.ts'
import type { PaymentOrigins } from './apply-result.ts'
import { carryOut } from './capture.ts'
import * as contracts from './contract.ts'
import { cancel, capture } from './contract-authorization.ts'
import { balance } from './contract-balance.ts'
import * as history from './contract-history.ts'
import { resolve } from './contract-review.ts'
import { presentAttempt, presentEvent, presentJournals, presentPayment, wholeList } from './present.ts'
import { presentBalance } from './present-balance.ts'
import { decide } from './review.ts'
import { accounts, attemptsOf, eventsOf, journalLinesOf, ofLink, paymentById, paymentsPage } from './store.ts'

export const listPayments = operation(contracts.list, ({ query, fail, list }) => {
  // A payment has one means of payment.
  const [paidBy, ...others] = [query.last4, query.reference, query.clabe].filter(
    (given) => given !== undefined,
  )
  if (others.length > 0)
    return fail('parameter_invalid', { param: 'last4', message: 'Give one of last4, reference and clabe.' })
  const filters = {
    status: query.status,
    method: query.method,
    originKind: query.origin_kind,
    originId: query.origin_id,
    ...(query.payment_link_id && ofLink(query.payment_link_id)),
    customerId: query.customer_id,
    clientReferenceId: query.client_reference_id,
    paidBy,
    ...metadataOf(query.metadata),
    amountFrom: query['amount.gte'],
    amountTo: query['amount.lte'],
  }
  return list((window) => paymentsPage({ ...window, ...filters }), presentPayment)
})

export const getPayment = operation(contracts.get, async ({ params, read, fail }) => {
  const [payment] = await read(paymentById({ id: params.id }))
  return payment ? presentPayment(payment) : fail('payment_not_found')
})

// Every payment has an attempt, an event and, unless nothing was captured, a journal: no rows means no payment.
export const listAttempts = operation(contracts.listAttempts, async ({ params, read, fail }) => {
  const attempts = await read(attemptsOf({ paymentId: params.id }))
  return attempts.length > 0 ? wholeList(attempts.map(presentAttempt)) : fail('payment_not_found')
})

export const listEvents = operation(history.listEvents, async ({ params, read, fail }) => {
  const events = await read(eventsOf({ paymentId: params.id }))
  return events.some(({ resourceType }) => resourceType === 'payment')
    ? wholeList(events.map(presentEvent))
    : fail('payment_not_found')
})

export const listJournals = operation(history.listJournals, async ({ params, readAll, fail }) => {
  const [payment, lines] = await readAll(
    paymentById({ id: params.id }),
    journalLinesOf({ paymentId: params.id }),
  )
  return payment.length > 0 ? wholeList(presentJournals(lines)) : fail('payment_not_found')
})

/** Needs the origins: a capture changes what was sold, and so may a second look. */
export const changingOperations = (originsOf: (services: Services) => PaymentOrigins) => [
  operation(capture, (call) =>
    carryOut(call, originsOf(call.services), { kind: 'capture', amount: call.body.amount }),
  ),
  operation(cancel, (call) => carryOut(call, originsOf(call.services), { kind: 'cancel' })),
  operation(
    resolve,
    (call) => decide(call, originsOf(call.services)),
    ({ params, body }) => ({ payment_id: params.id, decision: body.decision }),
  ),
]

export const getBalance = operation(balance, async ({ read }) => presentBalance(await read(accounts())))
