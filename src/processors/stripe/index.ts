import type { DisputeFacts, FileRefs } from '../claims.ts'
import type { ChargeRefs, Processor, ProcessorState } from '../port.ts'
import type { AccountFacts } from './account-facts.ts'
import type { Adapter } from './adapter.ts'
import type { StripeAccount } from './client.ts'
import type { Answer, CustomersPage, EventsPage, ReadAccount } from './customers.ts'
import type { EventHints } from './events.ts'
import type { KeyPair } from './key-pair.ts'
import { stripeMethods } from './methods.ts'
import type { Endpoint, VerifiedEvent } from './notifications.ts'
import { ownedRef, readOwnedRef } from './owned-ref.ts'

export type { AccountFacts } from './account-facts.ts'
export type { StripeAccount } from './client.ts'
export type { Answer, CustomerEvent, ReadAccount, StripeCustomer } from './customers.ts'
export type { EventHints } from './events.ts'
export type { KeyPair } from './key-pair.ts'
export type { Endpoint } from './notifications.ts'

/** How to find a call's account: by its id, by our attempt that went to it, or by the public id of what is sold. */
export type Subject =
  | { readonly kind: 'attempt' | 'sale'; readonly id: string }
  /** Null: the environment's own account. */
  | { readonly kind: 'account'; readonly id: string | null }

/** Finds the account; it may query the database, the adapter never does. @throws Error where there is none */
export type AccountOf = (subject: Subject) => Promise<StripeAccount>

const unknown = () => ({ state: 'unknown' as const })

/**
 * Stripe as a processor. It has no bank rail: it does not send to CLABEs. Its library is a module of its own, loaded
 * with the first call.
 */
export function stripe(accountOf: AccountOf): Processor {
  const on = async <T>(
    subject: Subject,
    ask: (adapter: Adapter, account: StripeAccount) => Promise<T>,
  ): Promise<T> => {
    const [{ adapter }, account] = await Promise.all([import('./adapter.ts'), accountOf(subject)])
    return ask(adapter(account), account)
  }
  const at = <T>(id: string | null, ask: (adapter: Adapter, account: StripeAccount) => Promise<T>) =>
    on({ kind: 'account', id }, ask)
  const attempt = ({ accountId }: ChargeRefs, ask: (adapter: Adapter) => Promise<ProcessorState>) =>
    at(accountId, ask).catch(unknown)
  // Without an account nothing is sent: a decline, not an unknown outcome.
  const charging = async (
    id: string | null,
    charge: (adapter: Adapter) => Promise<ProcessorState>,
  ): Promise<ProcessorState> => {
    const found = await at(id, async (adapter) => ({ adapter })).catch(() => null)
    if (!found) return { state: 'declined', code: 'processing_error', category: 'soft', card: null }
    return charge(found.adapter).catch(unknown)
  }
  const owned = <T>(
    ref: string,
    ask: (adapter: Adapter, id: string, account: StripeAccount) => Promise<T>,
  ): Promise<T> => {
    const { id, accountId } = readOwnedRef(ref)
    return at(accountId, (adapter, account) => ask(adapter, id, account))
  }
  // An account's owner can write any attempt id into its objects: we believe only the account that the attempt went to.
  const believed = async <F extends { readonly attemptReference: string }>(
    ref: string,
    facts: F | null,
  ): Promise<F | null> => {
    if (!facts || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(facts.attemptReference)) return null
    const taker = await accountOf({ kind: 'attempt', id: facts.attemptReference })
    return taker.id === readOwnedRef(ref).accountId ? facts : null
  }
  const theirs = async (disputeRef: string, reported: DisputeFacts | null): Promise<DisputeFacts | null> => {
    const facts = await believed(disputeRef, reported)
    return facts && { ...facts, disputeRef }
  }
  const evidence = (
    how: { submit: boolean },
    disputeRef: string,
    reported: Readonly<Record<string, string>>,
    files: FileRefs = {},
  ) =>
    owned(disputeRef, async (adapter, id) => {
      const answer = await adapter.sendEvidence(id, reported, { ...how, files })
      return typeof answer === 'string' ? answer : theirs(disputeRef, answer)
    }).catch(() => 'unknown' as const)
  return {
    name: 'stripe',
    methods: stripeMethods,
    describe: (token, sale) =>
      on({ kind: 'sale', id: sale.publicId }, async (adapter, { id }) => {
        const facts = await adapter.describe(token, sale)
        return facts && { ...facts, accountId: id }
      }),
    accountOf: async (publicId) => (await accountOf({ kind: 'sale', id: publicId })).id,
    createAttempt: (charge) =>
      charging(charge.accountId, (adapter) => adapter.createAttempt(charge, new Date())),
    fetchAttempt: (reference, known) =>
      attempt(known, (adapter) => adapter.fetchAttempt(reference, known, new Date())),
    cancel: (reference, known) => attempt(known, (adapter) => adapter.cancel(reference, known)),
    capture: (reference, amountMinor, known) =>
      attempt(known, (adapter) => adapter.capture(reference, amountMinor, known)),
    inPerson: {
      // Terms are of cards online alone: https://docs.stripe.com/payments/mx-installments
      hasTerms: false,
      needsRegistration: true,
      present: (charge) => charging(charge.accountId, (adapter) => adapter.present(charge)),
      register: (order) => at(order.accountId, (adapter) => adapter.register(order)).catch(unknown),
      show: (screen) => at(screen.accountId, (adapter) => adapter.show(screen)).catch(unknown),
      ask: (question) => at(question.accountId, (adapter) => adapter.ask(question)).catch(unknown),
      answerTo: (asked) => at(asked.accountId, (adapter) => adapter.answerTo(asked)).catch(unknown),
      withdraw: (asked) => at(asked.accountId, (adapter) => adapter.withdraw(asked)).catch(() => undefined),
      connect: (order) => at(order.accountId, (adapter) => adapter.connectPhone(order)).catch(unknown),
      secretOf: (reference, known) => at(known.accountId, (adapter) => adapter.secretOf(reference, known)),
      attemptBehind: (presentedRef) =>
        owned(presentedRef, async (adapter, id) => {
          const facts = await believed(presentedRef, await adapter.attemptBehind(id))
          return facts && facts.attemptReference
        }),
    },
    refunds: {
      ofTransfers: true,
      refund: (order) => at(order.accountId, (adapter) => adapter.refund(order)).catch(unknown),
      // Stripe finds a refund only through its payment.
      fetchRefund: async (reference, order) =>
        order
          ? at(order.accountId, (adapter) => adapter.fetchRefund(reference, order)).catch(unknown)
          : unknown(),
      fetchExternalRefund: (refundRef) =>
        owned(refundRef, async (adapter, id) => {
          const facts = await believed(refundRef, await adapter.fetchExternalRefund(id))
          return facts && { ...facts, refundRef }
        }).catch(() => 'unknown' as const),
    },
    deposits: {
      // In the cash balance of its customer: https://docs.stripe.com/payments/customer-balance
      holder: 'buyer',
      fetchDeposit: (depositRef) =>
        owned(depositRef, async (adapter, id, { tenantId }) => {
          const deposit = await believed(depositRef, await adapter.fetchDeposit(id))
          return deposit && { ...deposit, depositRef, account: tenantId }
        }),
      fetchMovement: (movementRef) =>
        owned(movementRef, async (adapter, id) => {
          const movement = await believed(movementRef, await adapter.fetchMovement(id))
          return movement && { ...movement, movementRef }
        }),
      depositsOf: (reference, known) =>
        at(known.accountId, (adapter) => adapter.depositsOf(reference, known)),
    },
    disputes: {
      fetchDispute: (disputeRef) =>
        owned(disputeRef, async (adapter, id) => theirs(disputeRef, await adapter.fetchDispute(id))).catch(
          () => 'unknown' as const,
        ),
      uploadFile: (disputeRef, file) =>
        owned(disputeRef, (adapter) => adapter.uploadFile(file)).catch(() => 'unknown' as const),
      submitEvidence: (...sent) => evidence({ submit: true }, ...sent),
      draftEvidence: (...sent) => evidence({ submit: false }, ...sent),
      acceptDispute: (disputeRef) =>
        owned(disputeRef, async (adapter, id) => theirs(disputeRef, await adapter.acceptDispute(id))).catch(
          () => 'unknown' as const,
        ),
    },
    fraudWarnings: {
      fetchFraudWarning: (warningRef) =>
        owned(warningRef, async (adapter, id) => {
          const facts = await believed(warningRef, await adapter.fetchFraudWarning(id))
          return facts && { ...facts, warningRef }
        }).catch(() => 'unknown' as const),
    },
    payouts: {
      fetchPayout: (payoutRef) =>
        owned(payoutRef, async (adapter, id, { id: accountId, tenantId }) => {
          // What the environment's own account is paid is its operator's.
          if (accountId === null || tenantId === null) return null
          const facts = await adapter.fetchPayout(id)
          return facts && { ...facts, payoutRef, accountId, tenantId }
        }).catch(() => 'unknown' as const),
      entriesOf: (payoutRef, after) =>
        owned(payoutRef, async (adapter, id, { id: accountId }) => {
          const page = await adapter.entriesOf(id, after)
          // Refunds that we made are known by Stripe's id alone.
          const refsOf = (ref: string) => [ref, ownedRef(ref, accountId)]
          const entries = page.entries.map((each) => ({
            ...each,
            sourceRefs: each.sourceRefs.flatMap(refsOf),
          }))
          return { ...page, entries }
        }).catch(() => 'unknown' as const),
    },
  }
}

/** What a notification refers to, if one of these endpoints signed it. */
export async function readStripeNotification(
  ...notification: [rawBody: string, signature: string, endpoints: readonly Endpoint[]]
): Promise<VerifiedEvent> {
  const { readNotification } = await import('./adapter.ts')
  return readNotification(...notification)
}

/** What the events of an account refer to that are behind one of them; see `readEventHints`. @throws when Stripe does not answer */
export async function readStripeEvents(
  account: StripeAccount,
  after: string | null,
  now: Date,
): Promise<EventHints> {
  const { adapter } = await import('./adapter.ts')
  return adapter(account).readEventHints(after, { accountId: account.id, now })
}

/** Whether the owner of this secret signed it, at most five minutes ago. */
export async function isSignedByStripe(...signed: [rawBody: string, signature: string, secret: string]) {
  const { verifiedEvent } = await import('./customers.ts')
  return (await verifiedEvent(...signed)) !== null
}

/** The customers behind one of them, the newest first; null: from the newest on. */
export const readCustomers = async (
  ...asked: [account: ReadAccount, after: string | null]
): Promise<Answer<CustomersPage>> => (await import('./customers.ts')).readCustomers(...asked)

/** The next events about customers since one of them, the oldest first; an empty id: all; null: the last one alone. */
export const readEvents = async (
  ...asked: [account: ReadAccount, since: string | null]
): Promise<Answer<EventsPage>> => (await import('./customers.ts')).readEvents(...asked)

/** What the account behind these keys may do. `refused`: they open none. @throws when Stripe does not answer */
export async function accountFacts(
  account: Omit<StripeAccount, 'id' | 'tenantId'>,
): Promise<AccountFacts | 'refused'> {
  const facts = await import('./account-facts.ts')
  return facts.accountFacts({ ...account, id: null, tenantId: null })
}

/** Whether both keys are of one account; see `keyPair`. @throws when Stripe does not answer */
export async function keyPair(
  account: Omit<StripeAccount, 'id' | 'tenantId'>,
  publishableKey: string,
): Promise<KeyPair> {
  const pair = await import('./key-pair.ts')
  return pair.keyPair({ ...account, id: null, tenantId: null }, publishableKey)
}
