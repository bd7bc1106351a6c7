import { type Call, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { eachDueApart } from '../../../src/http/scheduled.ts'
import { type JobRun, type SystemCall, systemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { publishUnderPolicy, underCurrentPolicy } from '../../money/payment-policy/api.ts'
import {
  currentSchedule,
  forwardStored,
  requireConfigured,
  requireProcessor,
} from '../../money/payments/api.ts'
import type { Submission } from '../../money/payments/api-pure.ts'
import { allowancesByKid } from '../configurations/api.ts'
import type { AllowanceRow } from '../configurations/api-pure.ts'
import { deviceByKid, heardOf, isSignedBy, signingKeyOf } from '../devices/api.ts'
import { inPersonOrigin } from '../terminal/api.ts'
import * as contracts from './contract.ts'
import { planAnnounced, planForward, type presentBatch } from './plan.ts'
import { presentOffline, presentResult } from './present.ts'
import { forwardedByKid, offlineById, offlinePage } from './store.ts'

/** What a reader signs of a payment that it stores. */
export const signedText = ({ card, ...stored }: Omit<contracts.Stored, 'signature'>): string =>
  [
    'spindle-offline-1',
    stored.id,
    stored.allowance_id,
    stored.sequence,
    stored.amount,
    stored.amount_tip,
    stored.currency,
    stored.taken_at,
    card.token,
    card.presented_as,
  ].join('\n')

/** The names of what the key of its allowance has signed. */
async function authenticOf(
  batch: readonly contracts.Stored[],
  allowances: readonly AllowanceRow[],
): Promise<ReadonlySet<string>> {
  const keys = new Map(
    await Promise.all(
      allowances.map(async ({ id, signingKey }) => [id, await signingKeyOf(signingKey)] as const),
    ),
  )
  const signed = await Promise.all(
    batch.map(async (stored) => {
      const key = keys.get(stored.allowance_id)
      return key && (await isSignedBy(key, stored.signature, signedText(stored))) ? [stored.id] : []
    }),
  )
  return new Set(signed.flat())
}

/** Where the first that names an allowance was taken: a batch is judged by one location. */
const locationOf = (batch: readonly contracts.Stored[], allowances: readonly AllowanceRow[]) =>
  batch.flatMap(({ allowance_id }) => allowances.find(({ id }) => id === allowance_id) ?? [])[0]?.locationId

const listed = (texts: readonly (string | number)[]) => `{${texts.join(',')}}`

/** Of an invocation's six connections one stays free. */
const lanesMax = 5

/** Sends what was recorded to the processor, several at once. */
async function inLanes(submissions: readonly Submission[], send: (submission: Submission) => Promise<void>) {
  const waiting = [...submissions]
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await send(next)
  }
  await Promise.all(Array.from({ length: lanesMax }, lane))
}

/** A policy of which nobody has said anything. */
const unsaid = { policyVersion: 1, workspace: null, location: null }

const forward = operation(contracts.forward, async (call) => {
  requireConfigured(call.settings)
  const processor = requireProcessor(call.services)
  if (!processor.inPerson?.forward) return call.fail('payment_method_unavailable')
  const { kid, body, now } = call
  const named = {
    kid,
    ids: listed(body.payments.map(({ allowance_id }) => allowance_id)),
    names: listed(body.payments.map(({ id }) => id)),
    sequences: listed(body.payments.map(({ sequence }) => sequence)),
  }
  const { principal, rows } = await call.reading(
    deviceByKid({ kid }),
    allowancesByKid(named),
    forwardedByKid(named),
  )
  const [[device], allowances, before] = rows
  if (!device) return call.fail('device_credential_invalid')
  heardOf(call, device)
  const read = {
    allowances,
    before,
    authentic: await authenticOf(body.payments, allowances),
    scheduleOf: (currency: string) => currentSchedule(call.settings, now, currency),
    processor: processor.name,
    platform: underCurrentPolicy(call.services, now, unsaid).policy,
    publicIds: body.payments.map(() => ({
      sold: publicId(inPersonOrigin.publicIdPrefix),
      payment: publicId('spcs'),
    })),
  }
  const locationId = locationOf(body.payments, allowances) ?? device.locationId
  let submissions: readonly Submission[] = []
  const reply = await publishUnderPolicy(call, locationId, (governing, isCurrent) => {
    const planned = planForward(device, body, { ...governing, ...read, locationId }, call)
    // What is not written, the database cannot hold to the policy as it is.
    if (planned.isHeldBack && !isCurrent) return null
    submissions = planned.submissions
    return planned.plan
  })
  if (submissions.length === 0) return reply
  await inLanes(submissions, (submission) =>
    forwardStored(call, { processor, origin: inPersonOrigin }, submission, principal.tenantId),
  )
  return answered(call, { named, tenantId: principal.tenantId }, reply)
})

/** The same reply, with what the processor has said meanwhile; the events follow. */
async function answered(
  call: Pick<Call<unknown, unknown, unknown, unknown>, 'read' | 'later' | 'services' | 'requestId'>,
  { named, tenantId }: { readonly named: Readonly<Record<string, unknown>>; readonly tenantId: string },
  reply: ReturnType<typeof presentBatch>,
) {
  const rows = await call.read(forwardedByKid(named))
  const ended = rows.filter(({ announcedAt }) => announcedAt === null)
  call.later(announceEach(systemCall(call, tenantId), ended))
  const results = reply.results.map((told) => {
    const row = rows.find(({ id }) => id === told.offline_payment_id)
    return row ? presentResult(row) : told
  })
  return { ...reply, results }
}

async function announceEach(work: SystemCall, rows: readonly { readonly id: string }[]): Promise<void> {
  for (const { id } of rows) await announce(work, id)
}

/** Publishes the event of what has ended. */
async function announce({ read, publish }: SystemCall, id: string): Promise<void> {
  const [[row]] = await read(contracts.announce, offlineById({ id }))
  const clock = clockOf(new Date())
  const plan = row && planAnnounced(row, clock)
  if (plan) await publish(contracts.announce, plan, clock)
}

/** Scheduled: publishes the events of what readers have forwarded. */
export const announceOffline = (run: JobRun) => eachDueApart(run, 'offline_payments', announce)

export const operations = [
  forward,
  listOperation(contracts.list, offlinePage, presentOffline),
  getOperation(contracts.get, offlineById, presentOffline),
]
