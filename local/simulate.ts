import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventType } from '../src/kernel/event-types.ts'
import type { Json } from '../src/kernel/json.ts'
import { reach } from './following.ts'

/** The sandbox to drive: its API key and address. */
export type Sandbox = { baseUrl: string; apiKey: string }

export type Link = { id: string; public_id: string }

export async function ask<Reply>(
  { baseUrl, apiKey }: Sandbox,
  path: string,
  body?: Json,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET' = 'POST',
): Promise<Reply> {
  const sent = body ? { body } : {}
  const key = method === 'GET' ? {} : { key: randomUUID() }
  const response = await reach(baseUrl, path, { method, bearer: apiKey, ...key, ...sent })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text) as Reply
}

const look = <Reply>(sandbox: Sandbox, path: string) => ask<Reply>(sandbox, path, undefined, 'GET')

export const newLink = (sandbox: Sandbox, more: object = {}) =>
  ask<Link>(sandbox, '/v1/payment-links', {
    manual_amount: 120_000,
    currency: 'mxn',
    description: 'npm run trigger',
    ...more,
  })

/** Pays a link as a buyer's browser does: opens its page, sends its form. */
export async function pay(
  { baseUrl }: Sandbox,
  { public_id }: Link,
  instrument: Record<string, string>,
  again?: Payment,
): Promise<void> {
  const query = new URLSearchParams({
    method: instrument.method ?? 'card',
    ...(again && { retry: again.public_id }),
  })
  const html = await (await fetch(`${baseUrl}/${public_id}?${query}`)).text()
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
  const form = {
    quote: field('quote'),
    attempt_key: field('attempt_key'),
    ...instrument,
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

type Payment = {
  id: string
  public_id: string
  status: string
  method_details: { clabe?: string; reference?: string } | null
}

async function paymentOf(sandbox: Sandbox, link: Link): Promise<Payment> {
  const { data } = await look<{ data: Payment[] }>(sandbox, `/v1/payment-links/${link.id}/payments`)
  return data[0]!
}

async function refunded(sandbox: Sandbox, token = 'tok_sbx_approve'): Promise<void> {
  const { id } = await paymentOf(sandbox, await paid(sandbox, token))
  await ask(sandbox, '/v1/refunds', { payment_id: id, reason: 'requested_by_customer' })
}

/** A declined payment, retried with another card. */
const triedAgain = async (sandbox: Sandbox) => {
  const link = await paid(sandbox, 'tok_sbx_decline_funds')
  await pay(sandbox, link, { card_token: 'tok_sbx_approve' }, await paymentOf(sandbox, link))
}

const buyer = { name: 'Ana Prueba', email: 'ana@example.com' }

/** A voucher for a payment of 1,200.00. */
async function voucher(sandbox: Sandbox): Promise<{ link: Link; payment: Payment }> {
  const link = await newLink(sandbox, { payment_method_types: ['oxxo', 'card'] })
  await pay(sandbox, link, { method: 'oxxo', ...buyer })
  return { link, payment: await paymentOf(sandbox, link) }
}

const voucherExpired = async (sandbox: Sandbox) => {
  const { payment } = await voucher(sandbox)
  await ask(sandbox, `/v1/sandbox/oxxo/${payment.method_details!.reference}/expire`)
}

export const advance = (sandbox: Sandbox, by: string) => ask(sandbox, '/v1/sandbox/clock', { advance: by })

const fundsAvailable = async (sandbox: Sandbox) => {
  await paid(sandbox, 'tok_sbx_approve')
  await advance(sandbox, 'P10D')
}

const WAIT_MS = 120_000

export async function until<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  for (const endsAt = Date.now() + WAIT_MS; Date.now() < endsAt; await delay(500)) {
    const found = await find()
    if (found !== undefined) return found
  }
  throw new Error(`${what} has not come within ${WAIT_MS / 1000} seconds`)
}

const operations = '/v1/payment-operations'

const untilStatus = (sandbox: Sandbox, path: string, status: string) =>
  until(`${status} of ${path}`, async () =>
    (await look<{ status: string }>(sandbox, path)).status === status ? true : undefined,
  )

type Balance = { currencies: { currency: string; available: string }[] }

/** Waits until 500.00 pesos are available; where there is less, advances the clock to settle a payment. */
async function funded(sandbox: Sandbox): Promise<void> {
  const enough = async () => {
    const { currencies } = await look<Balance>(sandbox, `${operations}/balance`)
    const mxn = currencies.find(({ currency }) => currency === 'mxn')
    return BigInt(mxn?.available ?? '0') >= 50_000n ? true : undefined
  }
  if (await enough()) return
  await fundsAvailable(sandbox)
  await until('the available balance', enough)
}

export type Sent = { id: string }

const payee = { clabe: '646180000000000012', holder: 'Ana Prueba' }

const transferred = async (sandbox: Sandbox): Promise<Sent> => {
  await funded(sandbox)
  return ask(sandbox, `${operations}/transfers`, {
    amount: '1000',
    currency: 'mxn',
    concept: 'npm run trigger',
    destination: { type: 'clabe', ...payee },
  })
}

const paidOut = async (sandbox: Sandbox): Promise<Sent> => {
  await funded(sandbox)
  return ask(sandbox, `${operations}/payouts`, { currency: 'mxn' })
}

const returned =
  (what: 'transfers' | 'payouts', make: (sandbox: Sandbox) => Promise<Sent>) => async (sandbox: Sandbox) => {
    const { id } = await make(sandbox)
    await untilStatus(sandbox, `${operations}/${what}/${id}`, 'paid')
    await ask(sandbox, `/v1/sandbox/${what}/${id}/return`)
  }

const TRIES = 5

/** Stops a transfer or a payout before the bank has paid it. If a scheduled run was quicker, retries with a new one. */
const stopped =
  (make: (sandbox: Sandbox) => Promise<Sent>, path: (id: string) => string) => async (sandbox: Sandbox) => {
    for (let tries = 1; ; tries++) {
      const { id } = await make(sandbox)
      try {
        return await ask(sandbox, path(id))
      } catch (cause) {
        if (tries === TRIES || !String(cause).includes(': 409 ')) throw cause
      }
    }
  }

/** Cash is refunded by a transfer: a refund without a destination waits for one. */
const cashRefund = async (sandbox: Sandbox): Promise<Sent> => {
  const { payment } = await voucher(sandbox)
  await ask(sandbox, `/v1/sandbox/oxxo/${payment.method_details!.reference}/pay`, {})
  await untilStatus(sandbox, `${operations}/payments/${payment.id}`, 'succeeded')
  const order = { payment_id: payment.id, amount: '20000', reason: 'requested_by_customer' }
  return ask(sandbox, '/v1/refunds', order)
}

const refundSent = async (sandbox: Sandbox) => {
  await funded(sandbox)
  const { id } = await cashRefund(sandbox)
  await ask(sandbox, `/v1/refunds/${id}/destination`, payee)
}

const refundCanceled = async (sandbox: Sandbox) => {
  const { id } = await cashRefund(sandbox)
  await ask(sandbox, `/v1/refunds/${id}/cancel`)
}

const newFunds = async (sandbox: Sandbox) => {
  await deposited('150000')(sandbox)
  return until('the unapplied funds', async () => {
    const path = `${operations}/unapplied-funds`
    const { data } = await look<{ data: { id: string; remaining: string }[] }>(sandbox, path)
    return data.find(({ remaining }) => remaining === '30000')
  })
}

/** The sandbox's bank refuses transfers to the second account. */
const fundsRefunded = (clabe: string) => async (sandbox: Sandbox) => {
  const { id } = await newFunds(sandbox)
  await ask(sandbox, `${operations}/unapplied-funds/${id}/refund`, { destination: { ...payee, clabe } })
}

/** Funds of 300.00 MXN for a payment of that amount, or of one that then expires with the rest missing. */
const fundsApplied = async (sandbox: Sandbox, manual_amount = 30_000) => {
  const funds = await newFunds(sandbox)
  const link = await newLink(sandbox, { manual_amount, payment_method_types: ['spei'] })
  await pay(sandbox, link, { method: 'spei', ...buyer })
  const { id } = await paymentOf(sandbox, link)
  await ask(sandbox, `${operations}/unapplied-funds/${funds.id}/apply`, { payment_id: id })
}

const applicationReversed = async (sandbox: Sandbox) => {
  await fundsApplied(sandbox, 60_000)
  await advance(sandbox, 'P12D')
}

const linkExpired = async (sandbox: Sandbox) => {
  await newLink(sandbox, { expires_at: new Date(Date.now() + 3_600_000).toISOString() })
  await advance(sandbox, 'PT2H')
}

/** Creates an endpoint that takes almost no events, changes it, and deletes it. */
const endpoint =
  (...moves: ('pause' | 'enable' | 'disable' | 'rotate-secret' | 'test' | 'update')[]) =>
  async (sandbox: Sandbox) => {
    const isHere = /\/\/(localhost|127\.0\.0\.1)/.test(sandbox.baseUrl)
    const path = '/v1/webhooks/endpoints'
    const made = await ask<{ endpoint: Sent }>(sandbox, path, {
      url: isHere ? 'http://127.0.0.1:9/' : 'https://example.com/',
      event_types: ['webhook_endpoint.deleted'],
    })
    const own = `${path}/${made.endpoint.id}`
    for (const move of moves)
      if (move === 'update') await ask(sandbox, own, { description: 'npm run trigger' }, 'PATCH')
      else await ask(sandbox, `${own}/${move}`, move === 'rotate-secret' ? {} : undefined)
    await ask(sandbox, own, undefined, 'DELETE')
  }

const authorized = (move: string, body?: Json) => async (sandbox: Sandbox) => {
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
  const { id } = await toldOf(sandbox, 'disputes')
  if (outcome) await ask(sandbox, `/v1/sandbox/disputes/${id}/resolve`, { outcome })
  if (then) await ask(sandbox, `/v1/sandbox/disputes/${id}/reconsider`, { status: then })
}

/** A payment about which a bank says something. */
const toldOf = async (sandbox: Sandbox, what: string, more: object = {}) => {
  const { id: payment } = await paymentOf(sandbox, await paid(sandbox, 'tok_sbx_approve'))
  const { id } = await ask<Sent>(sandbox, `/v1/sandbox/${what}`, { payment_id: payment, ...more })
  return { payment, id }
}
const claimed = (inquiry: boolean) => (path?: string, body?: Json) => async (sandbox: Sandbox) => {
  const { id } = await toldOf(sandbox, 'disputes', { inquiry })
  if (path) await ask(sandbox, path.replace('{id}', id), body)
}
const inquired = claimed(true)
const reported = (then?: string) => async (sandbox: Sandbox) => {
  const { payment: payment_id } = await toldOf(sandbox, 'fraud-warnings')
  if (then) await ask(sandbox, then, { payment_id })
}

/** Refunds part of a disputed payment, as in the processor's dashboard. */
const reduced = async (sandbox: Sandbox) => {
  const { payment } = await toldOf(sandbox, 'disputes')
  await ask(sandbox, '/v1/sandbox/refunds', { payment_id: payment, amount: '50000' })
}

const byCustomer = 'a customer does that, signed in and with a step-up proof'
const inLive = 'accounts at a processor are there in live only'
const byLimit = 'it takes a key with a limit, which a customer sets, signed in and with a step-up proof'

/** Events that an API key cannot cause on demand, and why. */
export const reasons = {
  'api_key.created': byCustomer,
  'api_key.activated': byCustomer,
  'api_key.failed': 'the making of a key has to break off',
  'api_key.rotated': byCustomer,
  'api_key.revoking': byCustomer,
  'api_key.revoked': byCustomer,
  'api_key.transfer_limit_set': byCustomer,
  'processor_credential.superseded': inLive,
  'processor_credential.updated': inLive,
  'payment.reversal_failed':
    'a customer has to resolve a payment under review, and the processor to fail then',
  'payment.reserve_released': 'the fee schedule has to keep a reserve',
  'refund.pending_approval': byLimit,
  'refund.approved': byCustomer,
  'refund.pending': 'the balance must not reach for it',
  'refund.amount_mismatch': 'the processor has to have refunded more than our books bear',
  'refund.kept': 'the sandbox refunds a transfer to a CLABE',
  'dispute.evidence_refused': 'the simulated bank takes all evidence',
  'dispute.inquiry_reopened': 'the simulated bank asks once about an inquiry',
  'dispute.amount_changed': 'the simulated bank claims one amount',
  'dispute.hold_increased': 'a refund that was in the way of a dispute has to fail afterwards',
  'transfer.pending_approval': byLimit,
  'transfer.approved': byCustomer,
  'incoming_transfer.received': 'another workspace has to send it',
  'payout.updated': inLive,
  'payout_settings.updated': byCustomer,
  'payout_settings.destination_changed': byCustomer,
  'webhook_endpoint.degraded': 'an endpoint has to fail for twelve hours',
} as const satisfies Partial<Record<EventType, string>>

export type Recipe = (sandbox: Sandbox) => Promise<unknown>

/** How to cause a real event of a type that no single operation makes. */
export const stories: Readonly<Partial<Record<EventType, Recipe>>> = {
  'payment_link.expired': linkExpired,
  'payment_link.paid': (sandbox) => paid(sandbox, 'tok_sbx_approve'),
  'payment.created': (sandbox) => paid(sandbox, 'tok_sbx_approve'),
  'payment.processing': triedAgain,
  'payment.requires_action': (sandbox) => paid(sandbox, 'tok_sbx_3ds_challenge'),
  'payment.authorized': (sandbox) => paid(sandbox, 'tok_sbx_approve', { capture_method: 'manual' }),
  'payment.partially_funded': deposited('50000'),
  'payment.succeeded': (sandbox) => paid(sandbox, 'tok_sbx_approve'),
  'payment.partially_captured': authorized('capture', { amount: '50000' }),
  'payment.declined': (sandbox) => paid(sandbox, 'tok_sbx_decline_funds'),
  'payment.canceled': authorized('cancel'),
  'payment.expired': voucherExpired,
  'payment.amount_mismatch': (sandbox) => paid(sandbox, 'tok_sbx_amount_mismatch'),
  'payment.funds_available': fundsAvailable,
  'payment.refunded': (sandbox) => refunded(sandbox),
  'payment.refund_reversed': (sandbox) => refunded(sandbox, 'tok_sbx_refund_fails'),
  'payment.disputed': disputed(),
  'payment.dispute_released': disputed('won'),
  'unapplied_funds.created': deposited('150000'),
  'unapplied_funds.applied': (sandbox) => fundsApplied(sandbox),
  'unapplied_funds.application_reversed': applicationReversed,
  'unapplied_funds.refunded': fundsRefunded(payee.clabe),
  'unapplied_funds.refund_reversed': fundsRefunded('646180000000000119'),
  'refund.created': (sandbox) => refunded(sandbox),
  'refund.processing': refundSent,
  'refund.succeeded': (sandbox) => refunded(sandbox),
  'refund.failed': (sandbox) => refunded(sandbox, 'tok_sbx_refund_fails'),
  'refund.canceled': refundCanceled,
  'dispute.created': disputed(),
  'dispute.under_review': claimed(false)(`${operations}/disputes/{id}/evidence`, { receipt_number: '1' }),
  'dispute.reopened': disputed('won', 'needs_response'),
  'dispute.hold_decreased': reduced,
  'dispute.won': disputed('won'),
  'dispute.lost': disputed('lost'),
  'fraud_warning.created': reported(),
  'fraud_warning.updated': reported('/v1/sandbox/disputes'),
  'dispute.inquiry_created': inquired(),
  'dispute.inquiry_under_review': inquired(`${operations}/disputes/{id}/evidence`, { receipt_number: '1' }),
  'dispute.inquiry_closed': inquired('/v1/sandbox/disputes/{id}/inquiry', { outcome: 'closed' }),
  'transfer.created': transferred,
  'transfer.canceled': stopped(transferred, (id) => `${operations}/transfers/${id}/cancel`),
  'transfer.processing': transferred,
  'transfer.paid': transferred,
  'transfer.failed': stopped(transferred, (id) => `/v1/sandbox/transfers/${id}/fail`),
  'transfer.returned': returned('transfers', transferred),
  'payout.created': paidOut,
  'payout.in_transit': paidOut,
  'payout.paid': paidOut,
  'payout.failed': stopped(paidOut, (id) => `/v1/sandbox/payouts/${id}/fail`),
  'payout.returned': returned('payouts', paidOut),
  'payout.canceled': stopped(paidOut, (id) => `${operations}/payouts/${id}/cancel`),
  'webhook_endpoint.created': endpoint(),
  'webhook_endpoint.updated': endpoint('update'),
  'webhook_endpoint.enabled': endpoint('pause', 'enable'),
  'webhook_endpoint.paused': endpoint('pause'),
  'webhook_endpoint.disabled': endpoint('disable'),
  'webhook_endpoint.secret_rotated': endpoint('rotate-secret'),
  'webhook_endpoint.deleted': endpoint(),
  'webhook_endpoint.test': endpoint('test'),
}
