import { createHash } from 'node:crypto'
import { addDays, mexicoCityDate, mexicoCityInstant } from '../../src/kernel/bank-days.ts'
import { accountOf, switchesOf } from './stripe-account.ts'
import { type Answer, cards, missing, missingIn, nowSeconds, refusal, refused } from './stripe-answers.ts'
import { customerOf, fundingOf } from './stripe-cash.ts'
import { type Fields, wrongWith } from './stripe-checks.ts'
import { newFile, wrongFiles } from './stripe-files.ts'
import {
  challengeAction,
  chargeIdOf,
  type Intended,
  intentOf,
  transferAction,
  voucherAction,
} from './stripe-intents.ts'
import { type Method, methodOf, tokenOf } from './stripe-methods.ts'
import { StripeTerminal } from './stripe-terminal.ts'

const done = (body: object): Answer => ({ status: 200, body })
/** An estimate, as Stripe's own is. */
const [pagesMax, lettersOfPage] = [50, 3_000]
const wrongState = refused('payment_intent_unexpected_state', 'The PaymentIntent is in another status')

/** What Stripe answers to each request, and what the request changes. */
export class StripeRequests extends StripeTerminal {
  /** Search sees what was made only after a while; false: it sees nothing yet. */
  searchable = true
  searchDelayMs = 0
  /** Longer pages are cut to this length. */
  pageMax = 100
  /** The status of the next refunds. */
  refundStatus = 'succeeded'

  override reset(): void {
    super.reset()
    this.searchable = true
    this.searchDelayMs = 0
    this.pageMax = 100
    this.refundStatus = 'succeeded'
  }

  protected answer(method: string, path: string, fields: Fields, owner: string): Answer {
    const [, , resource, id = '', verb, last] = path.split('/')
    const isPost = method === 'POST'
    const account = owner.split('/')[0]!
    switch (resource) {
      case 'account':
        return done(accountOf(account, this.settings(account)))
      case 'payment_method_configurations': {
        const all = [switchesOf(this.settings(account), !owner.endsWith('/test'))]
        return this.#page(all, path, fields)
      }
      case 'events':
        return this.events.page(fields, owner, this.pageMax)
      case 'payment_intents':
        if (id === 'search') return this.#search(fields, owner)
        return id === '' ? this.#create(fields, owner) : this.#ofIntent(id, verb, fields)
      case 'confirmation_tokens':
        return this.#token(id)
      case 'payment_methods':
        return cards[id] ? done(methodOf(this.#method({ type: 'card', card: id }))) : this.#found(id)
      case 'customers':
        if (id === '') return this.#customer(fields, owner)
        if (!this.customers.has(id)) return missing(`No such customer: '${id}'`)
        if (verb === 'funding_instructions') return done(fundingOf(this.customers.get(id)!))
        if (verb === undefined) return this.#found(id)
        return last ? this.#cashTransaction(id, last) : this.#cashTransactions(id, path, fields)
      case 'refunds':
        if (id !== '') return this.#found(id)
        return isPost ? this.#refund(fields) : this.#listRefunds(fields)
      case 'balance_transactions': {
        const all = this.entriesOf(fields.payout)
        return 'status' in all ? all : this.#page(all, path, fields)
      }
      case 'files':
        return this.#upload(fields, owner)
      case 'terminal':
        return this.terminal(method, path, fields, owner)
      case 'radar':
        return this.#found(verb ?? '')
      case 'disputes':
        if (verb === 'close') return this.#close(id)
        return (isPost ? this.#evidence(id, fields, owner) : null) ?? this.#found(id)
      default:
        return this.#found(id)
    }
  }

  #found(id: string): Answer {
    const object = this.lookup(id)
    return object ? done(object) : missing(`No such object: '${id}'`)
  }

  #cashTransaction(customer: string, id: string): Answer {
    const found = this.deposits.get(`${customer}/${id}`)
    return found ? done(found) : missing(`No such transaction: '${id}'`)
  }

  /** A page of a list, the newest first, behind `starting_after`. */
  #page(all: readonly { readonly id: string }[], url: string, fields: Fields): Answer {
    const at = all.findIndex(({ id }) => id === fields.starting_after)
    if (fields.starting_after !== undefined && at < 0)
      return missingIn('starting_after', fields.starting_after)
    const rest = all.slice(at + 1)
    const limit = Math.min(Number(fields.limit ?? 10), this.pageMax)
    return done({ object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit, url })
  }

  #listRefunds(fields: Fields): Answer {
    const all = [...this.refunds.values()].filter((each) => each.payment_intent === fields.payment_intent)
    return this.#page(all.toReversed(), '/v1/refunds', fields)
  }

  #cashTransactions(customer: string, path: string, fields: Fields): Answer {
    const all = [...this.deposits.values()].filter((each) => each.customer === customer)
    return this.#page(all.toReversed(), path, fields)
  }

  #search({ query = '', limit }: Fields, owner: string): Answer {
    const [, attemptId] = /^metadata\['attempt_id'\]:'([^']+)'$/.exec(query) ?? []
    const shown = (each: Intended) =>
      this.searchable && (this.searchDelayMs === 0 || each.created * 1000 + this.searchDelayMs <= Date.now())
    const all = [...this.intents.values()].filter(
      (each) => each.metadata.attempt_id === attemptId && this.ownerOf(each.id) === owner && shown(each),
    )
    const data = all.slice(0, Number(limit ?? 10)).map(intentOf)
    const url = '/v1/payment_intents/search'
    return done({ object: 'search_result', data, has_more: all.length > data.length, next_page: null, url })
  }

  /** A new PaymentMethod; test cards have one each time that they are used. */
  #method(made: Pick<Method, 'type' | 'card'> & Partial<Method>): Method {
    const method = { name: null, email: null, livemode: true, used: false, ...made, id: this.newId('pm') }
    this.methods.set(method.id, method)
    return method
  }

  /** A PaymentMethod of a page of ours, as Stripe's script makes one of a card: it may be used once. */
  newMethod(card: string): string {
    return this.#method({ type: 'card', card }).id
  }

  #token(id: string): Answer {
    const card = id.replace('ctoken_', 'pm_')
    if (!cards[card]) return missing(`No such confirmation_token: '${id}'`)
    return done(tokenOf(id, { ...this.#method({ type: 'card', card }) }))
  }

  #methodFor(fields: Fields, type: Method['type'], livemode: boolean): Method | Answer | null {
    if (type !== 'card') {
      const of = (name: string) => fields[`payment_method_data[billing_details][${name}]`] ?? null
      return this.#method({ type, card: null, name: of('name'), email: of('email'), livemode })
    }
    const { payment_method: id, confirmation_token: token } = fields
    const card = id ?? token?.replace('ctoken_', 'pm_')
    if (card === undefined) return null
    if (cards[card]) return this.#method({ type, card, livemode })
    const method = this.methods.get(card)
    const param = id === undefined ? 'confirmation_token' : 'payment_method'
    if (!method) return missingIn(param, card)
    return method.used ? refused(null, 'The provided PaymentMethod was previously used', param) : method
  }

  #create(fields: Fields, owner: string): Answer {
    const account = this.settings(owner.split('/')[0])
    const type = (fields['allowed_payment_method_types[0]'] ?? 'card') as Method['type']
    const livemode = !owner.endsWith('/test')
    const wrong = wrongWith(fields, type, account)
    if (wrong) return wrong
    const { customer } = fields
    if (customer !== undefined && !this.customers.has(customer)) return missingIn('customer', customer)
    const method = type === 'card_present' ? null : this.#methodFor(fields, type, livemode)
    if (method && 'status' in method) return method
    const of = (name: string) => fields[`payment_method_options[card]${name}`]
    const months = of('[installments][plan][count]')
    const offered = method?.card && account.installments ? (cards[method.card]!.plans ?? []) : []
    if (months !== undefined && !offered.includes(Number(months)))
      return refused(
        null,
        'The card does not have this plan',
        'payment_method_options[card][installments][plan]',
      )
    const expiresAfterDays = fields['payment_method_options[oxxo][expires_after_days]']
    const base: Intended = {
      id: this.newId('pi'),
      livemode,
      created: nowSeconds(),
      amount: Number(fields.amount),
      currency: fields.currency ?? '',
      status: method ? 'requires_confirmation' : 'requires_payment_method',
      type,
      method,
      token: method?.card ?? null,
      capture: fields.capture_method === 'manual' ? 'manual' : 'automatic',
      metadata: metadataOf(fields),
      description: fields.description ?? null,
      suffix: fields.statement_descriptor_suffix ?? null,
      charged: 'no',
      ...(customer === undefined ? {} : { customer }),
      ...(of('[installments][enabled]') === 'true' ? { plans: offered } : {}),
      ...(months === undefined ? {} : { planMonths: Number(months) }),
      ...(of('[request_three_d_secure]') === 'any' ? { threeDs: 'any' } : {}),
      ...(expiresAfterDays === undefined ? {} : { expiresAfterDays: Number(expiresAfterDays) }),
    }
    this.intents.set(base.id, base)
    this.owners.set(base.id, owner)
    this.tellOf(base.id, 'payment_intent.created')
    if (fields.confirm === 'true') this.#confirm(base, fields)
    return this.#answered(base.id)
  }

  /** What a PaymentIntent's confirmation answers: 402 with the intent where the card was declined. */
  #answered(id: string): Answer {
    const intended = this.intents.get(id)!
    const { error, method } = intended
    if (!error) return done(intentOf(intended))
    return refusal(402, 'card_error', error.code, 'The card was declined', {
      ...error,
      charge: chargeIdOf(intended),
      payment_intent: intentOf(intended),
      payment_method: methodOf(method!),
    })
  }

  #confirm(base: Intended, fields: Fields): void {
    const { id, type, method, token, customer = '', expiresAfterDays = 3 } = base
    if (method) this.methods.set(method.id, { ...method, used: customer === '' })
    this.move(id, outcomeOf())
    // What an earlier payment left in the balance is applied at once.
    if (type === 'customer_balance') this.applyCash(id)

    function outcomeOf(): Partial<Intended> {
      const card = token === null ? undefined : cards[token]
      const waits = (action: NonNullable<Intended['action']>) => ({ status: 'requires_action', action })
      if (type === 'oxxo') return waits(voucherOf(id, expiresAfterDays))
      if (type === 'customer_balance') return waits(transferAction(customer))
      if (card?.challenged)
        return waits(challengeAction(`https://hooks.stripe.example/3ds?return=${fields.return_url}`))
      if (card?.declined)
        return {
          status: 'requires_payment_method',
          error: { code: 'card_declined', decline_code: card.declined },
        }
      return { status: base.capture === 'manual' ? 'requires_capture' : 'succeeded' }
    }
  }

  #ofIntent(id: string, verb: string | undefined, fields: Fields): Answer {
    const intended = this.intents.get(id)
    if (!intended) return missing(`No such payment_intent: '${id}'`)
    const { status, amount } = intended
    if (verb === 'capture') {
      if (status !== 'requires_capture') return wrongState
      const received = Number(fields.amount_to_capture ?? amount)
      if (received > amount)
        return refused('amount_too_large', 'More than was authorized', 'amount_to_capture')
      this.move(id, { status: 'succeeded', received })
    }
    if (verb === 'cancel') {
      if (['succeeded', 'canceled', 'processing'].includes(status)) return wrongState
      this.unapply(id)
      const reason = fields.cancellation_reason
      this.move(id, { status: 'canceled', ...(reason === undefined ? {} : { cancellationReason: reason }) })
    }
    if (verb === 'apply_customer_balance') {
      if (status !== 'requires_action' || intended.type !== 'customer_balance') return wrongState
      this.applyCash(id, fields.amount === undefined ? undefined : Number(fields.amount))
    }
    return done(intentOf(this.intents.get(id)!))
  }

  #customer(fields: Fields, owner: string): Answer {
    const id = this.newId('cus')
    const mode = fields['cash_balance[settings][reconciliation_mode]']
    this.customers.set(id, {
      id,
      livemode: !owner.endsWith('/test'),
      name: fields.name ?? null,
      email: fields.email ?? null,
      metadata: metadataOf(fields),
      mode: mode === 'automatic' || mode === 'manual' ? mode : null,
    })
    this.owners.set(id, owner)
    const customer = customerOf(this.customers.get(id)!)
    this.tell('customer.created', customer, id)
    return done(customer)
  }

  #refund(fields: Fields): Answer {
    const { payment_intent: intent = '', instructions_email: email } = fields
    if (fields.origin === 'customer_balance') return this.#returnCash(fields)
    const of = this.intents.get(intent)
    if (!of) return missingIn('payment_intent', intent)
    if (of.status !== 'succeeded') return refused('charge_not_refundable', 'Nothing was captured')
    const isDisputed = ({
      payment_intent,
      is_charge_refundable: may,
    }: {
      payment_intent: unknown
      is_charge_refundable: boolean
    }) => payment_intent === intent && !may
    if ([...this.disputes.values()].some(isDisputed))
      return refused('charge_disputed', 'The charge is disputed')
    if (of.type === 'oxxo') return refused('charge_not_refundable', 'OXXO payments cannot be refunded')
    const rest = (of.received ?? of.amount) - this.refundedOf(intent)
    const amount = Number(fields.amount ?? rest)
    if (rest === 0) return refused('charge_already_refunded', 'The charge has already been refunded')
    if (amount > rest)
      return refused(null, 'The refund amount is greater than the unrefunded amount', 'amount')
    // https://docs.stripe.com/payments/customer-balance/refunding
    if (of.customer !== undefined && !email && !this.customers.get(of.customer)?.email)
      return refused(null, 'The customer has no email address', 'instructions_email')
    return done(this.refundMade(intent, amount, metadataOf(fields), this.refundStatus, email))
  }

  /** A refund of what lies in a customer's balance. */
  #returnCash(fields: Fields): Answer {
    const { customer = '', instructions_email: email } = fields
    const amount = Number(fields.amount)
    if (!this.customers.has(customer)) return missingIn('customer', customer)
    if (amount > this.balanceOf(customer))
      return refused('balance_insufficient', 'The customer does not have this much', 'amount')
    const to = email ?? this.customers.get(customer)!.email
    if (!to) return refused(null, 'The customer has no email address', 'instructions_email')
    const made = this.returnMade(customer, amount, metadataOf(fields), this.refundStatus, to)
    return done(made)
  }

  /** https://docs.stripe.com/api/disputes/close */
  #close(id: string): Answer {
    const dispute = this.disputes.get(id)
    if (dispute?.status !== 'needs_response') return refused(null, 'The dispute cannot be closed now')
    this.moveDispute(id, 'lost')
    return this.#found(id)
  }

  #upload(fields: Fields, owner: string): Answer {
    const file = newFile(this.newId('file'), fields)
    if ('status' in file) return file
    this.files.set(file.id, file)
    this.owners.set(file.id, owner)
    return done(file)
  }

  #evidence(id: string, fields: Fields, owner: string): Answer | null {
    const dispute = this.disputes.get(id)
    if (!dispute) return null
    if (!dispute.status.endsWith('needs_response'))
      return refused(null, 'The dispute does not take evidence now')
    const wrong = wrongFiles(fields, (file) =>
      this.ownerOf(file) === owner ? this.files.get(file) : undefined,
    )
    if (wrong) return wrong
    const { evidence, evidence_details: details } = dispute
    const letters = Object.entries(fields).reduce(
      (sum, [name, value]) => sum + (name.startsWith('evidence[') ? value.length : 0),
      0,
    )
    if (letters > pagesMax * lettersOfPage)
      return refused('dispute_evidence_page_limit_exceeded', 'The evidence has too many pages')
    const told = Object.entries(fields).flatMap(([name, value]) => {
      const [, field] = /^evidence\[(\w+)\]$/.exec(name) ?? []
      return field ? [[field, value]] : []
    })
    const isSent = fields.submit !== 'false'
    this.disputes.set(id, {
      ...dispute,
      evidence: { ...evidence, ...Object.fromEntries(told) },
      evidence_details: {
        ...details,
        has_evidence: true,
        submission_count: details.submission_count + (isSent ? 1 : 0),
      },
    })
    if (isSent) this.moveDispute(id, dispute.status.replace('needs_response', 'under_review'))
    return null
  }
}

const metadataOf = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? []
      return key ? [[key, value]] : []
    }),
  )

/** A voucher of its own, until 23:59 of the last day in Mexico City (https://docs.stripe.com/payments/oxxo). */
function voucherOf(intent: string, days: number) {
  const digest = BigInt(`0x${createHash('sha256').update(intent).digest('hex')}`)
  const day = addDays(mexicoCityDate(new Date()), days)
  return {
    ...voucherAction,
    oxxo_display_details: {
      ...voucherAction.oxxo_display_details,
      number: String(digest).slice(0, 32),
      expires_after: mexicoCityInstant(day, '23:59').getTime() / 1000 + 59,
    },
  }
}
