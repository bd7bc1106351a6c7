import type { EventType } from '../src/kernel/event-types.ts'
import { StackError } from './errors.ts'
import { send } from './merchant.ts'
import type { Sandbox } from './simulate.ts'

export type FollowedEvent = {
  id: string
  type: EventType
  created_at: string
  data: { object: { id?: string } }
}

/** Why an address cannot be reached, in words. */
export function unreachable(cause: unknown): string {
  const inner = (cause as { cause?: { code?: string; message?: string } }).cause
  const code = inner?.code ?? (cause as { name?: string }).name ?? ''
  const said: Record<string, string> = {
    ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
    ENOTFOUND: 'there is no such name (ENOTFOUND)',
    ECONNRESET: 'the connection was cut (ECONNRESET)',
    UND_ERR_SOCKET: 'the connection was cut before an answer',
    EHOSTUNREACH: 'no way leads there (EHOSTUNREACH)',
    TimeoutError: 'no answer within ten seconds',
  }
  return said[code] ?? inner?.message ?? String(cause)
}

/** Sends to a sandbox. @throws StackError that says so when nothing answers there */
export async function reach(
  baseUrl: string,
  path: string,
  request: Parameters<typeof send>[2],
): Promise<Response> {
  try {
    return await send(baseUrl, path, request)
  } catch (cause) {
    throw new StackError(
      `Nothing answers at ${baseUrl}: ${unreachable(cause)}. Start it with \`npm start\`, or name a sandbox with --base and --key`,
    )
  }
}

/** Follows a sandbox's events from now on: each call returns the events since the previous call. */
export function follower({ baseUrl, apiKey }: Sandbox): () => Promise<FollowedEvent[]> {
  // Starts a minute back because clocks differ; the first call drops the earlier events.
  let place = { 'created_at.gte': new Date(Date.now() - 60_000).toISOString(), cursor: '' }
  return async () => {
    const found: FollowedEvent[] = []
    const startedAt = place.cursor === ''
    for (;;) {
      const query = new URLSearchParams({
        order: 'asc',
        limit: '100',
        'created_at.gte': place['created_at.gte'],
      })
      if (place.cursor !== '') query.set('cursor', place.cursor)
      const path = `/v1/webhooks/events?${query}`
      const response = await reach(baseUrl, path, { method: 'GET', bearer: apiKey })
      const text = await response.text()
      if (!response.ok) throw new StackError(`GET /v1/webhooks/events: ${response.status} ${text}`)
      const page = JSON.parse(text) as { data: FollowedEvent[]; has_more: boolean; next_cursor: string }
      found.push(...page.data)
      place = { ...place, cursor: page.next_cursor }
      if (!page.has_more) return startedAt ? [] : found
    }
  }
}
