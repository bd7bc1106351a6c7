import { uuidv7 } from '../../src/kernel/ids.ts'
import type { DisputeFacts, DisputeRail } from '../../src/processors/claims.ts'
import type {
  CardFacts,
  Charge,
  Deposit,
  Processor,
  ProcessorState,
  RefundOrder,
  RefundState,
} from '../../src/processors/port.ts'

/** An order as this processor keeps it. */
interface Order {
  readonly id: string
  readonly reference: string
  readonly charge: Charge
  readonly card: CardFacts | null
  state: 'authorized' | 'paid' | 'declined' | 'pending' | 'canceled'
  capturedMinor: bigint
}

interface Refund {
  readonly id: string
  readonly reference: string
  readonly order: string
  readonly amountMinor: bigint
  readonly reason: string
}

/** A claim of a buyer's bank. What answers it is sent to the bank's desk, as text and the files' names. */
interface Claim {
  readonly id: string
  readonly order: string
  readonly until: Date
  state: 'open' | 'answered' | 'won'
  letter: string | null
}

const visa: CardFacts = { brand: 'visa', last4: '4242', bin6: '424242', funding: 'credit' }

/** How long a charge that was sent may take to arrive: then its sender has given up. */
const arrivesWithinMs = 60_000

/**
 * A processor that is unlike Stripe, as several in Mexico are: it has orders with ids of its own and no idempotency, so
 * that a charge sent twice would be two; wants the buyer with a phone number on each; says nothing of a card before it is
 * charged; wants a reason for each refund; and sends a letter to the bank for a dispute, with no draft of it and no way to
 * give in before its time is over. Its adapter looks up before it sends, by our reference.
 */
export class OtherProcessor {
  readonly orders: Order[] = []
  readonly refunds: Refund[] = []
  readonly deposits: Deposit[] = []
  readonly claims: Claim[] = []
  /** What happens to the next order: it is lost on the way there, or its answer on the way back. */
  lose: 'order' | 'answer' | null = null
  #made = 0

  #id(prefix: string): string {
    return `${prefix}_${++this.#made}`
  }

  /** Its API: makes an order each time that it is asked. */
  #order(charge: Charge): Order {
    const lost = this.lose
    this.lose = null
    if (lost === 'order') throw new Error('the connection was cut')
    const { buyer } = charge
    if (!buyer?.phone) throw new Error('customer_info.phone is required')
    const isDeclined = charge.method === 'card' && charge.token === 'tok_declined'
    const isPending = charge.method !== 'card' || charge.token === 'tok_challenged'
    const order: Order = {
      id: this.#id('ord'),
      reference: charge.reference,
      charge,
      card: charge.method === 'card' ? visa : null,
      state: isDeclined ? 'declined' : isPending ? 'pending' : 'paid',
      capturedMinor: charge.amountMinor,
    }
    if (charge.method === 'card' && charge.capture === 'manual' && order.state === 'paid')
      order.state = 'authorized'
    this.orders.push(order)
    if (lost === 'answer') throw new Error('no answer in time')
    return order
  }

  #refund({ reason, amountMinor, reference }: RefundOrder, order: Order): Refund {
    if (!reason) throw new Error('reason is required')
    const refund = { id: this.#id('ref'), reference, order: order.id, amountMinor, reason }
    this.refunds.push(refund)
    return refund
  }

  find = (reference: string): Order | undefined => this.orders.find((each) => each.reference === reference)

  /** The buyer has confirmed at the bank, or paid at the till. */
  pay(reference: string): void {
    this.find(reference)!.state = 'paid'
  }

  /** A transfer arrives at the CLABE of an order. */
  transfer(reference: string, amountMinor: bigint): string {
    const depositRef = this.#id('dep')
    this.deposits.push({
      depositRef,
      clabe: clabeOf(this.find(reference)!),
      account: null,
      amountMinor,
      currency: 'mxn',
      claveRastreo: `MX${depositRef}`.replace('_', ''),
      senderBank: 'BBVA',
      senderClabe: null,
      senderName: null,
      operatedOn: '2026-06-15',
      attemptReference: reference,
    })
    return depositRef
  }

  /** The buyer's bank claims the money of an order back. */
  dispute(reference: string): string {
    const id = this.#id('cbk')
    const until = new Date(Date.now() + 7 * 86_400_000)
    this.claims.push({ id, order: this.find(reference)!.id, until, state: 'open', letter: null })
    return id
  }

  decide(id: string): void {
    this.claims.find((each) => each.id === id)!.state = 'won'
  }

  /** Its adapter of disputes. */
  #disputes(): DisputeRail {
    const claimOf = (id: string) => this.claims.find((each) => each.id === id)
    const factsOf = (claim: Claim | undefined): DisputeFacts | null => {
      if (!claim) return null
      const { charge, reference } = this.orders.find(({ id }) => id === claim.order)!
      const { amountMinor, currency } = charge
      return {
        disputeRef: claim.id,
        attemptReference: reference,
        state: ({ open: 'needs_response', answered: 'under_review', won: 'won' } as const)[claim.state],
        amountMinor,
        currency,
        reason: 'fraudulent',
        evidenceDueBy: claim.until,
      }
    }
    const fetchDispute = async (id: string) => factsOf(claimOf(id))
    return {
      fetchDispute,
      uploadFile: async (_, { id, contentType }) => ({ fileRef: `${id}.${contentType.split('/')[1]}` }),
      submitEvidence: async (id, evidence, files = {}) => {
        const claim = claimOf(id)
        // A second letter is refused: there is one already.
        if (claim?.state === 'open') {
          const letter = [...Object.values(evidence), ...Object.values(files)].join('\n')
          Object.assign(claim, { state: 'answered', letter })
        }
        return factsOf(claim)
      },
      draftEvidence: fetchDispute,
      acceptDispute: fetchDispute,
    }
  }

  /** Its adapter. */
  processor(): Processor {
    const unknown = () => ({ state: 'unknown' as const })
    const stateOf = (order: Order | undefined): ProcessorState => {
      if (!order) return { state: 'not_found' }
      const { id: processorRef, card, charge, capturedMinor } = order
      const { amountMinor, currency } = charge
      switch (order.state) {
        case 'paid':
          return { state: 'captured', amountMinor: capturedMinor, currency, card, processorRef }
        case 'authorized': {
          const captureBefore = new Date(Date.now() + 7 * 86_400_000)
          return { state: 'authorized', amountMinor, currency, card: card!, captureBefore, processorRef }
        }
        case 'declined':
          return { state: 'declined', code: 'card_declined', category: 'soft', card }
        case 'canceled':
          return { state: 'canceled' }
        case 'pending':
          return { state: 'pending_customer', action: actionOf(order), processorRef }
      }
    }
    const refundState = (refund: Refund | undefined): RefundState =>
      refund
        ? { state: 'succeeded', amountMinor: refund.amountMinor, currency: 'mxn', processorRef: refund.id }
        : { state: 'not_found' }
    const refundOf = (reference: string) => this.refunds.find((each) => each.reference === reference)
    const refundedOf = (order: Order) =>
      this.refunds
        .filter((each) => each.order === order.id)
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    return {
      name: 'other',
      methods: ['card', 'oxxo', 'spei'],
      arrivesWithinMs,
      describe: async (token) =>
        token.startsWith('tok_') ? { card: null, installmentMonths: [], accountId: null } : null,
      createAttempt: async (charge) => {
        // There is no second order for one reference: it was found before.
        const before = this.find(charge.reference)
        if (before) return stateOf(before)
        if (!charge.buyer?.phone)
          return { state: 'declined', code: 'processing_error', category: 'hard', card: null }
        try {
          return stateOf(this.#order(charge))
        } catch {
          return unknown()
        }
      },
      fetchAttempt: async (reference) => stateOf(this.find(reference)),
      cancel: async (reference) => {
        const order = this.find(reference)
        if (order && order.state !== 'paid' && order.state !== 'declined') order.state = 'canceled'
        return stateOf(order)
      },
      capture: async (reference, amountMinor) => {
        const order = this.find(reference)
        if (order?.state === 'authorized') Object.assign(order, { state: 'paid', capturedMinor: amountMinor })
        return stateOf(order)
      },
      refunds: {
        refund: async (order) => {
          const taken = this.find(order.attemptReference)
          const before = refundOf(order.reference)
          if (before) return refundState(before)
          if (!taken || refundedOf(taken) + order.amountMinor > taken.capturedMinor)
            return { state: 'failed', code: 'processing_error' }
          return refundState(this.#refund(order, taken))
        },
        fetchRefund: async (reference) => refundState(refundOf(reference)),
        fetchExternalRefund: async () => null,
      },
      deposits: {
        holder: 'merchant',
        fetchDeposit: async (depositRef) =>
          this.deposits.find((each) => each.depositRef === depositRef) ?? null,
        depositsOf: async (reference) =>
          this.deposits.filter(({ attemptReference }) => attemptReference === reference),
      },
      disputes: this.#disputes(),
    }
  }
}

const clabeOf = ({ id }: Order) => `64618${id.replace('ord_', '').padStart(13, '0')}`

function actionOf(order: Order) {
  const { charge } = order
  if (charge.method === 'card')
    return { type: 'redirect', url: 'https://other.example/3ds', card: visa } as const
  const { expiresAt } = charge
  return charge.method === 'oxxo'
    ? ({
        type: 'voucher',
        reference: `9${order.id.replace('ord_', '').padStart(13, '0')}`,
        expiresAt,
      } as const)
    : ({
        type: 'clabe',
        clabe: clabeOf(order),
        bankName: 'STP',
        beneficiary: charge.merchantName,
        expiresAt,
      } as const)
}

export const newReference = () => uuidv7(Date.now())
