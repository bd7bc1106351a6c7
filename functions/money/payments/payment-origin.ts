import type { Settings } from '../../../src/env/settings.ts'
import type { Scope } from '../../../src/http/contract.ts'
import { Problem } from '../../../src/http/problems.ts'
import type { PublishRequest } from '../../../src/http/publishing.ts'
import type { Services } from '../../../src/http/services.ts'
import type { BackgroundWork } from '../../../src/http/system-call.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import type { Write } from '../../../src/kernel/plan.ts'
import { type Published, Refused } from '../../../src/platform/postgres.ts'
import type { BoundQuery } from '../../../src/platform/query.ts'
import type { Processor } from '../../../src/processors/port.ts'
import type { OnSuccess } from './plan-capture.ts'
import type { PaymentRow } from './store.ts'

/** What the contracts and the database's rights must know of an origin before anything is sold. */
export interface OriginFacts {
  /** The `origin.type` of its payments, singular: `payment_link`. */
  readonly kind: string
  /** `splink`: what its public ids begin with. */
  readonly publicIdPrefix: string
  /** Each of these scopes may capture and cancel its payments. */
  readonly writeScopes: readonly Scope[]
}

/** Something that sells: how a payment finds it, locks it and changes it in the publish that books the money. */
export interface PaymentOrigin<Origin = unknown> extends OriginFacts {
  readonly load: (originId: string) => BoundQuery<Origin>
  /** The same, by one of its payments; no row where the payment belongs to another origin. */
  readonly loadFor: (paymentId: string) => BoundQuery<Origin>
  /** The constraints of its holds that refuse a payment for which other payments have left nothing: uses, an amount. */
  readonly bounds?: readonly string[]
  /** Locks what was sold while a payment of it changes; the publish returns its row. */
  readonly lock: (originId: string) => Write
  /** The origin's row as a publish returned it. */
  readonly read: (record: Published['expected'][number]) => Origin
  /** What a successful payment changes of what was sold, in the publish that books the money. */
  onSuccess(origin: Origin, payment: PaymentRow, clock: Clock, settings: Settings): ReturnType<OnSuccess>
  /** A processor tells that a buyer has answered what a device asked, by our id of that. An unknown id finds nothing. */
  readonly takeAnswer?: (work: BackgroundWork, teller: Processor, id: string) => Promise<void>
}

/** Where a buyer pays: what sells, who charges, and the publish that records the attempt. */
export interface PayContext {
  readonly services: Services
  readonly processor: Processor
  readonly origin: PaymentOrigin
  readonly publishing: PublishRequest
}

/** Origins by their kind. */
export type PaymentOrigins = Readonly<Record<string, PaymentOrigin>>

/** The origin that sold a payment. */
export function originOfPayment(origins: PaymentOrigins, { originType }: PaymentRow): PaymentOrigin {
  const origin = origins[originType]
  if (!origin) throw new Fault(`no origin sells as ${originType}`)
  return origin
}

/** Whether a key may capture and cancel what this origin sold. */
export const mayWrite = (
  { writeScopes }: OriginFacts,
  { scopes }: { readonly scopes?: readonly string[] | null },
): boolean => writeScopes.some((scope) => scopes?.includes(scope))

/** Other payments have bought, or are buying, what can be sold only once, or a limited number of times. */
export function isSoldElsewhere(error: unknown, origins: PaymentOrigins): boolean {
  // A bound that operations meet too has an error of its own, which names the refusal.
  const refused = error instanceof Problem ? error.cause : error
  if (!(refused instanceof Refused)) return false
  const { constraint } = refused
  return (
    constraint === 'payments_one_live_per_exclusive_origin' ||
    Object.values(origins).some(({ bounds = [] }) => bounds.some((each) => each === constraint))
  )
}

/** An origin's part in a success; nothing where its row was not needed. */
export const soldBy =
  (origin: PaymentOrigin, row: unknown, clock: Clock, settings: Settings): OnSuccess =>
  (paid) =>
    row === null ? { writes: [], events: [] } : origin.onSuccess(row, paid, clock, settings)
