import type { Settings } from '../../src/env.ts'
import { interfaceVersion } from '../../src/http/envelope.ts'
import { publishPlan, Stale } from '../../src/http/publishing.ts'
import { eachDue } from '../../src/http/scheduled.ts'
import type { Services } from '../../src/http/services.ts'
import type { JobRun } from '../../src/http/system-call.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { log } from '../../src/platform/log.ts'
import * as contracts from './contract.ts'
import { guardAddress } from './dns-guard.ts'
import { planRecoveryStep } from './plan.ts'
import { changesHealth, type Health, type Outcome, planOutcome, type Sent } from './plan-outcome.ts'
import { sendOnce } from './send.ts'
import { signingKey } from './signing.ts'
import { type EndpointRow, endpointById, recoveryById, versionsOf } from './store.ts'

/** A Worker may hold six connections that wait for an answer; one is left for the database. */
const sentAtOnce = 5
/** How long one drain lasts; another one continues. */
const drainMs = 20_000
const sweepMs = 25_000
const sweptAtOnce = 5
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
 * claimed delivery belongs to one drain. An endpoint with more than one claim holds calls for another drain.
 */
export async function drain(
  services: Services,
  tenantId: string,
  endpointId: string,
  requestId: string,
): Promise<void> {
  const endsAt = Date.now() + drainMs
  let called = false
  while (Date.now() < endsAt) {
    const claimed = await claim(services, tenantId, endpointId)
    if (!claimed) return
    if ('dueInSeconds' in claimed) return services.wake(tenantId, [endpointId], claimed.dueInSeconds)
    const isFull = claimed.deliveries.length === sentAtOnce
    if (isFull && !called) {
      called = true
      services.wake(tenantId, [endpointId])
    }
    const sent = await sendAll(services, claimed, requestId)
    const retryAtMs = await record(services, claimed, sent, requestId)
    if (retryAtMs !== null)
      services.wake(tenantId, [endpointId], Math.ceil((retryAtMs - Date.now()) / 1000) + 1)
    // A receiver that timed out gives way to the others after each claim.
    if (sent.some(({ outcome }) => outcome.failure === 'timeout')) break
  }
  services.wake(tenantId, [endpointId])
}

/** Null when nothing is due or about to be; the seconds to wait when something is about to be. */
async function claim({ db }: Services, tenantId: string, endpointId: string) {
  const signature = 'door.claim_deliveries(text,uuid,int)'
  const answer = (await db.call(signature, [tenantId, endpointId, sentAtOnce])) ?? 'null'
  return JSON.parse(answer) as Claimed | { readonly dueInSeconds: number } | null
}

async function sendAll({ settings }: Services, claimed: Claimed, requestId: string): Promise<Sent[]> {
  const { url, deliveries } = claimed
  const [unsendable, keys] = await Promise.all([
    guardAddress(settings, url),
    signingKeys(settings, claimed, requestId),
  ])
  return Promise.all(
    deliveries.map(async ({ id, eventId, version, attemptsCount, body }) => {
      const timestamp = Math.floor(Date.now() / 1000)
      const outcome = unsendable
        ? refused(unsendable.failure)
        : await sendOnce(url, { id: eventId, timestamp, body }, keys, `Spindle/${interfaceVersion}`)
      return { id, version, attemptsCount, outcome }
    }),
  )
}

/**
 * The keys that sign. A secret that does not decrypt is logged, and the others sign.
 * @throws Error when none decrypts: the claimed deliveries come back when their lease ends
 */
async function signingKeys(settings: Settings, { endpointId, secrets }: Claimed, requestId: string) {
  const decrypted = await Promise.allSettled(secrets.map((each) => signingKey(settings, endpointId, each)))
  const keys = decrypted.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  for (const each of decrypted)
    if (each.status === 'rejected')
      log('error', { place: 'webhook_secrets', requestId, id: endpointId }, each.reason)
  if (keys.length === 0) throw new Fault('no secret of this endpoint can be decrypted')
  return keys
}

const refused = (failure: 'address' | 'dns'): Outcome => ({
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
  services: Services,
  claimed: Claimed,
  sent: readonly Sent[],
  requestId: string,
): Promise<number | null> {
  const credential = { kind: 'system', tenantId: claimed.tenantId } as const
  const { id: operation } = contracts.record
  let ours = sent
  let health: Health = claimed
  for (let tries = 1; ours.length > 0; tries++) {
    const now = new Date()
    let endpoint: EndpointRow | undefined
    // When many change the endpoint's health at once, record the deliveries first: later attempts update the health.
    if (tries < recordTries && changesHealth(health, ours, now)) {
      const { rows } = await services.db.read(operation, credential, [
        endpointById({ id: claimed.endpointId }),
      ])
      endpoint = rows[0]?.[0]
    }
    const clock = { ...clockOf(now), random: Math.random }
    try {
      const request = { operation, credential, requestId, now }
      return (await publishPlan(services, request, planOutcome(ours, endpoint, clock))).reply.retryAtMs
    } catch (error) {
      if (!(error instanceof Stale) || tries === recordTries) throw error
      const ids = `{${ours.map(({ id }) => id).join(',')}}`
      const { rows } = await services.db.read(operation, credential, [
        versionsOf({ ids }),
        endpointById({ id: claimed.endpointId }),
      ])
      const versions = new Map(rows[0].map((row) => [row.id, row.version]))
      ours = ours.filter(({ id, version }) => versions.get(id) === version)
      health = rows[1]?.[0] ?? { status: 'deleted', failingSince: null }
    }
  }
  return null
}

/**
 * Scheduled: sends what a lost message, a crashed Worker or an expired lease has left behind. Healthy endpoints come
 * first.
 */
export async function sweepWebhooks(services: Services, requestId: string): Promise<void> {
  const endsAt = Date.now() + sweepMs
  const answer = await services.db.call('door.waiting_endpoints(int)', [200])
  const waiting = JSON.parse(answer ?? '[]') as { tenantId: string; endpointId: string }[]
  const work = async () => {
    for (let next = waiting.shift(); next && Date.now() < endsAt; next = waiting.shift()) {
      const { tenantId, endpointId } = next
      await drain(services, tenantId, endpointId, requestId).catch((error: unknown) =>
        log('error', { place: 'webhooks', requestId, id: endpointId }, error),
      )
    }
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
