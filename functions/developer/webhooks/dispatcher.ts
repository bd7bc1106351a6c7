import { interfaceVersion } from '../../../src/http/envelope.ts'
import { Stale } from '../../../src/http/publishing.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import {
  type BackgroundWork,
  type JobRun,
  type SystemCall,
  systemCall,
} from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { type Gate, gateOf } from '../../../src/platform/gate.ts'
import { logFailure } from '../../../src/platform/log.ts'
import type { WakeUp } from '../../../src/platform/wake.ts'
import * as contracts from './contract.ts'
import { guardAddress } from './dns-guard.ts'
import { planRecoveryStep } from './plan.ts'
import { changesHealth, type Health, planOutcome, type SendResult, type Sent } from './plan-outcome.ts'
import { sendOnce } from './send.ts'
import { signingKey } from './signing.ts'
import { type EndpointRow, endpointById, recoveryById, versionsOf } from './store.ts'

/** A Worker may hold six connections that wait for an answer; one is left for the database. */
const sentAtOnce = 5
/** How long one drain lasts; another one continues. */
const drainMs = 20_000
const sweepMs = 25_000
/** What they claim is sent within its lease, also where every receiver times out. */
const sweptAtOnce = 3
const recordTries = 4

/** The reply of door.claim_deliveries: everything that sending needs. */
interface Claimed {
  readonly tenantId: string
  readonly endpointId: string
  readonly url: string
  readonly status: Health['status']
  readonly failingSince: string | null
  readonly secrets: readonly string[]
  readonly deliveries: readonly {
    readonly id: string
    readonly eventId: string
    readonly version: number
    readonly attemptsCount: number
    readonly body: string
  }[]
}

/**
 * Sends an endpoint's due deliveries until none is left or time is up. Other drains may serve it concurrently: a
 * claimed delivery belongs to one drain. An endpoint with more than one claim holds calls for another drain. `gate`: that of
 * all drains in an invocation.
 */
export async function drain(
  work: BackgroundWork,
  { tenantId, endpointId }: WakeUp,
  gate = gateOf(sentAtOnce),
): Promise<void> {
  const call = systemCall(work, tenantId)
  const { wake } = work.services
  const endsAt = Date.now() + drainMs
  let called = false
  while (Date.now() < endsAt) {
    const claimed = await claim(call, endpointId)
    if (!claimed) return
    if ('dueInSeconds' in claimed) return wake(tenantId, [endpointId], claimed.dueInSeconds)
    const isFull = claimed.deliveries.length === sentAtOnce
    if (isFull && !called) {
      called = true
      wake(tenantId, [endpointId])
    }
    const sent = await sendAll(call, claimed, gate)
    const retryAtMs = await record(call, claimed, sent)
    if (retryAtMs !== null) wake(tenantId, [endpointId], Math.ceil((retryAtMs - Date.now()) / 1000) + 1)
    // A receiver that timed out gives way to the others after each claim.
    if (sent.some(({ outcome }) => outcome.failure === 'timeout')) break
  }
  wake(tenantId, [endpointId])
}

/** Null when nothing is due or about to be; the seconds to wait when something is about to be. */
async function claim({ services: { db }, tenantId }: SystemCall, endpointId: string) {
  const signature = 'door.claim_deliveries(text,uuid,int)'
  const answer = (await db.call(signature, [tenantId, endpointId, sentAtOnce])) ?? 'null'
  return JSON.parse(answer) as Claimed | { readonly dueInSeconds: number } | null
}

async function sendAll(call: SystemCall, claimed: Claimed, gate: Gate): Promise<Sent[]> {
  const { settings } = call.services
  const { url, deliveries } = claimed
  const [unsendable, keys] = await Promise.all([
    guardAddress(settings, url, gate),
    signingKeys(call, claimed),
  ])
  return Promise.all(
    deliveries.map(async ({ id, eventId, version, attemptsCount, body }) => {
      const failure = keys.length === 0 ? 'secret' : unsendable?.failure
      const outcome = failure
        ? refused(failure)
        : await gate(() => {
            const timestamp = Math.floor(Date.now() / 1000)
            return sendOnce(url, { id: eventId, timestamp, body }, keys, `Spindle/${interfaceVersion}`)
          })
      return { id, version, attemptsCount, outcome }
    }),
  )
}

/** The keys that sign. A secret that does not decrypt is logged, and the others sign; without one nothing is sent. */
async function signingKeys(call: SystemCall, { endpointId, secrets }: Claimed) {
  const { settings } = call.services
  const decrypted = await Promise.allSettled(secrets.map((each) => signingKey(settings, endpointId, each)))
  const keys = decrypted.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  for (const each of decrypted)
    if (each.status === 'rejected') logFailure('webhook_secrets', call, endpointId)(each.reason)
  return keys
}

const refused = (failure: 'address' | 'dns' | 'secret'): SendResult => ({
  failure,
  responseStatus: null,
  responseBody: null,
  retryAfter: null,
  startedAt: new Date(),
  durationMs: 0,
})

/**
 * Publishes the results of the attempts; returns when the last of them is due again. If the endpoint changed meanwhile,
 * it plans again; a delivery whose lease has ended is left alone.
 */
async function record(
  { read, publish }: SystemCall,
  claimed: Claimed,
  sent: readonly Sent[],
): Promise<number | null> {
  let ours = sent
  let health: Health = claimed
  for (let tries = 1; ours.length > 0; tries++) {
    const clock = { ...clockOf(new Date()), random: Math.random }
    let endpoint: EndpointRow | undefined
    // When many change the endpoint's health at once, record the deliveries first: later attempts update the health.
    if (tries < recordTries && changesHealth(health, ours, clock.now))
      [[endpoint]] = await read(contracts.record, endpointById({ id: claimed.endpointId }))
    try {
      return (await publish(contracts.record, planOutcome(ours, endpoint, clock), clock)).retryAtMs
    } catch (error) {
      if (!(error instanceof Stale) || tries === recordTries) throw error
      const ids = `{${ours.map(({ id }) => id).join(',')}}`
      const [rows, [found]] = await read(
        contracts.record,
        versionsOf({ ids }),
        endpointById({ id: claimed.endpointId }),
      )
      const versions = new Map(rows.map((row) => [row.id, row.version]))
      ours = ours.filter(({ id, version }) => versions.get(id) === version)
      health = found ?? { status: 'deleted', failingSince: null }
    }
  }
  return null
}

/**
 * Scheduled: sends what a lost message, a crashed Worker or an expired lease has left behind. Healthy endpoints come
 * first.
 */
export async function sweepWebhooks(run: JobRun): Promise<void> {
  const endsAt = Date.now() + sweepMs
  const gate = gateOf(sentAtOnce)
  const answer = await run.services.db.call('door.waiting_endpoints(int)', [200])
  const waiting = JSON.parse(answer ?? '[]') as WakeUp[]
  const work = async () => {
    for (let next = waiting.shift(); next && Date.now() < endsAt; next = waiting.shift())
      await drain(run, next, gate).catch(logFailure('webhooks', run, next.endpointId))
  }
  await Promise.all(Array.from({ length: sweptAtOnce }, work))
}

/** Scheduled: continues recoveries of more than one step. */
export const continueRecoveries = (run: JobRun) =>
  eachDue(run, 'webhook_recoveries', async ({ read, publish, now }, id) => {
    const [[recovery]] = await read(contracts.recoverySteps, recoveryById({ id }))
    if (recovery?.status === 'running')
      await publish(contracts.recoverySteps, planRecoveryStep(recovery, now))
  })
