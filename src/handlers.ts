import { waitUntil } from 'cloudflare:workers'
import type { SoldHere } from '../functions/page/hosted-payment/api.ts'
import { createApp } from './app.ts'
import { servicesOf } from './compose.ts'
import type { Bindings } from './env/settings.ts'
import { type HelpWanted, helperCaller, type MailWakeUp, type WakeUp } from './platform/wake.ts'

interface Execution {
  waitUntil(work: Promise<unknown>): void
  passThroughOnException(): void
  readonly props: unknown
}

/** The Worker's handlers, for everything that sells. */
export function handlersFor(sold: SoldHere) {
  const app = createApp(waitUntil, sold)
  return {
    fetch: (request: Request, env: Bindings, execution: Execution) => app.fetch(request, env, execution),

    /**
     * A message is acknowledged at once and its drain runs in the background, so that a slow receiver delays no other
     * message. The sweep finds what is lost on the way.
     */
    queue(batch: { readonly messages: readonly { readonly body: unknown }[] }, env: Bindings): void {
      for (const { body } of batch.messages) {
        const requestId = `queue_${crypto.randomUUID().replaceAll('-', '')}`
        waitUntil(wakeUp(env, body as WakeUp | MailWakeUp | HelpWanted, requestId))
      }
    },

    /** Every minute: runs the jobs that have something to do. */
    async scheduled(_event: unknown, env: Bindings): Promise<void> {
      const [{ jobs }, { runJobs }, origins] = await Promise.all([
        import('./generated/jobs.ts'),
        import('./http/scheduled.ts'),
        sold.all(),
      ])
      const requestId = `cron_${crypto.randomUUID().replaceAll('-', '')}`
      const services = servicesOf(env, waitUntil)
      const callHelpers = helperCaller(env.WEBHOOKS, waitUntil)
      await runJobs({ services, requestId, now: new Date(), callHelpers }, jobs, origins)
    },
  }

  async function wakeUp(
    env: Bindings,
    wanted: WakeUp | MailWakeUp | HelpWanted,
    requestId: string,
  ): Promise<void> {
    const { logFailure } = await import('./platform/log.ts')
    const work = { services: servicesOf(env, waitUntil), requestId }
    const run = { ...work, now: new Date() }
    if ('mails' in wanted) {
      const { sendDueMails } = await import('../functions/account/mails/send.ts')
      await sendDueMails(run, () => import('./generated/mails.ts')).catch(logFailure('mails', work))
    } else if ('job' in wanted) {
      const [{ jobs }, origins] = await Promise.all([import('./generated/jobs.ts'), sold.all()])
      await jobs[wanted.job]?.(run, origins).catch(logFailure(wanted.job, work))
    } else {
      const { drain } = await import('../functions/developer/webhooks/dispatcher.ts')
      await drain(work, wanted).catch(logFailure('webhooks', work))
    }
  }
}
