import type Stripe from 'stripe'
import { type Answer, cards, missing, missingIn, nowSeconds, refused } from './stripe-answers.ts'
import type { Fields } from './stripe-checks.ts'
import { answeredBy, collectedBy } from './stripe-inputs.ts'
import { type Intended, intentOf } from './stripe-intents.ts'
import type { Method } from './stripe-methods.ts'
import { StripePayouts } from './stripe-payouts.ts'

type Reader = Stripe.Terminal.Reader
type Verb = 'process_payment_intent' | 'set_reader_display' | 'collect_inputs' | 'cancel_action'

const done = (body: object): Answer => ({ status: 200, body })

/** The errors of readers: https://docs.stripe.com/terminal/payments/collect-card-payment (server-driven, "Handle errors") */
const errors = {
  offline: refused('terminal_reader_offline', 'Reader is currently offline'),
  busy: refused('terminal_reader_busy', 'Reader is currently busy processing another request'),
  late: refused('terminal_reader_timeout', 'There was a timeout when sending this command to the reader'),
} as const

const nothing = { api_error: null, failure_code: null, failure_message: null } as const

/** Readers of Stripe's, the people who hold cards to them, and where they stand. */
export class StripeTerminal extends StripePayouts {
  readonly readers = new Map<string, Reader>()
  readonly places = new Map<string, Stripe.Terminal.Location>()
  /** What machines show before they are registered, each with its serial number: a code is good once. */
  readonly codes = new Map<string, string>()
  /** What becomes of the next command: the reader has no network, a card is being read, or it answers too late. */
  next: keyof typeof errors | null = null
  /** What happens while a reader is asked about. */
  meanwhile: (() => unknown) | null = null
  tokens = 0

  override reset(): void {
    super.reset()
    for (const kept of [this.readers, this.places, this.codes]) kept.clear()
    this.next = null
    this.meanwhile = null
  }

  protected terminal(method: string, path: string, fields: Fields, owner: string): Answer {
    const [, , , resource, id = '', verb] = path.split('/')
    switch (resource) {
      case 'locations':
        return this.#place(fields, owner)
      case 'connection_tokens':
        return this.#token(fields, owner)
      default:
        if (id === '') return method === 'GET' ? this.#list(fields, owner) : this.#register(fields, owner)
        return this.readers.has(id) && this.ownerOf(id) === owner
          ? this.#command(id, verb as Verb | undefined, fields)
          : missing(`No such reader: '${id}'`)
    }
  }

  /** One country has readers of an account, its own: https://docs.stripe.com/terminal/payments/regional */
  #place(fields: Fields, owner: string): Answer {
    const of = (name: string) => fields[`address[${name}]`] ?? null
    const account = this.settings(owner.split('/')[0])
    if (of('country') !== account.country)
      return refused(
        'terminal_location_country_unsupported',
        'Not the country of the account',
        'address[country]',
      )
    for (const name of ['line1', 'city', 'state', 'postal_code'])
      if (of(name) === null) return refused('parameter_missing', `Missing: ${name}`, `address[${name}]`)
    const place: Stripe.Terminal.Location = {
      id: this.newId('tml'),
      object: 'terminal.location',
      address: {
        city: of('city'),
        country: of('country'),
        line1: of('line1'),
        line2: of('line2'),
        postal_code: of('postal_code'),
        state: of('state'),
      },
      display_name: fields.display_name ?? '',
      livemode: !owner.endsWith('/test'),
      metadata: { location_id: fields['metadata[location_id]'] ?? '' },
    }
    this.places.set(place.id, place)
    this.owners.set(place.id, owner)
    return done(place)
  }

  #isPlace = (id: string | undefined, owner: string) =>
    id !== undefined && this.places.has(id) && this.ownerOf(id) === owner

  /** A secret that a phone's SDK connects with: https://docs.stripe.com/api/terminal/connection_tokens */
  #token({ location }: Fields, owner: string): Answer {
    if (location !== undefined && !this.#isPlace(location, owner)) return missingIn('location', location)
    this.tokens++
    const secret = this.newId('pst_live')
    const token: Stripe.Terminal.ConnectionToken = { object: 'terminal.connection_token', secret }
    return done(location === undefined ? token : { ...token, location })
  }

  #list({ location }: Fields, owner: string): Answer {
    const data = [...this.readers.values()].filter(
      (each) => each.location === location && this.ownerOf(each.id) === owner,
    )
    return done({ object: 'list', data, has_more: false, url: '/v1/terminal/readers' })
  }

  #register(
    { registration_code: code = '', label, location, 'metadata[registration]': registration }: Fields,
    owner: string,
  ): Answer {
    if (!this.#isPlace(location, owner)) return missingIn('location', location ?? '')
    const serial_number = this.codes.get(code)
    if (serial_number === undefined) return refused(null, 'No such registration code', 'registration_code')
    this.codes.delete(code)
    // A machine that its account has already keeps its id.
    const known = [...this.readers.values()].find(
      (each) => each.serial_number === serial_number && this.ownerOf(each.id) === owner,
    )
    const reader: Reader = {
      id: known?.id ?? this.newId('tmr'),
      object: 'terminal.reader',
      action: null,
      device_sw_version: '2.42.0.0',
      device_type: 'stripe_s700',
      ip_address: '192.168.2.2',
      label: label ?? serial_number,
      last_seen_at: nowSeconds() * 1000,
      livemode: !owner.endsWith('/test'),
      location: location!,
      metadata: registration === undefined ? {} : { registration },
      serial_number,
      status: 'online',
    }
    this.readers.set(reader.id, reader)
    this.owners.set(reader.id, owner)
    return done(reader)
  }

  #command(id: string, verb: Verb | undefined, fields: Fields): Answer {
    if (verb === undefined) {
      this.meanwhile?.()
      this.meanwhile = null
      return done(this.readers.get(id)!)
    }
    const { next } = this
    this.next = null
    if (next !== null && next !== 'late') return errors[next]
    const answer =
      verb === 'cancel_action'
        ? this.#cancelAction(id)
        : verb === 'set_reader_display'
          ? this.#show(id, fields)
          : verb === 'collect_inputs'
            ? this.#collect(id, fields)
            : this.#process(id, fields)
    return next === 'late' && answer.status === 200 ? errors.late : answer
  }

  /** Somebody deletes a location in the Dashboard: its readers stay, and take no payment there. */
  deletePlace(id: string): void {
    this.places.delete(id)
  }

  /** "Payments that haven't begun processing can be replaced by a new payment." */
  #process(id: string, { payment_intent: intent = '', ...config }: Fields): Answer {
    const of = this.intents.get(intent)
    if (!of || this.ownerOf(intent) !== this.ownerOf(id)) return missingIn('payment_intent', intent)
    if (of.type !== 'card_present' || of.status !== 'requires_payment_method')
      return refused('payment_intent_unexpected_state', 'The PaymentIntent is in another status')
    if (!this.places.has(this.readers.get(id)!.location as string))
      return refused('terminal_reader_invalid_location_for_payment', 'The reader has no valid location')
    const skip_tipping = config['process_config[skip_tipping]'] === 'true'
    this.#act(id, {
      ...nothing,
      status: 'in_progress',
      type: 'process_payment_intent',
      process_payment_intent: { payment_intent: intent, process_config: { skip_tipping } },
    })
    return done(this.readers.get(id)!)
  }

  /** https://docs.stripe.com/api/terminal/readers/set_reader_display: `in_progress` for as long as it is shown */
  #show(id: string, fields: Fields): Answer {
    if (this.awaiting(id)) return errors.busy
    const of = (at: number, name: string) => fields[`cart[line_items][${at}][${name}]`]
    const line_items = []
    for (let at = 0; of(at, 'amount') !== undefined; at++) {
      const [amount, quantity] = [Number(of(at, 'amount')), Number(of(at, 'quantity'))]
      if (amount < 1)
        return refused('parameter_invalid_integer', 'Not positive', `cart[line_items][${at}][amount]`)
      line_items.push({ amount, description: of(at, 'description')!, quantity })
    }
    const cart = {
      currency: fields['cart[currency]']!,
      line_items,
      tax: null,
      total: Number(fields['cart[total]']),
    }
    this.#act(id, {
      ...nothing,
      status: 'in_progress',
      type: 'set_reader_display',
      set_reader_display: { cart, type: 'cart' },
    })
    return done(this.readers.get(id)!)
  }

  /** What a reader's screen shows of a cart: each line as it stands there, and the sum; null where it shows none. */
  shown(id: string) {
    const cart = this.readers.get(id)!.action?.set_reader_display?.cart
    const line = ({
      quantity,
      description,
      amount,
    }: {
      quantity: number
      description: string
      amount: number
    }) => `${quantity} ${description} ${amount}`
    return cart ? [...cart.line_items.map(line), `${cart.currency} ${cart.total}`] : null
  }

  #collect(id: string, fields: Fields): Answer {
    if (this.awaiting(id) || this.asked(id)) return errors.busy
    const collect_inputs = collectedBy(fields)
    if ('status' in collect_inputs) return collect_inputs
    this.#act(id, { ...nothing, status: 'in_progress', type: 'collect_inputs', collect_inputs })
    return done(this.readers.get(id)!)
  }

  /** What a reader asks its buyer, as it stands on the screen; undefined where it asks nothing. */
  asked(id: string): string[] | undefined {
    const { action } = this.readers.get(id)!
    const inputs = action?.status === 'in_progress' ? action.collect_inputs?.inputs : undefined
    return inputs?.flatMap(({ custom_text, selection }) => [
      custom_text!.title!,
      ...(selection?.choices.map(({ text }) => text) ?? []),
    ])
  }

  /** A buyer answers all that a reader asks: the id of a choice, or what they type; null: skips it. False where they cannot. */
  fill(id: string, ...given: (string | null)[]): boolean {
    const { inputs, metadata } = this.asked(id)
      ? this.readers.get(id)!.action!.collect_inputs!
      : { inputs: [], metadata: null }
    const answered = inputs.map((input, at) => answeredBy(input, given[at] ?? null))
    if (inputs.length === 0 || !answered.every((each) => each !== undefined)) return false
    this.#ends(id, { status: 'succeeded', collect_inputs: { inputs: answered, metadata } })
    return true
  }

  #cancelAction(id: string): Answer {
    this.#act(id, null)
    return done(this.readers.get(id)!)
  }

  #act(id: string, action: Reader['action']): void {
    this.readers.set(id, { ...this.readers.get(id)!, action })
  }

  #ends(
    id: string,
    change: Partial<NonNullable<Reader['action']>> & { status: 'succeeded' | 'failed' },
  ): void {
    const { action } = this.readers.get(id)!
    this.#act(id, { ...action!, ...change })
    this.tell(`terminal.reader.action_${change.status}`, this.readers.get(id)!, id)
  }

  /** The PaymentIntent that a reader waits with; undefined where it waits for no card. */
  awaiting(id: string): Intended | undefined {
    const { action } = this.readers.get(id)!
    const intent =
      action?.status === 'in_progress' ? action.process_payment_intent?.payment_intent : undefined
    return typeof intent === 'string' ? this.intents.get(intent) : undefined
  }

  /** A buyer holds a card to a reader. False where it waits for none. */
  presentCard(id: string, card = 'pm_approve'): boolean {
    const intended = this.awaiting(id)
    if (!intended) return false
    if (!this.#read(intended, card)) {
      this.#ends(id, { status: 'failed', failure_code: 'payment_intent_unexpected_state' })
      return false
    }
    const { error } = this.intents.get(intended.id)!
    if (!error) this.#ends(id, { status: 'succeeded' })
    else {
      const message = 'The card was declined'
      const payment_intent = intentOf(this.intents.get(intended.id)!)
      const api_error = { ...error, type: 'card_error' as const, message, payment_intent }
      this.#ends(id, {
        status: 'failed',
        failure_code: 'card_declined',
        failure_message: message,
        api_error: api_error as NonNullable<NonNullable<Reader['action']>['api_error']>,
      })
    }
    return true
  }

  /** A buyer taps a card on a phone, whose SDK has the client secret. False where it charges nothing. */
  tap(clientSecret: string, card = 'pm_approve'): boolean {
    const intended = [...this.intents.values()].find((each) => intentOf(each).client_secret === clientSecret)
    return intended !== undefined && this.#read(intended, card)
  }

  /** The card's bank is asked, once. */
  #read({ id, status, livemode, capture }: Intended, card: string): boolean {
    if (status !== 'requires_payment_method') return false
    const method: Method = {
      ...{ id: this.newId('pm'), type: 'card_present', card, name: null, email: null },
      ...{ livemode, used: true },
    }
    this.methods.set(method.id, method)
    const read = { method, token: card }
    const { declined } = cards[card]!
    if (declined === undefined) {
      this.move(id, { ...read, status: capture === 'manual' ? 'requires_capture' : 'succeeded' })
      return true
    }
    this.move(id, { ...read, error: { code: 'card_declined', decline_code: declined } })
    this.tellOf(id)
    return true
  }

  /** Nobody holds a card to it: whoever stands there gives up. */
  giveUp(id: string): void {
    this.#ends(id, {
      status: 'failed',
      failure_code: 'customer_canceled',
      failure_message: 'Canceled by the customer',
    })
  }
}
