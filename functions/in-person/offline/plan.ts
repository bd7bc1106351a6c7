import { inPersonPayments } from '../../../drizzle/schema/in-person.ts'
import { offlineAllowances, offlinePayments } from '../../../drizzle/schema/offline-payments.ts'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { presentedMethod } from '../../../src/kernel/payment-methods.ts'
import { change, insert, type Plan, type Write } from '../../../src/kernel/plan.ts'
import { evaluate, type Governing, type Judged } from '../../money/payment-policy/api-pure.ts'
import {
  type FeeSchedule,
  planSubmission,
  type Submission,
  storedSubmission,
} from '../../money/payments/api-pure.ts'
import { type AllowanceRow, presentAllowance } from '../configurations/api-pure.ts'
import type { DeviceRow } from '../devices/api-pure.ts'
import { expectPaired, type InPersonRow, inPerson } from '../terminal/api-pure.ts'
import type { forward, Stored } from './contract.ts'
import { presentOffline, presentResult, type Unrecorded } from './present.ts'
import type { OfflineRow } from './store.ts'

/** What was read for a batch, and the rules that hold for it. */
export interface Forwarding extends Governing {
  /** The open allowance of the reader, and those that the batch names. */
  readonly allowances: readonly AllowanceRow[]
  /** What was forwarded before, under the same names or places. */
  readonly before: readonly OfflineRow[]
  /** The names of what the key of its allowance has signed. */
  readonly authentic: ReadonlySet<string>
  /** What no policy of a merchant allows. */
  readonly platform: Judged
  /** The location of the policy: what was taken at another one is judged in another batch. */
  readonly locationId: string
  readonly scheduleOf: (currency: string) => FeeSchedule | null
  readonly processor: string
  readonly publicIds: readonly { readonly sold: string; readonly payment: string }[]
}

type Refusal = NonNullable<OfflineRow['refusalCode']>
type Reason = Unrecorded['refusalCode']

const held = ({ id }: Stored, refusalCode: Reason): Unrecorded => ({
  devicePaymentId: id,
  status: 'not_recorded',
  refusalCode,
  id: null,
})

const totalOf = ({ amount, amount_tip }: Stored) => BigInt(amount) + BigInt(amount_tip)

/** Why its name is nothing to go by; null where the key of its allowance has signed it. */
function unsigned(stored: Stored, allowance: AllowanceRow | undefined, { authentic }: Forwarding) {
  if (!allowance) return 'allowance_not_found' as const
  return authentic.has(stored.id) ? null : ('signature_invalid' as const)
}

const isUnsigned = ({ refusalCode }: OfflineRow) =>
  refusalCode === 'allowance_not_found' || refusalCode === 'signature_invalid'

/** Why what was signed is not taken; null where it is. The database says the same. */
function refusalOf(
  stored: Stored,
  allowance: AllowanceRow,
  {
    now,
    storedMinor,
    isUsed,
  }: { readonly now: Date; readonly storedMinor: bigint; readonly isUsed: boolean },
): Refusal | null {
  const amountMinor = totalOf(stored)
  if (allowance.takesUntil !== null && allowance.takesUntil <= now) return 'allowance_ended'
  if (isUsed) return 'sequence_used'
  if (stored.currency !== allowance.currency) return 'currency_unsupported'
  if (BigInt(stored.amount_tip) > BigInt(stored.amount)) return 'tip_above_amount'
  if (amountMinor > allowance.amountMaxMinor) return 'amount_above_maximum'
  if (storedMinor + amountMinor > allowance.storedAmountMaxMinor) return 'stored_amount_above_maximum'
  return null
}

function isRefusedBy(policy: Judged, stored: Stored, { scheduleOf }: Forwarding) {
  const { reasons } = evaluate(policy, scheduleOf(stored.currency), {
    amountMinor: totalOf(stored),
    currency: stored.currency,
    method: presentedMethod,
    captureMethod: 'automatic',
    months: [],
    pricing: { feeAllocation: 'absorb', merchantMarkupBps: 0 },
    eligible: null,
  })
  return reasons.length > 0
}

const isSame = (row: OfflineRow, stored: Stored) =>
  row.amountMinor === totalOf(stored) &&
  row.tipMinor === BigInt(stored.amount_tip) &&
  row.currency === stored.currency &&
  row.sequence === stored.sequence &&
  (row.allowanceId ?? stored.allowance_id) === stored.allowance_id

/** One publish records all of a batch that is new: the processor is asked after it. */
export function planForward(
  device: DeviceRow,
  { payments: batch, has_more }: BodyOf<typeof forward>,
  forwarding: Forwarding,
  clock: Clock,
) {
  const { allowances, before } = forwarding
  const results: (OfflineRow | Unrecorded)[] = []
  const made: OfflineRow[] = []
  const sold: { readonly sale: InPersonRow; readonly submission: Submission }[] = []
  const storedOf = (id: string) =>
    made.reduce(
      (sum, row) => (row.allowanceId === id && row.paymentId ? sum + row.amountMinor : sum),
      allowances.find((each) => each.id === id)?.storedMinor ?? 0n,
    )
  for (const [at, stored] of batch.entries()) {
    const allowance = allowances.find(({ id }) => id === stored.allowance_id)
    const doubt = unsigned(stored, allowance, forwarding)
    const known = before.find(
      (row) => row.devicePaymentId === stored.id && isUnsigned(row) === (doubt !== null),
    )
    if (known) {
      results.push(doubt || isSame(known, stored) ? known : held(stored, 'offline_payment_id_used'))
      continue
    }
    if (!doubt && allowance!.locationId !== forwarding.locationId) {
      results.push(held(stored, 'location_of_another'))
      continue
    }
    const isUsed = [...before, ...made].some(
      (row) => row.paymentId && row.allowanceId === stored.allowance_id && row.sequence === stored.sequence,
    )
    const refusalCode =
      doubt ??
      refusalOf(stored, allowance!, { now: clock.now, storedMinor: storedOf(stored.allowance_id), isUsed }) ??
      (isRefusedBy(forwarding.platform, stored, forwarding) ? 'refused_by_policy' : null)
    if (!refusalCode && isRefusedBy(forwarding.policy, stored, forwarding)) {
      results.push(held(stored, 'policy_refuses_now'))
      continue
    }
    const sale = refusalCode
      ? null
      : soldBy(stored, { device, allowance: allowance! }, forwarding, { at, clock })
    if (sale) sold.push(sale)
    const row: OfflineRow = {
      ...newRow(clock),
      deviceId: device.id,
      locationId: allowance?.locationId ?? device.locationId,
      allowanceId: allowance?.id ?? null,
      devicePaymentId: stored.id,
      sequence: stored.sequence,
      status: refusalCode ? 'refused' : 'forwarding',
      refusalCode,
      amountMinor: totalOf(stored),
      currency: stored.currency,
      tipMinor: BigInt(stored.amount_tip),
      takenAt: new Date(stored.taken_at),
      inPersonPaymentId: sale?.sale.id ?? null,
      paymentId: sale?.submission.payment.id ?? null,
      policyVersion: forwarding.policyVersion,
      announcedAt: clock.now,
      lossReason: null,
      lostAt: null,
    }
    made.push(row)
    results.push(row)
  }
  const open = allowances.find(({ endedAt }) => endedAt === null) ?? null
  const heldBack = results.filter(({ refusalCode }) => refusalCode === 'policy_refuses_now')
  const isBegun =
    open !== null &&
    (storedOf(open.id) > 0n ||
      heldBack.some(({ devicePaymentId }) =>
        batch.some(({ id, allowance_id }) => id === devicePaymentId && allowance_id === open.id),
      ))
  const renewed = isBegun && !has_more ? renewal(device, open, clock) : null
  const current = renewed?.next ?? open
  return {
    isHeldBack: heldBack.length > 0,
    submissions: sold.map(({ submission }) => submission),
    plan: {
      writes: [...(made.length > 0 ? recorded(device, { made, sold }) : []), ...(renewed?.writes ?? [])],
      events: [
        ...sold.flatMap(
          ({ submission }) => planSubmission(submission, expectPaired(device), clock.newId).events,
        ),
        ...made.map((row) => eventOf(row, row.refusalCode ? 'refused' : 'created', clock)),
      ],
      reply: presentBatch(results, current),
      subjectId: device.id,
    } satisfies Plan<unknown>,
  }
}

export const presentBatch = (
  results: readonly (OfflineRow | Unrecorded)[],
  allowance: AllowanceRow | null,
) => ({
  object: 'offline_batch' as const,
  results: results.map(presentResult),
  offline_allowance: allowance && presentAllowance(allowance),
})

/** Of one allowance after the other, so that batches which come at once wait for each other in one order. */
function recorded(
  device: DeviceRow,
  {
    made,
    sold,
  }: {
    readonly made: readonly OfflineRow[]
    readonly sold: readonly { readonly sale: InPersonRow; readonly submission: Submission }[]
  },
): Write[] {
  const rows = made
    .map(({ lossReason: _, lostAt: __, ...row }) => row)
    .sort((a, b) => inOrder(`${a.allowanceId} ${a.devicePaymentId}`, `${b.allowanceId} ${b.devicePaymentId}`))
  return [
    expectPaired(device),
    ...(sold.length > 0
      ? [
          insert(inPersonPayments, ...sold.map(({ sale }) => sale)),
          insert(payments, ...sold.map(({ submission }) => submission.payment)),
          insert(paymentAttempts, ...sold.map(({ submission }) => submission.attempt)),
        ]
      : []),
    insert(offlinePayments, ...rows),
  ]
}

const inOrder = (a: string, b: string) => (a < b ? -1 : 1)

function soldBy(
  stored: Stored,
  { device, allowance }: { readonly device: DeviceRow; readonly allowance: AllowanceRow },
  { policyVersion, publicIds, processor, scheduleOf }: Forwarding,
  { at, clock }: { readonly at: number; readonly clock: Clock },
) {
  const sale: InPersonRow = {
    ...newRow(clock),
    publicId: publicIds[at]!.sold,
    deviceId: device.id,
    amountMinor: totalOf(stored),
    currency: stored.currency,
    installmentMonths: 1,
    description: null,
    clientReferenceId: null,
    metadata: {},
    waiterId: null,
    termsVersion: 1,
    policyVersion,
    locationId: allowance.locationId,
  }
  const submission = storedSubmission(
    {
      originType: inPerson.kind,
      originId: sale.id,
      exclusive: false,
      description: null,
      clientReferenceId: null,
      totalMinor: sale.amountMinor,
      markupMinor: 0n,
      tipMinor: BigInt(stored.amount_tip),
      bought: null,
      taxes: [],
      currency: sale.currency,
      installmentMonths: 1,
      captureMethod: 'automatic',
      policyVersion,
      locationId: sale.locationId,
    },
    { publicId: publicIds[at]!.payment, processor, schedule: scheduleOf(stored.currency)! },
    { device_id: device.id, ...stored.card },
    clock,
  )
  return { sale, submission }
}

/**
 * The reader holds nothing more of it: it ends, and what is on its way is taken for its hours. The lock of the reader lets a
 * change of its configuration wait, and see the next one.
 */
function renewal(device: DeviceRow, open: AllowanceRow, clock: Clock) {
  const { now } = clock
  const takesUntil = new Date(now.getTime() + open.storedHoursMax * 3_600_000)
  const next: AllowanceRow = { ...open, ...newRow(clock), storedMinor: 0n }
  return {
    next,
    writes: [
      expectPaired(device),
      change(offlineAllowances, open, { endedAt: now, takesUntil, updatedAt: now }),
      insert(offlineAllowances, next),
    ],
  }
}

type Told = 'created' | 'refused' | 'succeeded' | 'declined' | 'canceled' | 'unknown'

const eventOf = (row: OfflineRow, type: Told, { newId }: Clock) =>
  event(newId(), `offline_payment.${type}`, { type: 'offline_payment', id: row.id }, presentOffline(row))

/** Publishes the event of what has ended; null where it is published. */
export function planAnnounced(row: OfflineRow, clock: Clock): Plan<object> | null {
  if (row.announcedAt !== null || row.status === 'forwarding') return null
  const set = { announcedAt: clock.now, updatedAt: clock.now }
  const { lossReason: _, lostAt: __, ...read } = row
  const after = { ...row, ...set, version: row.version + 1 }
  return {
    writes: [change(offlinePayments, read, set)],
    events: [eventOf(after, row.status, clock)],
    reply: {},
    subjectId: row.id,
  }
}
