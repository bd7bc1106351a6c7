/*
 * The books of a merchant kept a second time, by what its webhooks say alone: no code of the product is used here. Amounts
 * are minor units.
 */

type Source = { readonly id: string; readonly object: string; readonly status: string }
type Money = Readonly<Record<string, string>>

/** An event as an endpoint gets it, and when it was booked. */
export interface Told {
  readonly at: Date
  readonly object: Source & Readonly<Record<string, unknown>>
}

/** What moved the available balance, by what it was about. */
export interface Move {
  readonly at: Date
  readonly sourceType: string
  readonly sourceId: string
  readonly amountMinor: bigint
}

export interface Fee {
  readonly at: Date
  readonly sourceId: string
  readonly feeMinor: bigint
  readonly ivaMinor: bigint
}

/** What a payment brought, by rate of IVA; null where its rates are not known. */
export interface Collected {
  readonly at: Date
  readonly paymentId: string
  readonly rate: string | null
  readonly baseMinor: bigint | null
  readonly ivaMinor: bigint | null
  readonly totalMinor: bigint
}

export interface SecondBooks {
  readonly moves: readonly Move[]
  readonly fees: readonly Fee[]
  readonly collected: readonly Collected[]
}

const minor = (value: unknown) => BigInt(value as string)

/** What a resource adds to the available balance, or takes from it, in the state that it is in. */
function standing(object: Told['object']): bigint {
  const amountMinor = minor(object.amount)
  switch (object.object) {
    case 'payment': {
      const reserve = object.reserve as { amount: string; release_on: string | null }
      const heldMinor = reserve.release_on === null ? 0n : minor(reserve.amount)
      return object.funds_status === 'available' ? minor(object.amount_net) - heldMinor : 0n
    }
    case 'refund': {
      const isTaken = ['processing', 'succeeded', 'kept'].includes(object.status)
      const isOfBalance = object.unapplied_funds_id === null && object.method !== 'recorded_offline'
      return isTaken && isOfBalance ? -amountMinor : 0n
    }
    case 'dispute':
      return -(object.status === 'won' ? 0n : minor(object.amount_held)) - minor(object.amount_fee)
    case 'payout':
      return ['failed', 'returned', 'canceled'].includes(object.status) ? 0n : -amountMinor
    case 'transfer':
      return ['pending', 'processing', 'paid'].includes(object.status) ? -amountMinor : 0n
    case 'incoming_transfer':
      return amountMinor
    default:
      return 0n
  }
}

/** What was charged for a resource so far. */
function charged(object: Told['object']): { readonly feeMinor: bigint; readonly ivaMinor: bigint } {
  const details = object.fee_details as Money | undefined
  if (object.object === 'payment')
    return {
      feeMinor: minor(details!.processing) + minor(details!.installments),
      ivaMinor: minor(details!.iva),
    }
  if (object.object === 'dispute') return { feeMinor: minor(details!.amount), ivaMinor: minor(details!.iva) }
  return { feeMinor: 0n, ivaMinor: 0n }
}

function collectedBy({ at, object }: Told): Collected[] {
  const { id: paymentId } = object
  const capturedMinor = minor(object.amount_captured)
  const tipMinor = minor(object.amount_tip)
  const taxes = object.taxes as { iva_rate: string; base: string; iva: string }[]
  if (taxes.length > 0 && capturedMinor === minor(object.amount))
    return taxes.map(({ iva_rate, base, iva }) => ({
      at,
      paymentId,
      rate: iva_rate,
      baseMinor: minor(base),
      ivaMinor: minor(iva),
      totalMinor: minor(base) + minor(iva),
    }))
  const totalMinor = capturedMinor - (tipMinor < capturedMinor ? tipMinor : capturedMinor)
  return [{ at, paymentId, rate: null, baseMinor: null, ivaMinor: null, totalMinor }]
}

/** Reads a stream of events in its order. */
export function secondBooks(stream: readonly Told[]): SecondBooks {
  const stood = new Map<string, bigint>()
  const paid = new Map<string, ReturnType<typeof charged>>()
  const captured = new Set<string>()
  const books = { moves: [] as Move[], fees: [] as Fee[], collected: [] as Collected[] }
  for (const told of stream) {
    const { at, object } = told
    if (!kept.has(object.object)) continue
    const { id: sourceId, object: sourceType } = object
    const now = standing(object)
    const amountMinor = now - (stood.get(sourceId) ?? 0n)
    stood.set(sourceId, now)
    if (amountMinor !== 0n) books.moves.push({ at, sourceType, sourceId, amountMinor })
    const { feeMinor, ivaMinor } = charged(object)
    const before = paid.get(sourceId) ?? { feeMinor: 0n, ivaMinor: 0n }
    paid.set(sourceId, { feeMinor, ivaMinor })
    if (feeMinor !== before.feeMinor || ivaMinor !== before.ivaMinor)
      books.fees.push({
        at,
        sourceId,
        feeMinor: feeMinor - before.feeMinor,
        ivaMinor: ivaMinor - before.ivaMinor,
      })
    if (sourceType === 'payment' && !captured.has(sourceId) && minor(object.amount_captured) > 0n) {
      captured.add(sourceId)
      books.collected.push(...collectedBy(told))
    }
  }
  return books
}
const kept = new Set(['payment', 'refund', 'dispute', 'payout', 'transfer', 'incoming_transfer'])
