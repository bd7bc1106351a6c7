import type Stripe from 'stripe'
import { mexicoCityDate } from '../../kernel/bank-days.ts'
import { Fault } from '../../kernel/fault.ts'
import type { ChargeRefs, Deposit } from '../port.ts'
import { isMissing, ofMode, readTimeoutMs } from './client.ts'
import { find } from './intents.ts'
import { fromStripeAmount } from './money.ts'
import { attemptKey, isOurId } from './params.ts'

/** `cus_…/ccsbtxn_…`: Stripe finds a transaction only through its customer. */
export const depositRefOf = (customer: string, transaction: string) => `${customer}/${transaction}`

const reading = { timeout: readTimeoutMs }

type CashTransaction = Stripe.CustomerCashBalanceTransaction

/**
 * One transfer that arrived for an attempt of ours: an account may have other customers, whose transfers are not ours.
 * For Mexico Stripe gives neither the clave de rastreo nor the sender: Stripe's own id replaces the clave and identifies
 * deposits just as well.
 */
export async function fetchDeposit(stripe: Stripe, depositRef: string): Promise<Deposit | null> {
  const [customer = '', id = ''] = depositRef.split('/')
  try {
    const transaction = ofMode(
      stripe,
      await stripe.customers.retrieveCashBalanceTransaction(customer, id, { expand: ['customer'] }, reading),
    )
    const { type, customer: owner } = transaction
    const attemptReference =
      typeof owner === 'object' && !owner.deleted ? owner.metadata[attemptKey] : undefined
    if (type !== 'funded' || !isOurId(attemptReference)) return null
    const [clabe, movements] = await Promise.all([clabeOf(stripe, customer), movementsOf(stripe, customer)])
    if (clabe === null) return null
    return { ...depositOf(transaction, clabe, movements), attemptReference }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
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
  const clabe = customer === null ? null : await clabeOf(stripe, customer)
  if (customer === null || clabe === null) return []
  const movements = await movementsOf(stripe, customer)
  return movements
    .filter(({ type }) => type === 'funded')
    .map((each) => ({ ...depositOf(each, clabe, movements), attemptReference }))
}

/** What moved in a customer's cash balance, the newest first. */
async function movementsOf(stripe: Stripe, customer: string): Promise<readonly CashTransaction[]> {
  const movements: CashTransaction[] = []
  const pages = stripe.customers.listCashBalanceTransactions(customer, { limit: 100 }, reading)
  for await (const each of pages) movements.push(ofMode(stripe, each))
  return movements
}

/**
 * How much of a transfer Stripe has applied to payments: what was applied, less what was taken back, is of the oldest
 * transfers first.
 */
function appliedOf(deposit: CashTransaction, movements: readonly CashTransaction[]): bigint {
  let applied = 0n
  for (const { type, net_amount } of movements)
    if (type === 'applied_to_payment' || type === 'unapplied_from_payment')
      applied -= fromStripeAmount(net_amount)
  for (const { id, type, net_amount } of movements.toReversed()) {
    if (type !== 'funded') continue
    const amount = fromStripeAmount(net_amount)
    if (id === deposit.id) return applied < amount ? applied : amount
    applied = applied > amount ? applied - amount : 0n
  }
  return 0n
}

/** Repeated calls return the same instructions for a customer. */
async function clabeOf(stripe: Stripe, customer: string): Promise<string | null> {
  const params = {
    currency: 'mxn',
    funding_type: 'bank_transfer',
    bank_transfer: { type: 'mx_bank_transfer' },
  } satisfies Stripe.CustomerCreateFundingInstructionsParams
  const { bank_transfer } = await stripe.customers.createFundingInstructions(customer, params, reading)
  return bank_transfer.financial_addresses.find((address) => address.spei)?.spei?.clabe ?? null
}

function depositOf(
  transaction: CashTransaction,
  clabe: string,
  movements: readonly CashTransaction[],
): Deposit {
  const { customer } = transaction
  return {
    depositRef: depositRefOf(typeof customer === 'string' ? customer : customer.id, transaction.id),
    clabe,
    appliedMinor: appliedOf(transaction, movements),
    account: null,
    amountMinor: fromStripeAmount(transaction.net_amount),
    currency: transaction.currency,
    claveRastreo: transaction.id.replaceAll(/[^A-Za-z0-9]/g, '').slice(-30),
    senderBank: 'unknown',
    senderClabe: null,
    senderName: null,
    operationDate: mexicoCityDate(new Date(transaction.created * 1000)),
  }
}
