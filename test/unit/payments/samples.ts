import { type FeeSchedule, parseFeeSchedules } from '../../../functions/money/payments/fee-schedule.ts'
import { attemptLifecycle } from '../../../functions/money/payments/lifecycle.ts'
import { byCard, newSubmission, type Order, type Submission } from '../../../functions/money/payments/plan.ts'
import type { AttemptRow, PaymentRow } from '../../../functions/money/payments/store.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import type { ProcessorState } from '../../../src/processors/port.ts'

export const oxxoFees = {
  rateBps: 390,
  fixedMinor: '0',
  availabilityBankDays: 1,
  minimumAmountMinor: '1000',
  maximumAmountMinor: '1000000',
}

/** A fee schedule as it is configured, with some other fields. */
export const configured = (fields: object = {}) => ({
  version: 'mxn-2026-01',
  effectiveFrom: '2026-01-01T06:00:00Z',
  currency: 'mxn',
  card: { rateBps: 360, fixedMinor: '0' },
  oxxo: oxxoFees,
  installments: {},
  ivaBps: 1600,
  availabilityBankDays: 2,
  installmentMinimumPerMonthMinor: '10000',
  minimumAmountMinor: '1000',
  ...fields,
})

export const scheduleOf = (fields: object): FeeSchedule =>
  parseFeeSchedules(JSON.stringify([configured(fields)]))[0]!

export const schedule = scheduleOf({
  oxxo: undefined,
  installments: { 3: 450, 6: 750, 9: 990, 12: 1195 },
})

export const card = { brand: 'visa', last4: '4242', bin6: '424242', funding: 'credit' }

export const order: Order = {
  originType: 'payment_link',
  originId: '00000000-0000-7000-8000-00000000cafe',
  exclusive: true,
  clientReferenceId: null,
  description: 'Café',
  totalMinor: 120_000n,
  markupMinor: 0n,
  tipMinor: 0n,
  bought: null,
  taxes: [],
  currency: 'mxn',
  installmentMonths: 1,
  captureMethod: 'automatic',
  policyVersion: 1,
  locationId: null,
}

export const publicId = `spcs_${'a'.repeat(32)}`
export const now = new Date('2026-06-12T18:00:00.000Z')

/** Ids 1, 2, 3 … as UUIDs, at one instant. */
export function clockAt(instant: Date = now, from = 1): Clock {
  let next = from
  return { now: instant, newId: () => idOf(next++) }
}

export const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** A first attempt with the given changes to its rows. */
export function submission(attempt: Partial<AttemptRow> = {}, payment: Partial<PaymentRow> = {}): Submission {
  const fresh = newSubmission(order, publicId, byCard(card), 'simulator', schedule, clockAt())
  return { payment: { ...fresh.payment, ...payment }, attempt: { ...fresh.attempt, ...attempt } }
}

const processorRef = 'sim_1'

export const answers = {
  captured: { state: 'captured', amountMinor: 120_000n, currency: 'mxn', card, processorRef },
  'captured, another amount': {
    state: 'captured',
    amountMinor: 120_001n,
    currency: 'mxn',
    card,
    processorRef,
  },
  'captured, another currency': {
    state: 'captured',
    amountMinor: 120_000n,
    currency: 'usd',
    card,
    processorRef,
  },
  pending_customer: {
    state: 'pending_customer',
    action: { type: 'redirect', url: 'https://bank.example/3ds', card },
    processorRef,
  },
  declined: { state: 'declined', code: 'insufficient_funds', category: 'soft', card },
  canceled: { state: 'canceled' },
  unknown: { state: 'unknown' },
  not_found: { state: 'not_found' },
} as const satisfies Record<string, ProcessorState>

export type AnswerName = keyof typeof answers
export const answerNames = Object.keys(answers) as AnswerName[]

export const attemptStatuses = statusesOf(attemptLifecycle)
