import { Problem } from '../../src/http/problems.ts'
import { publishPlan } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import { hearOfOrder, type Orders, resolveOrders, sendOrder } from '../bank-orders/published.ts'
import { processorOf } from '../payments/published.ts'
import * as contracts from './contract.ts'
import { can } from './plan.ts'
import { planLookLater, planOutcome, planReceive, type Standing } from './plan-outcome.ts'
import { type TransferRow, transferById } from './store.ts'

async function send(services: Services, transfer: TransferRow, requestId: string): Promise<Standing> {
  if (transfer.destinationType === 'tenant') return bring(services, transfer, requestId)
  const bank = processorOf(services)?.bank
  const [clabe, holder] = [transfer.destinationClabe, transfer.destinationHolder]
  if (!bank || clabe === null || holder === null) return { state: 'unknown' }
  const { id: reference, amountMinor, currency, concept } = transfer
  return bank.send({ reference, amountMinor, currency, clabe, holder, concept })
}

/** Books the money in the other workspace, where the database accepts it once. */
async function bring(services: Services, transfer: TransferRow, requestId: string): Promise<Standing> {
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

async function look(services: Services, { id, destinationType }: TransferRow): Promise<Standing> {
  if (destinationType === 'tenant') return { state: 'not_found' }
  return (await processorOf(services)?.bank?.fetchOrder(id)) ?? { state: 'unknown' }
}

const orders: Orders<TransferRow, Standing> = {
  table: 'transfers',
  operation: contracts.outcome.id,
  rowOf: (transfer) => transfer,
  load: async (services, credential, id) => {
    const { rows } = await services.db.read(contracts.outcome.id, credential, [transferById({ id })])
    return (rows[0] as TransferRow[])[0]
  },
  send,
  look,
  isOnItsWay: (transfer) => can(transfer, 'pay'),
  planOutcome,
  planLookLater,
}

/** Sends a debited transfer: one call of the bank (or one publish in the other workspace) and one publish. */
export const sendTransfer = (services: Services, transfer: TransferRow, requestId: string): Promise<void> =>
  sendOrder(orders, services, transfer, requestId)

export const resolveTransfers = (services: Services, requestId: string, now: Date): Promise<void> =>
  resolveOrders(orders, services, requestId, now)

export const heardOfTransfer = (services: Services, id: string, requestId: string): Promise<void> =>
  hearOfOrder(orders, services, id, requestId)
