import type { Services } from '../../../src/http/services.ts'
import {
  type BackgroundWork,
  isRefusedBy,
  type JobRun,
  type SystemCall,
  systemCall,
} from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { handleOrderNotification, type Orders, resolveOrders, sendOrder } from '../bank-orders/api.ts'
import { processorOf } from '../payments/api.ts'
import * as contracts from './contract.ts'
import { can } from './plan.ts'
import { planNextPoll, planOutcome, planReceive, type TransferStatus } from './plan-outcome.ts'
import { type TransferRow, transferById } from './store.ts'

async function send(call: SystemCall, transfer: TransferRow): Promise<TransferStatus> {
  if (transfer.destinationType === 'tenant') return receive(call, transfer)
  const bank = processorOf(call.services)?.bank
  const [clabe, holder] = [transfer.destinationClabe, transfer.destinationHolder]
  if (!bank || clabe === null || holder === null) return { state: 'unknown' }
  const { id: reference, amountMinor, currency, concept } = transfer
  return bank.send({ reference, amountMinor, currency, clabe, holder, concept })
}

/** Books the money in the other workspace, where the database accepts it once. */
async function receive({ services, requestId }: SystemCall, transfer: TransferRow): Promise<TransferStatus> {
  const { publish, now } = systemCall({ services, requestId }, transfer.destinationTenantId!)
  try {
    await publish(contracts.receive, planReceive(transfer, clockOf(now)))
    return { state: 'arrived' }
  } catch (error) {
    // The database accepted it before: an earlier Worker booked it and crashed before it recorded that.
    if (isRefusedBy('incoming_transfers_once', error)) return { state: 'arrived' }
    if (isRefusedBy('incoming_transfers_tenant', error))
      return { state: 'failed', code: 'destination_unknown' }
    throw error
  }
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
  isOnItsWay: (transfer) => can(transfer, 'pay'),
  planOutcome,
  planNextPoll,
}

/** Sends a debited transfer: one call of the bank (or one publish in the other workspace) and one publish. */
export const sendTransfer = (work: BackgroundWork, transfer: TransferRow): Promise<void> =>
  sendOrder(work, orders, transfer)

export const resolveTransfers = (run: JobRun): Promise<void> => resolveOrders(run, orders)

export const handleTransferNotification = (work: BackgroundWork, id: string): Promise<void> =>
  handleOrderNotification(work, orders, id)
