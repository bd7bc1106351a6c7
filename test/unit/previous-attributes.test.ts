import { describe, expect, test } from 'vitest'
import { byCard, planRetry } from '../../functions/money/payments/plan.ts'
import { planApply } from '../../functions/money/payments/plan-apply.ts'
import { planCancelIntent } from '../../functions/money/payments/plan-authorization.ts'
import { planMovement } from '../../functions/money/payments/plan-buyer-balance.ts'
import { planArrival } from '../../functions/money/payments/plan-deposit.ts'
import { expiry, planDue, release, reserveRelease } from '../../functions/money/payments/plan-due.ts'
import { planOutcome } from '../../functions/money/payments/plan-outcome.ts'
import { planReplaced } from '../../functions/money/payments/plan-push-end.ts'
import { planResolve, planReversal } from '../../functions/money/payments/plan-review.ts'
import { presentPayment, presentUnappliedFunds } from '../../functions/money/payments/present.ts'
import type { AttemptRow, DepositRow, PaymentRow } from '../../functions/money/payments/store.ts'
import { planOutcome as planPayoutOutcome } from '../../functions/money/payouts/plan-outcome.ts'
import { planFacts as planPayoutFacts } from '../../functions/money/payouts/plan-processor.ts'
import { presentPayout } from '../../functions/money/payouts/present.ts'
import type { PayoutRow } from '../../functions/money/payouts/store.ts'
import { planExternalRefund } from '../../functions/money/refunds/plan-external.ts'
import { planOutcome as planRefundOutcome } from '../../functions/money/refunds/plan-outcome.ts'
import * as waiting from '../../functions/money/refunds/plan-waiting.ts'
import { presentRefund } from '../../functions/money/refunds/present.ts'
import type { RefundRow } from '../../functions/money/refunds/store.ts'
import * as transferring from '../../functions/money/transfers/plan.ts'
import { planOutcome as planTransferOutcome } from '../../functions/money/transfers/plan-outcome.ts'
import { presentTransfer } from '../../functions/money/transfers/present.ts'
import type { TransferRow } from '../../functions/money/transfers/store.ts'
import { eventTypeNames } from '../../src/kernel/event-types.ts'
import { isRefusal, type Plan, type Refusal } from '../../src/kernel/plan.ts'
import type { PayoutFacts } from '../../src/processors/payouts.ts'
import type { BankState, ProcessorState } from '../../src/processors/port.ts'
import { ofDisputes } from './disputes/changes.ts'
import { type Case, planOf, type Subject, saysFormerValues } from './former-values.ts'
import { answers, card, clockAt, idOf, now, order, schedule, submission } from './payments/samples.ts'
import { depositOf, speiSchedule, targetOf } from './payments/spei-samples.ts'
import * as refunding from './refunds/samples.ts'

const thePayment = (row: PaymentRow): Subject => ({ row, present: presentPayment })
const theRefund = (row: RefundRow): Subject => ({ row, present: presentRefund })
const later = new Date(now.getTime() + 3_600_000)
const clock = clockAt(later, 50)
const nothing = () => ({ writes: [], events: [] })

const asked = (
  what: string,
  answer: ProcessorState,
  attempt: Partial<AttemptRow> = {},
  payment: Partial<PaymentRow> = {},
): Case => {
  const about = submission(attempt, payment)
  return [what, planOutcome(about, answer, schedule, nothing, clock), thePayment(about.payment)]
}

const captureBefore = new Date('2026-06-19T18:00:00.000Z')
const authorized = { state: 'authorized', amountMinor: 120_000n, currency: 'mxn', card } as const
const held = { ...authorized, captureBefore, processorRef: 'sim_1' }
const manual = { captureMethod: 'manual' as const }
const waits = { ...manual, status: 'authorized' as const }
const capturable = {
  ...manual,
  status: 'requires_capture' as const,
  amountAuthorizedMinor: 120_000n,
  captureBefore,
}
const part = { intent: 'capture' as const, intentAmountMinor: 50_000n, intentKey: 'k' }

function ofPayments(): Case[] {
  const declined = submission(
    {},
    { status: 'requires_payment_method', declineCode: 'expired_card', expiresAt: now },
  ).payment
  const terms = { ...order, totalMinor: 131_436n, markupMinor: 11_436n, installmentMonths: 12 }
  const instrument = { ...byCard(card), method: 'oxxo', details: null } as const
  const retry = planRetry(declined, terms, 2, instrument, 'simulator', schedule, {} as never, clock)
  const wished = { payment: declined, submission: null, key: 'k', schedule, origin: {} as never }
  const cancel = planCancelIntent(wished, clock)
  const reviewed = {
    ...submission({ status: 'amount_mismatch' }, { status: 'requires_action' }),
    voucher: null,
  }
  const reversing = submission({ status: 'amount_mismatch', intent: 'void_or_refund' })
  const cannot = { state: 'failed', code: 'charge_disputed' } as const
  const spei = targetOf({ amountReceivedMinor: 50_000n, methodDetails: clabeDetails() })
  const paid = submission({}, { status: 'succeeded', fundsStatus: 'pending', netMinor: 114_989n }).payment
  const reserved = {
    ...paid,
    fundsStatus: 'available' as const,
    reserveMinor: 11_499n,
    reserveReleaseOn: '2026-09-14',
  }
  const about = thePayment(spei.payment)
  const arrive = (amountMinor: bigint) =>
    planArrival(depositOf(amountMinor), spei, speiSchedule, nothing, clock)
  const counted = [{ id: idOf(500), appliedMinor: 50_000n, currency: 'mxn' } as DepositRow]
  const balance = { ...spei, bankTransfer: { clabe: spei.clabe, counted, applied: [] }, funds: [] }
  const back = {
    movementRef: 'cus_1/ccsbtxn_1',
    kind: 'returned',
    attemptReference: spei.attempt.id,
    changeMinor: -20_000n,
    belowZeroMinor: 0n,
    currency: 'mxn',
  } as const
  const withdrawn: Subject = {
    row: spei.payment,
    present: (row) => ({ ...presentPayment(row), withdrawal: 'returned', withdrawn: '20000' }),
  }
  return [
    ['retried', retry.plan, thePayment(declined)],
    asked('captured', answers.captured, {}, { declineCode: 'expired_card' }),
    asked(
      'captured in part',
      { ...answers.captured, amountMinor: 50_000n },
      { ...waits, ...part },
      capturable,
    ),
    asked('authorized', held, manual, manual),
    asked('authorized once more', held, { ...manual, status: 'unknown' }, capturable),
    asked('the bank asks', answers.pending_customer),
    asked('declined', answers.declined),
    asked('contradicted', answers['captured, another amount']),
    asked('lapsed', answers.canceled, waits, capturable),
    asked('canceled', answers.canceled, { ...waits, intent: 'cancel' }, capturable),
    ['canceled between two cards', 'plan' in cancel ? cancel.plan : null, thePayment(declined)],
    [
      'settled elsewhere',
      planResolve(reviewed, 'settled_elsewhere', 'k', clock),
      thePayment(reviewed.payment),
    ],
    ['given back', planReversal(reversing, { state: 'voided' }, clock), thePayment(reversing.payment)],
    ['not given back', planReversal(reversing, cannot, clock), thePayment(reversing.payment)],
    ['no other attempt', planDue([declined], expiry, clock), thePayment(declined)],
    ['available', planDue([paid], release, clock), thePayment(paid)],
    ['reserve released', planDue([reserved], reserveRelease, clock), thePayment(reserved)],
    ['part of a transfer', arrive(10n), about],
    ['the last transfer', arrive(70_000n), about],
    ['money that left its buyer’s balance', planMovement(back, balance, clock), withdrawn],
    ['not paid in time', planOutcome(spei, { state: 'canceled' }, speiSchedule, nothing, clock), about],
    ['another method', planReplaced(spei, clock), about],
  ]
}

const clabeDetails = () => ({
  clabe: '646180000000000012',
  bank_name: 'STP',
  beneficiary: 'Spindle',
  expires_at: now.toISOString(),
  clave_rastreo: null,
})

function ofFunds(amountMinor: bigint | null): Case {
  const target = targetOf({ amountReceivedMinor: 110_000n })
  const funds = refunding.funds()
  const plan = planApply(target, { funds, amountMinor, others: [] }, speiSchedule, nothing, clock)
  // The database marks funds as settled when nothing is left.
  const set = amountMinor === null ? { status: 'settled' as const } : {}
  const present = (row: typeof funds) => ({
    ...presentUnappliedFunds({ ...row, ...(row === funds ? {} : set) }),
    applied_to: target.payment.id, // a field of this event alone: it has no earlier value
  })
  return [`funds applied: ${amountMinor ?? 'all'}`, plan, thePayment(target.payment), { row: funds, present }]
}

function ofRefunds(): Case[] {
  const { payment: paid, bound, cover, destination, ofPayment, plenty, refundRow } = refunding
  const payment = paid()
  const others = [thePayment(payment)]
  const asks = refundRow({ status: 'requires_destination', method: 'spei_out' })
  const approvable = refundRow({
    status: 'pending_approval',
    method: 'spei_out',
    destinationClabe: '1',
    destinationHolder: 'A',
  })
  const pending = refundRow({ status: 'pending', pendingReason: 'insufficient_funds' })
  const sent = refundRow({ processorRef: 'sim_r' })
  const breached = refundRow({
    failureCode: 'amount_mismatch',
    contradiction: { amount: '1', currency: 'mxn' },
  })
  const arrived = refundRow({ status: 'succeeded', method: 'spei_out', claveRastreo: 'A1', resolvedAt: now })
  const made = refundRow({
    status: 'amount_mismatch',
    failureCode: 'amount_mismatch',
    processorRef: 're_1',
  })
  const poor = cover([0n, 0n, 0n])
  const planned = (recorded: { plan: Plan<object> } | Refusal) =>
    'plan' in recorded ? recorded.plan : recorded
  const answered = (what: string, row: RefundRow, answer: keyof typeof refunding.answers): Case => [
    what,
    planRefundOutcome(row, ofPayment, refunding.answers[answer], clock),
    theRefund(row),
    ...others,
  ]
  const heard = (state: 'succeeded' | 'processing' | 'failed') => {
    const told = {
      refundRef: 're_1',
      attemptReference: 'a',
      state,
      code: null,
      amountMinor: 6_000n,
      currency: 'mxn',
    }
    return planExternalRefund('simulator', { payment, refund: made, holdings: [] }, told, clock)
  }
  const seen = { amount: '6000', currency: 'mxn' }
  return [
    ['given a CLABE', planned(waiting.planDestination(asks, destination, plenty, clock)), theRefund(asks)],
    ['a person is asked', planned(waiting.planDestination(asks, destination, bound, clock)), theRefund(asks)],
    [
      'waits for the balance',
      planned(waiting.planDestination(asks, destination, poor, clock)),
      theRefund(asks),
    ],
    [
      'approved',
      planned(waiting.planApprove(approvable, ofPayment, seen, 'ana', plenty, clock)),
      theRefund(approvable),
    ],
    [
      'approved, no balance',
      planned(waiting.planApprove(approvable, ofPayment, seen, 'ana', poor, clock)),
      theRefund(approvable),
    ],
    ['rejected', waiting.planReject(approvable, ofPayment, clock), theRefund(approvable), ...others],
    ['canceled', waiting.planCancel(pending, ofPayment, clock), theRefund(pending), ...others],
    ['sent at last', planned(waiting.planSend(pending, plenty, clock)), theRefund(pending)],
    answered('succeeded', sent, 'succeeded'),
    answered('succeeded after all', breached, 'succeeded'),
    answered('kept', sent, 'kept'),
    answered('failed', sent, 'failed'),
    answered('sent back', arrived, 'failed'),
    answered('contradicted', sent, 'succeeded, another amount'),
    ['made, and booked', heard('succeeded'), theRefund(made), ...others],
    ['made, and on its way', heard('processing'), theRefund(made), ...others],
    ['made, and dropped', heard('failed'), theRefund(made), ...others],
  ]
}

const bankSays: readonly BankState[] = [
  { state: 'processing' },
  { state: 'paid', claveRastreo: 'SBX1' },
  { state: 'failed', code: 'account_closed' },
  { state: 'returned', code: 'account_closed', claveRastreo: 'SBX1', returnClaveRastreo: 'DEV1' },
  { state: 'canceled' },
]

function ofTransfers(): Case[] {
  const sender = { tenantId: 'tn_a', apiKeyId: 'key', currencySupported: true, destinationKnown: true }
  const { allowed, destination } = refunding
  const drawn = transferring.drawTransfer(
    {
      amountMinor: 1_000n,
      currency: 'mxn',
      destination: { type: 'clabe', ...destination },
      concept: 'Renta',
      metadata: {},
    },
    { ...sender, spendLimit: allowed(1_000n), processor: 'simulator' },
    clock,
  )
  if (isRefusal(drawn)) throw new Error(drawn.refused)
  const row = (status: TransferRow['status'], changes: Partial<TransferRow> = {}) => ({
    ...drawn,
    status,
    ...changes,
  })
  const present = presentTransfer
  const asksFor = row('pending_approval')
  const seen = { amount: '1000', currency: 'mxn' }
  return [
    ['approved', transferring.planApprove(asksFor, seen, 'ana', clock), { row: asksFor, present }],
    ['rejected', transferring.planReject(asksFor, clock), { row: asksFor, present }],
    ...bankSays.map((said): Case => {
      const before =
        said.state === 'returned' ? row('paid', { claveRastreo: 'SBX1', resolvedAt: now }) : row('pending')
      return [`transfer: ${said.state}`, planTransferOutcome(before, said, clock), { row: before, present }]
    }),
  ]
}

const payoutRow = (status: PayoutRow['status'], changes: Partial<PayoutRow> = {}): PayoutRow => ({
  tenantId: 'tn_1',
  id: idOf(9),
  status,
  amountMinor: 1_000n,
  currency: 'mxn',
  grossMinor: 1_100n,
  feeMinor: 100n,
  entriesCount: 1,
  destinationClabe: '032180000118359719',
  destinationHolder: 'Café Azul',
  ...{ destinationLast4: null, destinationBank: null, accountId: null, processorRef: null },
  ...{ reconciliation: 'complete', entriesReadTo: null },
  processor: 'simulator',
  claveRastreo: null,
  returnClaveRastreo: null,
  failureCode: null,
  arrivesOn: '2026-06-12',
  nextCheckAt: now,
  checksCount: 0,
  resolvedAt: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
  ...changes,
})

function ofProcessorsPayout(row: PayoutRow): Case {
  const told = { state: 'paid', destination: null, claveRastreo: '0859' }
  const plan = planPayoutFacts(row, { ...row, ...told } as unknown as PayoutFacts, clock)
  return ["payout: more of a processor's", plan, { row, present: presentPayout }]
}

const ofPayouts = (): Case[] => [
  ...bankSays.map((said): Case => {
    const returned = { claveRastreo: 'SBX1', resolvedAt: now }
    const row = said.state === 'returned' ? payoutRow('paid', returned) : payoutRow('pending')
    return [`payout: ${said.state}`, planPayoutOutcome(row, said, clock), { row, present: presentPayout }]
  }),
  ofProcessorsPayout(payoutRow('paid')),
]

const cases = [
  ...ofPayments(),
  ofFunds(null),
  ofFunds(1_000n),
  ...ofRefunds(),
  ...ofDisputes(),
  ...ofTransfers(),
  ...ofPayouts(),
]

describe('the object of an event, with its previous attributes put back, is what was there before', () => {
  test.each(cases)('%s', (...each) => {
    saysFormerValues(each)
  })
})

test('every event of money that can be about a change is among these', () => {
  const told = new Set(cases.flatMap((each) => planOf(each).events.map(({ type }) => type)))
  const born = ['payment.created', 'refund.created', 'dispute.inquiry_created', 'payout.created']
  const bornWaiting = ['transfer.created', 'transfer.pending_approval']
  const expected = eventTypeNames.filter(
    (type) =>
      /^(payment|refund|dispute|transfer|payout)\./.test(type) && ![...born, ...bornWaiting].includes(type),
  )
  expect(expected.filter((type) => !told.has(type))).toEqual([])
})
