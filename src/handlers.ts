import { waitUntil } from 'cloudflare:workers'
import { createApp, type LoadOrigins } from './app.ts'
import { servicesOf } from './compose.ts'
import type { Bindings } from './env.ts'
import type { MailWakeUp, WakeUp } from './platform/wake.ts'

interface Execution {
  waitUntil(work: Promise<unknown>): void
  passThroughOnException(): void
  readonly props: unknown
}

/** The Worker's handlers, for everything that sells. */
export function handlersFor(loadOrigins: LoadOrigins) {
  const app = createApp(waitUntil, loadOrigins)
  return {
    fetch: (request: Request, env: Bindings, execution: Execution) => app.fetch(request, env, execution),

    /**
     * A message is acknowledged at once and its drain runs in the background, so that a slow receiver delays no other
     * message. The sweep finds what is lost on the way.
     */
    queue(batch: { readonly messages: readonly { readonly body: unknown }[] }, env: Bindings): void {
      for (const { body } of batch.messages) {
        const requestId = `queue_${crypto.randomUUID().replaceAll('-', '')}`
        waitUntil(wakeUp(env, body as WakeUp | MailWakeUp, requestId))
      }
    },

    /** Every minute: runs the jobs. One that fails does not keep the others from running. */
    async scheduled(_event: unknown, env: Bindings): Promise<void> {
      const [{ jobs }, { logFailure }, origins] = await Promise.all([
        import('./generated/jobs.ts'),
        import('./platform/log.ts'),
        loadOrigins(),
      ])
      const requestId = `cron_${crypto.randomUUID().replaceAll('-', '')}`
      const run = { services: servicesOf(env, waitUntil), requestId, now: new Date() }
      for (const [job, work] of Object.entries(jobs)) {
        try {
          await work(run, origins)
        } catch (error) {
          logFailure(job, { requestId })(error)
        }
      }
    },
  }
}

async function wakeUp(env: Bindings, wanted: WakeUp | MailWakeUp, requestId: string): Promise<void> {
  const { logFailure } = await import('./platform/log.ts')
  const work = { services: servicesOf(env, waitUntil), requestId }
  const done =
    'mails' in wanted
      ? import('../functions/mails/send.ts').then(({ sendDueMails }) =>
          sendDueMails({ ...work, now: new Date() }),
        )
      : import('../functions/webhooks/dispatcher.ts').then(({ drain }) => drain(work, wanted))
  await done.catch(logFailure('mails' in wanted ? 'mails' : 'webhooks', { requestId }))
}
