import Stripe from 'stripe'

export type Right = 'customers' | 'events'

/** What goes wrong with the next requests. `time_out`: no answer; `cut`: the connection ends. */
export type StripeFault = {
  mode: 'time_out' | 'cut' | '429' | '500'
  times: number
  /** How many requests pass first. */
  skip?: number
  /** Seconds, sent with a 429. */
  retryAfter?: number
}

/** What is said of a customer; a customer without an id is a new one. */
export type StripeCustomerFields = { id?: string } & Partial<
  Pick<
    Stripe.Customer,
    'name' | 'email' | 'phone' | 'address' | 'shipping' | 'preferred_locales' | 'metadata'
  >
>

/** What tests read of a request of the service's. */
export type StripeRequest = { path: string; after: string | null }

/** Stripe's answer to a request. */
export type StripeAnswer = { status: number; body: object; headers?: Record<string, string> }

type Customer = Required<StripeCustomerFields> & { object: 'customer'; created: number; livemode: boolean }

const nothing = {
  name: null,
  email: null,
  phone: null,
  address: null,
  shipping: null,
  preferred_locales: [],
  metadata: {},
}

/** A Stripe account with its customers and events, as the service sees it with one key. */
export class StripeStandInAccount {
  readonly customers: Customer[] = []
  readonly events: object[] = []
  readonly requests: StripeRequest[] = []
  rights: Right[] = ['customers', 'events']
  isRevoked = false
  /** Longer pages are cut to this length. */
  pageMax = 100
  faults: StripeFault[] = []
  /** How many requests have met a fault. */
  struck = 0
  endpoint: { url: string; secret: string } | null = null
  #made = 0
  readonly #key: string

  constructor(key: string) {
    this.#key = key
  }

  /** Saves a customer as its owner would. `silently`: so long ago that no event of it is left. */
  async save(
    fields: StripeCustomerFields,
    { atSeconds = nowSeconds(), silently = false } = {},
  ): Promise<string> {
    const before = this.customers.find(({ id }) => id === fields.id)
    const id = fields.id ?? `cus_${letters(++this.#made)}${this.#key.slice(-8)}`
    const after: Customer = {
      ...nothing,
      object: 'customer',
      created: atSeconds,
      livemode: this.#key.includes('_live_'),
      ...before,
      ...fields,
      id,
    }
    if (before) this.customers.splice(this.customers.indexOf(before), 1, after)
    else this.customers.unshift(after)
    const previous =
      before && Object.fromEntries(changedIn(before, after).map((name) => [name, before[name]]))
    if (!silently)
      await this.#happened(before ? 'customer.updated' : 'customer.created', after, atSeconds, previous)
    return id
  }

  async remove(id: string, atSeconds = nowSeconds()): Promise<void> {
    const at = this.customers.findIndex((each) => each.id === id)
    const [removed] = this.customers.splice(at, 1)
    await this.#happened('customer.deleted', removed!, atSeconds)
  }

  /** Stripe keeps events for 30 days. */
  forgetEvents(): void {
    this.events.length = 0
  }

  async #happened(type: string, object: Customer, created: number, previous?: object): Promise<void> {
    const event = {
      id: `evt_${letters(++this.#made)}${this.#key.slice(-8)}`,
      object: 'event',
      api_version: Stripe.API_VERSION,
      type,
      created,
      livemode: object.livemode,
      pending_webhooks: 0,
      request: null,
      data: { object, ...(previous ? { previous_attributes: previous } : {}) },
    }
    this.events.unshift(event)
    if (this.endpoint) await post(this.endpoint, event)
  }

  /** The fault that the next request meets. */
  fault(): StripeFault | undefined {
    const fault = this.faults.find(({ times }) => times > 0)
    if (!fault) return undefined
    if (fault.skip) {
      fault.skip -= 1
      return undefined
    }
    fault.times -= 1
    this.struck += 1
    return fault
  }

  /** Answers a request for `/customers` or `/events`. */
  answer(path: string, query: URLSearchParams): StripeAnswer {
    const after = query.get('starting_after') ?? query.get('ending_before')
    this.requests.push({ path, after })
    if (this.isRevoked) return refused(401, 'api_key_expired', 'Expired API Key provided')
    const right = path.slice(1) as Right
    if (!this.rights.includes(right))
      return refused(403, null, 'The provided key does not have the required permissions')
    const all: { id?: string }[] = right === 'customers' ? this.customers : this.events
    const limit = Math.min(Number(query.get('limit') ?? 10), this.pageMax)
    const at = after === null ? -1 : all.findIndex(({ id }) => id === after)
    if (after !== null && at < 0) return refused(400, 'resource_missing', `No such ${right}: '${after}'`)
    const rest = query.has('ending_before') ? all.slice(0, at) : all.slice(at + 1)
    const data = query.has('ending_before') ? rest.slice(-limit) : rest.slice(0, limit)
    return { status: 200, body: { object: 'list', url: path, data, has_more: rest.length > limit } }
  }
}

const nowSeconds = () => Math.floor(Date.now() / 1000)

const changedIn = (before: Customer, after: Customer) =>
  (Object.keys(nothing) as (keyof typeof nothing)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )

/** A number in letters: digits could look like a card number. */
const letters = (count: number) =>
  [...String(count).padStart(6, '0')].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('')

/** A refusal in Stripe's form, with a code of its list (https://docs.stripe.com/error-codes) where it has one. */
export const refused = (status: number, code: string | null, message: string): StripeAnswer => ({
  status,
  body: {
    error: {
      type: status >= 500 ? 'api_error' : 'invalid_request_error',
      ...(code === null ? {} : { code }),
      message,
    },
  },
})

/** Signs and posts an event as Stripe does; one that does not arrive is not sent again. */
export async function post({ url, secret }: { url: string; secret: string }, event: object): Promise<void> {
  const payload = JSON.stringify(event)
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret })
  await fetch(url, { method: 'POST', body: payload, headers: { 'stripe-signature': signature } }).catch(
    () => {},
  )
}
