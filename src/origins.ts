import { linkOrigin } from '../functions/payment-links/origin.ts'
import type { PaymentOrigins } from '../functions/payments/api.ts'
import type { Services } from './http/services.ts'

/** The origins that sell: each changes what it sold when a payment succeeds. */
export const originsOf = ({ settings }: Services): PaymentOrigins =>
  ({ payment_link: linkOrigin(settings) }) as PaymentOrigins
