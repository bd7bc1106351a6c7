import type { ForwardedCharge, PresentedCharge } from '../in-person.ts'
import type {
  BankDeclineCode,
  CardCharge,
  CardFacts,
  DeclineCategory,
  ProcessorState,
  TokenFacts,
} from '../port.ts'
import { crowdCard, crowdOf, type SandboxCardToken, type TestCard, testCards } from './cards.ts'
import { type ChargeRail, refused, type SimulatorCall } from './rail.ts'
import { type PresentedAs, readingOf } from './reading.ts'

interface TokenBehavior {
  /** `approved` is captured, or authorized where the capture is manual. */
  readonly state: 'approved' | 'declined' | 'challenge'
  readonly code?: BankDeclineCode
  /** The processor does it but does not answer in time. */
  readonly silent?: true
  readonly excessMinor?: bigint
  /** For this long the processor reports another amount. */
  readonly settlesMinutes?: number
}

const outcomes: Readonly<Record<SandboxCardToken, TokenBehavior>> = {
  tok_sbx_approve: { state: 'approved' },
  tok_sbx_msi_3_6_9_12: { state: 'approved' },
  tok_sbx_debit: { state: 'approved' },
  tok_sbx_3ds_challenge: { state: 'challenge' },
  tok_sbx_3ds_fail: { state: 'declined', code: 'authentication_failed' },
  tok_sbx_decline_funds: { state: 'declined', code: 'insufficient_funds' },
  tok_sbx_decline_generic: { state: 'declined', code: 'card_declined' },
  tok_sbx_expired: { state: 'declined', code: 'expired_card' },
  tok_sbx_fraud: { state: 'declined', code: 'suspected_fraud' },
  tok_sbx_timeout_then_paid: { state: 'approved', silent: true },
  tok_sbx_timeout_then_failed: { state: 'declined', code: 'card_declined', silent: true },
  tok_sbx_amount_mismatch: { state: 'approved', excessMinor: 1n },
  tok_sbx_mismatch_settles: { state: 'approved', settlesMinutes: 60 },
  tok_sbx_capture_timeout: { state: 'approved' },
  tok_sbx_capture_mismatch: { state: 'approved' },
  tok_sbx_refund_fails: { state: 'approved' },
  tok_sbx_refund_timeout: { state: 'approved' },
  tok_sbx_msi_no_partial_refund: { state: 'approved' },
  tok_sbx_dispute_next_day: { state: 'approved' },
}

/** What the token makes of a capture. */
const captures: Readonly<Partial<Record<SandboxCardToken, Pick<TokenBehavior, 'silent' | 'excessMinor'>>>> = {
  tok_sbx_capture_timeout: { silent: true },
  tok_sbx_capture_mismatch: { excessMinor: -1n },
}

const categories: Readonly<Record<BankDeclineCode, DeclineCategory>> = {
  insufficient_funds: 'soft',
  card_declined: 'soft',
  processing_error: 'soft',
  expired_card: 'hard',
  suspected_fraud: 'fraud',
  authentication_failed: 'auth',
}

interface StoredCharge {
  readonly reference: string
  readonly state: 'authorized' | 'captured' | 'declined' | 'challenge' | 'presented' | 'canceled'
  /** One centavo more is reported than was taken. */
  readonly unsettled: boolean
  readonly amountMinor: string
  readonly capturedMinor: string | null
  readonly captureBefore: string | null
  readonly currency: string
  readonly token: string
  readonly declineCode: BankDeclineCode | null
  readonly returnUrl: string
  readonly merchantName: string
  /** The buyer was sent to the bank. */
  readonly challenged: boolean
  /** Until when a device waits for the card; null elsewhere. */
  readonly expiresAt: string | null
  /** The bank has not answered yet. */
  readonly unanswered: boolean
  /** How a device read the card; null elsewhere. */
  readonly presentedAs: PresentedAs | null
}

const factsOf = ({ brand, last4, bin6, funding }: TestCard): CardFacts => ({ brand, last4, bin6, funding })

const cardOf = (token: string): TestCard | undefined =>
  testCards.find((card) => card.token === token) ?? crowdCard(token)

const outcomeOf = ({ token, threeDs }: CardCharge): TokenBehavior | undefined => {
  const crowd = crowdOf(token)
  if (crowd !== 'stolen') return outcomes[crowd ? 'tok_sbx_approve' : (token as SandboxCardToken)]
  return threeDs === 'required' ? { state: 'challenge' } : { state: 'declined', code: 'card_declined' }
}

export const describeCard = (token: string): TokenFacts | null => {
  const card = cardOf(token)
  return card
    ? {
        card: factsOf(card),
        fingerprint: token,
        installmentMonths: card.installmentMonths,
        accountId: null,
      }
    : null
}

/** The terms that all test cards with this BIN have, so that none is promised which one of them lacks. */
export function termsOfBin(bin: string, funding: string | undefined): readonly number[] {
  const cards = testCards.filter(
    (card) => card.number.startsWith(bin) && (funding === undefined || card.funding === funding),
  )
  const [first, ...others] = cards
  return (first?.installmentMonths ?? []).filter((months) =>
    others.every((card) => card.installmentMonths.includes(months)),
  )
}

export interface CardRail extends ChargeRail<CardCharge> {
  readonly capture: (reference: string, amountMinor: bigint) => Promise<ProcessorState>
  readonly present: (charge: PresentedCharge) => Promise<ProcessorState>
  readonly forward: (charge: ForwardedCharge) => Promise<ProcessorState>
}

/** Cards in the sandbox: what happens is decided by the token. An authorization lapses by itself after 7 days. */
export function simulatedCards(baseUrl: string, call: SimulatorCall): CardRail {
  const ask = async (...[signature, values]: Parameters<SimulatorCall>): Promise<StoredCharge | null> => {
    const answer = await call(signature, values)
    return answer === null ? null : (JSON.parse(answer) as StoredCharge)
  }
  const actionUrl = (reference: string) => `${baseUrl}/simulator/3ds/${reference}`
  const answerOf = (charge: StoredCharge | null) => stateOf(charge, actionUrl)

  return {
    methods: ['card'],
    async create(charge) {
      const outcome = outcomeOf(charge)
      if (!outcome) return { state: 'declined', code: 'processing_error', category: 'hard', card: null }
      const stored = await ask('simulator.charge(jsonb)', [JSON.stringify(chargeOf(charge, outcome))])
      return outcome.silent ? { state: 'unknown' } : answerOf(stored)
    },
    read: (stored) => answerOf(stored as StoredCharge),
    present: async ({ amountMinor, ...charge }) =>
      answerOf(
        await ask('simulator.present(jsonb)', [
          JSON.stringify({ ...charge, amountMinor: amountMinor.toString() }),
        ]),
      ),
    async forward({ card, ...charge }) {
      const { token, presented_as, answer, device_id } = card
      if (!isPresentable(token)) return refused
      const read = readOf(token, { amountMinor: charge.amountMinor, installmentMonths: 1 })
      const stored = await ask('simulator.forward(jsonb)', [
        JSON.stringify({
          ...charge,
          ...read,
          token,
          deviceId: device_id,
          presentedAs: presented_as,
          answerMinutes: answer === 'late' ? lateMinutes : 0,
        }),
      ])
      return answer === 'lost' ? { state: 'unknown' } : answerOf(stored)
    },
    async capture(reference, amountMinor) {
      const stored = await ask('simulator.capture(uuid,bigint)', [reference, amountMinor.toString()])
      const token = stored?.token as SandboxCardToken | undefined
      return token && captures[token as SandboxCardToken]?.silent ? { state: 'unknown' } : answerOf(stored)
    },
  }
}

function stateOf(charge: StoredCharge | null, actionUrl: (reference: string) => string): ProcessorState {
  if (!charge) return { state: 'not_found' }
  if (charge.unanswered) return { state: 'unknown' }
  if (charge.state === 'presented')
    return {
      state: 'pending_customer',
      action: { type: 'present_card', expiresAt: new Date(charge.expiresAt!) },
      processorRef: `sim_${charge.reference}`,
    }
  const testCard = cardOf(charge.token)
  if (charge.state === 'canceled' || !testCard) return { state: 'canceled' }
  const card = { ...factsOf(testCard), ...readBy(charge, testCard) }
  const processorRef = `sim_${charge.reference}`
  if (charge.state === 'challenge')
    return {
      state: 'pending_customer',
      action: { type: 'redirect', url: actionUrl(charge.reference), card },
      processorRef,
    }
  if (charge.state === 'declined') {
    const code = charge.declineCode ?? 'processing_error'
    return { state: 'declined', code, category: categories[code], card }
  }
  const { currency } = charge
  const unsettledMinor = charge.unsettled ? 1n : 0n
  // Only a challenged buyer was authenticated.
  const threeDs = charge.challenged ? { threeDs: challenged(charge.reference) } : {}
  if (charge.state === 'authorized')
    return {
      state: 'authorized',
      amountMinor: BigInt(charge.amountMinor) + unsettledMinor,
      currency,
      card,
      captureBefore: new Date(charge.captureBefore!),
      processorRef,
      ...threeDs,
    }
  const excess = captures[testCard.token as SandboxCardToken]?.excessMinor ?? 0n
  return {
    state: 'captured',
    amountMinor: BigInt(charge.capturedMinor ?? charge.amountMinor) + excess + unsettledMinor,
    currency,
    card,
    processorRef,
    ...threeDs,
  }
}

const readBy = ({ presentedAs, reference }: StoredCharge, card: TestCard) =>
  presentedAs === null ? {} : { reading: readingOf(card, presentedAs, reference) }

const challenged = (reference: string) => ({
  eci: '05',
  trans_status: 'Y',
  ds_trans_id: reference,
  liability_shift: 'issuer',
})

function chargeOf(charge: CardCharge, outcome: TokenBehavior): object {
  const approved = charge.capture === 'manual' ? 'authorized' : 'captured'
  const state =
    outcome.state === 'approved' && charge.threeDs === 'required' && !outcome.silent
      ? 'challenge'
      : outcome.state
  return {
    ...charge,
    amountMinor: (charge.amountMinor + (outcome.excessMinor ?? 0n)).toString(),
    state: state === 'approved' ? approved : state,
    declineCode: outcome.code ?? null,
    settlesMinutes: outcome.settlesMinutes ?? null,
  }
}

/** Records the buyer's answer to the sandbox bank's challenge. Null when there is no such challenge. */
export async function answerChallenge(
  call: SimulatorCall,
  reference: string,
  approved: boolean,
): Promise<{ returnUrl: string } | null> {
  const answer = await call('simulator.answer_challenge(uuid,boolean)', [reference, approved])
  return answer === null ? null : (JSON.parse(answer) as StoredCharge)
}

/** A challenge and where the buyer came from; null when there is none. It is `open` until the buyer answers. */
export async function openChallenge(
  call: SimulatorCall,
  reference: string,
): Promise<{
  amountMinor: bigint
  currency: string
  last4: string
  brand: string
  open: boolean
  merchantName: string
  returnUrl: string
} | null> {
  const answer = await call('simulator.fetch(uuid)', [reference])
  if (answer === null) return null
  const charge = JSON.parse(answer) as StoredCharge
  const card = cardOf(charge.token)
  if (!card) return null
  return {
    amountMinor: BigInt(charge.amountMinor),
    currency: charge.currency,
    last4: card.last4,
    brand: card.brand,
    open: charge.state === 'challenge',
    merchantName: charge.merchantName,
    returnUrl: charge.returnUrl,
  }
}

/** The outcome of a card that is presented, by the last two digits of the amount, as with the physical test cards of processors. */
const declinedByCents: Readonly<Record<string, BankDeclineCode>> = {
  '01': 'card_declined',
  '05': 'card_declined',
  '55': 'authentication_failed',
}

/** The minutes that the bank takes for an answer that comes after every reader's time. */
export const lateMinutes = 6

const isPresentable = (token: string): token is SandboxCardToken => Object.hasOwn(outcomes, token)

/** What the bank says of a card that a device has read. */
function readOf(
  token: SandboxCardToken,
  { amountMinor, installmentMonths: months }: Pick<Presented, 'amountMinor' | 'installmentMonths'>,
) {
  const { code, excessMinor = 0n } = outcomes[token]
  const hasTerm = months === 1 || cardOf(token)!.installmentMonths.includes(months)
  const declineCode = code ?? (hasTerm ? declinedByCents[amountMinor.toString().slice(-2)] : 'card_declined')
  const state = declineCode ? ('declined' as const) : ('captured' as const)
  return { state, declineCode, amountMinor: (amountMinor + excessMinor).toString() }
}

/** A test card that is presented to a device. */
export interface Presented {
  readonly card: SandboxCardToken
  readonly amountMinor: bigint
  readonly installmentMonths: number
  readonly presentedAs: PresentedAs
  /** The minutes that the bank takes to answer; null: the device loses its connection before it has read the card. */
  readonly answerMinutes: number | null
}

/** Presents a test card to the device that waits for one. False where none waits any more. */
export async function presentCard(
  call: SimulatorCall,
  reference: string,
  presented: Presented,
): Promise<boolean> {
  const { card: token, presentedAs, answerMinutes } = presented
  const { state, ...read } = readOf(token, presented)
  const asked = {
    ...read,
    reference,
    token,
    state: answerMinutes === null ? 'canceled' : state,
    presentedAs,
    answerMinutes,
  }
  return (await call('simulator.read_card(jsonb)', [JSON.stringify(asked)])) !== null
}
