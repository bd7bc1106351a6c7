import { eachDue } from '../../src/http/due.ts'
import { Problem } from '../../src/http/problems.ts'
import { publishPlan, Stale } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { uuidv7 } from '../../src/kernel/ids.ts'
import type { Plan } from '../../src/kernel/plan.ts'
import { processorOf } from '../payments/published.ts'
import * as contracts from './contract.ts'
import { type Clock, can } from './plan.ts'
import { planLookLater, planOutcome, planReceive, type Standing } from './plan-outcome.ts'
import { type TransferRow, transferById } from './store.ts'

const planMax = 5

/**
 * Sends a transfer that was debited and records what became of it. Whatever goes wrong is told to us and left to the
 * janitor: nobody waits for it. One call of the bank (or one publish in the other workspace) and one publish.
 */
export async function sendTransfer(
  services: Services,
  transfer: TransferRow,
  requestId: string,
): Promise<void> {
  try {
    await record(services, transfer, await send(services, transfer, requestId), requestId)
  } catch (error) {
    const told = { request_id: requestId, transfer: transfer.id, message: String(error) }
    console.error(JSON.stringify({ level: 'error', job: 'send_transfer', ...told }))
  }
}

/** Our id is the reference: whatever is sent twice is one transfer, at a bank as in a workspace. */
async function send(services: Services, transfer: TransferRow, requestId: string): Promise<Standing> {
  if (transfer.destinationType === 'tenant') return bring(services, transfer, requestId)
  const bank = processorOf(services)?.bank
  const [clabe, holder] = [transfer.destinationClabe, transfer.destinationHolder]
  if (!bank || clabe === null || holder === null) return { state: 'unknown' }
  const { id: reference, amountMinor, currency, concept } = transfer
  return bank.send({ reference, amountMinor, currency, clabe, holder, concept })
}

/** Puts the money into the other workspace, whose database row lets it in once. */
async function bring(services: Services, transfer: TransferRow, requestId: string): Promise<Standing> {
  const now = new Date()
  const credential = { kind: 'system', tenantId: transfer.destinationTenantId! } as const
  const publishing = { operation: contracts.receive.id, credential, requestId, now }
  try {
    await publishPlan(services, publishing, planReceive(transfer, clockOf(now)))
    return { state: 'arrived' }
  } catch (error) {
    // The database let it in before: somebody brought it and died before that was recorded.
    if (error instanceof Problem && error.code === 'conflict') return { state: 'arrived' }
    if (error instanceof Problem && error.code === 'transfer_destination_unknown')
      return { state: 'failed', code: 'destination_unknown' }
    throw error
  }
}

/**
 * Records a standing on the row as it was written; on a fresh one when something moved in between. What changes nothing
 * is looked at later, `otherwise` by somebody else.
 */
async function record(
  services: Services,
  known: TransferRow,
  standing: Standing,
  requestId: string,
  otherwise: (transfer: TransferRow, now: Date) => Plan<object> | null = planLookLater,
): Promise<void> {
  let transfer: TransferRow | undefined = known
  const credential = { kind: 'system', tenantId: known.tenantId } as const
  for (let tries = 1; transfer; tries++) {
    const now = new Date()
    const plan = planOutcome(transfer, standing, clockOf(now)) ?? otherwise(transfer, now)
    if (!plan) return
    try {
      await publishPlan(services, { operation: contracts.outcome.id, credential, requestId, now }, plan)
      return
    } catch (error) {
      if (!(error instanceof Stale) || tries === planMax) throw error
    }
    transfer = await load(services, known.tenantId, known.id)
  }
}

async function load(services: Services, tenantId: string, id: string): Promise<TransferRow | undefined> {
  const credential = { kind: 'system', tenantId } as const
  const { rows } = await services.db.read(contracts.outcome.id, credential, [transferById({ id })])
  return (rows[0] as TransferRow[])[0]
}

/** Scheduled: asks about everything that was sent and is not over; what was paid is watched for a return. */
export const resolveTransfers = (services: Services, requestId: string, now: Date): Promise<void> =>
  eachDue(services, 'transfers', requestId, now, async ({ tenantId }, id) => {
    const transfer = await load(services, tenantId, id)
    if (transfer) await resolve(services, transfer, requestId)
  })

async function resolve(services: Services, transfer: TransferRow, requestId: string): Promise<void> {
  let standing = await look(services, transfer)
  // It never arrived: sent again, under the same reference. Only what is on its way may be sent.
  if (standing.state === 'not_found' && can(transfer, 'pay'))
    standing = await send(services, transfer, requestId)
  await record(services, transfer, standing, requestId)
}

async function look(services: Services, { id, destinationType }: TransferRow): Promise<Standing> {
  if (destinationType === 'tenant') return { state: 'not_found' }
  return (await processorOf(services)?.bank?.fetchOrder(id)) ?? { state: 'unknown' }
}

/**
 * A bank says that something happened to a transfer: a hint to go and read it there. A hint that changes nothing, told
 * twice or late, leaves the janitor's looks as they are.
 */
export async function heardOfTransfer(services: Services, id: string, requestId: string): Promise<void> {
  const tenantId = await services.db.call('select door.owner_of($1, $2::uuid)', ['transfers', id])
  const transfer = tenantId === null ? undefined : await load(services, tenantId, id)
  if (transfer) await record(services, transfer, await look(services, transfer), requestId, () => null)
}

const clockOf = (now: Date): Clock => ({ now, newId: () => uuidv7(now.getTime()) })
