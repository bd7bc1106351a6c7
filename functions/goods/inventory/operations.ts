import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { eachDue, eachDueApart } from '../../../src/http/scheduled.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import * as contracts from './contract.ts'
import {
  planAdjust,
  planAnnounce,
  planCommit,
  planCount,
  planExpire,
  planExtend,
  planLow,
  planRelease,
  planReserve,
  planTransfer,
} from './plan.ts'
import { presentLevel, presentMovement, presentReservation } from './present.ts'
import {
  itemsById,
  levelAt,
  levelById,
  levelsPage,
  movementById,
  movementsPage,
  reservationById,
  reservationsPage,
} from './store.ts'

const adjustStock = operation(contracts.adjust, async (call) => {
  const { item_id: itemId, location_id: locationId } = call.body
  const [[item], [level]] = await call.readAll(itemsById({ ids: [itemId] }), levelAt({ itemId, locationId }))
  return call.publish(planAdjust({ item, level }, call.body, call))
})

const countStock = operation(contracts.count, async (call) => {
  const { item_id: itemId, location_id: locationId } = call.body
  const [[item], [level]] = await call.readAll(itemsById({ ids: [itemId] }), levelAt({ itemId, locationId }))
  return call.publish(planCount({ item, level }, call.body, call))
})

const transferStock = operation(contracts.transfer, async (call) => {
  const { item_id: itemId, from_location_id, to_location_id } = call.body
  const [[item], [from], [to]] = await call.readAll(
    itemsById({ ids: [itemId] }),
    levelAt({ itemId, locationId: from_location_id }),
    levelAt({ itemId, locationId: to_location_id }),
  )
  return call.publish(planTransfer({ item, from, to }, call.body, call))
})

const reserveStock = operation(contracts.reserve, async (call) => {
  const ids = call.body.lines.map(({ item_id }) => item_id)
  return call.publish(planReserve(await call.read(itemsById({ ids })), call.body, call))
})

/** Scheduled: ends reservations at their time. */
export const expireReservations = (run: JobRun) =>
  eachDueApart(run, 'stock_reservations', async ({ read, publish, now }, id) => {
    const [[row]] = await read(contracts.expiry, reservationById({ id }))
    const plan = row && planExpire(row, clockOf(now))
    if (plan) await publish(contracts.expiry, plan)
  })

/** Scheduled: announces levels that became low. */
export const announceLow = (run: JobRun) =>
  eachDue(run, 'stock_levels', async ({ read, publish, now }, id) => {
    const [[level]] = await read(contracts.announcement, levelById({ id }))
    const plan = level && planAnnounce(level, clockOf(now))
    if (plan) await publish(contracts.announcement, plan)
  })

export const operations = [
  listOperation(contracts.listLevels, levelsPage, presentLevel),
  getOperation(contracts.getLevel, levelById, presentLevel),
  changeOperation(contracts.updateLevel, levelById, (level, call) =>
    planLow(level, call.body.low_quantity, call),
  ),
  adjustStock,
  countStock,
  transferStock,
  listOperation(contracts.listMovements, movementsPage, presentMovement),
  getOperation(contracts.getMovement, movementById, presentMovement),
  reserveStock,
  listOperation(contracts.listReservations, reservationsPage, presentReservation),
  getOperation(contracts.getReservation, reservationById, presentReservation),
  changeOperation(contracts.extend, reservationById, (row, call) =>
    planExtend(row, new Date(call.body.expires_at), call),
  ),
  changeOperation(contracts.commit, reservationById, planCommit),
  changeOperation(contracts.release, reservationById, planRelease),
]
