import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { currency, listed, minorString, timestamp, uuid } from '../../../src/http/schemas.ts'
import { examplePayment, ofPayment } from './contract.ts'

const Event = z
  .strictObject({
    id: uuid,
    object: z.literal('event'),
    type: z.string().describe('What happened: `payment.succeeded`.'),
    sequence: z.int().min(0).describe('1, 2, 3 … for this payment.'),
    created_at: timestamp,
    data: z
      .strictObject({
        object: z.record(z.string(), z.unknown()).describe('The payment after the change.'),
        previous_attributes: z
          .record(z.string(), z.unknown())
          .describe('The earlier values of the fields that changed.'),
      })
      .describe('The payment’s state in the event.'),
  })
  .meta({ id: 'PaymentEvent' })

const Journal = z
  .strictObject({
    id: uuid,
    object: z.literal('journal'),
    entry_kind: z.string().describe('What was booked: a capture, a fee, a release …'),
    currency,
    created_at: timestamp,
    postings: z
      .array(
        z.strictObject({
          account: z.string().describe('The account of the ledger.'),
          amount: minorString.describe('Positive: gained; negative: lost. Minor units.'),
        }),
      )
      .describe('The entries of the journal; their amounts sum to zero.'),
  })
  .meta({ id: 'Journal' })

export const listEvents = contract({
  ...ofPayment,
  id: 'payments.list_events',
  path: '/v1/payment-operations/payments/:id/events',
  summary: 'List the events of a payment',
  description: 'In the order of their sequence.',
  ...listed(Event, {
    id: '0190a6d2-7c3e-7b1a-9f00-000000000005',
    object: 'event',
    type: 'payment.funds_available',
    sequence: 3,
    created_at: '2026-06-16T12:00:00.000Z',
    data: {
      object: { ...examplePayment, funds_status: 'available', updated_at: '2026-06-16T12:00:00.000Z' },
      previous_attributes: { funds_status: 'pending' },
    },
  }),
})

export const listJournals = contract({
  ...ofPayment,
  id: 'payments.list_journals',
  path: '/v1/payment-operations/payments/:id/journals',
  summary: 'List the ledger journals of a payment',
  description:
    'Double entry: the postings of each journal sum to zero. Amounts owed to the merchant and amounts it spent are positive.',
  ...listed(Journal, {
    id: '0190a6d2-7c3e-7b1a-9f00-000000000006',
    object: 'journal',
    entry_kind: 'capture',
    currency: 'mxn',
    created_at: '2026-06-13T12:00:05.000Z',
    postings: [
      { account: 'fee_expense', amount: '18660' },
      { account: 'iva_on_fees', amount: '2986' },
      { account: 'merchant_pending', amount: '98354' },
      { account: 'processor_clearing', amount: '-120000' },
    ],
  }),
})
