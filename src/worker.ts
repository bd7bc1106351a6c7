import { sweepKeys } from '../functions/api-keys/operations.ts'
import { sweepIdentity } from '../functions/auth/sweep.ts'
import { expireLinks } from '../functions/payment-links/operations.ts'
import {
  expirePayments,
  releaseFunds,
  releaseReserves,
  resolveAttempts,
} from '../functions/payments/janitor.ts'
import { createApp, identityOf, servicesOf, surfacesOf } from './app.ts'
import type { Bindings } from './env.ts'

const app = createApp()

interface Execution {
  waitUntil(work: Promise<unknown>): void
  passThroughOnException(): void
}

export default {
  fetch: (request: Request, env: Bindings, execution: Execution) =>
    app.fetch(request, env, execution as never),

  /** Every minute: what time has made due. One job that fails does not keep the others from running. */
  async scheduled(_event: unknown, env: Bindings): Promise<void> {
    const services = servicesOf(env)
    const requestId = `cron_${crypto.randomUUID().replaceAll('-', '')}`
    const now = new Date()
    const jobs = {
      attempts: () => resolveAttempts(services, surfacesOf(services), requestId, now),
      funds: () => releaseFunds(services, requestId, now),
      reserves: () => releaseReserves(services, requestId, now),
      payments: () => expirePayments(services, requestId, now),
      paymentLinks: () => expireLinks(services, requestId, now),
      apiKeys: () => sweepKeys(services, requestId, now),
      claims: () => services.db.sweep(now, 1000),
      identity: () => sweepIdentity(identityOf(services.settings).sql),
    }
    for (const [job, run] of Object.entries(jobs)) {
      try {
        await run()
      } catch (error) {
        const message = error instanceof Error ? error.message : 'unknown'
        console.error(JSON.stringify({ level: 'error', request_id: requestId, job, message }))
      }
    }
  },
}
