import type { RefundFacts, RefundFailure, RefundOrder, RefundRail, RefundState } from '../port.ts'
import type { SandboxCardToken } from './cards.ts'
import type { SimulatorCall } from './rail.ts'

interface Rule {
  readonly code?: RefundFailure
  /** Only a part is refused; the whole is refunded. */
  readonly partialOnly?: true
  /** The processor does it but does not answer in time. */
  readonly silent?: true
}

/** How a card's refunds end; any other card is refunded at once. */
const rules: Readonly<Partial<Record<SandboxCardToken, Rule>>> = {
  tok_sbx_refund_fails: { code: 'declined_by_bank' },
  tok_sbx_refund_timeout: { silent: true },
  tok_sbx_msi_no_partial_refund: { code: 'partial_refund_unsupported', partialOnly: true },
}

interface StoredRefund {
  readonly reference: string
  readonly state: 'processing' | 'succeeded' | 'failed'
  readonly code: RefundFailure | null
  readonly amountMinor: string
  readonly currency: string
  readonly token: SandboxCardToken | null
}

function stateOf(refund: StoredRefund | null): RefundState {
  if (!refund) return { state: 'not_found' }
  const { state, reference: processorRef, amountMinor, currency, code } = refund
  if (state === 'failed') return { state, code: code ?? 'processing_error' }
  if (state === 'processing') return { state, processorRef }
  return { state, amountMinor: BigInt(amountMinor), currency, processorRef }
}

type StoredMade = Omit<RefundFacts, 'amountMinor'> & { readonly amountMinor: string }

function factsOf(answer: string | null): RefundFacts | null {
  if (answer === null) return null
  const stored = JSON.parse(answer) as StoredMade
  return { ...stored, amountMinor: BigInt(stored.amountMinor) }
}

/** The sandbox's refunds: one per reference, reachable only through the simulator's schema. */
export function simulatedRefunds(call: SimulatorCall): RefundRail {
  const ask = async (...[signature, values]: Parameters<SimulatorCall>): Promise<StoredRefund | null> => {
    const answer = await call(signature, values)
    return answer === null ? null : (JSON.parse(answer) as StoredRefund)
  }
  const unknownOnFailure = (work: Promise<RefundState>): Promise<RefundState> =>
    work.catch(() => ({ state: 'unknown' as const }))
  return {
    refund: (order: RefundOrder) =>
      unknownOnFailure(
        ask('simulator.refund(jsonb)', [
          JSON.stringify({ ...order, amountMinor: order.amountMinor.toString(), rules }),
        ]).then((refund) =>
          refund?.token && rules[refund.token]?.silent ? { state: 'unknown' } : stateOf(refund),
        ),
      ),
    fetchRefund: (reference) => unknownOnFailure(ask('simulator.refund_of(uuid)', [reference]).then(stateOf)),
    fetchExternalRefund: (refundRef) =>
      call('simulator.refund_made(text)', [refundRef]).then(factsOf, () => 'unknown' as const),
    unconfirmed: async (limit) =>
      JSON.parse((await call('simulator.unconfirmed_refunds(integer)', [limit])) ?? '[]') as string[],
    confirm: async (refundRef, state) => {
      await call('simulator.confirm_refund(text,text)', [refundRef, state])
    },
  }
}

/**
 * Makes the sandbox's buyer's bank send back a refund that was paid: ours by our reference, one made at the processor
 * by the processor's. True when it was sent back, now or before.
 */
export async function sendRefundBack(call: SimulatorCall, reference: string): Promise<boolean> {
  const answer = await call('simulator.refund_sent_back(text)', [reference])
  if (answer === null) return false
  const { state, code } = JSON.parse(answer) as StoredRefund
  return state === 'failed' && code === 'account_closed'
}

/**
 * Refunds a charge as in a processor's dashboard: all that is left of it, or `amountMinor`. The same reference again is
 * the same refund. False where the charge has less left.
 */
export const makeRefund = async (
  call: SimulatorCall,
  made: { refundRef: string; attemptReference: string; amountMinor: bigint | null },
): Promise<boolean> =>
  (await call('simulator.make_refund(text,uuid,bigint)', [
    made.refundRef,
    made.attemptReference,
    made.amountMinor?.toString() ?? null,
  ])) !== null
