import { eachDue } from '../../src/http/due.ts'
import { Problem } from '../../src/http/problems.ts'
import { publishPlan, Stale } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { uuidv7 } from '../../src/kernel/ids.ts'
import type { Plan } from '../../src/kernel/plan.ts'
import type { BankState } from '../../src/processors/port.ts'
import { processorOf } from '../payments/published.ts'
import * as contracts from './contract.ts'
import { type Clock, can, drawPayout, eachWayMax, type OpenBalance, planScheduled } from './plan.ts'
import { planLookLater, planOutcome } from './plan-outcome.ts'
import {
  type AccountRow,
  availableOf,
  type OpenActivity,
  openIncoming,
  openOutgoing,
  type PayoutRow,
  payoutById,
  type SettingsRow,
  settingsOf,
} from './store.ts'

const planMax = 5

/** What reads the open balance of a currency. */
export const balanceQueries = (currency: string) =>
  [
    openIncoming({ currency, rows: eachWayMax + 1 }),
    openOutgoing({ currency, rows: eachWayMax + 1 }),
    availableOf({ currency }),
  ] as const

export const balanceFrom = (
  incoming: readonly OpenActivity[],
  outgoing: readonly OpenActivity[],
  [account]: readonly AccountRow[],
): OpenBalance => ({ incoming, outgoing, availableMinor: account?.balanceMinor ?? 0n })

/** The balance that a payout was drawn on has shrunk since: it is drawn anew. */
export function drawnOnLess(error: unknown): never {
  if (error instanceof Problem && error.code === 'insufficient_funds') throw new Stale()
  throw error
}

/**
 * Sends a payout that was recorded and records what became of it. Whatever goes wrong is told to us and left to the
 * janitor: nobody waits for it. One call of the bank and one publish.
 */
export async function sendPayout(services: Services, payout: PayoutRow, requestId: string): Promise<void> {
  try {
    await record(services, payout, await send(services, payout), requestId)
  } catch (error) {
    const told = { request_id: requestId, payout: payout.id, message: String(error) }
    console.error(JSON.stringify({ level: 'error', job: 'send_payout', ...told }))
  }
}

/** What the merchant reads on the statement; banks carry no accents. */
const concept = 'Liquidacion Spindle'

/** Our id is the reference: whatever is sent twice is one payout. */
async function send(services: Services, payout: PayoutRow): Promise<BankState> {
  const bank = processorOf(services)?.bank
  if (!bank) return { state: 'unknown' }
  const { id: reference, amountMinor, currency, destinationClabe: clabe, destinationHolder: holder } = payout
  return bank.send({ reference, amountMinor, currency, clabe, holder, concept })
}

/**
 * Records a standing on the row as it was written; on a fresh one when something moved in between. What changes nothing
 * is looked at later, `otherwise` by somebody else.
 */
async function record(
  services: Services,
  known: PayoutRow,
  standing: BankState,
  requestId: string,
  otherwise: (payout: PayoutRow, now: Date) => Plan<object> | null = planLookLater,
): Promise<void> {
  let payout: PayoutRow | undefined = known
  const credential = { kind: 'system', tenantId: known.tenantId } as const
  for (let tries = 1; payout; tries++) {
    const now = new Date()
    const plan = planOutcome(payout, standing, clockOf(now)) ?? otherwise(payout, now)
    if (!plan) return
    try {
      await publishPlan(services, { operation: contracts.outcome.id, credential, requestId, now }, plan)
      return
    } catch (error) {
      if (!(error instanceof Stale) || tries === planMax) throw error
    }
    payout = await load(services, known.tenantId, known.id)
  }
}

async function load(services: Services, tenantId: string, id: string): Promise<PayoutRow | undefined> {
  const credential = { kind: 'system', tenantId } as const
  const { rows } = await services.db.read(contracts.outcome.id, credential, [payoutById({ id })])
  return (rows[0] as PayoutRow[])[0]
}

/** Scheduled: asks about everything that was sent and is not over; what was paid is watched for a return. */
export const resolvePayouts = (services: Services, requestId: string, now: Date): Promise<void> =>
  eachDue(services, 'payouts', requestId, now, async ({ tenantId }, id) => {
    const payout = await load(services, tenantId, id)
    if (!payout) return
    let standing = await look(services, payout)
    // It never arrived: sent again, under the same reference. Only what is on its way may be sent.
    if (standing.state === 'not_found' && can(payout, 'pay')) standing = await send(services, payout)
    await record(services, payout, standing, requestId)
  })

const look = async (services: Services, { id }: PayoutRow): Promise<BankState> =>
  (await processorOf(services)?.bank?.fetchOrder(id)) ?? { state: 'unknown' }

/**
 * A bank says that something happened to a payout: a hint to go and read it there. A hint that changes nothing, told
 * twice or late, leaves the janitor's looks as they are.
 */
export async function heardOfPayout(services: Services, id: string, requestId: string): Promise<void> {
  const tenantId = await services.db.call('select door.owner_of($1, $2::uuid)', ['payouts', id])
  const payout = tenantId === null ? undefined : await load(services, tenantId, id)
  if (payout) await record(services, payout, await look(services, payout), requestId, () => null)
}

/** Scheduled: makes the payouts whose day has come. Where there is no bank the day passes. */
export const runPayoutSchedules = (services: Services, requestId: string, now: Date): Promise<void> =>
  eachDue(services, 'payout_settings', requestId, now, async (credential, id) => {
    const reading = services.db.read(contracts.schedule.id, credential, [settingsOf({ id })])
    const [settings] = (await reading).rows[0] as SettingsRow[]
    if (!settings) return
    const queries = balanceQueries(settings.currency)
    const { rows } = await services.db.read(contracts.schedule.id, credential, queries)
    const balance = balanceFrom(...(rows as [OpenActivity[], OpenActivity[], AccountRow[]]))
    const processor = processorOf(services)
    const clock = clockOf(now)
    const drawn = processor?.bank
      ? drawPayout(settings, balance, processor.name, clock)
      : ({ refused: 'transfers_not_configured' } as const)
    const plan = planScheduled(settings, drawn, clock)
    if (!plan) return
    const request = { operation: contracts.schedule.id, credential, requestId, now }
    await publishPlan(services, request, plan).catch(drawnOnLess)
    if ('payout' in drawn) await sendPayout(services, drawn.payout, requestId)
  })

const clockOf = (now: Date): Clock => ({ now, newId: () => uuidv7(now.getTime()) })
