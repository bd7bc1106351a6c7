import type { ClosedState } from '../../../functions/page/hosted-payment/api.ts'
import type {
  AmountView,
  PageBase,
  PayView,
  StateView,
} from '../../../functions/page/hosted-payment/pages/frame/view.ts'
import { states as linkStates, words as linkWords } from '../../../functions/selling/payment-links/words.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import { testCards } from '../../../src/processors/simulator/cards.ts'

/** What the sample pages share, and the views of pages that take no money. */

export const publicId = `splink_${'a1b2c3d4'.repeat(4)}`
export const reference = `spcs_${'e5f6g7h8'.repeat(4)}`

export const base: PageBase = {
  locale: 'es-MX',
  testMode: true,
  path: `/${publicId}`,
  address: 'https://pagos.example',
  payee: {
    name: 'Café Azul de Coyoacán',
    legalName: 'Cafetería Azul del Sur SA de CV',
    email: 'hola@cafeazul.example',
    phone: '+525555551234',
    website: 'https://cafeazul.example',
  },
}
export const sale = {
  publicId,
  merchantName: 'Café Azul de Coyoacán',
  description: 'Curso de barismo, grupo de los sábados',
  amountMinor: 120000n,
  currency: 'mxn',
}
/** An order that its buyer may change. */
export const order = {
  lines: [{ name: 'Taza de cerámica', quantity: 2, total: '116000' }],
  parts: [
    { kind: 'discount', name: 'BIENVENIDA', amount: '-10000' },
    { kind: 'tip', name: null, amount: '14000' },
  ],
  taxes: [{ iva_rate: '16', base: '91379', iva: '14621' }],
  adjustable: {
    shipping: [],
    shippingAt: null,
    takesCodes: true,
    code: null,
    lines: [{ at: 0, name: 'Taza de cerámica', quantity: 2, least: 1, most: 5 }],
    tip: { presets: [{ bps: 1_000, amount: '10600' }], allowsOwn: true, chosenBps: null, chosen: '0' },
  },
} as const

export const carried = { sealedQuote: 'signed.quote', attemptKey: 'attempt-key-0001' }
const requestId = '0199f3a2-7c3e-7b1a-9f00-000000000001'
export const retryPath = `/${publicId}`
const { merchantName } = sale

/** A link's own state, as the form's page hands it to the state's page. */
export function linkState(
  name: keyof typeof linkStates,
  over: Partial<PageBase> & { merchantName?: string; refused?: boolean } = {},
): StateView {
  const { icon, tone, words, ...state }: ClosedState = linkStates[name]
  return {
    ...base,
    state: 'own',
    look: [icon, tone],
    words: words[over.locale ?? base.locale],
    ...over,
    merchantName: state.isHidden ? null : (over.merchantName ?? merchantName),
  }
}

export const states: readonly ((locale: Locale) => StateView)[] = [
  () => ({ ...base, state: 'not_set_up', merchantName }),
  () => ({ ...base, state: 'no_payments', merchantName }),
  (locale) => ({
    ...base,
    state: 'changed',
    words: linkWords[locale].changed,
    merchantName,
    retryPath,
    currency: 'mxn',
    changes: [
      { what: 'amount', from: 120_000n, to: 130_000n },
      { what: 'methods', from: ['card'], to: ['card', 'oxxo'] },
      { what: 'installments', from: [3, 6], to: [] },
      { what: 'surcharge', from: 9_530n, to: 0n },
      { what: 'capture', from: 'automatic', to: 'manual' },
    ],
  }),
  (locale) => ({
    ...base,
    state: 'busy',
    words: linkWords[locale].busy,
    merchantName,
    retryPath,
    refused: true,
  }),
  ...(['not_found', 'bad_request', 'foreign_form', 'wrong_method'] as const).map((state) => () => ({
    ...base,
    state,
  })),
  () => ({ ...base, state: 'too_many_requests', retryAfterSeconds: 30 }),
  () => ({ ...base, state: 'error', requestId, resend: null }),
]

export const unknownOutcome: StateView = {
  ...base,
  state: 'error',
  requestId,
  resend: { action: `/${publicId}/attempts`, fields: { attempt_key: carried.attemptKey, months: '3' } },
}

/** Terms of a sale; `totalMinor`: what each costs. */
export const termsOf = (
  months: readonly number[],
  over: Partial<NonNullable<PayView['installments']>> = {},
  totalMinor = 120_000n,
) => ({
  months,
  required: false,
  interestFree: true,
  surchargeMinor: 0n,
  offers: months.map((each) => offer(each, totalMinor)),
  ...over,
})

export function offer(months: number, totalMinor: bigint) {
  const monthlyMinor = totalMinor / BigInt(months)
  return { months, monthlyMinor, firstMinor: totalMinor - monthlyMinor * BigInt(months - 1), totalMinor }
}

export function payView(over: Partial<PayView> = {}): PayView {
  return {
    ...base,
    ...sale,
    sealedQuote: carried.sealedQuote,
    expiresAt: new Date('2026-12-01T05:59:00Z'),
    terms: '1.1',
    closesInMs: null,
    methods: ['card'],
    method: 'card',
    attemptKey: carried.attemptKey,
    cardMinor: over.cardMinor ?? over.amountMinor ?? sale.amountMinor,
    priceMinor: over.priceMinor ?? over.amountMinor ?? sale.amountMinor,
    pushUntil: { oxxo: new Date('2026-11-25T05:59:59Z'), spei: new Date('2026-11-25T05:59:59Z') },
    formPath: `/${publicId}`,
    amountPath: null,
    buyer: { name: '', email: '' },
    pending: null,
    installments: termsOf([3, 6, 9, 12]),
    testCards,
    cardEntry: null,
    error: null,
    wrong: [],
    declined: null,
    ...over,
  }
}

export const sharedLines = [
  { id: '0196a9a0-0000-7000-8000-000000000001', name: 'Chilaquiles verdes con pollo', amountMinor: 14_500n },
  { id: '0196a9a0-0000-7000-8000-000000000002', name: 'Café de olla', amountMinor: 5_200n },
]

export const amountView = (over: Partial<AmountView> = {}): AmountView => ({
  ...base,
  merchantName: sale.merchantName,
  description: sale.description,
  currency: 'mxn',
  amountMinorMin: 2_000n,
  amountMinorMax: 500_000n,
  shared: null,
  typed: '',
  kept: {},
  error: null,
  ...over,
})
