import { sweepKeys } from '../functions/api-keys/operations.ts'
import { sweepIdentity } from '../functions/auth/sweep.ts'
import { resolveDisputes, syncDisputes } from '../functions/disputes/sync.ts'
import type { HostedOrigins } from '../functions/hosted-payment/api.ts'
import { reconcileExternalRefund, syncExternalRefunds } from '../functions/notifications/external-refunds.ts'
import { handleWaiting } from '../functions/notifications/stripe.ts'
import { expireLinks } from '../functions/payment-links/operations.ts'
import { syncDeposits } from '../functions/payments/deposits.ts'
import {
  expirePayments,
  releaseClabes,
  releaseFunds,
  releaseReserves,
  resolveAttempts,
} from '../functions/payments/reconcile.ts'
import { resolvePayouts, runPayoutSchedules } from '../functions/payouts/send.ts'
import { resolveRefunds } from '../functions/refunds/reconcile.ts'
import { resolveTransfers } from '../functions/transfers/send.ts'
import { continueRecoveries, sweepWebhooks } from '../functions/webhooks/dispatcher.ts'
import { forgetDeliveries } from '../functions/webhooks/retention.ts'
import { identityOf } from './compose.ts'
import type { JobRun } from './http/system-call.ts'

/** The scheduled jobs, in the order in which they run. Loaded with the first scheduled event. */
export function jobs(run: JobRun, origins: HostedOrigins) {
  const { services, now } = run
  return {
    attempts: () => resolveAttempts(run, origins),
    refunds: () => resolveRefunds(run, reconcileExternalRefund),
    externalRefunds: () => syncExternalRefunds(run),
    payouts: () => resolvePayouts(run),
    disputes: () => resolveDisputes(run),
    disputeNotifications: () => syncDisputes(run),
    transfers: () => resolveTransfers(run),
    notifications: () => handleWaiting(run, origins),
    deposits: () => syncDeposits(run, origins),
    clabes: () => releaseClabes(run),
    funds: () => releaseFunds(run),
    reserves: () => releaseReserves(run),
    // After funds and reserves, so that payouts include what became available today.
    payoutSettings: () => runPayoutSchedules(run),
    payments: () => expirePayments(run),
    paymentLinks: () => expireLinks(run),
    apiKeys: () => sweepKeys(run),
    webhookRecoveries: () => continueRecoveries(run),
    webhookHistory: () => forgetDeliveries(services),
    claims: () => services.db.sweep(now, 1000),
    identity: () => sweepIdentity(identityOf(services.settings).sql),
    // Last: it waits for receivers.
    webhooks: () => sweepWebhooks(run),
  }
}
