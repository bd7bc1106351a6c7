import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { cepOfArrived } from '../../../src/kernel/cep.ts'
import { publicIdsOf } from '../../../src/kernel/folio.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import * as contracts from './contract.ts'
import { balance } from './contract-balance.ts'
import * as deposits from './contract-deposits.ts'
import { filterOf } from './contract-filters.ts'
import * as history from './contract-history.ts'
import type { OriginFacts } from './payment-origin.ts'
import {
  presentAttempt,
  presentBalance,
  presentEvent,
  presentJournals,
  presentPayment,
  presentWithReceipt,
  wholeList,
} from './present.ts'
import {
  accounts,
  attemptsOf,
  type DepositRow,
  depositById,
  depositsPage,
  eventsOf,
  journalLinesOf,
  ofOrigin,
  paymentAt,
  paymentById,
  paymentsPage,
} from './store.ts'

const listPayments = (origins: readonly OriginFacts[]) =>
  listOperation(contracts.list(origins), paymentsPage, presentPayment, {
    values: ({ query, fail }) => {
      // A payment has one payment instrument, and one origin.
      const [means, ...otherMeans] = instruments.filter((name) => query[name] !== undefined)
      if (means && otherMeans.length > 0)
        return fail('parameter_invalid', {
          param: means,
          message: 'Give one of last4, reference and clabe.',
        })
      const [sold, ...otherSold] = origins.filter((origin) => refIn(query, origin) !== undefined)
      if (sold && otherSold.length > 0)
        return fail('parameter_invalid', {
          param: filterOf(sold),
          message: 'Payments have one origin: give one filter for it.',
        })
      const [publicIdFrom, publicIdTo] = publicIdsOf(query.folio ?? '')
      return {
        ...(sold && ofOrigin(sold.kind, refIn(query, sold)!)),
        paidBy: means && query[means],
        publicIdFrom,
        publicIdTo,
        amountFrom: query['amount.gte'],
        amountTo: query['amount.lte'],
      }
    },
  })

const instruments = ['last4', 'reference', 'clabe'] as const

const refIn = (query: object, origin: OriginFacts) =>
  (query as Readonly<Record<string, string | undefined>>)[filterOf(origin)]

const getPayment = getOperation(contracts.get, ({ id }) => paymentAt(id), presentWithReceipt)

// Every payment has an attempt, an event and, unless nothing was captured, a journal: no rows means no payment.
const listAttempts = operation(contracts.listAttempts, async ({ params, read, fail }) => {
  const attempts = await read(attemptsOf({ paymentId: params.id }))
  return attempts.length > 0 ? wholeList(attempts.map(presentAttempt)) : fail('payment_not_found')
})

const listEvents = operation(history.listEvents, async ({ params, read, fail }) => {
  const events = await read(eventsOf({ paymentId: params.id }))
  return events.some(({ resourceType }) => resourceType === 'payment')
    ? wholeList(events.map(presentEvent))
    : fail('payment_not_found')
})

const listJournals = operation(history.listJournals, async ({ params, readAll, fail }) => {
  const [payment, lines] = await readAll(
    paymentById({ id: params.id }),
    journalLinesOf({ paymentId: params.id }),
  )
  return payment.length > 0 ? wholeList(presentJournals(lines)) : fail('payment_not_found')
})

const getBalance = operation(balance, async ({ read }) => presentBalance(await read(accounts())))

const listDeposits = listOperation(deposits.list, depositsPage, presentDeposit)

const getDeposit = getOperation(deposits.get, depositById, presentDeposit)

function presentDeposit(deposit: DepositRow) {
  return {
    id: deposit.id,
    object: 'spei_deposit' as const,
    clabe: deposit.clabe,
    payment_id: deposit.paymentId,
    amount: toMinorString(deposit.amountMinor),
    applied: toMinorString(deposit.appliedMinor),
    currency: deposit.currency,
    clave_rastreo: deposit.claveRastreo,
    sender_bank: deposit.senderBank,
    sender_clabe: deposit.senderClabe,
    sender_name: deposit.senderName,
    operated_on: deposit.operatedOn,
    cep: cepOfArrived(deposit),
    created_at: deposit.createdAt.toISOString(),
  }
}

/** All that only reads. What is sold is known by its facts: nothing that sells is loaded. */
export const withFacts = (facts: readonly OriginFacts[]) => ({
  operations: [
    listPayments(facts),
    getPayment,
    listAttempts,
    listEvents,
    listJournals,
    getBalance,
    listDeposits,
    getDeposit,
  ],
})
