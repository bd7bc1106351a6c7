/** What a line of a payout or of the balance's activity is about. */
export type EntryKind =
  | 'payment'
  | 'reserve'
  | 'refund'
  | 'refund_failure'
  | 'dispute'
  | 'dispute_won'
  | 'transfer'
  | 'transfer_failure'
  | 'transfer_return'
  | 'incoming_transfer'
  | 'payout_failure'
  | 'payout_return'

const kinds: Readonly<Record<string, EntryKind>> = {
  'payment/release': 'payment',
  'payment/reserve_release': 'reserve',
  'refund/refund': 'refund',
  'refund/refund_reversed': 'refund_failure',
  'dispute/hold': 'dispute',
  'dispute/release': 'dispute_won',
  'transfer/transfer': 'transfer',
  'transfer/transfer_reversed': 'transfer_failure',
  'transfer/transfer_returned': 'transfer_return',
  'incoming_transfer/incoming': 'incoming_transfer',
  'payout/payout_reversed': 'payout_failure',
  'payout/payout_returned': 'payout_return',
}

/** @throws RangeError for a journal that moves what is available and has no name here. */
export function kindOf(sourceType: string, entryKind: string): EntryKind {
  const kind = kinds[`${sourceType}/${entryKind}`]
  if (!kind) throw new RangeError(`no kind for ${sourceType}/${entryKind}`)
  return kind
}

/** A movement of what is available that no payout has carried away; `feeMinor` is its payment's fees with IVA. */
export interface OpenActivity {
  readonly id: string
  readonly sourceType: string
  readonly sourceId: string
  readonly entryKind: string
  readonly amountMinor: bigint
  readonly feeMinor: bigint
}

export interface Entry {
  readonly activityId: string
  readonly sourceId: string
  readonly kind: EntryKind
  readonly grossMinor: bigint
  readonly feeMinor: bigint
  readonly netMinor: bigint
}

/**
 * A line of a payout: gross less fee is net, and net is what the activity moved. Fees stand with the payment's own
 * release alone; what went into its reserve comes as a line of its own later, so that over both the gross is what was
 * captured.
 */
export function entryOf(activity: OpenActivity): Entry {
  const kind = kindOf(activity.sourceType, activity.entryKind)
  const feeMinor = kind === 'payment' ? activity.feeMinor : 0n
  return {
    activityId: activity.id,
    sourceId: activity.sourceId,
    kind,
    grossMinor: activity.amountMinor + feeMinor,
    feeMinor,
    netMinor: activity.amountMinor,
  }
}

const sum = (list: readonly OpenActivity[]) =>
  list.reduce((total, { amountMinor }) => total + amountMinor, 0n)

/**
 * What one payout takes of a balance that may have more open lines than fit into it. `debits` and `credits` are the
 * oldest of each. All of them when their sum is covered; else the newest are left for the next payout: credits while
 * the sum is more than what is available (later debits must still be recovered), debits while it is not more than
 * nothing. Empty when nothing can be paid.
 */
export function choose(
  debits: readonly OpenActivity[],
  credits: readonly OpenActivity[],
  availableMinor: bigint,
): OpenActivity[] {
  if (availableMinor <= 0n) return []
  const [taken, given] = [[...debits], [...credits]]
  let total = sum(taken) + sum(given)
  while (total > availableMinor || total <= 0n) {
    const dropped = total > availableMinor ? given.pop() : taken.pop()
    if (!dropped) return []
    total -= dropped.amountMinor
  }
  return [...taken, ...given]
}
