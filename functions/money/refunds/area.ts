import type { Declaration } from '../../../src/http/declaration.ts'
import { outcome } from './contract.ts'
import { errors } from './errors.ts'
import { refundLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/refunds'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 70,
      name: 'Refunds',
      description:
        'Money back to buyers. Cards are refunded by the processor; what was paid at OXXO or by SPEI goes to a CLABE of the buyer and waits as `requires_destination` without one. What an API key sends to CLABEs above its limit of the day is `pending_approval` until a person approves it. `pending` (waits for your balance), `pending_approval` and `requires_destination` can be canceled; `processing` is on its way; `failed` and `canceled` are final; `succeeded` becomes `failed` if a bank sends the refund back. What fails or is canceled can be refunded again.',
    },
  ],
  nouns: { refunds: 'refund' },
  publishes: [outcome],
  personalData: {
    refunds: {
      whose: 't.customer_id = any (p_customers)',
      shownAs: 'refunds',
      columns: [
        {
          names: ['status', 'amount_minor', 'currency', 'reason', 'destination_clabe', 'destination_holder'],
          fate: 'kept',
          why: 'tax law (Código Fiscal, five years): where the money went',
        },
        {
          names: ['client_reference_id', 'metadata'],
          fate: 'kept',
          why: 'the business finds the refund by them in its own books',
        },
      ],
      impersonal: 'processor processor_ref clave_rastreo contradiction approved_by_user_id line_items',
    },
  },
  lookedUp: ['refunds'],
  deadlines: [{ table: 'refunds', columns: ['next_check_at'] }],
  lifecycles: [refundLifecycle],
  events: {
    refund: {
      scopes: ['refunds:read'],
      shownBy: 'refunds.get',
      types: {
        created: 'A refund was asked for, or made at the processor.',
        pending_approval: 'A refund waits for the approval of a person.',
        approved: 'A refund was approved.',
        pending: 'A refund waits for your balance.',
        processing: 'A refund is on its way.',
        succeeded: 'A refund has reached the buyer’s bank.',
        kept: 'The buyer of a transfer named no account, or their bank sent it back: the processor keeps the refund for the buyer.',
        failed: 'A refund failed, or came back; the amount can be refunded again.',
        canceled: 'A refund was canceled before it was sent.',
        amount_mismatch: 'The processor’s numbers of a refund contradict ours; people look at it.',
      },
    },
  },
  mails,
  errors,
  constraints: {
    payments_amounts_ordered: { code: 'refund_exceeds_captured' },
    refunds_processor_ref: 'stale',
    refunds_customer_of_payment: 'stale',
  },
  samples: {
    'refunds.resolve': { other: { decision: 'failed' } },
    'refunds.set_destination': { other: { clabe: '646180000000000025' } },
  },
}
