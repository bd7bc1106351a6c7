import { sweepKeys } from '../functions/api-keys/operations.ts'
import { sweepIdentity } from '../functions/auth/sweep.ts'
import { resolveDisputes, syncDisputes } from '../functions/disputes/sync.ts'
import type { HostedOrigins } from '../functions/hosted-payment/api.ts'
import { reconcileExternalRefunds, syncExternalRefunds } from '../functions/notifications/external-refunds.ts'
import { handleWaiting } from '../functions/notifications/stripe.ts'
import { expireLinks } from '../functions/payment-links/operations.ts'
import { syncDeposits } from '../functions/payments/deposits.ts'
import {
  expirePayments,
  releaseClabes,
  releaseFunds,
  releaseReserves,
  resolveAttempts,
} from '../functions/payments/janitor.ts'
import { resolvePayouts, runPayoutSchedules } from '../functions/payouts/send.ts'
import { resolveRefunds } from '../functions/refunds/janitor.ts'
import { resolveTransfers } from '../functions/transfers/send.ts'
import { continueRecoveries, sweepWebhooks } from '../functions/webhooks/dispatcher.ts'
import { forgetDeliveries } from '../functions/webhooks/retention.ts'
import { identityOf } from './compose.ts'
import type { Services } from './http/services.ts'

/** The scheduled jobs, in the order in which they run. Loaded with the first scheduled event. */
export const jobs = (services: Services, origins: HostedOrigins, requestId: string, now: Date) => ({
  attempts: () => resolveAttempts(services, origins, requestId, now),
  refunds: () => resolveRefunds(services, requestId, now, reconcileExternalRefunds),
  refundNews: () => syncExternalRefunds(services, requestId),
  payouts: () => resolvePayouts(services, requestId, now),
  disputes: () => resolveDisputes(services, requestId, now),
  disputeNews: () => syncDisputes(services, requestId),
  transfers: () => resolveTransfers(services, requestId, now),
  notifications: () => handleWaiting(services, origins, requestId, now),
  deposits: () => syncDeposits(services, origins, requestId),
  clabes: () => releaseClabes(services, requestId, now),
  funds: () => releaseFunds(services, requestId, now),
  reserves: () => releaseReserves(services, requestId, now),
  // After funds and reserves, so that payouts include what became available today.
  payoutSettings: () => runPayoutSchedules(services, requestId, now),
  payments: () => expirePayments(services, requestId, now),
  paymentLinks: () => expireLinks(services, requestId, now),
  apiKeys: () => sweepKeys(services, requestId, now),
  webhookRecoveries: () => continueRecoveries(services, requestId, now),
  webhookHistory: () => forgetDeliveries(services),
  claims: () => services.db.sweep(now, 1000),
  identity: () => sweepIdentity(identityOf(services.settings).sql),
  // Last: it waits for receivers.
  webhooks: () => sweepWebhooks(services, requestId),
})
