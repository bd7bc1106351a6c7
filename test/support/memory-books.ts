import { disputes } from '../../drizzle/schema/disputes.ts'
import { outgoingMails } from '../../drizzle/schema/mails.ts'
import { payments } from '../../drizzle/schema/payments.ts'
import { refunds } from '../../drizzle/schema/refunds.ts'
import { disputeLifecycle } from '../../functions/money/disputes/lifecycle.ts'
import type { DisputeRow } from '../../functions/money/disputes/store.ts'
import { refundLifecycle } from '../../functions/money/refunds/lifecycle.ts'
import type { RefundablePayment, RefundRow } from '../../functions/money/refunds/store.ts'
import { allMoves, type Lifecycle } from '../../src/kernel/lifecycle.ts'
import type { Journal, Plan, TableLike, Write } from '../../src/kernel/plan.ts'

type Row = { id: string; version: number; status: string } & Record<string, unknown>

/** Thrown for what the database would refuse. */
class Refused extends Error {}
/** Thrown when a plan was made on rows that have changed since. */
export class Stale extends Error {}

/** One payment with its refunds and disputes in memory, and a door that refuses what the database refuses. */
export class MemoryBooks {
  #rows = new Map<TableLike, Map<string, Row>>([
    [payments, new Map()],
    [refunds, new Map()],
    [disputes, new Map()],
  ])
  #journals: readonly Journal[] = []

  constructor(payment: RefundablePayment) {
    this.#rows.get(payments)!.set(payment.id, payment as unknown as Row)
  }

  get payment(): RefundablePayment {
    return [...this.#rows.get(payments)!.values()][0] as unknown as RefundablePayment
  }
  get refunds(): RefundRow[] {
    return [...this.#rows.get(refunds)!.values()] as unknown as RefundRow[]
  }
  get disputes(): DisputeRow[] {
    return [...this.#rows.get(disputes)!.values()] as unknown as DisputeRow[]
  }

  /** Balances by account, without the capture. */
  get balances(): Readonly<Record<string, bigint>> {
    const balances: Record<string, bigint> = {}
    for (const { account, amountMinor } of this.#journals.flatMap(({ postings }) => postings))
      balances[account] = (balances[account] ?? 0n) + amountMinor
    return balances
  }

  get journalsCount(): number {
    return this.#journals.length
  }

  publish({ writes }: Plan<object>): void {
    const before = { rows: this.#rows, journals: this.#journals }
    this.#rows = new Map([...before.rows].map(([table, rows]) => [table, new Map(rows)]))
    try {
      for (const write of writes) this.#apply(write)
      const { amountRefundedMinor: refunded, amountDisputedMinor: held, openDisputesCount } = this.payment
      if (
        refunded < 0n ||
        held < 0n ||
        refunded + held > this.payment.amountCapturedMinor ||
        openDisputesCount < 0
      )
        throw new Refused(`refunded ${refunded}, disputed ${held}, open ${openDisputesCount}`)
      for (const { heldMinor, amountMinor } of this.disputes)
        if (heldMinor < 0n || heldMinor > amountMinor)
          throw new Refused(`held ${heldMinor} of ${amountMinor}`)
    } catch (error) {
      this.#rows = before.rows
      this.#journals = before.journals
      throw error
    }
  }

  #apply(write: Write): void {
    if (write.kind === 'post') {
      this.#post(write)
      return
    }
    if (write.kind === 'postEach' || write.kind === 'changeEach')
      throw new Error('no plan of a refund or dispute writes in sets')
    // No buyer of these worlds asked for mails: the database writes none.
    if (write.kind === 'insert' && write.table === outgoingMails) return
    const rows = this.#rows.get(write.table)!
    if (write.kind === 'insert') {
      for (const row of write.rows as Row[]) {
        if (rows.has(row.id)) throw new Refused(`twice: ${row.id}`)
        rows.set(row.id, { ...row })
      }
      return
    }
    const row = rows.get(write.id)!
    if (write.kind === 'adjust') {
      const moved = Object.entries(write.deltas).map(([column, delta]) => [
        column,
        (row[column] as bigint) + (delta as bigint),
      ])
      rows.set(row.id, { ...row, ...Object.fromEntries(moved) })
    } else if (write.kind === 'expect') {
      for (const [column, value] of Object.entries(write.where)) if (row[column] !== value) throw new Stale()
    } else {
      if (row.version !== write.version || row.status !== write.fromStatus) throw new Stale()
      const { status = row.status } = write.set as { status?: string }
      if (status !== row.status && !legal.get(write.table)!.has(`${row.status} ${status}`))
        throw new Refused(`${row.status} -> ${status}`)
      rows.set(row.id, { ...row, ...write.set, version: row.version + 1 })
    }
  }

  #post(journal: Journal): void {
    const key = ({ sourceId, entryKind, round = 1 }: Journal) => `${sourceId} ${entryKind} ${round}`
    if (this.#journals.some((each) => key(each) === key(journal))) throw new Refused(`twice: ${key(journal)}`)
    if (sum(journal.postings.map(({ amountMinor }) => amountMinor)) !== 0n) throw new Refused('unbalanced')
    this.#journals = [...this.#journals, journal]
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n)

const movesOf = (of: Lifecycle) => new Set(allMoves(of).map(({ from, to }) => `${from} ${to}`))
const legal = new Map<TableLike, ReadonlySet<string>>([
  [refunds, movesOf(refundLifecycle)],
  [disputes, movesOf(disputeLifecycle)],
])
