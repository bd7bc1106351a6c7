import type { Settings } from '../../env.ts'
import type {
  CardCharge,
  CardFacts,
  DeclineCategory,
  DeclineCode,
  Processor,
  ProcessorState,
} from '../port.ts'
import { simulatedBank } from './bank.ts'
import { type SandboxCardToken, type TestCard, testCards } from './cards.ts'

/** One SQL call to the simulator's own schema: the HTTP call that a real processor would be. */
export type SimulatorCall = (text: string, values: readonly unknown[]) => Promise<string | null>

interface Outcome {
  readonly state: 'captured' | 'declined' | 'challenge'
  readonly code?: DeclineCode
  /** The processor does it, and does not answer in time. */
  readonly silent?: true
  readonly excessMinor?: bigint
}

const outcomes: Readonly<Record<SandboxCardToken, Outcome>> = {
  tok_sbx_approve: { state: 'captured' },
  tok_sbx_msi_3_6_9_12: { state: 'captured' },
  tok_sbx_debit: { state: 'captured' },
  tok_sbx_3ds_challenge: { state: 'challenge' },
  tok_sbx_3ds_fail: { state: 'declined', code: 'authentication_failed' },
  tok_sbx_decline_funds: { state: 'declined', code: 'insufficient_funds' },
  tok_sbx_decline_generic: { state: 'declined', code: 'card_declined' },
  tok_sbx_expired: { state: 'declined', code: 'expired_card' },
  tok_sbx_fraud: { state: 'declined', code: 'suspected_fraud' },
  tok_sbx_timeout_then_paid: { state: 'captured', silent: true },
  tok_sbx_timeout_then_failed: { state: 'declined', code: 'card_declined', silent: true },
  tok_sbx_amount_mismatch: { state: 'captured', excessMinor: 1n },
}

const categories: Readonly<Record<DeclineCode, DeclineCategory>> = {
  insufficient_funds: 'soft',
  card_declined: 'soft',
  processing_error: 'soft',
  expired_card: 'hard',
  suspected_fraud: 'fraud',
  authentication_failed: 'auth',
}

interface StoredCharge {
  readonly reference: string
  readonly state: 'captured' | 'declined' | 'challenge' | 'canceled'
  readonly amountMinor: string
  readonly currency: string
  readonly token: string
  readonly declineCode: DeclineCode | null
  readonly returnUrl: string
  readonly merchantName: string
}

const factsOf = ({ brand, last4, bin6, funding }: TestCard): CardFacts => ({ brand, last4, bin6, funding })

const cardOf = (token: string): TestCard | undefined => testCards.find((card) => card.token === token)

/** The sandbox's processor: deterministic by token, one charge per reference, reachable only through its own schema. */
export function simulator(settings: Settings, call: SimulatorCall): Processor {
  const ask = async (text: string, values: readonly unknown[]): Promise<StoredCharge | null> => {
    const answer = await call(text, values)
    return answer === null ? null : (JSON.parse(answer) as StoredCharge)
  }
  const unknownOnFailure = async (work: Promise<ProcessorState>): Promise<ProcessorState> =>
    work.catch(() => ({ state: 'unknown' as const }))
  const actionUrl = (reference: string) => `${settings.baseUrl}/simulator/3ds/${reference}`

  const stateOf = (charge: StoredCharge | null): ProcessorState => {
    if (!charge) return { state: 'not_found' }
    const testCard = cardOf(charge.token)
    if (charge.state === 'canceled' || !testCard) return { state: 'canceled' }
    const card = factsOf(testCard)
    if (charge.state === 'challenge')
      return {
        state: 'pending_customer',
        action: { type: 'redirect', url: actionUrl(charge.reference), card },
        processorRef: charge.reference,
      }
    if (charge.state === 'declined') {
      const code = charge.declineCode ?? 'processing_error'
      return { state: 'declined', code, category: categories[code], card }
    }
    return {
      state: 'captured',
      amountMinor: BigInt(charge.amountMinor),
      currency: charge.currency,
      card,
      processorRef: charge.reference,
    }
  }

  return {
    name: 'simulator',
    methods: ['card'],
    bank: simulatedBank(call),
    async describe(token) {
      const card = cardOf(token)
      return card ? { card: factsOf(card), installmentMonths: card.installmentMonths } : null
    },
    createAttempt: (charge) =>
      unknownOnFailure(
        (async () => {
          const outcome = charge.method === 'card' ? outcomes[charge.token as SandboxCardToken] : undefined
          if (charge.method !== 'card' || !outcome)
            return { state: 'declined', code: 'processing_error', category: 'hard', card: null }
          const stored = await ask('select simulator.charge($1::jsonb)', [
            JSON.stringify(chargeOf(charge, outcome)),
          ])
          return outcome.silent ? { state: 'unknown' } : stateOf(stored)
        })(),
      ),
    fetchAttempt: (reference) =>
      unknownOnFailure(ask('select simulator.fetch($1::uuid)', [reference]).then(stateOf)),
    cancel: (reference) =>
      unknownOnFailure(ask('select simulator.cancel($1::uuid)', [reference]).then(stateOf)),
  }
}

function chargeOf(charge: CardCharge, outcome: Outcome): object {
  return {
    ...charge,
    amountMinor: (charge.amountMinor + (outcome.excessMinor ?? 0n)).toString(),
    state: outcome.state,
    declineCode: outcome.code ?? null,
  }
}

/** The bank's challenge in the sandbox: what the buyer answered. Null when there is no such challenge. */
export async function answerChallenge(
  call: SimulatorCall,
  reference: string,
  approved: boolean,
): Promise<{ returnUrl: string } | null> {
  const answer = await call('select simulator.answer_challenge($1::uuid, $2)', [reference, approved])
  return answer === null ? null : (JSON.parse(answer) as StoredCharge)
}

/** A challenge and where the buyer came from; null when there is none. It is `open` until somebody answered. */
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
  const answer = await call('select simulator.fetch($1::uuid)', [reference])
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
