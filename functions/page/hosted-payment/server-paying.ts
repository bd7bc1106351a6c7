import type * as z from 'zod'
import type { Contract } from '../../../src/http/contract.ts'
import type { Input, RequestContext } from '../../../src/http/operation.ts'
import { Problem, type ProblemCode } from '../../../src/http/problems.ts'
import { onFreshRows, problemOf, Replayed, Stale } from '../../../src/http/publishing.ts'
import { formatPlain } from '../../../src/kernel/format.ts'
import { networkOf } from '../../../src/kernel/network.ts'
import { cardMethod } from '../../../src/kernel/payment-methods.ts'
import type { Queries } from '../../../src/platform/postgres.ts'
import type { TokenFacts } from '../../../src/processors/port.ts'
import {
  isCardsPaused,
  isSoldElsewhere,
  type Led,
  type PaymentRow,
  paymentByPublicId,
  presentTaken,
  requireProcessor,
} from '../../money/payments/api.ts'
import { isPaid, judge, type OnSale, onSaleOf, priceOf, termsFor } from './checkout-flow.ts'
import type { cardAsked } from './contract-server.ts'
import type { HostedOrigin } from './hosted-origin.ts'
import { payUnder } from './paying.ts'
import { type Quote, quoteOf } from './sealed-quote.ts'
import { begunUnder, declinedOf, sellerOf } from './store.ts'

/** What a seller says of a server that pays what it sells once. */
export interface PaidByServer<Row> {
  readonly origin: HostedOrigin<Row>
  readonly notFound: ProblemCode
  /** It takes no payment any more, or not yet. */
  readonly notOpen: ProblemCode
  /** A payment of it is under way. */
  readonly beingPaid: ProblemCode
  /** Where its cards are tried, when the buyer's address is not said. */
  readonly placeOf: (row: Row) => string
}

type Asked = { readonly [K in keyof typeof cardAsked]: z.output<(typeof cardAsked)[K]> } & {
  /** Of what is sold. */
  readonly id: string
  /** Minor units, as text. */
  readonly amount_tip: string
  /** The card as the processor has described it, by the price: it is asked once, however often the request is planned again. */
  readonly described: Map<bigint, TokenFacts>
}

/** As often as any operation plans again on fresh rows. */
const plansMax = 40

/**
 * The merchant's own server pays a sale with a token of its own card form: an attempt as the page's, with its checks, its
 * hold and its judgement. A repeated key is answered with the payment that it began, as it is now.
 * Round trips: a load, the two publishes and the processor, a load; a repetition: the first load.
 * @throws Replayed, Problem
 */
export async function payByServer<Row>(
  contract: Contract,
  seller: PaidByServer<Row>,
  { params, body }: Input,
  request: RequestContext,
) {
  const asked = { ...(body as object), ...(params as object), described: new Map() } as Asked
  try {
    return await onFreshRows(plansMax, () => paid(contract, seller, asked, request))
  } catch (error) {
    throw error instanceof Stale ? new Problem('conflict') : error
  }
}

async function paid<Row>(
  { id: operation }: Contract,
  seller: PaidByServer<Row>,
  asked: Asked,
  { services, requestId, claim, publishAs }: RequestContext,
) {
  const { origin } = seller
  const { id } = asked
  const { keys, fingerprint } = claim!
  const now = new Date()
  const credential = await publishAs()
  const read = async <Rows extends readonly unknown[]>(...queries: Queries<Rows>) => {
    const found = await services.db.read(operation, credential, queries).catch(async (error: unknown) => {
      throw await problemOf(error, services)
    })
    return found.rows
  }
  const [[merchant], [row], [levels], [declined], [begun]] = await read(
    sellerOf({ kind: origin.kind, id }),
    origin.load(id),
    origin.policyOf(id),
    declinedOf({ kind: origin.kind, originId: id }),
    begunUnder({ operation, keys: `{${keys.join()}}`, fingerprint }),
  )
  if (!merchant || !row || !levels) throw new Problem(seller.notFound)
  const { publicId: salePublicId } = origin.sale(row)
  const shown = (payment: PaymentRow) => presentTaken({ ...payment, salePublicId }, services.settings)
  const replayed = (payment: PaymentRow) =>
    new Replayed({ status: claim!.status, body: JSON.stringify(shown(payment)), publishId: '' })
  if (begun) throw replayed(begun)
  if (origin.closedBecause(row, isPaid(merchant.liveStatus ?? ''), now) !== null)
    throw new Problem(seller.notOpen)
  if (merchant.liveStatus !== null) throw new Problem(seller.beingPaid)
  const onSale = onSaleOf(services, origin as HostedOrigin, { seller: merchant, row, levels })
  const quote = quoted(onSale, declined, asked.amount_tip, now)
  const card = await describedFor(services, quote, asked, now)
  const choice = {
    method: cardMethod,
    token: asked.card_token,
    card,
    months: asked.installment_months ?? 1,
    isPerson: false,
  }
  const publishing = { operation, credential, requestId, now, claim: claim! }
  const led = await payUnder({ services, origin: origin as HostedOrigin, publishing }, quote, choice, {
    network: asked.ip_address === null ? seller.placeOf(row) : networkOf(asked.ip_address),
    contact: asked.email === null ? null : { email: asked.email, locale: asked.locale },
    details: null,
    channel: 'server',
  }).catch((error: unknown) => notPaid(error, origin as HostedOrigin))
  // Another request was first: what is sold says now which of the two it is, being paid or paid.
  if (!led.isOwn) throw new Stale()
  const [[payment]] = await read(paymentByPublicId({ publicId: led.publicId }))
  if (led.isReplay) throw replayed(payment!)
  return shown(payment!)
}

function notPaid(error: unknown, origin: HostedOrigin): Led {
  if (isCardsPaused(error)) throw new Problem('cards_paused')
  if (isSoldElsewhere(error, { [origin.kind]: origin })) throw new Stale()
  throw error
}

/** The quote of what is asked for: a payment of it that a server's card left declined is tried again. */
function quoted(onSale: OnSale, declined: PaymentRow | undefined, amountTip: string, now: Date): Quote {
  const { sale } = onSale
  const visit = {
    retryOf: declined?.publicId ?? null,
    replaces: null,
    clientReferenceId: null,
    amountMinor: 0n,
    quantity: null,
    part: null,
    ...(sale.inChoice ? { choices: tipAsked(onSale, amountTip) } : {}),
  }
  const quote = quoteOf(onSale, visit, now)
  if (BigInt(quote.tip ?? '0') === BigInt(amountTip)) return quote
  throw new Problem('parameter_invalid', {
    param: 'amount_tip',
    message: 'No tip of this amount is offered: `tips` of the order says which are.',
  })
}

/** As the form of the page would say it: a tip that is offered, or one of the buyer's own. */
function tipAsked({ sale: { adjustable, currency } }: OnSale, amountTip: string): Record<string, string> {
  const tipMinor = BigInt(amountTip)
  const preset = adjustable?.tip?.presets.find(({ amount }) => BigInt(amount) === tipMinor)
  if (tipMinor === 0n) return {}
  return preset ? { tip: String(preset.bps) } : { tip: 'own', tip_own: formatPlain(tipMinor, currency) }
}

/** The card behind the token, which may be charged so. @throws Problem */
async function describedFor(
  services: RequestContext['services'],
  quote: Quote,
  { card_token: token, installment_months: months, described }: Asked,
  now: Date,
): Promise<TokenFacts> {
  const { installmentPlanMonths, currency, publicId } = quote
  const way = { method: cardMethod, months: months === null ? [] : [months] }
  const [reason] = judge(services, quote, way, now).reasons
  if (reason) {
    const { code, message } = reason
    throw new Problem(code, { message, ...(reason.months === null ? {} : { param: 'installment_months' }) })
  }
  if (!quote.methods.includes(cardMethod))
    throw new Problem('payment_method_unavailable', { message: 'It is not offered for payment by card.' })
  const isOffered =
    months === null
      ? installmentPlanMonths === null
      : months === installmentPlanMonths || quote.installmentMonths.includes(months)
  if (!isOffered) throw noTerm()
  const amountMinor = priceOf(quote)
  const asking = { amountMinor, currency, installments: months !== null, publicId }
  const card =
    described.get(amountMinor) ?? (await requireProcessor(services).describe(token, asking).catch(notTold))
  if (!card) throw new Problem('card_token_unknown', { param: 'card_token' })
  described.set(amountMinor, card)
  if (months === null) return card
  if (card.termsUnknown) return notTold(null)
  if (!termsFor(services, quote, card, now).some((term) => term.months === months)) throw noTerm()
  return card
}

const noTerm = () =>
  new Problem('installments_unavailable', {
    param: 'installment_months',
    message: 'What is sold is not offered in this term, or this card does not have it.',
  })

/** Nothing was charged yet: the same request may be sent again. */
function notTold(cause: unknown): never {
  throw new Problem('outcome_unknown', {}, { cause })
}
