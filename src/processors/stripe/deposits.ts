import type Stripe from 'stripe'
import { mexicoCityDate } from '../../kernel/bank-days.ts'
import { Fault } from '../../kernel/fault.ts'
import type { BalanceMovement, ChargeRefs, Deposit } from '../port.ts'
import { isMissing, ofMode, readTimeoutMs } from './client.ts'
import { find } from './intents.ts'
import { fromStripeAmount } from './money.ts'
import { attemptKey, isOurId } from './params.ts'

/** `cus_…/ccsbtxn_…`: Stripe finds a transaction only through its customer. */
export const depositRefOf = (customer: string, transaction: string) => `${customer}/${transaction}`

const reading = { timeout: readTimeoutMs }

type CashTransaction = Stripe.CustomerCashBalanceTransaction

/** A movement of our customers: an account may have others, whose money is not ours. */
async function ofOurs(
  stripe: Stripe,
  ref: string,
): Promise<{ readonly transaction: CashTransaction; readonly attemptReference: string } | null> {
  const [customer = '', id = ''] = ref.split('/')
  try {
    const transaction = ofMode(
      stripe,
      await stripe.customers.retrieveCashBalanceTransaction(customer, id, { expand: ['customer'] }, reading),
    )
    const { customer: owner } = transaction
    const attemptReference =
      typeof owner === 'object' && !owner.deleted ? owner.metadata[attemptKey] : undefined
    return isOurId(attemptReference) ? { transaction, attemptReference } : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/**
 * One transfer that arrived for an attempt of ours. For Mexico Stripe gives neither the clave de rastreo nor the sender:
 * Stripe's own id replaces the clave and identifies deposits just as well.
 */
export async function fetchDeposit(
  stripe: Stripe,
  depositRef: string,
): Promise<(Deposit & { readonly attemptReference: string }) | null> {
  const found = await ofOurs(stripe, depositRef)
  if (found?.transaction.type !== 'funded') return null
  const [customer = ''] = depositRef.split('/')
  const lent = await lentTo(stripe, customer)
  if (lent === null) return null
  return { ...depositOf(found.transaction, lent), attemptReference: found.attemptReference }
}

/** https://docs.stripe.com/api/cash_balance_transactions/object, `type` */
const kinds: Readonly<Record<string, BalanceMovement['kind']>> = {
  funded: 'refilled',
  funding_reversed: 'reversed',
  return_initiated: 'returned',
  return_canceled: 'return_failed',
  refunded_from_payment: 'refund_kept',
  unapplied_from_payment: 'unapplied',
  transferred_to_balance: 'taken',
  adjusted_for_overdraft: 'overdraft_covered',
}

/** Whether a transaction of this type is read as a deposit or as another movement: all but what pays. */
export const isRead = (type: string): boolean => Object.hasOwn(kinds, type)

/** By how much a transaction took its balance further below zero, or back towards it. */
function belowZeroOf({ net_amount, ending_balance }: CashTransaction): bigint {
  const below = (balance: number) => Math.max(0, -balance)
  return fromStripeAmount(Math.abs(below(ending_balance) - below(ending_balance - net_amount)))
}

/** A change of a customer's balance other than by a payment; of transfers only one that found it below zero. */
export async function fetchMovement(stripe: Stripe, movementRef: string): Promise<BalanceMovement | null> {
  const found = await ofOurs(stripe, movementRef)
  const kind = found && kinds[found.transaction.type]
  if (!kind) return null
  const { net_amount, currency } = found.transaction
  const belowZeroMinor = belowZeroOf(found.transaction)
  if (kind === 'refilled' && belowZeroMinor === 0n) return null
  // The change is the port's only amount with a sign.
  const size = fromStripeAmount(Math.abs(net_amount))
  return {
    movementRef,
    kind,
    attemptReference: found.attemptReference,
    changeMinor: net_amount < 0 ? -size : size,
    belowZeroMinor,
    currency,
  }
}

/**
 * Every transfer that arrived for an attempt, notified or not.
 * @throws Error where search does not show the attempt (yet): what arrived is unknown then
 */
export async function depositsOf(
  stripe: Stripe,
  attemptReference: string,
  known: ChargeRefs,
): Promise<readonly Deposit[]> {
  const intent = await find(stripe, attemptReference, known)
  if (!intent) throw new Fault('an attempt is not found at Stripe')
  const customer = typeof intent.customer === 'string' ? intent.customer : null
  const lent = customer === null ? null : await lentTo(stripe, customer)
  if (customer === null || lent === null) return []
  const movements = await movementsOf(stripe, customer)
  return movements
    .filter(({ type }) => type === 'funded')
    .map((each) => ({ ...depositOf(each, lent), attemptReference }))
}

/** What moved in a customer's cash balance, the newest first. */
async function movementsOf(stripe: Stripe, customer: string): Promise<readonly CashTransaction[]> {
  const movements: CashTransaction[] = []
  const pages = stripe.customers.listCashBalanceTransactions(customer, { limit: 100 }, reading)
  for await (const each of pages) movements.push(ofMode(stripe, each))
  return movements
}

type Lent = Pick<Deposit, 'clabe' | 'bankName' | 'beneficiary'>

/** Where a customer's transfers go: repeated calls return the same instructions. */
async function lentTo(stripe: Stripe, customer: string): Promise<Lent | null> {
  const params = {
    currency: 'mxn',
    funding_type: 'bank_transfer',
    bank_transfer: { type: 'mx_bank_transfer' },
  } satisfies Stripe.CustomerCreateFundingInstructionsParams
  const { bank_transfer } = await stripe.customers.createFundingInstructions(customer, params, reading)
  const spei = bank_transfer.financial_addresses.find((address) => address.spei)?.spei
  return spei ? { clabe: spei.clabe, bankName: spei.bank_name, beneficiary: spei.account_holder_name } : null
}

function depositOf(transaction: CashTransaction, lent: Lent): Deposit {
  const { customer } = transaction
  return {
    depositRef: depositRefOf(typeof customer === 'string' ? customer : customer.id, transaction.id),
    ...lent,
    belowZeroMinor: belowZeroOf(transaction),
    account: null,
    amountMinor: fromStripeAmount(transaction.net_amount),
    currency: transaction.currency,
    claveRastreo: transaction.id.replaceAll(/[^A-Za-z0-9]/g, '').slice(-30),
    senderBank: 'unknown',
    senderClabe: null,
    senderName: null,
    operatedOn: mexicoCityDate(new Date(transaction.created * 1000)),
  }
}
