import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import {
  type Answer,
  cards,
  challengeAction,
  depositOf,
  failure,
  fundingInstructions,
  type Intended,
  intentOf,
  methodOf,
  missing,
  noKey,
  refundOf,
  refusal,
  transferAction,
  voucherAction,
} from './stripe-answers.ts'
import { allowed } from './stripe-shapes.ts'

/** A request as it came in. */
export interface Seen {
  readonly method: string
  readonly path: string
  /** The secret key it came with. */
  readonly account: string
  readonly key: string | null
  readonly fields: Readonly<Record<string, string>>
}

/**
 * What goes wrong with the next matching request: before it has its effect, or after. `500_kept`: without effect, and
 * the reply to every further request under the same key.
 */
export type Fault =
  | 'time_out'
  | 'cut'
  | 'cut_after'
  | '500'
  | '500_kept'
  | '500_after'
  | '429'
  | 'time_out_after'

export const secretKey = 'stand-in-secret-key'
export const webhookSecret = 'stand-in-webhook-secret'

/**
 * Stripe, as far as we use it: checks every request against the shapes of its library, stores Idempotency-Keys as
 * Stripe does, and fails as ordered. `complaints` lists what it finds wrong with requests.
 */
export class StripeServer {
  readonly seen: Seen[] = []
  readonly complaints: string[] = []
  /** The valid secret keys, each with its account's Stripe id. What is made belongs to that account alone. */
  readonly accounts = new Map([[secretKey, 'acct_environment']])
  readonly intents = new Map<string, Intended>()
  readonly refunds = new Map<string, Stripe.Refund>()
  readonly disputes = new Map<string, Stripe.Dispute>()
  readonly deposits = new Map<string, Stripe.CustomerCashBalanceTransaction>()
  /** Search sees what was made only after a while; false: it sees nothing. */
  searchable = true
  /** The status of the next refunds. */
  refundStatus = 'succeeded'
  #faults: { pattern: RegExp; fault: Fault }[] = []
  #keys = new Map<string, { fields: string; answer: Answer | null }>()
  #server = createServer((request, response) => void this.#receive(request, response))
  #owners = new Map<string, string>()
  #made = 0

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#server.keepAliveTimeout = 0
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Forgets everything, as for a fresh test. */
  reset(): void {
    for (const kept of [this.intents, this.refunds, this.disputes, this.deposits, this.#keys, this.#owners])
      kept.clear()
    this.seen.length = 0
    this.complaints.length = 0
    this.searchable = true
    this.refundStatus = 'succeeded'
    this.#faults = []
  }

  failNext(pattern: RegExp, fault: Fault): void {
    this.#faults.push({ pattern, fault })
  }

  /** Stripe forgets keys after a day. */
  forgetKeys(): void {
    this.#keys.clear()
  }

  move(id: string, change: Partial<Intended>): void {
    this.intents.set(id, { ...this.intents.get(id)!, ...change })
  }

  intentFor(attemptId: string): Intended | undefined {
    return [...this.intents.values()].find(({ metadata }) => metadata.attempt_id === attemptId)
  }

  /** A transfer that arrives at a customer's CLABE. */
  deposit(customer: string, id: string, amount: number): Stripe.CustomerCashBalanceTransaction {
    const deposit = depositOf(customer, id, amount)
    this.deposits.set(`${customer}/${id}`, deposit)
    return deposit
  }

  /** A refund in the dashboard. */
  refundInDashboard(intent: string, amount: number, status = 'succeeded'): Stripe.Refund {
    const made = refundOf(`re_${++this.#made}${Date.now()}`, amount, intent, {}, status)
    this.refunds.set(made.id, made)
    return made
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const isPost = request.method === 'POST'
    const form = new URLSearchParams(isPost ? Buffer.concat(chunks).toString() : url.search)
    const fields = Object.fromEntries(form)
    const key = (request.headers['idempotency-key'] as string | undefined) ?? null
    const account = request.headers.authorization?.slice('Bearer '.length) ?? ''
    this.seen.push({ method: request.method ?? '', path: url.pathname, account, key, fields })
    this.#check(request, url.pathname, key, fields)
    const at = this.#faults.findIndex(({ pattern }) => pattern.test(`${request.method} ${url.pathname}`))
    const fault = at < 0 ? null : this.#faults.splice(at, 1)[0]!.fault
    if (fault === 'time_out') return
    if (fault === 'cut') return void request.socket.destroy()
    if (fault === '500') return send(response, failure)
    if (fault === '429') return send(response, refusal(429, 'invalid_request_error', 'rate_limit', 'no'))
    const owner = this.accounts.get(account)
    if (fault === '500_kept' && key !== null)
      this.#keys.set(`${owner}:${key}`, { fields: JSON.stringify([url.pathname, fields]), answer: failure })
    const answer = owner ? this.#owned(owner, isPost ? key : null, url.pathname, fields) : noKey
    if (fault === 'time_out_after') return
    if (fault === 'cut_after') return void request.socket.destroy()
    if (fault === '500_after') return send(response, failure)
    send(response, answer)
  }

  #check(request: IncomingMessage, path: string, key: string | null, fields: Seen['fields']): void {
    const complain = (what: string) => this.complaints.push(`${request.method} ${path}: ${what}`)
    if (!this.accounts.has(this.seen.at(-1)!.account) && path !== '/v1/account') complain('not authorised')
    if (request.headers['stripe-version'] !== Stripe.API_VERSION) complain('another Stripe-Version')
    const type = request.headers['content-type'] ?? ''
    if (request.method === 'POST' && !type.startsWith('application/x-www-form-urlencoded'))
      complain(`sent as ${type}`)
    const rule = allowed.find((each) => each.method === request.method && each.pattern.test(path))
    if (!rule) return void complain('not among the requests that we may send')
    const made = rule.keyed && fields['metadata[purpose]'] === undefined
    if (made && key === null) complain('no Idempotency-Key')
    for (const name of Object.keys(fields)) {
      if (!rule.fields.has(name.replaceAll(/\[\d+\]/g, '[]'))) complain(`no field ${name}`)
    }
    for (const name of ['amount', 'amount_to_capture']) {
      const amount = fields[name]
      if (amount !== undefined && !/^[1-9]\d{0,14}$/.test(amount)) complain(`${name} is ${amount}`)
    }
  }

  /** An account sees only its own objects. */
  #owned(owner: string, key: string | null, path: string, fields: Seen['fields']): Answer {
    const [, , resource, id = ''] = path.split('/')
    if (resource === 'account') return { status: 200, body: { id: owner, object: 'account' } }
    const dispute = resource === 'disputes' ? this.disputes.get(id)?.payment_intent : null
    const refunded = resource === 'refunds' ? (this.refunds.get(id)?.payment_intent as string) : null
    const about = [id, fields.payment_intent, refunded, typeof dispute === 'string' ? dispute : dispute?.id]
    const foreign = about.some((each) => each && (this.#owners.get(each) ?? owner) !== owner)
    if (foreign) return missing('No such thing in this account')
    const before = this.#made
    const answer = this.#once(key && `${owner}:${key}`, path, fields, owner)
    const made = (answer.body as { id?: string; error?: { payment_intent?: { id: string } } }) ?? {}
    const madeId = made.id ?? made.error?.payment_intent?.id
    if (this.#made > before && madeId) this.#owners.set(madeId, owner)
    return answer
  }

  /** https://docs.stripe.com/api/idempotent_requests: the first reply again, also when it was a refusal of the card. */
  #once(key: string | null, path: string, fields: Seen['fields'], owner: string): Answer {
    if (key === null) return this.#answer(path, fields, null, owner)
    const sent = JSON.stringify([path, fields])
    const before = this.#keys.get(key)
    if (before && before.fields !== sent)
      return refusal(400, 'idempotency_error', 'idempotency_error', 'used with other parameters')
    if (before?.answer) return before.answer
    const answer = this.#answer(path, fields, key, owner)
    // Stripe does not store a reply to invalid parameters.
    if (answer.status !== 400 && answer.status !== 404) this.#keys.set(key, { fields: sent, answer })
    return answer
  }

  #answer(path: string, fields: Seen['fields'], key: string | null, owner: string): Answer {
    const [, , resource, id = '', verb, last] = path.split('/')
    if (resource === 'payment_intents' && id === 'search') return this.#search(fields.query ?? '', owner)
    if (resource === 'payment_intents' && id === '') return this.#create(fields)
    if (resource === 'payment_intents') return this.#ofIntent(id, verb, fields)
    if (resource === 'payment_methods')
      return cards[id] ? { status: 200, body: methodOf(id) } : missing(`No such PaymentMethod`)
    if (resource === 'confirmation_tokens') {
      const method = methodOf(id.replace('ctoken_', 'pm_'))
      const { type, card } = method
      return card
        ? { status: 200, body: { id, object: 'confirmation_token', payment_method_preview: { type, card } } }
        : missing('No such ConfirmationToken')
    }
    if (resource === 'customers' && id === '')
      return { status: 200, body: { id: `cus_${++this.#made}`, object: 'customer' } }
    if (resource === 'customers' && verb === 'funding_instructions')
      return { status: 200, body: fundingInstructions }
    if (resource === 'customers' && !last) {
      const data = [...this.deposits.values()].filter(({ customer }) => customer === id)
      return { status: 200, body: { object: 'list', data, has_more: false, url: path } }
    }
    if (resource === 'customers') return found(this.deposits.get(`${id}/${last}`))
    if (resource === 'refunds' && id !== '') return found(this.#expanded(this.refunds.get(id)))
    if (resource === 'refunds') return key === null ? this.#listRefunds(fields) : this.#refund(fields)
    return (fields.submit === 'true' ? this.#submitted(id) : null) ?? found(this.disputes.get(id))
  }

  #submitted(id: string): Answer | null {
    const dispute = this.disputes.get(id)
    if (dispute && !dispute.status.endsWith('needs_response'))
      return refusal(400, 'invalid_request_error', 'dispute_closed', 'no')
    if (dispute) this.disputes.set(id, { ...dispute, status: 'under_review' })
    return null
  }

  #search(query: string, owner: string): Answer {
    const [, attemptId] = /^metadata\['attempt_id'\]:'([^']+)'$/.exec(query) ?? []
    const all = [...this.intents.values()].filter(
      ({ id, metadata }) => metadata.attempt_id === attemptId && (this.#owners.get(id) ?? owner) === owner,
    )
    const data = this.searchable ? all.map(intentOf) : []
    return { status: 200, body: { object: 'search_result', data, has_more: false, url: '', next_page: null } }
  }

  #create(fields: Seen['fields']): Answer {
    const token = fields.payment_method ?? fields.confirmation_token?.replace('ctoken_', 'pm_') ?? null
    if (token !== null && !cards[token]) return missing('No such PaymentMethod')
    const metadata = Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]) => {
        const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? []
        return key ? [[key, value]] : []
      }),
    )
    const type = fields['allowed_payment_method_types[0]'] ?? 'card'
    const base: Intended = {
      id: `pi_${++this.#made}${Date.now()}`,
      amount: Number(fields.amount),
      currency: fields.currency ?? '',
      type,
      token,
      ...(fields.customer ? { customer: fields.customer } : {}),
      capture: fields.capture_method ?? 'automatic',
      metadata,
      status: 'requires_payment_method',
    }
    const intended = fields.confirm === 'true' ? confirmed(base, fields) : planned(base)
    this.intents.set(intended.id, intended)
    const body = intentOf(intended)
    if (!intended.error) return { status: 200, body }
    const { code, decline_code } = intended.error
    const method = methodOf(token ?? '')
    return refusal(402, 'card_error', code, 'declined', {
      decline_code,
      payment_intent: body,
      payment_method: method,
    })
  }

  #ofIntent(id: string, verb: string | undefined, fields: Seen['fields']): Answer {
    const intended = this.intents.get(id)
    if (!intended) return missing('No such PaymentIntent')
    const wrong = refusal(400, 'invalid_request_error', 'payment_intent_unexpected_state', 'wrong state')
    if (verb === 'capture') {
      if (intended.status !== 'requires_capture') return wrong
      this.move(id, { status: 'succeeded', received: Number(fields.amount_to_capture) })
    }
    if (verb === 'cancel') {
      if (['succeeded', 'canceled', 'processing'].includes(intended.status)) return wrong
      this.move(id, { status: 'canceled' })
    }
    return { status: 200, body: intentOf(this.intents.get(id)!) }
  }

  #refund(fields: Seen['fields']): Answer {
    const { payment_intent: intent = '', amount = '0' } = fields
    const of = this.intents.get(intent)
    if (!of) return missing('No such PaymentIntent')
    const given = [...this.refunds.values()]
      .filter(({ payment_intent, status }) => payment_intent === intent && status !== 'failed')
      .reduce((sum, refund) => sum + refund.amount, 0)
    if (of.status !== 'succeeded' || given + Number(amount) > (of.received ?? of.amount))
      return refusal(400, 'invalid_request_error', 'charge_already_refunded', 'too much')
    const metadata = {
      refund_id: fields['metadata[refund_id]'] ?? '',
      attempt_id: fields['metadata[attempt_id]'] ?? '',
    }
    const made = refundOf(`re_${++this.#made}`, Number(amount), intent, metadata, this.refundStatus)
    this.refunds.set(made.id, made)
    return { status: 200, body: made }
  }

  /** In the form that `expand` of its PaymentIntent returns. */
  #expanded(refund: Stripe.Refund | undefined): Stripe.Refund | undefined {
    const intended = this.intents.get((refund?.payment_intent as string) ?? '')
    return refund && { ...refund, payment_intent: intended ? intentOf(intended) : null }
  }

  #listRefunds({ payment_intent: intent }: Seen['fields']): Answer {
    const data = [...this.refunds.values()].filter((refund) => refund.payment_intent === intent)
    return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/refunds' } }
  }

  /** An event as Stripe would post it, signed. */
  async event(
    type: string,
    object: object,
    { id = `evt_${++this.#made}${Date.now()}`, secret = webhookSecret, timestamp }: EventOptions = {},
  ): Promise<{ body: string; signature: string }> {
    const body = JSON.stringify({
      id,
      object: 'event',
      type,
      api_version: Stripe.API_VERSION,
      created: Math.floor(Date.now() / 1000),
      livemode: true,
      pending_webhooks: 1,
      request: null,
      data: { object },
    })
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
      payload: body,
      secret,
      ...(timestamp === undefined ? {} : { timestamp }),
    })
    return { body, signature }
  }
}

interface EventOptions {
  readonly id?: string
  readonly secret?: string
  /** Seconds since the epoch. */
  readonly timestamp?: number
}

const found = (object: object | undefined): Answer =>
  object ? { status: 200, body: object } : missing('No such thing')

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_stand_in' })
  response.end(JSON.stringify(body))
}

/** The outcome of a PaymentIntent that is confirmed at once. */
function confirmed(base: Intended, fields: Seen['fields']): Intended {
  if (base.type === 'oxxo') return { ...base, status: 'requires_action', action: voucherAction }
  if (base.type === 'customer_balance')
    return { ...base, status: 'requires_action', action: transferAction(base.amount) }
  if (base.token === 'pm_challenge')
    return {
      ...base,
      status: 'requires_action',
      action: challengeAction(`https://hooks.stripe.example/3ds?return=${fields.return_url ?? ''}`),
    }
  const refused = { pm_funds: 'insufficient_funds', pm_stolen: 'stolen_card' }[base.token ?? '']
  if (refused)
    return {
      ...base,
      error: { code: 'card_declined', decline_code: refused },
      status: 'requires_payment_method',
    }
  return { ...base, status: base.capture === 'manual' ? 'requires_capture' : 'succeeded' }
}

function planned(base: Intended): Intended {
  const plans = base.token === null ? undefined : (cards[base.token]?.plans ?? [])
  return { ...base, ...(plans ? { plans } : {}), status: base.token ? 'requires_confirmation' : base.status }
}
