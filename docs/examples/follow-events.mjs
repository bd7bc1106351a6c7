// Follows Spindle's events: node docs/examples/follow-events.mjs
//
//   SPINDLE_API_KEY   an API key with the scope webhooks:read, and those to read the events' resources
//   SPINDLE_URL       http://localhost:8787 when absent
//   CURSOR_FILE       the cursor's file; spindle-events.cursor when absent
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const baseUrl = process.env.SPINDLE_URL ?? 'http://localhost:8787'
const file = process.env.CURSOR_FILE ?? 'spindle-events.cursor'
const headers = { authorization: `Bearer ${process.env.SPINDLE_API_KEY}` }

// In your service: a row of your database, written in the transaction of the events' changes. A cursor belongs to its
// filters, so the start time is stored beside it.
function load() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { startedAt: new Date().toISOString(), cursor: '' }
  }
}

function save(place) {
  writeFileSync(`${file}.new`, JSON.stringify(place))
  renameSync(`${file}.new`, file)
}

function handle(event) {
  console.log(`${event.created_at} ${event.type} ${event.data.object.id ?? ''} ${event.sequence}`)
}

async function next({ startedAt, cursor }) {
  const query = new URLSearchParams({
    order: 'asc',
    limit: '100',
    'created_at.gte': startedAt,
    ...(cursor && { cursor }),
  })
  const response = await fetch(`${baseUrl}/v1/webhooks/events?${query}`, {
    headers,
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return response.json()
}

const place = load()
for (;;) {
  let page
  try {
    page = await next(place)
  } catch (error) {
    // Nothing is lost: the next request has the same cursor.
    console.error(String(error.cause?.code ?? error.message))
    await delay(2_000)
    continue
  }
  for (const event of page.data) handle(event)
  place.cursor = page.next_cursor
  save(place)
  if (!page.has_more) await delay(1_000)
}
