import type { HostedOrigin, HostedOrigins } from '../functions/hosted-payment/api.ts'
import { linkOrigin } from '../functions/payment-links/origin.ts'

/** Origins by their kind. */
export const originsOf = (...listed: readonly HostedOrigin[]): HostedOrigins =>
  Object.fromEntries(listed.map((origin) => [origin.kind, origin]))

/** Everything that sells: a new origin adds its line. */
export const origins = originsOf(linkOrigin)
