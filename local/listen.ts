import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { importSecret, newSecret, signedHeaders } from '../functions/webhooks/signing.ts'
import { type EventType, takes } from '../src/kernel/event-types.ts'
import { reasonOf, StackError } from './errors.ts'
import { send } from './merchant.ts'
import { sandboxOf, sandboxOptions } from './sandbox-options.ts'
import type { Sandbox } from './simulate.ts'

const HELP = `npm run listen -- --forward http://localhost:3000/hook [options]

Forwards a sandbox's events to a server on your machine, signed as a delivery signs them, from now on, until Ctrl-C.

  --events=payment.*   only these types; may be given more than once
  --secret=whsec_…     sign with this secret; without it one is made and shown
  --base, --key        another sandbox than that of \`npm start\`; the API key needs the scope webhooks:read`

const POLL_MS = 500

type Event = { id: string; type: EventType; created_at: string; data: { object: { id?: string } } }

/** Events of the sandbox since a time, oldest first. */
async function eventsSince({ baseUrl, apiKey }: Sandbox, since: Date): Promise<Event[]> {
  const found: Event[] = []
  for (let cursor = ''; ; ) {
    const query = new URLSearchParams({ limit: '100', 'created_at.gte': since.toISOString() })
    if (cursor) query.set('cursor', cursor)
    const response = await send(baseUrl, `/v1/webhooks/events?${query}`, { method: 'GET', bearer: apiKey })
    const text = await response.text()
    if (!response.ok) throw new StackError(`GET /v1/webhooks/events: ${response.status} ${text}`)
    const page = JSON.parse(text) as { data: Event[]; next_cursor: string }
    found.push(...page.data)
    if (!page.next_cursor) return found.reverse()
    cursor = page.next_cursor
  }
}

/** Sends one event on, and tells how that went in one line. */
async function forward(event: Event, to: string, key: CryptoKey): Promise<string> {
  const body = JSON.stringify(event)
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = await signedHeaders({ id: event.id, timestamp, body }, [key])
  const startedAt = performance.now()
  const outcome = await fetch(to, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  }).then(
    async (response) => {
      await response.arrayBuffer()
      return String(response.status)
    },
    (cause) => reasonOf(cause),
  )
  const took = Math.round(performance.now() - startedAt)
  return `${event.created_at}  ${event.type.padEnd(28)} ${event.data.object.id ?? ''}  ${outcome}  ${took} ms`
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...sandboxOptions,
      forward: { type: 'string' },
      events: { type: 'string', multiple: true, default: ['*'] },
      secret: { type: 'string' },
    },
  })
  if (!values.forward) throw new StackError(HELP)
  const sandbox = await sandboxOf(values)
  const secret = values.secret ?? newSecret()
  const key = await importSecret(secret)
  const told = new Set<string>()
  let since = new Date()
  console.log(`Forwarding to ${values.forward}, signed with ${secret}`)
  for (;;) {
    const events = await eventsSince(sandbox, since)
    for (const event of events) {
      if (told.has(event.id)) continue
      told.add(event.id)
      if (values.events.some((pattern) => takes(pattern, event.type)))
        console.log(await forward(event, values.forward, key))
    }
    // What commits late may carry a time a little before what was seen already.
    const newest = events.at(-1)
    if (newest) since = new Date(Math.max(since.getTime(), Date.parse(newest.created_at) - 10_000))
    await delay(POLL_MS)
  }
}

main().catch((cause) => {
  console.error(cause instanceof StackError ? cause.message : reasonOf(cause))
  process.exitCode = 1
})
