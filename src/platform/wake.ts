import type { Queue } from '../env.ts'

/** What a queue message carries: whose webhooks are worth sending now. Ids only; it may be lost, doubled or late. */
export interface WakeUp {
  readonly tenantId: string
  readonly endpointId: string
}

/** Asks for a drain of endpoints, after a delay where one is given. Never waited for, never fails. */
export type Wake = (tenantId: string, endpointIds: readonly string[], delaySeconds?: number) => void

/** Without a queue nobody is woken: the sweep finds what is due. */
export const waker =
  (queue: Queue | undefined, inBackground: (work: Promise<unknown>) => void): Wake =>
  (tenantId, endpointIds, delaySeconds = 0) => {
    const messages = [...new Set(endpointIds)].map((endpointId) => ({
      body: { tenantId, endpointId } satisfies WakeUp,
      contentType: 'json' as const,
      delaySeconds,
    }))
    if (!queue || messages.length === 0) return
    const sent = queue
      .sendBatch(messages)
      .catch((error: unknown) =>
        console.error(JSON.stringify({ level: 'warn', what: 'webhooks queue', message: String(error) })),
      )
    inBackground(sent)
  }
