import { Problem } from '../../src/http/problems.ts'
import { publishPlan } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import type { JobRun } from '../../src/http/system-call.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import { handleOrderNotification, type Orders, resolveOrders, sendOrder } from '../bank-orders/api.ts'
import { processorOf } from '../payments/api.ts'
import * as contracts from './contract.ts'
import { can } from './plan.ts'
import { type OrderStatus, planNextPoll, planOutcome, planReceive } from './plan-outcome.ts'
import { type TransferRow, transferById } from './store.ts'

async function send(services: Services, transfer: TransferRow, requestId: string): Promise<OrderStatus> {
  if (transfer.destinationType === 'tenant') return bring(services, transfer, requestId)
  const bank = processorOf(services)?.bank
  const [clabe, holder] = [transfer.destinationClabe, transfer.destinationHolder]
  if (!bank || clabe === null || holder === null) return { state: 'unknown' }
  const { id: reference, amountMinor, currency, concept } = transfer
  return bank.send({ reference, amountMinor, currency, clabe, holder, concept })
}

/** Books the money in the other workspace, where the database accepts it once. */
async function bring(services: Services, transfer: TransferRow, requestId: string): Promise<OrderStatus> {
  const now = new Date()
  const credential = { kind: 'system', tenantId: transfer.destinationTenantId! } as const
  const publishing = { operation: contracts.receive.id, credential, requestId, now }
  try {
    await publishPlan(services, publishing, planReceive(transfer, clockOf(now)))
    return { state: 'arrived' }
  } catch (error) {
    // The database accepted it before: an earlier Worker booked it and crashed before it recorded that.
    if (error instanceof Problem && error.code === 'conflict') return { state: 'arrived' }
    if (error instanceof Problem && error.code === 'transfer_destination_unknown')
      return { state: 'failed', code: 'destination_unknown' }
    throw error
  }
}

async function look(services: Services, { id, destinationType }: TransferRow): Promise<OrderStatus> {
  if (destinationType === 'tenant') return { state: 'not_found' }
  return (await processorOf(services)?.bank?.fetchOrder(id)) ?? { state: 'unknown' }
}

const orders: Orders<TransferRow, OrderStatus> = {
  table: 'transfers',
  operation: contracts.outcome.id,
  rowOf: (transfer) => transfer,
  load: async (services, credential, id) => {
    const { rows } = await services.db.read(contracts.outcome.id, credential, [transferById({ id })])
    return rows[0][0]
  },
  send,
  look,
  isOnItsWay: (transfer) => can(transfer, 'pay'),
  planOutcome,
  planNextPoll,
}

/** Sends a debited transfer: one call of the bank (or one publish in the other workspace) and one publish. */
export const sendTransfer = (services: Services, transfer: TransferRow, requestId: string): Promise<void> =>
  sendOrder(orders, services, transfer, requestId)

export const resolveTransfers = (run: JobRun): Promise<void> => resolveOrders(orders, run)

export const handleTransferNotification = (
  services: Services,
  id: string,
  requestId: string,
): Promise<void> => handleOrderNotification(orders, services, id, requestId)
