import type { Locale } from '../../../../../src/kernel/locale.ts'
import type { PaymentOnPage } from '../../checkout-flow.ts'
import { baseOf, type Ctx } from '../frame/frame.ts'

export const pathOf = ({ onSale, payment }: Pick<PaymentOnPage, 'onSale' | 'payment'>): string =>
  `/${onSale.sale.publicId}/${payment.publicId}`

/** The sale's address, to try that payment again. */
export const retryPathOf = (publicId: string, retryOf: string | null) =>
  `/${publicId}${retryOf ? `?retry=${retryOf}` : ''}`

/** The facts on every page of a payment. */
export const factsOf = (c: Ctx, { onSale, payment, unapplied }: PaymentOnPage, locale: Locale) => ({
  ...baseOf(c, locale),
  path: pathOf({ onSale, payment }),
  merchantName: onSale.merchantName,
  reference: payment.publicId,
  amountMinor: payment.amountMinor,
  currency: payment.currency,
  surchargeMinor: payment.markupMinor,
  unapplied,
})
