import { quantityMax, stockLevels, stockMovements, stockReservations } from '../../../drizzle/schema/stock.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import * as contracts from './contract.ts'
import { presentLevel, presentMovement, presentReservation } from './present.ts'
import type { LevelRow, MovementRow, ReservationRow, StockedItem } from './store.ts'

/** An item with its level at a place; undefined where there is no such row. */
export interface Stocked {
  readonly item: StockedItem | undefined
  readonly level: LevelRow | undefined
}

const about = (type: 'stock_level' | 'stock_movement', { id }: { readonly id: string }) => ({ type, id })

const { created, changed } = changesOf(stockReservations, 'stock_reservation', presentReservation)

const refusalOf = (item: StockedItem | undefined, param: string) => {
  if (!item || item.status === 'archived') return refuse('catalog_item_not_found', { param })
  return item.tracksStock ? null : refuse('stock_not_tracked', { param })
}

const newLevel = (itemId: string, locationId: string | null, clock: Clock): LevelRow => ({
  ...newRow(clock),
  itemId,
  locationId,
  onHand: 0,
  reserved: 0,
  lowQuantity: null,
  lowSince: null,
  lowAnnouncedAt: null,
  countedAt: null,
})

type Moved = Pick<MovementRow, 'kind' | 'quantity' | 'note'>

const newMovement = (
  { id, itemId, locationId }: LevelRow,
  moved: Moved,
  transferId: string | null,
  { now, newId }: Clock,
): MovementRow => ({
  ...moved,
  id: newId(),
  levelId: id,
  itemId,
  locationId,
  reservationId: null,
  transferId,
  createdAt: now,
})

function planMovements(writes: readonly Write[], rows: readonly MovementRow[], { newId }: Clock) {
  const shown = rows.map(presentMovement)
  return {
    shown,
    writes: [...writes, insert(stockMovements, ...rows)],
    events: shown.map((row) => event(newId(), 'stock_movement.created', about('stock_movement', row), row)),
  }
}

function planMovement(level: LevelRow, writes: readonly Write[], moved: Moved, clock: Clock) {
  const { shown, ...plan } = planMovements(writes, [newMovement(level, moved, null, clock)], clock)
  return { ...plan, reply: shown[0]!, subjectId: shown[0]!.id } satisfies Plan<unknown>
}

const adds = ['received', 'returned']
const takes = ['damaged', 'lost']

export function planAdjust({ item, level }: Stocked, asked: BodyOf<typeof contracts.adjust>, clock: Clock) {
  const { kind, quantity, note } = asked
  const refused = refusalOf(item, 'item_id')
  if (refused) return refused
  if ((adds.includes(kind) && quantity < 0) || (takes.includes(kind) && quantity > 0))
    return refuse('parameter_invalid', {
      param: 'quantity',
      message: `Of the kind ${kind} it must be ${quantity < 0 ? 'more' : 'less'} than 0.`,
    })
  const at = level ?? newLevel(asked.item_id, asked.location_id, clock)
  return planMovement(at, level ? [] : [insert(stockLevels, at)], { kind, quantity, note }, clock)
}

/** The difference is to the level as it was read: its version guards it. */
export function planCount({ item, level }: Stocked, asked: BodyOf<typeof contracts.count>, clock: Clock) {
  const refused = refusalOf(item, 'item_id')
  if (refused) return refused
  if (level && asked.counted < level.reserved)
    return refuse('stock_insufficient', {
      param: 'counted',
      message: `${level.reserved} of it are reserved: end reservations first.`,
    })
  const at = level ?? { ...newLevel(asked.item_id, asked.location_id, clock), countedAt: clock.now }
  const guard = level
    ? change(stockLevels, level, { countedAt: clock.now, updatedAt: clock.now })
    : insert(stockLevels, at)
  const moved = { kind: 'count', quantity: asked.counted - at.onHand, note: asked.note } as const
  return planMovement(at, [guard], moved, clock)
}

interface Transferred {
  readonly item: StockedItem | undefined
  readonly from: LevelRow | undefined
  readonly to: LevelRow | undefined
}

export function planTransfer(
  { item, from, to }: Transferred,
  asked: BodyOf<typeof contracts.transfer>,
  clock: Clock,
) {
  const refused = refusalOf(item, 'item_id')
  if (refused) return refused
  if (!from) return refuse('stock_insufficient', { param: 'quantity' })
  const { quantity, note } = asked
  const transferId = clock.newId()
  const there = to ?? newLevel(asked.item_id, asked.to_location_id, clock)
  const { shown, ...plan } = planMovements(
    to ? [] : [insert(stockLevels, there)],
    [
      newMovement(from, { kind: 'transfer_out', quantity: -quantity, note }, transferId, clock),
      newMovement(there, { kind: 'transfer_in', quantity, note }, transferId, clock),
    ],
    clock,
  )
  const reply = { id: transferId, object: 'stock_transfer' as const, movements: shown }
  return { ...plan, reply, subjectId: transferId } satisfies Plan<unknown>
}

export function planLow(level: LevelRow, lowQuantity: number | null, { now, newId }: Clock) {
  const set = { lowQuantity, updatedAt: now }
  const isLow = lowQuantity !== null && level.onHand - level.reserved <= lowQuantity
  const after = presentLevel({
    ...level,
    ...set,
    lowSince: isLow ? (level.lowSince ?? now) : null,
    version: level.version + 1,
  })
  return {
    writes: [change(stockLevels, level, set)],
    events: [event(newId(), 'stock_level.updated', about('stock_level', level), after, presentLevel(level))],
    reply: after,
  } satisfies Plan<unknown>
}

/** Announces once that a level is low; null where it no longer is. */
export function planAnnounce(level: LevelRow, { now, newId }: Clock): Plan<object> | null {
  if (level.lowSince === null || level.lowAnnouncedAt !== null) return null
  const set = { lowAnnouncedAt: now, updatedAt: now }
  const shown = presentLevel({ ...level, ...set, version: level.version + 1 })
  return {
    writes: [change(stockLevels, level, set)],
    events: [event(newId(), 'stock_level.low', about('stock_level', level), shown)],
    reply: {},
  }
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const problemOfEnd = (expiresAt: Date, now: Date) => {
  const aheadMs = expiresAt.getTime() - now.getTime()
  if (aheadMs > 0 && aheadMs <= contracts.reservationDaysMax * dayMs) return null
  return refuse('parameter_invalid', {
    param: 'expires_at',
    message:
      aheadMs > 0
        ? `expires_at is more than ${contracts.reservationDaysMax} days ahead.`
        : 'expires_at has passed.',
  })
}

/** Lines of one item become one line, so that their sum is what is held. */
const summed = (lines: readonly { readonly item_id: string; readonly quantity: number }[]) => {
  const sums = new Map<string, number>()
  for (const { item_id, quantity } of lines) sums.set(item_id, (sums.get(item_id) ?? 0) + quantity)
  return [...sums].map(([item_id, quantity]) => ({ item_id, quantity }))
}

export function planReserve(
  items: readonly StockedItem[],
  asked: BodyOf<typeof contracts.reserve>,
  clock: Clock,
) {
  const { now } = clock
  for (const [at, { item_id }] of asked.lines.entries()) {
    const refused = refusalOf(
      items.find(({ id }) => id === item_id),
      `lines.${at}.item_id`,
    )
    if (refused) return refused
  }
  const lines = summed(asked.lines)
  if (lines.some(({ quantity }) => quantity > quantityMax)) return refuse('stock_insufficient')
  const expiresAt = asked.expires_at
    ? new Date(asked.expires_at)
    : new Date(now.getTime() + contracts.reservationMinutes * minuteMs)
  const problem = problemOfEnd(expiresAt, now)
  if (problem) return problem
  const row: ReservationRow = {
    ...newRow(clock),
    status: 'held',
    locationId: asked.location_id,
    lines,
    shortages: [],
    attemptId: null,
    note: asked.note,
    expiresAt,
    resolvedAt: null,
  }
  return created(row, 'stock_reservation.created', clock)
}

export function planExtend(row: ReservationRow, expiresAt: Date, clock: Clock) {
  return (
    refusalOfEnd(row) ??
    problemOfEnd(expiresAt, clock.now) ??
    changed(row, { expiresAt }, 'stock_reservation.extended', clock)
  )
}

const planEnd = (status: 'committed' | 'released') => (row: ReservationRow, clock: Clock) =>
  refusalOfEnd(row) ?? changed(row, { status, resolvedAt: clock.now }, `stock_reservation.${status}`, clock)

export const planCommit = planEnd('committed')
export const planRelease = planEnd('released')

/** Its time has come; null where it was extended or has ended. */
export const planExpire = (row: ReservationRow, clock: Clock) =>
  row.status === 'held' && row.expiresAt !== null && row.expiresAt <= clock.now
    ? changed(row, { status: 'expired', resolvedAt: clock.now }, 'stock_reservation.expired', clock)
    : null

const refusalOfEnd = ({ status, attemptId }: ReservationRow) => {
  if (status !== 'held') return refuse('stock_reservation_ended')
  return attemptId === null ? null : refuse('stock_reservation_of_payment')
}
