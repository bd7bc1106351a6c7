import type Stripe from 'stripe'
import { mexicoCityDate } from '../../kernel/bank-days.ts'
import { Fault } from '../../kernel/fault.ts'
import type { ChargeRefs, Deposit } from '../port.ts'
import { isMissing, readTimeoutMs } from './client.ts'
import { find } from './intents.ts'
import { fromStripeAmount } from './money.ts'
import { attemptKey } from './params.ts'

/** `cus_…/ccsbtxn_…`: Stripe finds a transaction only through its customer. */
export const depositRefOf = (customer: string, transaction: string) => `${customer}/${transaction}`

const reading = { timeout: readTimeoutMs }

/**
 * One transfer that arrived. For Mexico Stripe gives neither the clave de rastreo nor the sender: Stripe's own id
 * replaces the clave and identifies deposits just as well.
 */
export async function fetchDeposit(stripe: Stripe, depositRef: string): Promise<Deposit | null> {
  const [customer = '', id = ''] = depositRef.split('/')
  try {
    const transaction = await stripe.customers.retrieveCashBalanceTransaction(
      customer,
      id,
      { expand: ['customer'] },
      reading,
    )
    if (transaction.type !== 'funded') return null
    const clabe = await clabeOf(stripe, customer)
    if (clabe === null) return null
    const { customer: owner } = transaction
    const metadata = typeof owner === 'object' && !owner.deleted ? owner.metadata : {}
    return { ...depositOf(transaction, depositRef, clabe), attemptReference: metadata[attemptKey] ?? null }
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
  const deposits: Deposit[] = []
  const pages = stripe.customers.listCashBalanceTransactions(customer, { limit: 100 }, reading)
  for await (const each of pages) {
    if (each.type !== 'funded') continue
    deposits.push({ ...depositOf(each, depositRefOf(customer, each.id), clabe), attemptReference })
  }
  return deposits
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
  transaction: Stripe.CustomerCashBalanceTransaction,
  depositRef: string,
  clabe: string,
): Deposit {
  return {
    depositRef,
    clabe,
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
