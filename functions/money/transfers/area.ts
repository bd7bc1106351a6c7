import type { Declaration } from '../../../src/http/declaration.ts'
import { outcome, receive } from './contract.ts'
import { errors } from './errors.ts'
import { transferLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  routes: [
    {
      at: ['/v1/payment-operations/incoming-transfers', '/v1/payment-operations/transfers'],
      by: 'operations.ts#operations',
    },
  ],
  tags: [
    {
      at: 90,
      name: 'Transfers',
      description:
        'Money that you send from your available balance, to a CLABE or to another workspace. `pending` and `processing` are debited; above the limit of the API key for the day a transfer is `pending_approval` and debits nothing until a person approves it. A bank may send a paid transfer back: then it is `returned`, and the money available again.',
    },
  ],
  nouns: { transfers: 'transfer' },
  publishes: [outcome, receive],
  jobs: { transfers: { at: 70, runs: 'send.ts#resolveTransfers', table: 'transfers' } },
  appendOnly: ['incoming_transfers'],
  lookedUp: ['transfers'],
  deadlines: [{ table: 'transfers', columns: ['next_check_at'] }],
  lifecycles: [transferLifecycle],
  events: {
    transfer: {
      scopes: ['transfers:read'],
      shownBy: 'transfers.get',
      types: {
        created: 'A transfer was asked for.',
        pending_approval: 'A transfer waits for the approval of a person.',
        approved: 'A transfer was approved.',
        canceled: 'A transfer was canceled before it was sent.',
        processing: 'A transfer is on its way.',
        paid: 'A transfer has arrived.',
        failed: 'A transfer failed; the money is available again.',
        returned: 'The receiving bank sent a transfer back; the money is available again.',
      },
    },
    incoming_transfer: {
      scopes: ['transfers:read'],
      shownBy: 'transfers.list_incoming',
      types: {
        received: 'Money was put into your balance by a transfer.',
      },
    },
  },
  errors,
  constraints: {
    incoming_transfers_tenant: { code: 'transfer_destination_unknown' },
    incoming_transfers_once: { code: 'conflict' },
    transfers_by_processor: { code: 'paid_out_by_processor' },
  },
}
