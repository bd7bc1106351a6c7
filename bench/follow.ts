import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { send } from '../local/merchant.ts'
import type { Postgres } from '../local/postgres.ts'
import { Client } from '../test/support/postgres.ts'
import { LINK, newMerchant } from './merchant.ts'

const creators = 16
/** Concurrent transactions that stay open for a while, as with a slow processor or a busy account. */
const slowWriters = 4
const slowMsMax = 200
const pollMs = 50

export type Followed = {
  events: number
  missing: number
  doubled: number
  /** Events of a resource that came before an earlier one of it. */
  disordered: number
  /** Missed by a poller of `created_at.gte` of the newest row seen, over the same events. */
  missedByTime: number
  /** From the event's creation to the page that has it. */
  delaysMs: { p50: number; p95: number; p99: number }
}

type Event = { id: string; created_at: string; sequence: number; data: { object: { id: string } } }
type Page = { data: Event[]; has_more: boolean; next_cursor: string }

/** Follows the events of a merchant while they are made, by cursor and by time; then counts what the database has. */
export async function follow(
  { postgres, url, baseUrl }: { postgres: Postgres; url: string; baseUrl: string },
  { events }: { events: number },
): Promise<Followed> {
  const { tenantId, apiKey } = await newMerchant(baseUrl, 'Followed', 0)
  const list = async (query: Record<string, string>): Promise<Page> => {
    const path = `/v1/webhooks/events?${new URLSearchParams({ limit: '100', ...query })}`
    const response = await send(url, path, { method: 'GET', bearer: apiKey })
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Page
  }
  let isMade = false
  const [followed, byTime] = await Promise.all([
    byCursor(list, () => isMade),
    byCreation(list, () => isMade),
    making({ postgres, url, tenantId, apiKey }, events).then(() => {
      isMade = true
    }),
  ])
  const inDatabase = await idsInDatabase(postgres, tenantId)
  const { seen, delays, disordered } = followed
  const sorted = [...delays].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return {
    events: inDatabase.length,
    missing: inDatabase.filter((id) => !seen.has(id)).length,
    doubled: [...seen.values()].filter((times) => times > 1).length,
    disordered,
    missedByTime: inDatabase.filter((id) => !byTime.has(id)).length,
    delaysMs: { p50: at(0.5), p95: at(0.95), p99: at(0.99) },
  }
}

type List = (query: Record<string, string>) => Promise<Page>

async function byCursor(list: List, isMade: () => boolean) {
  const seen = new Map<string, number>()
  const newest = new Map<string, number>()
  const delays: number[] = []
  let disordered = 0
  for (let cursor = ''; ; ) {
    const last = isMade()
    const page = await list({ order: 'asc', ...(cursor && { cursor }) })
    for (const { id, created_at, sequence, data } of page.data) {
      seen.set(id, (seen.get(id) ?? 0) + 1)
      delays.push(Date.now() - Date.parse(created_at))
      if (sequence <= (newest.get(data.object.id) ?? 0)) disordered += 1
      newest.set(data.object.id, sequence)
    }
    cursor = page.next_cursor
    if (page.has_more) continue
    if (last) return { seen, delays, disordered }
    await delay(pollMs)
  }
}

/** Polls without such a cursor: events created since the newest one seen. */
async function byCreation(list: List, isMade: () => boolean): Promise<Set<string>> {
  const seen = new Set<string>()
  let since = new Date(0).toISOString().replace('1970', '2000')
  for (;;) {
    const last = isMade()
    let newest = since
    for (let cursor = ''; ; ) {
      const page = await list({ 'created_at.gte': since, ...(cursor && { cursor }) })
      for (const { id, created_at } of page.data) {
        seen.add(id)
        if (created_at > newest) newest = created_at
      }
      cursor = page.next_cursor
      if (!page.has_more) break
    }
    since = newest
    if (last) return seen
    await delay(pollMs)
  }
}

type Shop = { postgres: Postgres; url: string; tenantId: string; apiKey: string }

/** Links created and changed through the Worker, and slow transactions. */
async function making({ postgres, url, tenantId, apiKey }: Shop, events: number): Promise<void> {
  let left = events
  const create = async () => {
    while (left > 0) {
      left -= 2
      const made = await send(url, '/v1/payment-links', { bearer: apiKey, key: randomUUID(), body: LINK })
      const { id } = (await made.json()) as { id: string }
      const path = `/v1/payment-links/${id}/deactivate`
      const moved = await send(url, path, { bearer: apiKey, key: randomUUID() })
      await moved.text()
      if (!made.ok || !moved.ok) throw new Error(`no link: ${made.status}, ${moved.status}`)
    }
  }
  const slowly = async () => {
    const client = new Client({ connectionString: postgres.adminUrl('sandbox') })
    await client.connect()
    while (left > 0) {
      await client.query('begin')
      await client.query(
        `insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
         select $1, gen_random_uuid(), 'payment.succeeded', 'payment', r, 1, jsonb_build_object('id', r), '{}', 'bench', clock_timestamp()
         from gen_random_uuid() r`,
        [tenantId],
      )
      await delay(Math.random() * slowMsMax)
      await client.query('commit')
    }
    await client.end()
  }
  await Promise.all([
    ...Array.from({ length: creators }, create),
    ...Array.from({ length: slowWriters }, slowly),
  ])
}

async function idsInDatabase(postgres: Postgres, tenantId: string): Promise<string[]> {
  const client = new Client({ connectionString: postgres.adminUrl('sandbox') })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      `select id from events where tenant_id = $1 and type not like 'api_key.%'`,
      [tenantId],
    )
    return rows.map(({ id }) => id)
  } finally {
    await client.end()
  }
}
