import { Fault } from './fault.ts'

/**
 * What a buyer does: types a card on a page, presents one to a device, pays at a till, sends a transfer to a CLABE. The
 * last two are pushed: paid later.
 */
export type Flow = 'card' | 'presented' | 'voucher' | 'bank_transfer'

type Facts = {
  /** The only currency that it moves; null: any. */
  readonly currency: 'mxn' | null
  /** How its money goes back: as it came, or by a transfer to a CLABE. */
  readonly refund: 'original' | 'spei_out'
} & ({ readonly flow: 'card' | 'presented' } | PushFacts)

type PushFacts = {
  readonly flow: 'voucher' | 'bank_transfer'
  /** The calendar days in which the buyer may pay. */
  readonly days: number
  /** The bank days after them in which money paid in time may still be reported. */
  readonly graceBankDays: number
}

/** The payment methods, in the order in which the API lists them. Their fees and amounts are the fee schedule's. */
export const paymentMethods = {
  card: { flow: 'card', currency: null, refund: 'original' },
  card_present: { flow: 'presented', currency: null, refund: 'original' },
  oxxo: { flow: 'voucher', currency: 'mxn', refund: 'spei_out', days: 3, graceBankDays: 2 },
  spei: { flow: 'bank_transfer', currency: 'mxn', refund: 'spei_out', days: 3, graceBankDays: 1 },
} as const satisfies Readonly<Record<string, Facts>>

export type Method = keyof typeof paymentMethods

/** The methods of a flow: `MethodOf<'voucher'>`. */
export type MethodOf<F extends Flow> = {
  [M in Method]: (typeof paymentMethods)[M]['flow'] extends F ? M : never
}[Method]

export type PushMethod = MethodOf<PushFacts['flow']>

export const methods = Object.keys(paymentMethods) as [Method, ...Method[]]

export const methodsOf = <F extends Flow>(...flows: readonly F[]) =>
  methods.filter((method) => (flows as readonly Flow[]).includes(paymentMethods[method].flow)) as [
    MethodOf<F>,
    ...MethodOf<F>[],
  ]

export const pushMethods = methodsOf('voucher', 'bank_transfer')

/** How a buyer may pay on a page. */
export const pageMethods = methodsOf('card', 'voucher', 'bank_transfer')

export type PageMethod = (typeof pageMethods)[number]

export const [cardMethod] = methodsOf('card')

export const [presentedMethod] = methodsOf('presented')

/** What a card pays, wherever it is: the buyer's bank can dispute it, and it goes back as it came. */
export const cardMethods = methodsOf('card', 'presented')

/** How a transfer to a CLABE pays, also to a CLABE that was lent to no payment. */
export const [transferMethod] = methodsOf('bank_transfer')

export const isMethod = (name: string): name is Method => Object.hasOwn(paymentMethods, name)

/** @throws Fault where the method is unknown: it must never pass for another one */
export function flowOf(method: Method): Flow {
  if (!isMethod(method)) throw new Fault('an unknown payment method')
  return paymentMethods[method].flow
}

export const hasFlow = <F extends Flow>(method: Method, flow: F): method is MethodOf<F> =>
  flowOf(method) === flow

export const isPushMethod = (method: Method): method is PushMethod =>
  hasFlow(method, 'voucher') || hasFlow(method, 'bank_transfer')

export const isPush = <P extends { readonly method: Method }>(
  paid: P,
): paid is P & { readonly method: PushMethod } => isPushMethod(paid.method)
