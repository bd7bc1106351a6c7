import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { isLive } from './stripe-account.ts'
import {
  type Answer,
  failure,
  inUse,
  locked,
  missing,
  noKey,
  noRight,
  notDone,
  refusal,
  refused,
  secretNeeded,
  tooMany,
  tooManyForLong,
} from './stripe-answers.ts'
import type { Fields } from './stripe-checks.ts'
import { type EventFields, eventOf } from './stripe-events.ts'
import { expanded, NotExpandable } from './stripe-expand.ts'
import { partsOf } from './stripe-files.ts'
import { intentOf } from './stripe-intents.ts'
import { StripeRequests } from './stripe-requests.ts'
import { allowed } from './stripe-shapes.ts'

export { secretKey } from './stripe-state.ts'

/** A request as it came in. */
export interface Seen {
  readonly method: string
  readonly path: string
  /** The secret key it came with. */
  readonly account: string
  readonly key: string | null
  readonly fields: Fields
}

/** A request with its reply. */
export interface Exchange extends Seen {
  readonly status: number
  readonly body: object
}

/** Replies that have no effect, by their order. 402 and 500 are kept under the request's key, as Stripe keeps them. */
const replies = {
  '400': refused(null, 'Stripe does not take this'),
  '401': noKey,
  '402': notDone,
  '403': noRight,
  '409': inUse,
  '429': tooMany,
  '429_lock': locked,
  '429_long': tooManyForLong,
  '500': failure,
} as const

/**
 * What goes wrong with the next matching request: before it has its effect, or after. `500_kept`: without effect, and
 * the reply to every further request under the same key. `none`: nothing, so that a later one fails.
 */
export type Fault =
  | 'none'
  | 'time_out'
  | 'cut'
  | 'cut_after'
  | keyof typeof replies
  | '500_kept'
  | '500_after'
  | 'time_out_after'

export const webhookSecret = 'whsec_stand-in'
export const publishableKey = 'pk_live_stand-in'

/**
 * The part of Stripe that we use: checks every request against the shapes of its library, stores Idempotency-Keys as
 * Stripe does, and fails as ordered. `complaints` lists what it finds wrong with requests.
 */
export class StripeServer extends StripeRequests {
  readonly seen: Seen[] = []
  readonly complaints: string[] = []
  /** The publishable keys, each with its account. */
  readonly pages = new Map([[publishableKey, 'acct_environment']])
  /** One exchange of each form: numbers in it may differ from those of the others. */
  readonly recorded = new Map<string, Exchange>()
  #faults: { pattern: RegExp; fault: Fault }[] = []
  #keys = new Map<string, { fields: string; answer: Answer }>()
  #server = createServer((request, response) => void this.#receive(request, response))

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#server.keepAliveTimeout = 0
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Forgets everything but what it recorded, as for a fresh test. */
  override reset(): void {
    super.reset()
    this.#keys.clear()
    this.seen.length = 0
    this.complaints.length = 0
    this.#faults = []
  }

  failNext(pattern: RegExp, fault: Fault, times = 1): void {
    for (let time = 0; time < times; time++) this.#faults.push({ pattern, fault })
  }

  /** Nothing fails any more. */
  forgetFaults(): void {
    this.#faults = []
  }

  /** Stripe forgets keys after a day. */
  forgetKeys(): void {
    this.#keys.clear()
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const isPost = request.method === 'POST'
    const body = Buffer.concat(chunks)
    const form = () => Object.fromEntries(new URLSearchParams(isPost ? body.toString() : url.search))
    const type = request.headers['content-type'] ?? ''
    const fields = type.startsWith('multipart/') ? partsOf(body, type) : form()
    const key = (request.headers['idempotency-key'] as string | undefined) ?? null
    const account = request.headers.authorization?.slice('Bearer '.length) ?? ''
    const seen = { method: request.method ?? '', path: url.pathname, account, key, fields }
    this.seen.push(seen)
    this.#check(request, url.pathname, key, fields)
    const at = this.#faults.findIndex(({ pattern }) => pattern.test(`${request.method} ${url.pathname}`))
    const fault = at < 0 ? null : this.#faults.splice(at, 1)[0]!.fault
    if (fault === 'time_out') return
    if (fault === 'cut') return void request.socket.destroy()
    const owner = this.#ownerBehind(account)
    const kept = { '402': notDone, '500_kept': failure }[fault as string]
    if (kept && key !== null) this.#keys.set(`${owner}:${key}`, { fields: sentAs(seen), answer: kept })
    const ordered = kept ?? (replies as Partial<Record<string, Answer>>)[fault ?? '']
    const answer = ordered ?? this.#onPage(seen) ?? (owner === null ? noKey : this.#owned(owner, seen))
    this.#record(seen, answer)
    if (fault === 'time_out_after') return
    if (fault === 'cut_after') return void request.socket.destroy()
    send(response, fault === '500_after' ? failure : answer)
  }

  /** The account of a key; its test mode is a world of its own. */
  #ownerBehind(key: string): string | null {
    const account = this.accounts.get(key)
    return account === undefined ? null : isLive(key) ? account : `${account}/test`
  }

  /**
   * To a publishable key: a PaymentIntent of its account to who has the client secret, and nothing else. Null for other
   * keys. Stripe leaves some fields out (the library's comment on `retrieve`).
   */
  #onPage(seen: Seen): Answer | null {
    const owner = this.pages.get(seen.account)
    if (owner === undefined) return null
    const { method, path, fields } = seen
    const [, , resource, id = '', ...more] = path.split('/')
    if (method !== 'GET' || resource !== 'payment_intents' || more.length > 0) return secretNeeded
    const intended = this.intents.get(id)
    if (!intended || this.ownerOf(id) !== owner || fields.client_secret !== intentOf(intended).client_secret)
      return missing(`No such payment_intent: '${id}'`)
    return this.#owned(owner, seen)
  }

  #record(seen: Seen, { status, body }: Answer): void {
    const fields = Object.entries(seen.fields).map(([field, value]) => [field, value.slice(0, 200)])
    const form = `${seen.method} ${JSON.stringify([seen.path, fields, status, body])}`
    const name = form.replaceAll(/[0-9a-f-]{36}/g, '').replaceAll(/\d+/g, '0')
    if (!this.recorded.has(name)) this.recorded.set(name, { ...seen, status, body })
  }

  #check(request: IncomingMessage, path: string, key: string | null, fields: Fields): void {
    const complain = (what: string) => this.complaints.push(`${request.method} ${path}: ${what}`)
    const asks = ['/v1/account', '/v1/payment_method_configurations', '/v1/events'] // with keys that may be wrong
    const { account } = this.seen.at(-1)!
    const isPage = account.startsWith('pk_') && fields.client_secret !== undefined
    if (!this.accounts.has(account) && !isPage && !asks.includes(path)) complain('not authorized')
    if (request.headers['stripe-version'] !== Stripe.API_VERSION) complain('another Stripe-Version')
    const type = request.headers['content-type'] ?? ''
    const form = path === '/v1/files' ? 'multipart/form-data; boundary=' : 'application/x-www-form-urlencoded'
    if (request.method === 'POST' && !type.startsWith(form)) complain(`sent as ${type}`)
    const rule = allowed.find((each) => each.method === request.method && each.pattern.test(path))
    if (!rule) return void complain('not among the requests that we may send')
    const made = rule.keyed && fields['metadata[purpose]'] === undefined
    if (made && key === null) complain('no Idempotency-Key')
    for (const [name, value] of Object.entries(fields)) {
      if (!rule.fields.has(name.replaceAll(/\[\d+\]/g, '[]'))) complain(`no field ${name}`)
      if (/amount/.test(name) && !/^[1-9]\d{0,14}$/.test(value)) complain(`${name} is ${value}`)
    }
  }

  /** An account sees only its own objects, of one mode. */
  #owned(owner: string, { method, path, key, fields }: Seen): Answer {
    const [, , , id = '', , last = ''] = path.split('/')
    const { payment_intent, customer, payment_method, payout } = fields
    const about = [id, last, payment_intent, customer, payment_method, payout]
    const isForeign = (each = '') => this.owners.has(each) && this.owners.get(each) !== owner
    if (about.some(isForeign)) return missing('No such object in this account')
    const once = method === 'POST' && key !== null ? `${owner}:${key}` : null
    return this.#once(once, method, path, fields, owner)
  }

  /** https://docs.stripe.com/api/idempotent_requests: the first reply again, also when it was a refusal of the card. */
  #once(key: string | null, method: string, path: string, fields: Fields, owner: string): Answer {
    if (key === null) return this.#expanded(method, path, fields, owner)
    const sent = sentAs({ path, fields })
    const before = this.#keys.get(key)
    if (before && before.fields !== sent)
      return refusal(400, 'idempotency_error', null, 'The key was used with other parameters')
    if (before) return { ...before.answer, headers: { 'idempotent-replayed': 'true' } }
    const answer = this.#expanded(method, path, fields, owner)
    // Stripe does not store a reply to invalid parameters.
    if (answer.status !== 400 && answer.status !== 404) this.#keys.set(key, { fields: sent, answer })
    return answer
  }

  #expanded(method: string, path: string, fields: Fields, owner: string): Answer {
    const answer = this.answer(method, path, fields, owner)
    if (answer.status !== 200) return answer
    try {
      return { ...answer, body: expanded(answer.body, fields, (id) => this.lookup(id)) }
    } catch (error) {
      if (error instanceof NotExpandable) return error.answer
      throw error
    }
  }

  /** An event as Stripe would post it, signed; it is in no list. */
  async event(
    type: string,
    object: object,
    { id = this.newId('evt'), ...more }: EventOptions = {},
  ): Promise<{ body: string; signature: string }> {
    return this.signed(eventOf(type, object, { id, ...more }), more)
  }

  /** An event, signed as Stripe signs what it posts. */
  async signed(event: Stripe.Event, { secret = webhookSecret, timestamp }: EventOptions = {}) {
    const body = JSON.stringify(event)
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
      payload: body,
      secret,
      ...(timestamp === undefined ? {} : { timestamp }),
    })
    return { body, signature }
  }
}

export interface EventOptions extends EventFields {
  readonly secret?: string
  /** Seconds since the epoch. */
  readonly timestamp?: number
}

const sentAs = ({ path, fields }: Pick<Seen, 'path' | 'fields'>) => JSON.stringify([path, fields])

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_stand_in', ...headers })
  response.end(JSON.stringify(body))
}
