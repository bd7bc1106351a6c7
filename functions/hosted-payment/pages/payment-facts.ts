import type { Services } from '../../../src/http/services.ts'
import { linkOrigin } from '../../payment-links/api.ts'
import type { PaymentOrigin, PaymentOrigins } from '../../payments/api.ts'
import type { PaymentOnPage } from '../checkout-flow.ts'
import { baseOf, type Ctx } from './frame.ts'
import type { Locale } from './locale.ts'

export const pathOf = ({ link, payment }: Pick<PaymentOnPage, 'link' | 'payment'>): string =>
  `/${link.publicId}/${payment.publicId}`

export const originsOf = ({ settings }: Services): PaymentOrigins => ({
  payment_link: linkOrigin(settings) as PaymentOrigin,
})

/** The facts on every page of a payment. */
export const factsOf = (c: Ctx, { link, payment, stray }: PaymentOnPage, locale: Locale) => ({
  ...baseOf(c, locale),
  path: pathOf({ link, payment }),
  merchantName: link.merchantName,
  reference: payment.publicId,
  amountMinor: payment.amountMinor,
  currency: payment.currency,
  surchargeMinor: payment.markupMinor,
  stray,
})
