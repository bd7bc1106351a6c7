import { linkSurface } from '../functions/payment-links/surface.ts'
import type { Surfaces } from '../functions/payments/published.ts'
import type { Services } from './http/services.ts'

/** The surfaces that sell: each changes what it sold when a payment succeeds. */
export const surfacesOf = ({ settings }: Services): Surfaces =>
  ({ payment_link: linkSurface(settings) }) as Surfaces
