import { neon, neonConfig } from '@neondatabase/serverless'
import { Redis } from '@upstash/redis/cloudflare'
import { Hono } from 'hono'

interface Bindings {
  readonly DATABASE_URL: string
  readonly NEON_FETCH_ENDPOINT: string
  readonly UPSTASH_REDIS_REST_URL: string
  readonly UPSTASH_REDIS_REST_TOKEN: string
}

const clients = new WeakMap<Bindings, { sql: ReturnType<typeof neon>; redis: Redis }>()

function clientsOf(env: Bindings) {
  let known = clients.get(env)
  if (!known) {
    neonConfig.fetchEndpoint = env.NEON_FETCH_ENDPOINT
    const redis = new Redis({
      url: env.UPSTASH_REDIS_REST_URL,
      token: env.UPSTASH_REDIS_REST_TOKEN,
      retry: { retries: 0 },
      enableTelemetry: false,
      responseEncoding: false,
      enableAutoPipelining: false,
    })
    known = { sql: neon(env.DATABASE_URL), redis }
    clients.set(env, known)
  }
  return known
}

const app = new Hono<{ Bindings: Bindings }>()

app.get('/static', (c) => c.json({ object: 'static', ok: true }))

app.get('/read', async (c) => c.json({ rows: await clientsOf(c.env).sql.query('select 1 as one') }))

/** The textbook's idempotent create: claim the key in Redis, then insert the row. */
app.post('/create', async (c) => {
  const { sql, redis } = clientsOf(c.env)
  const key = c.req.header('idempotency-key') ?? ''
  const body = await c.req.json()
  const taken = await redis.set(`floor:${key}`, '1', { nx: true, ex: 60 })
  if (taken !== 'OK') return c.json({ error: 'key taken' }, 409)
  const [row] = (await sql.query(
    'insert into public.bench_floor (id, body) values ($1, $2) returning id, created_at',
    [crypto.randomUUID(), JSON.stringify(body)],
  )) as { id: string; created_at: string }[]
  return c.json({ ...body, ...row }, 201)
})

/** A minimal payment: record the order, call an outside service, record its answer. */
app.post('/payment', async (c) => {
  const { sql } = clientsOf(c.env)
  const form = await c.req.parseBody()
  const record = (said: unknown) =>
    sql.query('insert into public.bench_floor (id, body) values ($1, $2)', [
      crypto.randomUUID(),
      JSON.stringify(said),
    ])
  await record(form)
  await record({ answer: await sql.query('select 1 as approved') })
  return c.redirect('/paid', 303)
})

/** A minimal webhook: signed and sent, without a record. */
app.post('/deliver', async (c) => {
  const { url, count, body, atOnce } = await c.req.json<{
    url: string
    count: number
    body: string
    atOnce: number
  }>()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new Uint8Array(32).fill(7), algorithm, false, ['sign'])
  let left = count
  const work = async () => {
    while (left-- > 0) {
      const id = crypto.randomUUID()
      const timestamp = String(Math.floor(Date.now() / 1000))
      const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
      const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
      const headers = {
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${btoa(String.fromCharCode(...mac))}`,
      }
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
      await response.text()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return c.json({ sent: count })
})

export default app
