import * as z from 'zod'
import { contract, writes } from '../../../src/http/contract.ts'
import { minorAsked, uuid } from '../../../src/http/schemas.ts'
import { examplePayment, outcomeTables, Payment } from './contract.ts'
import { nounOf } from './contract-filters.ts'
import type { OriginFacts } from './payment-origin.ts'

const moving = {
  ...writes,
  tag: 'Payments',
  tables: outcomeTables,
  params: z.strictObject({ id: uuid }),
  notFound: 'payment_not_found',
  reply: { status: 200, schema: Payment },
} as const

const resuming =
  'The reply comes when the processor has answered. If the processor does not answer in time, the reply is the unchanged payment, and `pending_change` of its last attempt names the change under way: Spindle asks the processor again within seconds and reports the result as an event. A retry with the same Idempotency-Key resumes the change, never takes money twice, and is stored once it is done. Meanwhile another key is answered `payment_change_in_progress`. The key needs a write scope of the origin that sold: '

const scopesOf = (origins: readonly OriginFacts[]) =>
  origins
    .map(
      (origin) => `${origin.writeScopes.map((scope) => `\`${scope}\``).join(' or ')} for ${nounOf(origin)}s`,
    )
    .join(', ')

/** Accepts the scope of any origin; the payment needs its own origin's. */
export const sellers = (origins: readonly OriginFacts[]) => {
  const [first, ...others] = new Set(origins.flatMap(({ writeScopes }) => writeScopes))
  return { api_key: { scopes: [first!, ...others] } } as const
}

export const capture = (origins: readonly OriginFacts[]) =>
  contract({
    ...moving,
    access: sellers(origins),
    id: 'payments.capture',
    path: '/v1/payments/:id/capture',
    summary: 'Capture an authorized payment',
    description: `Takes what a card authorized on a link with \`capture_method\` manual, until its \`capture_before\`: all of it, or \`amount\`. A part makes the payment \`partially_captured\`, for good: the rest is released. Fees, IVA and net are computed on the captured amount. ${resuming}${scopesOf(origins)}.`,
    body: z.strictObject({
      amount: minorAsked.optional().describe('Minor units; all that was authorized when absent'),
    }),
    errors: [
      'payment_not_found',
      'payment_not_capturable',
      'payment_change_in_progress',
      'payment_under_review',
      'authorization_expired',
      'capture_amount_not_positive',
      'capture_exceeds_authorized',
      'capture_below_fees',
      'payments_not_configured',
    ],
    example: {
      body: { amount: '50000' },
      reply: {
        ...examplePayment,
        status: 'partially_captured',
        amount_captured: '50000',
        capture_method: 'manual',
        capture_before: '2026-06-20T12:00:05.000Z',
        amount_fee: '9019',
        fee_details: { processing: '1800', installments: '5975', iva: '1244' },
        amount_net: '40981',
      },
    },
  })

export const cancel = (origins: readonly OriginFacts[]) =>
  contract({
    ...moving,
    access: sellers(origins),
    id: 'payments.cancel',
    path: '/v1/payments/:id/cancel',
    summary: 'Cancel a payment that is not captured',
    description: `Voids an authorization, or ends a payment that waits for its buyer: a challenge, a voucher, a CLABE, another card. Money that arrived anyway is never lost: a captured payment stays captured. ${resuming}${scopesOf(origins)}.`,
    errors: [
      'payment_not_found',
      'payment_not_cancelable',
      'payment_change_in_progress',
      'payment_under_review',
      'payments_not_configured',
    ],
    example: {
      reply: {
        ...examplePayment,
        status: 'canceled',
        amount_captured: '0',
        capture_method: 'manual',
        capture_before: '2026-06-20T12:00:05.000Z',
        amount_fee: '0',
        fee_details: { processing: '0', installments: '0', iva: '0' },
        amount_net: '0',
        available_on: null,
        funds_status: 'none',
        succeeded_at: null,
      },
    },
  })
