import * as z from 'zod'
import { cep } from '../../../src/http/cep.ts'
import { contract, originTables, reads } from '../../../src/http/contract.ts'
import { currency, minorString, one, paged, timestamp, uuid } from '../../../src/http/schemas.ts'
import { cepUrl } from '../../../src/kernel/cep.ts'

const SpeiDeposit = z
  .strictObject({
    id: uuid,
    object: z.literal('spei_deposit'),
    clabe: z.string().describe('The CLABE that it was sent to.'),
    payment_id: uuid
      .nullable()
      .describe('The payment that the CLABE was lent for; null when it was lent for none'),
    amount: minorString.describe('What arrived, in minor units.'),
    applied: minorString.describe('The part counted towards the payment; the rest is unapplied funds'),
    currency,
    clave_rastreo: z.string().describe('The tracking key of the transfer.'),
    sender_bank: z.string().describe('The bank that sent it, by its number in SPEI.'),
    sender_clabe: z
      .string()
      .nullable()
      .describe('The account that it came from; null where the bank did not say.'),
    sender_name: z
      .string()
      .nullable()
      .describe('The holder of that account; null where the bank did not say.'),
    operated_on: z.iso.date().describe('The banks’ date of the transfer'),
    cep,
    created_at: timestamp,
  })
  .meta({ id: 'SpeiDeposit' })

const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000012',
  object: 'spei_deposit',
  clabe: '646180000000000012',
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000002',
  amount: '120000',
  applied: '120000',
  currency: 'mxn',
  clave_rastreo: 'SBX20260613000000001',
  sender_bank: '40012',
  sender_clabe: '012914002014112176',
  sender_name: 'Ana Torres',
  operated_on: '2026-06-13',
  cep: {
    url: cepUrl,
    operated_on: '2026-06-13',
    clave_rastreo: 'SBX20260613000000001',
    sender_bank_name: 'BBVA México',
    receiver_bank_name: 'STP',
  },
  created_at: '2026-06-13T12:00:00.000Z',
} as const

const reading = { ...reads, tag: 'Payments', access: { api_key: { scopes: ['reporting:read'] } } } as const

export const list = contract({
  ...reading,
  id: 'spei_deposits.list',
  path: '/v1/payment-operations/spei-deposits',
  summary: 'List SPEI transfers that arrived',
  description:
    'Every transfer to one of your CLABEs, listed once, whether it was counted towards its payment, unapplied, or both.',
  ...paged(SpeiDeposit, example, {
    payment_id: uuid.optional(),
  }),
})

export const get = contract({
  ...reading,
  id: 'spei_deposits.get',
  path: '/v1/payment-operations/spei-deposits/:id',
  summary: 'Get a SPEI transfer that arrived',
  ...one(SpeiDeposit, example, 'spei_deposit_not_found'),
})

/** Books a SPEI transfer that arrived, and counts it towards the payment that waits for it. */
export const deposit = {
  id: 'payments.deposit',
  access: { system: {} },
  tables: [
    'payments',
    'payment_attempts',
    originTables,
    'clabes',
    'spei_deposits',
    'unapplied_funds',
    'ledger_journals',
    'outgoing_mails',
  ],
} as const

/** Books what moved in a buyer's balance at the processor. */
export const movement = {
  id: 'payments.movement',
  access: { system: {} },
  tables: [
    'payments',
    'buyer_balance_movements',
    'unapplied_funds',
    'unapplied_funds_withdrawals',
    'ledger_journals',
  ],
} as const
