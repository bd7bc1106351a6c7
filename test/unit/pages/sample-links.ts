import type { Shortage } from '../../../functions/order/lines/api-pure.ts'
import type { Html, PageBase, StateView } from '../../../functions/page/hosted-payment/pages/frame/view.ts'
import { amountPage } from '../../../functions/page/hosted-payment/pages/pay/amount.ts'
import { passwordPage } from '../../../functions/page/hosted-payment/pages/pay/password.ts'
import { payPage } from '../../../functions/page/hosted-payment/pages/pay/pay.ts'
import {
  type FreeView,
  freeReceipt,
  freeRows,
} from '../../../functions/page/hosted-payment/pages/result/free-receipt.ts'
import { freeText } from '../../../functions/page/hosted-payment/pages/result/text-free.ts'
import { statePage } from '../../../functions/page/hosted-payment/pages/state/state.ts'
import { amountView, base, linkState, order, payView, publicId, reference } from './sample-states.ts'

const locked = { merchantName: 'Café Azul de Coyoacán', publicId: `splink_${'a'.repeat(32)}`, query: '' }

/** The pages of links on which the buyer chooses, or may not pay with any address. */
/** An order that cost nothing, as its receipt shows it. */
export function freeView(over: Partial<PageBase> = {}): FreeView {
  const shown = {
    merchantName: 'Café Azul de Coyoacán',
    currency: 'mxn',
    description: null,
    lines: order.lines,
    parts: [{ kind: 'discount', name: 'CORTESIA', amount: '-116000' }],
    taxes: [{ iva_rate: '16', base: '0', iva: '0' }],
    completedAt: new Date('2026-11-21T01:36:00Z'),
  } as const
  const view = { ...base, path: `/${publicId}/${reference}`, ...over }
  const rows = freeRows({ ...shown, locale: view.locale })
  return { ...view, ...shown, rows, title: freeText[view.locale].receipt, reference, delivered: [] }
}

/** What is left of an order, or of a link's quantity, where a buyer wants more. */
const short = (shortage: Shortage, over: Partial<PageBase>, isRefused = false) =>
  statePage({
    ...linkState('sold_out', over),
    short: { ...shortage, publicId: locked.publicId, kept: {}, isRefused },
  } as StateView)
const free = () =>
  payView({
    methods: [],
    amountMinor: 0n,
    lines: order.lines,
    parts: [{ kind: 'discount', name: 'CORTESIA', amount: '-116000' }],
    buyer: { name: '', email: 'ana@' },
  })
const taza = { name: 'Taza de cerámica', left: 3 }
const two = [taza, { name: 'Juego de té para seis personas', left: 1 }]

export const linkPages: Readonly<Record<string, (over: Partial<PageBase>) => Html>> = {
  'amount-presets': (over) =>
    amountPage({ ...amountView({ presetsMinor: [5_000n, 10_000n], kept: { method: 'oxxo' } }), ...over }),
  'pay-domains': (over) =>
    payPage({ ...payView({ payerEmailDomains: ['empresa.mx'], wrong: ['receipt_email'] }), ...over }),
  password: (over) => passwordPage({ ...base, ...locked, isPin: false, isWrong: false, ...over }),
  'password-wrong': (over) => passwordPage({ ...base, ...locked, isPin: false, isWrong: true, ...over }),
  pin: (over) => passwordPage({ ...base, ...locked, isPin: true, isWrong: false, ...over }),
  'pin-wrong': (over) => passwordPage({ ...base, ...locked, isPin: true, isWrong: true, ...over }),
  'pay-free': (over) => payPage({ ...free(), wrong: ['receipt_email'], ...over }),
  'result-free': (over) => freeReceipt(freeView(over)),
  'short-quantity': (over) => short({ lines: [taza], offer: { quantity: 3 } }, over),
  'short-lines': (over) => short({ lines: two, offer: { quantities: { 0: 3, 1: 1 } } }, over),
  'short-refused': (over) => short({ lines: [taza], offer: null }, over, true),
  'short-fixed': (over) => short({ lines: [{ ...taza, left: 1 }], offer: null }, over),
  'short-mixed': (over) => short({ lines: [taza, { ...two[1]!, left: 0 }], offer: null }, over),
  'pay-order-short': (over) =>
    payPage({
      ...payView(order),
      isBlocked: true,
      unadjusted: { problem: 'quantity.stock', at: 0, left: 3, typed: { 'quantity.0': '5' } },
      ...over,
    }),
  'pay-quantity': (over) =>
    payPage({
      ...payView({ quantities: { value: '2', min: 1, max: 5, unitMinor: 60_000n, error: false } }),
      ...over,
    }),
  'pay-quantity-error': (over) =>
    payPage({
      ...payView({
        quantities: { value: '6', min: 1, max: 5, unitMinor: 120_000n, error: true },
        isBlocked: true,
      }),
      ...over,
    }),
}
