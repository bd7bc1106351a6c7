import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { isRefusal, refuse } from '../../../src/kernel/plan.ts'
import { keyByKid, transferLimitOf } from '../../account/api-keys/api.ts'
import { dailySpendOf } from '../bank-orders/api.ts'
import { currentSchedule, processorOf } from '../payments/api.ts'
import * as contracts from './contract.ts'
import { approvedOf, can, drawTransfer, planApprove, planCreate, planReject, unchanged } from './plan.ts'
import { planOutcome } from './plan-outcome.ts'
import { presentIncomingTransfer, presentTransfer } from './present.ts'
import { receiver } from './receiver.ts'
import { sendTransfer } from './send.ts'
import { incomingTransfersPage, transferById, transfersPage } from './store.ts'

const createTransfer = operation(contracts.create, async (call) => {
  const { body, services, settings, now } = call
  const processor = processorOf(services)
  if (!processor?.bank) return call.fail('transfers_not_configured')
  const { destination } = body
  const named = destination.type === 'tenant' ? destination.tenant_id : null
  const { kid } = call
  const kind = 'transfers'
  const [[key], [destinationKnown], sums] = await call.readAll(
    keyByKid({ kid }),
    receiver.isOpen(named),
    dailySpendOf({ kid, kind }),
  )
  const limitMinor = transferLimitOf(key!, body.currency, settings.transferLimitPerDayMinor)
  const spendLimit = { kid, kind, limitMinor, sums } as const
  const transfer = drawTransfer(
    {
      amountMinor: BigInt(body.amount),
      currency: body.currency,
      destination,
      concept: body.concept,
      metadata: body.metadata ?? {},
    },
    {
      tenantId: key!.tenantId,
      apiKeyId: key!.id,
      spendLimit,
      currencySupported: currentSchedule(settings, now, body.currency) !== null,
      destinationKnown: destinationKnown ?? false,
      processor: processor.name,
    },
    call,
  )
  if (isRefusal(transfer)) return call.publish(transfer)
  const reply = await call.publish(planCreate(transfer, spendLimit, call))
  if (transfer.status === 'pending') call.later(sendTransfer(call, transfer))
  return reply
})

const listTransfers = listOperation(contracts.list, transfersPage, presentTransfer)

const listIncomingTransfers = listOperation(
  contracts.listIncoming,
  incomingTransfersPage,
  presentIncomingTransfer,
)

const getTransfer = getOperation(contracts.get, transferById, presentTransfer)

/** A transfer that the bank has is stopped there first; one to another workspace counts as arrived. */
const cancelTransfer = operation(contracts.cancel, async (call) => {
  const bank = processorOf(call.services)?.bank
  if (!bank) return call.fail('transfers_not_configured')
  const [transfer] = await call.read(transferById({ id: call.params.id }))
  if (!transfer) return call.fail('transfer_not_found')
  // Also when the reconciler recorded first what this call stopped.
  if (transfer.status === 'canceled') return call.publish(unchanged(transfer))
  const sent = transfer.status !== 'pending_approval'
  const stoppable = can(transfer, 'cancel') && !(sent && transfer.destinationType === 'tenant')
  if (!stoppable) return call.publish(refuse('transfer_not_cancelable'))
  const standing = sent ? await bank.cancelOrder(transfer.id) : ({ state: 'canceled' } as const)
  if (standing.state === 'unknown') return call.fail('outcome_unknown')
  const plan = standing.state === 'canceled' ? planOutcome(transfer, standing, call) : null
  return call.publish(plan ?? refuse('transfer_not_cancelable'))
})

const approveTransfer = operation(
  contracts.approve,
  async (call) => {
    const [[transfer], { userId }] = await Promise.all([
      call.read(transferById({ id: call.params.id })),
      call.session(),
    ])
    if (!processorOf(call.services)?.bank) return call.fail('transfers_not_configured')
    if (!transfer) return call.fail('transfer_not_found')
    const planned = planApprove(transfer, call.body, userId, call)
    const { destinationTenantId: named } = transfer
    const [isOpen] = named === null ? [true] : await call.read(receiver.isOpen(named))
    const plan = isRefusal(planned) || isOpen ? planned : refuse('transfer_destination_unknown')
    const reply = await call.publish(plan)
    call.later(sendTransfer(call, approvedOf(transfer, userId, call.now)))
    return reply
  },
  ({ params, body }) => ({ transfer_id: params.id, amount: body.amount, currency: body.currency }),
)

const rejectTransfer = operation(contracts.reject, async (call) => {
  const [transfer] = await call.read(transferById({ id: call.params.id }))
  if (!transfer) return call.fail('transfer_not_found')
  return call.publish(planReject(transfer, call))
})

export const operations = [
  createTransfer,
  listTransfers,
  listIncomingTransfers,
  getTransfer,
  cancelTransfer,
  approveTransfer,
  rejectTransfer,
]
