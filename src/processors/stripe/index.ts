import type { DisputeFacts, Processor, ProcessorState } from '../port.ts'
import type { Adapter } from './adapter.ts'
import type { StripeAccount } from './client.ts'
import type { Told } from './notifications.ts'
import { readOwnedRef } from './owned-ref.ts'

export type { StripeAccount } from './client.ts'

/** By what the account is found that a call is for: our attempt or refund, or the public id of what is sold. */
export type Subject =
  | { readonly kind: 'attempt' | 'refund' | 'sale'; readonly id: string }
  /** Null: the environment's own account. */
  | { readonly kind: 'tenant'; readonly id: string | null }

/** Finds the account; it may ask the database, the adapter never does. @throws Error where there is none */
export type AccountOf = (subject: Subject) => Promise<StripeAccount>

const unknown = () => ({ state: 'unknown' as const })

/**
 * Stripe as a processor. It has no bank rail: it sends to no CLABE. Nothing of its library is loaded before the first
 * call: it is a module of its own.
 */
export function stripe(accountOf: AccountOf): Processor {
  const adapterFor = async (subject: Subject): Promise<Adapter> => {
    const [{ adapter }, account] = await Promise.all([import('./adapter.ts'), accountOf(subject)])
    return adapter(account)
  }
  const on = async <T>(subject: Subject, ask: (adapter: Adapter) => Promise<T>): Promise<T> =>
    ask(await adapterFor(subject))
  const attempt = (id: string, ask: (adapter: Adapter) => Promise<ProcessorState>) =>
    on({ kind: 'attempt', id }, ask).catch(unknown)
  const owned = <T>(ref: string, ask: (adapter: Adapter, id: string) => Promise<T>): Promise<T> => {
    const { id, tenantId } = readOwnedRef(ref)
    return on({ kind: 'tenant', id: tenantId }, (adapter) => ask(adapter, id))
  }
  // Who owns an account writes what its objects say of our attempts: only the account that an attempt went to is believed.
  const theirs = async (disputeRef: string, facts: DisputeFacts | null): Promise<DisputeFacts | null> => {
    if (!facts || !/^[0-9a-f-]{36}$/.test(facts.attemptReference)) return null
    const [teller, taker] = await Promise.all([
      accountOf({ kind: 'tenant', id: readOwnedRef(disputeRef).tenantId }),
      accountOf({ kind: 'attempt', id: facts.attemptReference }),
    ])
    return teller.name === taker.name ? { ...facts, disputeRef } : null
  }
  return {
    name: 'stripe',
    methods: ['card', 'oxxo', 'spei'],
    describe: (token, sale) =>
      on({ kind: 'sale', id: sale.publicId }, (adapter) => adapter.describe(token, sale)),
    async createAttempt(charge) {
      // Without an account nothing is sent, so nothing is unknown.
      const adapter = await adapterFor({ kind: 'attempt', id: charge.reference }).catch(() => null)
      return (
        adapter?.createAttempt(charge, new Date()).catch(unknown) ?? {
          state: 'declined',
          code: 'processing_error',
          category: 'soft',
          card: null,
        }
      )
    },
    fetchAttempt: (reference, known) =>
      attempt(reference, (adapter) => adapter.fetchAttempt(reference, known, new Date())),
    cancel: (reference, known) => attempt(reference, (adapter) => adapter.cancel(reference, known)),
    capture: (reference, amountMinor, known) =>
      attempt(reference, (adapter) => adapter.capture(reference, amountMinor, known)),
    refunds: {
      refund: (order) =>
        on({ kind: 'refund', id: order.reference }, (adapter) => adapter.refund(order)).catch(unknown),
      fetchRefund: (reference, order) =>
        on({ kind: 'refund', id: reference }, (adapter) => adapter.fetchRefund(reference, order)).catch(
          unknown,
        ),
    },
    deposits: {
      fetchDeposit: (depositRef) =>
        owned(depositRef, async (adapter, id) => {
          const deposit = await adapter.fetchDeposit(id)
          return deposit && { ...deposit, depositRef, account: readOwnedRef(depositRef).tenantId }
        }),
      depositsOf: (reference, known) =>
        on({ kind: 'attempt', id: reference }, (adapter) => adapter.depositsOf(reference, known)),
    },
    disputes: {
      fetchDispute: (disputeRef) =>
        owned(disputeRef, async (adapter, id) => theirs(disputeRef, await adapter.fetchDispute(id))).catch(
          () => 'unknown' as const,
        ),
      submitEvidence: (disputeRef, evidence) =>
        owned(disputeRef, async (adapter, id) =>
          theirs(disputeRef, await adapter.submitEvidence(id, evidence)),
        ).catch(() => 'unknown' as const),
    },
  }
}

/** What a notification is a hint to, where it was signed with this endpoint's secret. */
export async function readStripeNotification(
  ...notification: [rawBody: string, signature: string, secret: string, tenantId: string | null]
): Promise<Told> {
  const { readNotification } = await import('./adapter.ts')
  return readNotification(...notification)
}
