import type { LevelRow, MovementRow, ReservationRow } from './store.ts'

/** A stock level as the interface shows it. */
export const presentLevel = (level: LevelRow) => ({
  id: level.id,
  object: 'stock_level' as const,
  item_id: level.itemId,
  location_id: level.locationId,
  on_hand: level.onHand,
  reserved: level.reserved,
  available: level.onHand - level.reserved,
  low_quantity: level.lowQuantity,
  low: level.lowSince !== null,
  counted_at: level.countedAt?.toISOString() ?? null,
  version: level.version,
  created_at: level.createdAt.toISOString(),
  updated_at: level.updatedAt.toISOString(),
})

/** A movement of stock as the interface shows it. */
export const presentMovement = (movement: MovementRow) => ({
  id: movement.id,
  object: 'stock_movement' as const,
  item_id: movement.itemId,
  location_id: movement.locationId,
  kind: movement.kind,
  quantity: movement.quantity,
  note: movement.note,
  reservation_id: movement.reservationId,
  transfer_id: movement.transferId,
  created_at: movement.createdAt.toISOString(),
})

/** A reservation as the interface shows it. */
export const presentReservation = (reservation: ReservationRow) => ({
  id: reservation.id,
  object: 'stock_reservation' as const,
  status: reservation.status,
  location_id: reservation.locationId,
  lines: reservation.lines.map((line) => ({ ...line })),
  shortages: reservation.shortages.map((line) => ({ ...line })),
  attempt_id: reservation.attemptId,
  note: reservation.note,
  expires_at: reservation.expiresAt?.toISOString() ?? null,
  resolved_at: reservation.resolvedAt?.toISOString() ?? null,
  version: reservation.version,
  created_at: reservation.createdAt.toISOString(),
  updated_at: reservation.updatedAt.toISOString(),
})
