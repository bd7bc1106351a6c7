import * as z from 'zod'
import { bankAccounts } from '../../../drizzle/schema/bank-accounts.ts'
import { activitySources } from '../../../drizzle/schema/ledger.ts'
import { entryKinds, payoutSettings } from '../../../drizzle/schema/payouts.ts'
import { contract, decides, reads } from '../../../src/http/contract.ts'
import {
  boundedMinor,
  currency,
  listed,
  minorString,
  paged,
  tenantId,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { account, exampleSold, sold } from './contract.ts'

const PayoutSettings = z
  .strictObject({
    id: uuid,
    object: z.literal('payout_settings'),
    currency,
    interval: z
      .enum(payoutSettings.interval.enumValues)
      .describe('How often it is paid out by itself; `manual` when you do it.'),
    anchor_day: z
      .int()
      .nullable()
      .describe('The day of the week (1 is Monday) or of the month; null with other intervals.'),
    amount_min: minorString.describe('The least that is paid out; minor units.'),
    bank_account_id: uuid.describe('The bank account that money goes to.'),
    destination: z
      .strictObject({
        ...account,
        status: z.enum(bankAccounts.status.enumValues).describe('Payouts wait while it is not `verified`.'),
      })
      .describe('The bank account of `bank_account_id`, with its status now.'),
    cool_down_ends_at: timestamp
      .nullable()
      .describe('Nothing is paid out before this time: the account was verified recently'),
    next_payout_on: z.iso.date().nullable().describe('Date in Mexico City; null when you pay out by hand'),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'PayoutSettings' })

const Activity = z
  .strictObject({
    id: uuid,
    object: z.literal('balance_activity'),
    kind: z.enum(entryKinds).describe('What moved the balance.'),
    source: z
      .strictObject({
        type: z.enum(activitySources).describe('What kind of resource it is.'),
        id: uuid.describe('The id of that resource.'),
      })
      .describe('What made the movement.'),
    ...sold,
    amount: minorString.describe('What it added to the available balance, or took from it'),
    currency,
    payout_id: uuid.nullable().describe('The payout that includes it; null while it is in the balance'),
    created_at: timestamp,
  })
  .meta({ id: 'BalanceActivity' })

const exampleSettings = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000043',
  object: 'payout_settings',
  currency: 'mxn',
  interval: 'weekly',
  anchor_day: 5,
  amount_min: '10000',
  bank_account_id: '0190a6d2-7c3e-7b1a-9f00-000000000045',
  destination: { clabe_last4: '9719', bank_name: 'Banorte (Ixe)', status: 'verified' },
  cool_down_ends_at: '2026-06-14T12:00:00.000Z',
  next_payout_on: '2026-06-19',
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const reading = { ...reads, access: { api_key: { scopes: ['reporting:read'] } } } as const
const path = '/v1/payment-operations/payout-settings'

export const list = contract({
  ...reading,
  id: 'payout_settings.list',
  path,
  tag: 'Payouts',
  summary: 'List when and where you are paid out',
  description: 'One for each currency.',
  ...listed(PayoutSettings, exampleSettings),
  errors: [],
})

export const update = contract({
  ...decides,
  id: 'payout_settings.update',
  versioned: true,
  path,
  tag: 'Payouts',
  summary: 'Set when and where you are paid out',
  description:
    'One for each currency; bank accounts are in mxn. The account must be a `verified` one of the workspace. A payout day on which banks are closed moves to the next on which they open. Nothing is paid out until `cool_down_ends_at` of the account; meanwhile the balance waits. When another account is named, webhooks get `payout_settings.destination_changed`. If the account is disabled or rejected, payouts wait until another is named. While a refund is `pending` for want of balance, the payout of the day waits for it. Below `amount_min` nothing is paid out and the balance waits for the next day. The step-up proof has the action `payout_settings.update` and the scope `transfers:write`; its params_hash is over {currency, interval, anchor_day (null when absent), amount_min, bank_account_id}.',
  access: {
    session: { role: 'admin', stepUp: { action: 'payout_settings.update', scope: 'transfers:write' } },
  },
  tables: ['payout_settings'],
  body: z.strictObject({
    tenant_id: tenantId,
    currency,
    interval: z
      .enum(payoutSettings.interval.enumValues)
      .describe('How often it is paid out by itself; `manual` when you do it.'),
    anchor_day: z
      .int()
      .nullable()
      .optional()
      .describe('Weekly: 1 Monday to 7 Sunday. Monthly: 1 to 31, the last day of a shorter month.'),
    amount_min: boundedMinor.default('0').describe('The least that is paid out; minor units.'),
    bank_account_id: uuid.describe('A verified bank account of the workspace.'),
  }),
  reply: { status: 200, schema: PayoutSettings },
  errors: [
    'workspace_not_found',
    'insufficient_role',
    'paid_out_by_processor',
    'currency_unsupported',
    'bank_account_not_found',
    'payout_account_not_verified',
  ],
  example: {
    body: {
      tenant_id: 'tn_demo',
      currency: 'mxn',
      interval: 'weekly',
      anchor_day: 5,
      amount_min: '10000',
      bank_account_id: exampleSettings.bank_account_id,
    },
    reply: exampleSettings,
  },
})

export const listActivity = contract({
  ...reading,
  id: 'balance_activity.list',
  path: '/v1/payment-operations/balance-activity',
  tag: 'Payouts',
  summary: 'List what moved your available balance',
  description: 'Every movement but payouts themselves; those with a `payout_id` have been paid out.',
  ...paged(
    Activity,
    {
      id: '0190a6d2-7c3e-7b1a-9f00-000000000042',
      object: 'balance_activity',
      kind: 'payment',
      source: { type: 'payment', id: '0190a6d2-7c3e-7b1a-9f00-000000000002' },
      ...exampleSold,
      amount: '98354',
      currency: 'mxn',
      payout_id: null,
      created_at: '2026-06-16T06:00:10.000Z',
    },
    {
      currency: currency.optional(),
      source_type: z.enum(activitySources).optional(),
      payout_id: uuid.optional().describe('Only what this payout includes.'),
    },
  ),
})
