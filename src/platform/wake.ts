import type { Queue } from '../env/settings.ts'

/** A queue message: the endpoint whose webhooks may be sent now. Ids only; it may be lost, doubled or late. */
export interface WakeUp {
  readonly tenantId: string
  readonly endpointId: string
}

/** A queue message: mails may be sent now. */
export interface MailWakeUp {
  readonly mails: true
}

/** A queue message: a job has a backlog, help with it. */
export interface HelpWanted {
  readonly job: string
}

/** Asks for a drain of endpoints, after a delay where one is given. The caller does not wait; it never fails. */
export type Wake = (tenantId: string, endpointIds: readonly string[], delaySeconds?: number) => void

/** Per isolate, an endpoint is woken at once, and under load at most once in this time. */
const everyMs = 150
const knownMax = 10_000

/**
 * Wakes by queue. Wake-ups within `everyMs` after a message become one more message at the end of that time: it goes
 * out after every commit that asked for it, so that its drain sees them all. Without a queue, only the sweep finds what
 * is due.
 */
export function waker(queue: Queue | undefined, inBackground: (work: Promise<unknown>) => void): Wake {
  if (!queue) return () => {}
  /** When an endpoint was or will be woken last. */
  const wokenAt = new Map<string, number>()
  /** The second for which a delayed message is already sent: one is enough. */
  const wokenLater = new Map<string, number>()

  const send = (wakeUps: readonly WakeUp[], delaySeconds: number): void => {
    const messages = wakeUps.map((body) => ({ body, contentType: 'json' as const, delaySeconds }))
    inBackground(queue.sendBatch(messages).catch(unsent('webhooks_queue')))
  }

  return (tenantId, endpointIds, delaySeconds = 0) => {
    const wakeUps = [...new Set(endpointIds)].map((endpointId) => ({ tenantId, endpointId }))
    const nowMs = Date.now()
    if (delaySeconds > 0) {
      const second = Math.floor(nowMs / 1000) + delaySeconds
      const later = wakeUps.filter(({ endpointId }) => wokenLater.get(endpointId) !== second)
      if (wokenLater.size > knownMax) wokenLater.clear()
      for (const { endpointId } of later) wokenLater.set(endpointId, second)
      return later.length > 0 ? send(later, delaySeconds) : undefined
    }
    if (wokenAt.size > knownMax) wokenAt.clear()
    const atOnce: WakeUp[] = []
    for (const wakeUp of wakeUps) {
      const lastMs = wokenAt.get(wakeUp.endpointId) ?? 0
      if (lastMs > nowMs) continue // a scheduled message goes out after this commit
      const waitMs = lastMs + everyMs - nowMs
      wokenAt.set(wakeUp.endpointId, Math.max(nowMs, lastMs + everyMs))
      if (waitMs <= 0) atOnce.push(wakeUp)
      else inBackground(after(waitMs).then(() => send([wakeUp], 0)))
    }
    if (atOnce.length > 0) send(atOnce, 0)
  }
}

/** Has mails sent by queue. A lost message costs a minute: the sweep sends them. */
export function mailWaker(
  queue: Queue | undefined,
  inBackground: (work: Promise<unknown>) => void,
): () => void {
  const message: MailWakeUp = { mails: true }
  return () => {
    if (queue) inBackground(queue.send(message, { contentType: 'json' }).catch(unsent('mails_queue')))
  }
}

/** Has other invocations work on a job's backlog. A lost message costs time only. */
export const helperCaller =
  (queue: Queue | undefined, inBackground: (work: Promise<unknown>) => void) =>
  (job: string, helpers: number): void => {
    const messages = Array.from({ length: helpers }, () => ({ body: { job }, contentType: 'json' as const }))
    if (queue) inBackground(queue.sendBatch(messages).catch(unsent('jobs_queue')))
  }

const unsent = (place: string) => async (error: unknown) => {
  const { log } = await import('./log.ts')
  log('warn', { place, requestId: null }, error)
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
