import type { Services } from '../../../src/http/services.ts'
import type { BackgroundWork, JobRun, SystemCall } from '../../../src/http/system-call.ts'
import { handleOrderNotification, type Orders, resolveOrders, sendOrder } from '../bank-orders/api.ts'
import { processorOf } from '../payments/api.ts'
import * as contracts from './contract.ts'
import { can } from './plan.ts'
import { planNextPoll, planOutcome, type TransferStatus } from './plan-outcome.ts'
import { receiver } from './receiver.ts'
import { type TransferRow, transferById } from './store.ts'

async function send(call: SystemCall, transfer: TransferRow): Promise<TransferStatus> {
  const { id, tenantId, amountMinor, currency, concept, destinationTenantId: receiving } = transfer
  if (receiving !== null)
    return receiver.book(call, {
      tenantId: receiving,
      sourceTransferId: id,
      sourceTenantId: tenantId,
      amountMinor,
      currency,
      concept,
    })
  const bank = processorOf(call.services)?.bank
  const [clabe, holder] = [transfer.destinationClabe, transfer.destinationHolder]
  if (!bank || clabe === null || holder === null) return { state: 'unknown' }
  return bank.send({ reference: id, amountMinor, currency, clabe, holder, concept })
}

async function poll(services: Services, { id, destinationType }: TransferRow): Promise<TransferStatus> {
  if (destinationType === 'tenant') return { state: 'not_found' }
  return (await processorOf(services)?.bank?.fetchOrder(id)) ?? { state: 'unknown' }
}

const orders: Orders<TransferRow, TransferStatus> = {
  table: 'transfers',
  operation: contracts.outcome,
  rowOf: (transfer) => transfer,
  load: async ({ read }, id) => (await read(contracts.outcome, transferById({ id })))[0][0],
  send,
  poll,
  isHeldBySuspension: true,
  isOnItsWay: (transfer) => can(transfer, 'pay'),
  planOutcome,
  planNextPoll,
}

/** Sends a debited transfer: one call of the bank (or of the receiver) and one publish. */
export const sendTransfer = (work: BackgroundWork, transfer: TransferRow): Promise<void> =>
  sendOrder(work, orders, transfer)

export const resolveTransfers = (run: JobRun): Promise<void> => resolveOrders(run, orders)

export const handleTransferNotification = (work: BackgroundWork, id: string): Promise<void> =>
  handleOrderNotification(work, orders, id)
