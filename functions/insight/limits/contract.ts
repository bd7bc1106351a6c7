import * as z from 'zod'
import { tenants } from '../../../drizzle/schema/tenants.ts'
import { contract, reads } from '../../../src/http/contract.ts'
import { currency, timestamp } from '../../../src/http/schemas.ts'
import { methods } from '../../../src/kernel/payment-methods.ts'

const ofCurrency = currency.nullable().describe('The currency that it is about; null: of none, or of any.')

const Capability = z.strictObject({
  name: z.enum(['payments', 'payouts', 'transfers']).describe('What the workspace does.'),
  method: z.enum(methods).nullable().describe('How buyers pay; null where it is no payment.'),
  currency: ofCurrency,
  allowed: z.boolean().describe('Whether it may be done now.'),
  reasons: z
    .array(
      z.strictObject({
        code: z.string().describe('The code of the error that it would meet.'),
        source: z
          .enum(['platform', 'policy', 'processor_account', 'review', 'payout_settings', 'bank_account'])
          .describe(
            '`platform`: what holds in this environment. `policy`: your payment policy. `processor_account`: what the account that takes the money may take. `review`: the status of the workspace.',
          ),
        message: z.string().nullable().describe('What is missing; null where the code says it.'),
        until: timestamp.nullable().describe('When the reason is over by itself; null: not by itself.'),
      }),
    )
    .describe('Why it is not allowed; empty where it is.'),
})

export const limitUnits = [
  'minor_units',
  'count',
  'bytes',
  'characters',
  'hours',
  'days',
  'basis_points',
  'requests_per_minute',
] as const

const Limit = z.strictObject({
  name: z
    .string()
    .describe('What is limited. A field of the payment policy has its path: `methods.oxxo.amount_max.mxn`.'),
  description: z.string().describe('The limit in words.'),
  value: z.string().regex(/^\d+$/).describe('The limit: a whole number of `unit`.'),
  unit: z.enum(limitUnits).describe('What is counted.'),
  used: z
    .string()
    .regex(/^\d+$/)
    .nullable()
    .describe('How much of it is used; null where it holds for each one, or is not counted for you to read.'),
  resets_on: z.iso
    .date()
    .nullable()
    .describe('The day in Mexico City on which `used` begins at zero; null where it does not.'),
  currency: ofCurrency,
  source: z
    .enum(['platform', 'plan', 'policy', 'reserve', 'api_key', 'payout_settings'])
    .describe(
      'Who set it. `platform`: holds for all in this environment. `plan`: your fees. `policy`: your payment policy. `api_key`: this key’s own.',
    ),
})

export const WorkspaceLimits = z
  .strictObject({
    object: z.literal('workspace_limits'),
    status: z.enum(tenants.status.enumValues).describe('Status of the workspace.'),
    capabilities: z.array(Capability).describe('What the workspace may do now, and why not.'),
    limits: z.array(Limit).describe('Every limit of the workspace, and of the API key that asks.'),
  })
  .meta({ id: 'WorkspaceLimits' })

const whole = { used: null, resets_on: null, currency: null } as const

export const get = contract({
  ...reads,
  id: 'workspace_limits.get',
  path: '/v1/workspace/limits',
  tag: 'Workspaces',
  summary: 'Get what the workspace may do now',
  description:
    'What may be done now, with the errors that it would meet otherwise, and every limit with its value, what is used of it and who set it. Daily limits are those of the API key that asks. Each is the number that refuses more. How long a field may be stands with the field.',
  access: { api_key: { scopes: ['workspace:read'] } },
  reply: { status: 200, schema: WorkspaceLimits },
  errors: [],
  example: {
    reply: {
      object: 'workspace_limits',
      status: 'active',
      capabilities: [
        { name: 'payments', method: 'card', currency: null, allowed: true, reasons: [] },
        {
          name: 'payouts',
          method: null,
          currency: 'mxn',
          allowed: false,
          reasons: [
            {
              code: 'payout_account_cooling_down',
              source: 'bank_account',
              message: null,
              until: '2026-06-14T12:00:00.000Z',
            },
          ],
        },
      ],
      limits: [
        {
          ...whole,
          name: 'methods.oxxo.amount_max.mxn',
          description: 'The largest amount of a payment by this method.',
          value: '500000',
          unit: 'minor_units',
          currency: 'mxn',
          source: 'policy',
        },
        {
          name: 'transfers_per_day.mxn',
          description: 'What this API key transfers in a day without approval.',
          value: '5000000',
          unit: 'minor_units',
          used: '120000',
          resets_on: '2026-06-14',
          currency: 'mxn',
          source: 'platform',
        },
        {
          ...whole,
          name: 'webhook_endpoints',
          description: 'The webhook endpoints of a workspace.',
          value: '50',
          unit: 'count',
          used: '2',
          source: 'platform',
        },
      ],
    },
  },
})
