import { randomUUID } from 'node:crypto'
import { send } from './merchant.ts'

/** Whose sandbox is driven: an API key of it, and where it answers. */
export type Sandbox = { baseUrl: string; apiKey: string }

type Link = { id: string; public_id: string }

async function ask<Reply>({ baseUrl, apiKey }: Sandbox, path: string, body?: object): Promise<Reply> {
  const sent = body ? { body: body as never } : {}
  const response = await send(baseUrl, path, { bearer: apiKey, key: randomUUID(), ...sent })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`)
  return JSON.parse(text) as Reply
}

const newLink = (sandbox: Sandbox, more: object = {}) =>
  ask<Link>(sandbox, '/v1/payment-links', {
    manual_amount: 120_000,
    currency: 'mxn',
    description: 'npm run trigger',
    ...more,
  })

/** Pays a link as a buyer's browser does: opens its page, sends its form. */
async function pay({ baseUrl }: Sandbox, { public_id }: Link, means: Record<string, string>): Promise<void> {
  const html = await (await fetch(`${baseUrl}/${public_id}?method=${means.method ?? 'card'}`)).text()
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
  const form = {
    offer: field('offer'),
    attempt_key: field('attempt_key'),
    ...means,
    locale: 'en',
  }
  const response = await fetch(`${baseUrl}/${public_id}/attempts`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  await response.text()
  if (response.status !== 303) throw new Error(`the page answered ${response.status}`)
}

async function paid(sandbox: Sandbox, cardToken: string, more: object = {}): Promise<Link> {
  const link = await newLink(sandbox, more)
  await pay(sandbox, link, { card_token: cardToken })
  return link
}

type Payment = { id: string; method_details: { clabe?: string } | null }

async function paymentOf(sandbox: Sandbox, link: Link): Promise<Payment> {
  const path = `/v1/payment-links/${link.id}/payments`
  const response = await send(sandbox.baseUrl, path, { method: 'GET', bearer: sandbox.apiKey })
  const text = await response.text()
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${text}`)
  return (JSON.parse(text) as { data: Payment[] }).data[0]!
}

async function refunded(sandbox: Sandbox): Promise<void> {
  const { id } = await paymentOf(sandbox, await paid(sandbox, 'tok_sbx_approve'))
  await ask(sandbox, '/v1/refunds', { payment_id: id, reason: 'requested_by_customer' })
}

const authorized = (move: string, body?: object) => async (sandbox: Sandbox) => {
  const { id } = await paymentOf(
    sandbox,
    await paid(sandbox, 'tok_sbx_approve', { capture_method: 'manual' }),
  )
  await ask(sandbox, `/v1/payments/${id}/${move}`, body)
}

/** A transfer to the CLABE of a payment of 1,200.00. */
const deposited = (amount: string) => async (sandbox: Sandbox) => {
  const link = await newLink(sandbox, { payment_method_types: ['spei'] })
  await pay(sandbox, link, { method: 'spei', name: 'Ana Prueba', email: 'ana@example.com' })
  const { method_details: details } = await paymentOf(sandbox, link)
  await ask(sandbox, '/v1/sandbox/spei/deposits', { clabe: details?.clabe, amount })
}

const disputed = (outcome?: 'won' | 'lost', then?: 'needs_response') => async (sandbox: Sandbox) => {
  const payment = await paymentOf(sandbox, await paid(sandbox, 'tok_sbx_approve'))
  const { id } = await ask<{ id: string }>(sandbox, '/v1/sandbox/disputes', { payment_id: payment.id })
  if (outcome) await ask(sandbox, `/v1/sandbox/disputes/${id}/resolve`, { outcome })
  if (then) await ask(sandbox, `/v1/sandbox/disputes/${id}/reconsider`, { status: then })
}

/** Part of a disputed payment, by somebody in the processor's dashboard. */
const reduced = async (sandbox: Sandbox) => {
  const { id } = await paymentOf(sandbox, await paid(sandbox, 'tok_sbx_approve'))
  await ask(sandbox, '/v1/sandbox/disputes', { payment_id: id })
  await ask(sandbox, '/v1/sandbox/refunds', { payment_id: id, amount: '50000' })
}

const moved = (move: string) => async (sandbox: Sandbox) => {
  const { id } = await newLink(sandbox)
  await ask(sandbox, `/v1/payment-links/${id}/${move}`)
}

/** How to make an event of a type really happen. Nothing is made up: the simulator takes part as the processor does. */
export const recipes: Readonly<Record<string, (sandbox: Sandbox) => Promise<unknown>>> = {
  'payment_link.created': (sandbox) => newLink(sandbox),
  'payment_link.paid': (sandbox) => paid(sandbox, 'tok_sbx_approve'),
  'payment_link.deactivated': moved('deactivate'),
  'payment_link.revoked': moved('revoke'),
  'payment_link.archived': moved('archive'),
  'payment.created': (sandbox) => paid(sandbox, 'tok_sbx_approve'),
  'payment.succeeded': (sandbox) => paid(sandbox, 'tok_sbx_approve'),
  'payment.declined': (sandbox) => paid(sandbox, 'tok_sbx_decline_funds'),
  'payment.requires_action': (sandbox) => paid(sandbox, 'tok_sbx_3ds_challenge'),
  'payment.authorized': (sandbox) => paid(sandbox, 'tok_sbx_approve', { capture_method: 'manual' }),
  'payment.partially_captured': authorized('capture', { amount: '50000' }),
  'payment.canceled': authorized('cancel'),
  'payment.partially_funded': deposited('50000'),
  'payment.refunded': refunded,
  'payment.disputed': disputed(),
  'unapplied_funds.created': deposited('150000'),
  'refund.created': refunded,
  'refund.succeeded': refunded,
  'dispute.created': disputed(),
  'dispute.reopened': disputed('won', 'needs_response'),
  'dispute.reduced': reduced,
  'dispute.won': disputed('won'),
  'dispute.lost': disputed('lost'),
}
