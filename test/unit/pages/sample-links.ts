import { amountPage } from '../../../functions/hosted-payment/pages/amount.ts'
import { passwordPage } from '../../../functions/hosted-payment/pages/password.ts'
import { payPage } from '../../../functions/hosted-payment/pages/pay.ts'
import type { Html, PageBase } from '../../../functions/hosted-payment/pages/view.ts'
import { base } from './sample-states.ts'
import { amountView, payView } from './samples.ts'

const locked = { merchantName: 'Café Azul de Coyoacán', publicId: `splink_${'a'.repeat(32)}`, query: '' }

/** The pages of links on which the buyer chooses, or may not pay with any address. */
export const linkPages: Readonly<Record<string, (over: Partial<PageBase>) => Html>> = {
  'amount-presets': (over) =>
    amountPage({ ...amountView({ presetsMinor: [5_000n, 10_000n], kept: { method: 'oxxo' } }), ...over }),
  'pay-domains': (over) =>
    payPage({ ...payView({ payerEmailDomains: ['empresa.mx'], wrong: ['receipt_email'] }), ...over }),
  password: (over) => passwordPage({ ...base, ...locked, isWrong: false, ...over }),
  'password-wrong': (over) => passwordPage({ ...base, ...locked, isWrong: true, ...over }),
  'pay-quantity': (over) =>
    payPage({
      ...payView({ quantities: { value: 2, min: 1, max: 5, unitMinor: 60_000n, kept: {}, error: false } }),
      ...over,
    }),
  'pay-quantity-error': (over) =>
    payPage({
      ...payView({ quantities: { value: 1, min: 1, max: 5, unitMinor: 120_000n, kept: {}, error: true } }),
      ...over,
    }),
}
