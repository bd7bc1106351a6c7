import { type ChallengeView, challengePage } from '../../../functions/developer/simulator/pages/challenge.ts'
import type {
  Html,
  PageBase,
  PayView,
  ResultView,
  ReviewView,
  SpeiView,
  VoucherView,
} from '../../../functions/page/hosted-payment/pages/frame/view.ts'
import { amountPage } from '../../../functions/page/hosted-payment/pages/pay/amount.ts'
import { payPage } from '../../../functions/page/hosted-payment/pages/pay/pay.ts'
import { reviewPage } from '../../../functions/page/hosted-payment/pages/pay/review.ts'
import { resultPage } from '../../../functions/page/hosted-payment/pages/result/result.ts'
import { statePage } from '../../../functions/page/hosted-payment/pages/state/state.ts'
import { speiPage } from '../../../functions/page/hosted-payment/pages/waiting/spei.ts'
import { voucherPage } from '../../../functions/page/hosted-payment/pages/waiting/voucher.ts'
import { states as linkStates, words as linkWords } from '../../../functions/selling/payment-links/words.ts'
import type { DeclineCode } from '../../../src/processors/port.ts'
import { delivered } from './delivered-sample.ts'
import { linkPages } from './sample-links.ts'
import {
  amountView,
  base,
  carried,
  linkState,
  offer,
  order,
  payView,
  publicId,
  reference,
  retryPath,
  sale,
  sharedLines,
  states,
  termsOf,
  unknownOutcome,
} from './sample-states.ts'

/** View models of every page in every state, for the tests that look at all of them. */

const visa = { brand: 'visa', last4: '0008' }

export function reviewView(over: Partial<ReviewView> = {}): ReviewView {
  return {
    ...base,
    ...sale,
    ...carried,
    priceMinor: over.amountMinor ?? sale.amountMinor,
    card: visa,
    cardToken: 'tok_sbx_msi_3_6_9_12',
    buyer: { name: '', email: '' },
    typed: {},
    changePath: `/${publicId}`,
    single: true,
    offers: [3, 6, 9, 12].map((months) => offer(months, 120000n)),
    interestFree: true,
    noOffers: null,
    error: null,
    ...over,
  }
}

export const paymentFacts = {
  ...base,
  path: `/${publicId}/${reference}`,
  merchantName: sale.merchantName,
  reference,
  amountMinor: 120000n,
  currency: 'mxn',
  surchargeMinor: 0n,
  unapplied: null,
}

export function succeededView(): Extract<ResultView, { state: 'succeeded' }> {
  return {
    ...paymentFacts,
    state: 'succeeded',
    paidAt: new Date('2026-11-21T01:36:00Z'),
    instrument: { method: 'card', ...visa },
    description: sale.description,
    refundedMinor: 0n,
    installments: null,
  }
}

const taxData = {
  rfc: 'EKU9003173C9',
  legal_name: 'Comercializadora de Abarrotes y Ultramarinos del Noroeste Álvarez y Compañía',
  tax_regime: '625',
  cfdi_use: 'D07',
  postal_code: '42501',
}

const receipt = {
  instrument: { method: 'card', ...visa },
  description: sale.description,
  refundedMinor: 0n,
  installments: null,
} as const

export function authorizedView(): ResultView {
  const captureBefore = new Date('2026-11-28T01:36:00Z')
  return { ...paymentFacts, ...receipt, state: 'requires_capture', captureBefore }
}

export function partlyCapturedView(): ResultView {
  const paidAt = new Date('2026-11-21T01:36:00Z')
  return { ...paymentFacts, ...receipt, state: 'partially_captured', paidAt, capturedMinor: 50_000n }
}

export function challengedView(over: Partial<Extract<ResultView, { state: 'requires_action' }>> = {}) {
  const until = new Date('2026-11-21T02:06:00Z')
  return {
    ...paymentFacts,
    state: 'requires_action' as const,
    bank: { path: `/${publicId}/${reference}/bank`, until },
    other: { path: `/${publicId}/${reference}/cancel`, attempt: 1 },
    notClosed: false,
    ...over,
  }
}

export function voucherView(over: Partial<VoucherView> = {}): VoucherView {
  return {
    ...paymentFacts,
    method: 'oxxo',
    description: sale.description,
    number: '98012345678904',
    now: new Date('2026-11-22T20:00:00Z'),
    expiresAt: new Date('2026-11-25T05:59:59Z'),
    expired: false,
    toldUntil: new Date('2026-11-27T05:59:59Z'),
    sharePath: `/${publicId}`,
    otherPath: `/${publicId}?retry=another-way`,
    ...over,
  }
}

export function speiView(over: Partial<SpeiView> = {}): SpeiView {
  return {
    ...paymentFacts,
    description: sale.description,
    clabe: '646180000000000012',
    bankName: 'STP',
    beneficiary: sale.merchantName,
    receivedMinor: 0n,
    now: new Date('2026-11-22T20:00:00Z'),
    expiresAt: new Date('2026-11-25T05:59:59Z'),
    expired: false,
    toldUntil: new Date('2026-11-26T05:59:59Z'),
    sharePath: `/${publicId}`,
    otherPath: `/${publicId}?retry=another-way`,
    ...over,
  }
}

export function challengeView(): ChallengeView {
  const path = `/simulator/3ds/${reference}`
  return { ...paymentFacts, path, card: visa, action: path }
}

export const declineCodes: readonly DeclineCode[] = [
  'insufficient_funds',
  'card_declined',
  'expired_card',
  'suspected_fraud',
  'authentication_failed',
  'processing_error',
]

const results: readonly ResultView[] = [
  succeededView(),
  authorizedView(),
  partlyCapturedView(),
  ...declineCodes.map((code) => ({
    ...paymentFacts,
    state: 'declined' as const,
    method: 'card' as const,
    code,
    retryPath,
  })),
  { ...paymentFacts, state: 'canceled', retryPath: null, push: null },
  { ...paymentFacts, state: 'expired', retryPath, push: null },
  { ...paymentFacts, state: 'released', by: 'time', retryPath },
  { ...paymentFacts, state: 'reversed', how: 'refunded', retryPath: null },
  { ...paymentFacts, state: 'processing', method: 'card' },
  { ...paymentFacts, state: 'under_review' },
  challengedView(),
]

const taxes = [
  { iva_rate: '16', base: '50000', iva: '8000' },
  { iva_rate: 'exempt', base: '48000', iva: '0' },
] as const

type Render = (over: Partial<PageBase>) => Html

/** Every page by name; `over` chooses the language or the environment. */
export const everyPage: Readonly<Record<string, Render>> = {
  pay: (over) => payPage({ ...payView(), ...over }),
  'pay-direct': (over) =>
    payPage({ ...payView({ installments: null, description: null, expiresAt: null }), ...over }),
  'pay-plan': (over) =>
    payPage({
      ...payView({
        amountMinor: 109530n,
        priceMinor: 100_000n,
        installments: termsOf([6], { required: true, interestFree: false, surchargeMinor: 9530n }, 109_530n),
        error: 'card_without_plan',
      }),
      ...over,
    }),
  'pay-chosen': (over) => payPage({ ...payView({ amountPath: `/${publicId}` }), ...over }),
  amount: (over) => amountPage({ ...amountView(), ...over }),
  'amount-shared': (over) =>
    amountPage({
      ...amountView({
        shared: { lines: sharedLines, sharesMax: 20, followed: '0', inPart: () => null },
        error: 'part_taken',
      }),
      ...over,
    }),
  'amount-error': (over) => amountPage({ ...amountView({ typed: '1', error: 'out_of_bounds' }), ...over }),
  ...linkPages,
  'pay-error': (over) => payPage({ ...payView({ error: 'card_unknown' }), ...over }),
  'pay-methods': (over) => payPage({ ...payView({ methods: ['card', 'oxxo', 'spei'] }), ...over }),
  'pay-order': (over) =>
    payPage({
      ...payView({
        methods: ['card', 'oxxo', 'spei'],
        ...order,
      }),
      ...over,
    }),
  'pay-only-oxxo': (over) =>
    payPage({ ...payView({ methods: ['oxxo'], method: 'oxxo', installments: null }), ...over }),
  'pay-declined-card': (over) =>
    payPage({
      ...payView({
        methods: ['card', 'oxxo', 'spei'],
        declined: { method: 'card', code: 'insufficient_funds' },
      }),
      ...over,
    }),
  'pay-oxxo': (over) => payPage({ ...pushView('oxxo'), ...over }),
  'pay-spei': (over) => payPage({ ...pushView('spei'), ...over }),
  'pay-oxxo-error': (over) =>
    payPage({ ...pushView('oxxo'), wrong: ['name', 'email'], buyer: { name: 'A', email: 'ana' }, ...over }),
  'pay-declined': (over) =>
    payPage({
      ...payView({
        declined: { method: 'card', code: 'insufficient_funds' },
        buyer: { name: 'Ana López', email: '' },
      }),
      ...over,
    }),
  'pay-surcharge': (over) =>
    payPage({
      ...payView({
        amountMinor: 100_000n,
        installments: termsOf([3, 6], { interestFree: false, surchargeMinor: 9_530n }, 109_530n),
      }),
      ...over,
    }),
  'pay-instead': (over) =>
    payPage({
      ...payView({
        methods: ['card', 'oxxo'],
        pending: { kind: 'oxxo', path: `/${publicId}/${reference}`, receivedMinor: 0n },
      }),
      ...over,
    }),
  'pay-again': (over) =>
    payPage({
      ...payView({ pending: { kind: 'under_way', path: `/${publicId}/${reference}`, receivedMinor: 0n } }),
      ...over,
    }),
  'result-not-closed': (over) => resultPage({ ...challengedView({ notClosed: true }), ...over }),
  'result-challenge-over': (over) => resultPage({ ...challengedView({ bank: null }), ...over }),
  'result-link-closed': (over) => resultPage({ ...challengedView({ other: null }), ...over }),
  voucher: (over) => voucherPage({ ...voucherView(), ...over }),
  spei: (over) => speiPage({ ...speiView(), ...over }),
  'spei-partly': (over) => speiPage({ ...speiView({ receivedMinor: 50_000n }), ...over }),
  'spei-expired': (over) => speiPage({ ...speiView({ receivedMinor: 50_000n, expired: true }), ...over }),
  'voucher-expired': (over) => voucherPage({ ...voucherView({ expired: true }), ...over }),
  'result-invoice': (over) => resultPage({ ...succeededView(), taxData, ...over }),
  'result-delivered': (over) => resultPage({ ...succeededView(), delivered: delivered(), ...over }),
  'result-paid-at-oxxo': (over) =>
    resultPage({ ...succeededView(), instrument: { method: 'oxxo', number: '98012345678904' }, ...over }),
  'result-processing-oxxo': (over) =>
    resultPage({ ...paymentFacts, state: 'processing', method: 'oxxo', ...over }),
  review: (over) => reviewPage({ ...reviewView(), ...over }),
  'review-markup': (over) => reviewPage({ ...withMarkup(), ...over }),
  'review-plan': (over) =>
    reviewPage({
      ...withMarkup(),
      amountMinor: 109530n,
      single: false,
      offers: [offer(6, 109530n)],
      error: null,
      ...over,
    }),
  'review-single': (over) =>
    reviewPage({ ...reviewView({ offers: [], noOffers: 'card_not_eligible' }), ...over }),
  'result-installments': (over) =>
    resultPage({
      ...succeededView(),
      amountMinor: 109530n,
      surchargeMinor: 9530n,
      installments: { ...offer(12, 109530n), interestFree: false },
      ...over,
    }),
  ...Object.fromEntries(
    results.map((view): [string, Render] => [
      `result-${view.state === 'declined' ? view.code : view.state}`,
      (over) => resultPage({ ...view, ...over }),
    ]),
  ),
  ...Object.fromEntries(
    states.map((viewIn): [string, Render] => [
      `state-${viewIn('en').state}`,
      (over) => statePage({ ...viewIn(over.locale ?? base.locale), ...over }),
    ]),
  ),
  ...Object.fromEntries(
    (Object.keys(linkStates) as (keyof typeof linkStates)[]).map((name): [string, Render] => [
      `state-${name}`,
      (over) => statePage(linkState(name, over)),
    ]),
  ),
  'result-taxes': (over) => resultPage({ ...succeededView(), ...order, taxes, ...over }),
  'result-overpaid': (over) =>
    resultPage({
      ...succeededView(),
      instrument: { method: 'spei', number: '085904123456789012' },
      unapplied: { receivedMinor: 30_000n, heldMinor: 30_000n },
      ...over,
    }),
  'result-incomplete-spei': (over) =>
    resultPage({
      ...paymentFacts,
      state: 'expired',
      retryPath,
      push: 'spei',
      unapplied: { receivedMinor: 50_000n, heldMinor: 20_000n },
      ...over,
    }),
  'result-refunded': (over) => resultPage({ ...succeededView(), refundedMinor: 50_000n, ...over }),
  'result-expired-spei': (over) =>
    resultPage({ ...paymentFacts, state: 'expired', retryPath, push: 'spei', ...over }),
  'state-busy-seen': (over) =>
    statePage({
      ...base,
      state: 'busy',
      words: linkWords[over.locale ?? base.locale].busy,
      merchantName: sale.merchantName,
      retryPath,
      refused: false,
      ...over,
    }),
  'state-error-resend': (over) => statePage({ ...unknownOutcome, ...over }),
  challenge: (over) => challengePage({ ...challengeView(), ...over }),
}

function pushView(method: 'oxxo' | 'spei'): PayView {
  return payView({ methods: ['card', 'oxxo', 'spei'], method, installments: null })
}

function withMarkup(): ReviewView {
  return reviewView({
    amountMinor: 100000n,
    interestFree: false,
    offers: [3, 6, 9, 12].map((months) => offer(months, 109530n)),
    error: 'term_unavailable',
  })
}
