import { waitUntil } from 'cloudflare:workers'
import { sweepKeys } from '../functions/api-keys/operations.ts'
import { sweepIdentity } from '../functions/auth/sweep.ts'
import { hearDisputes, resolveDisputes } from '../functions/disputes/hear.ts'
import { hearWaiting } from '../functions/notifications/stripe.ts'
import { expireLinks } from '../functions/payment-links/operations.ts'
import { hearDeposits } from '../functions/payments/deposits.ts'
import {
  expirePayments,
  releaseClabes,
  releaseFunds,
  releaseReserves,
  resolveAttempts,
} from '../functions/payments/janitor.ts'
import { resolvePayouts, runPayoutSchedules } from '../functions/payouts/send.ts'
import { resealCredentials } from '../functions/processors/operations.ts'
import { resolveRefunds } from '../functions/refunds/send.ts'
import { resolveTransfers } from '../functions/transfers/send.ts'
import { continueRecoveries, drain, resealSecrets, sweepWebhooks } from '../functions/webhooks/engine.ts'
import { createApp, identityOf, servicesOf, surfacesOf } from './app.ts'
import type { Bindings } from './env.ts'
import type { WakeUp } from './platform/wake.ts'

const app = createApp(waitUntil)

interface Execution {
  waitUntil(work: Promise<unknown>): void
  passThroughOnException(): void
}

export default {
  fetch: (request: Request, env: Bindings, execution: Execution) =>
    app.fetch(request, env, execution as never),

  /**
   * A message only wakes somebody: it is taken at once, and what it asks for goes on behind it, so that a slow receiver
   * holds nobody up. What is lost on the way is found by the sweep.
   */
  queue(batch: { readonly messages: readonly { readonly body: unknown }[] }, env: Bindings): void {
    const services = servicesOf(env, waitUntil)
    for (const { body } of batch.messages) {
      const { tenantId, endpointId } = body as WakeUp
      const requestId = `queue_${crypto.randomUUID().replaceAll('-', '')}`
      waitUntil(drain(services, tenantId, endpointId, requestId).catch(tell('webhooks', requestId)))
    }
  },

  /** Every minute: what time has made due. One job that fails does not keep the others from running. */
  async scheduled(_event: unknown, env: Bindings): Promise<void> {
    const services = servicesOf(env, waitUntil)
    const requestId = `cron_${crypto.randomUUID().replaceAll('-', '')}`
    const now = new Date()
    const jobs = {
      attempts: () => resolveAttempts(services, surfacesOf(services), requestId, now),
      refunds: () => resolveRefunds(services, requestId, now),
      payouts: () => resolvePayouts(services, requestId, now),
      disputes: () => resolveDisputes(services, requestId, now),
      disputeNews: () => hearDisputes(services, requestId),
      transfers: () => resolveTransfers(services, requestId, now),
      notifications: () => hearWaiting(services, surfacesOf(services), requestId, now),
      deposits: () => hearDeposits(services, surfacesOf(services), requestId),
      clabes: () => releaseClabes(services, requestId, now),
      funds: () => releaseFunds(services, requestId, now),
      reserves: () => releaseReserves(services, requestId, now),
      // After what has become available today.
      payoutSettings: () => runPayoutSchedules(services, requestId, now),
      payments: () => expirePayments(services, requestId, now),
      paymentLinks: () => expireLinks(services, requestId, now),
      apiKeys: () => sweepKeys(services, requestId, now),
      processorCredentials: () => resealCredentials(services, requestId, now),
      webhookSecrets: () => resealSecrets(services, requestId, now),
      webhookRecoveries: () => continueRecoveries(services, requestId, now),
      claims: () => services.db.sweep(now, 1000),
      identity: () => sweepIdentity(identityOf(services.settings).sql),
      // Last: it waits for receivers.
      webhooks: () => sweepWebhooks(services, requestId),
    }
    for (const [job, run] of Object.entries(jobs)) {
      try {
        await run()
      } catch (error) {
        tell(job, requestId)(error)
      }
    }
  },
}

const tell = (job: string, requestId: string) => (error: unknown) => {
  const message = error instanceof Error ? error.message : 'unknown'
  console.error(JSON.stringify({ level: 'error', request_id: requestId, job, message }))
}
