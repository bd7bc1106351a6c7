import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Link, type Merchant, newLink, newMerchant } from './merchant.ts'
import { adminSql, control, stack } from './stack.ts'
import { intentOf } from './stripe-intents.ts'
import { type EventOptions, publishableKey, StripeServer, secretKey, webhookSecret } from './stripe-server.ts'

// The live Worker takes money through Stripe, which a stand-in on this machine plays.

export const server = new StripeServer()
export const { directUrl } = stack.live
export const hook = '/v1/processors/stripe/notifications'

let apiBase = ''

/** Restarts the live Worker with the stand-in's address and keys, and the given variables. */
export const setUp = (vars: Record<string, string>) =>
  control.reconfigure('live', {
    vars: {
      STRIPE_API_BASE: apiBase,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      ...vars,
    },
  })

/** Puts the looks that earlier tests and files left off to another day: requests are counted here. */
async function letTheRestWait(): Promise<void> {
  for (const table of ['payment_attempts', 'refunds', 'disputes'])
    await sql(`update ${table} set next_check_at = now() + interval '1 day' where next_check_at is not null`)
  await sql(`update processor_event_reads set next_read_at = now() + interval '1 day'`)
  await sql(
    `update processor_notifications set next_try_at = now() + interval '1 day' where next_try_at is not null`,
  )
  await sql(`update environment_accounts
    set methods = null, publishable_key = null, next_check_at = now() + interval '1 day'`)
  await sql(
    `update processor_credentials set next_check_at = now() + interval '1 day' where next_check_at is not null`,
  )
}

/** For the head of a file: its merchants use Stripe, and the stand-in is empty before each test. */
export function withStripe(vars: Record<string, string>): void {
  beforeAll(async () => {
    apiBase = await server.start()
    await setUp(vars)
  })
  afterAll(async () => {
    // What is left would wait for a Stripe that the next file does not have, and be taken for its own.
    await sql('delete from processor_notifications where processed_at is null')
    await control.reconfigure('live')
    await server.stop()
  })
  beforeEach(async () => {
    await letTheRestWait()
    server.reset()
  })
}

export const sql = adminSql('live')

export async function open(link: Link, query = '') {
  const response = await fetch(`${directUrl}/${link.public_id}${query}`)
  const html = await response.text()
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
  return { response, html, form: { quote: field('quote'), attempt_key: field('attempt_key'), locale: 'en' } }
}

export async function send(link: Link, form: Record<string, string>) {
  const body = new URLSearchParams(form)
  const response = await fetch(`${directUrl}/${link.public_id}/attempts`, {
    method: 'POST',
    body,
    redirect: 'manual',
  })
  return response.headers.get('location') ?? `${response.status} ${await response.text()}`
}

export const payWith = async (link: Link, token: string) =>
  send(link, { ...(await open(link)).form, card_token: token })

export async function paymentOf({ tenantId }: Merchant) {
  const [row] = await sql<{ id: string; status: string; attempt: string; attempt_status: string }>(
    `select p.id, p.status, a.id as attempt, a.status as attempt_status, a.processor_ref from payments p
     join payment_attempts a on a.tenant_id = p.tenant_id and a.payment_id = p.id
     where p.tenant_id = $1 order by a.number desc limit 1`,
    [tenantId],
  )
  return row!
}

export const journals = async ({ tenantId }: Merchant) =>
  (
    await sql<{ n: number }>('select count(*)::int as n from ledger_journals where tenant_id = $1', [
      tenantId,
    ])
  )[0]!.n

const posted = ({ body, signature }: { body: string; signature: string }, to = hook) =>
  fetch(directUrl + to, { method: 'POST', body, headers: { 'stripe-signature': signature } })

/** Posts an event as Stripe would; it may claim what did not happen. */
export async function notify(type: string, object: object, more: EventOptions = {}) {
  return posted(await server.event(type, object, more))
}

/** Posts what happened and was not delivered yet, the oldest first: all of it, or events of these types. */
export async function deliver(types: readonly string[] = []) {
  const waiting = server.events.all.filter(
    ({ event, delivered }) => !delivered && (types.length === 0 || types.includes(event.type)),
  )
  for (const { event } of waiting.toReversed()) {
    const { ok } = await posted(await server.signed(event))
    if (ok) server.events.delivered(event.id)
  }
}

export async function until(holds: () => Promise<boolean>) {
  const end = Date.now() + 10_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it did not come to that')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

export const statusIs = (merchant: Merchant, status: string) => async () =>
  (await paymentOf(merchant)).status === status

/** The attempt's PaymentIntent, as its events carry it. */
export const aboutAttempt = (id: string) => intentOf(server.intentFor(id)!)

export async function liveLink(fields: Record<string, unknown> = {}) {
  const merchant = await newMerchant({ environment: 'live' })
  return { merchant, link: await newLink(merchant, fields) }
}
