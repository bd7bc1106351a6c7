import {
  atRegisters,
  inCash,
  newCode,
  newCounter,
  newOrder,
  openShift,
  shiftAs,
} from '../../support/registers.ts'
import { once, withKey } from '../listing.ts'
import type { AreaSamples, Request, World } from '../samples.ts'

/** A register of the workspace, which the examples cannot name. */
const atRegister = async ({ merchant }: World, ready: Request) => {
  ready.body = { ...ready.body, register_id: (await newCounter(merchant)).registerId }
}

const ordered = async ({ merchant }: World) => newOrder(await newCounter(merchant))

const opened = async ({ merchant }: World) => openShift(await newCounter(merchant))

/** A movement of a shift of its own. */
const moved = async (world: World) => {
  const { id } = await opened(world)
  return (await cashOut(world, id)).body.id
}

const cashOut = ({ merchant }: World, id: string) =>
  atRegisters<{ id: string }>(merchant, 'POST', `/shifts/${id}/cash-movements`, {
    kind: 'paid_out',
    amount: '100',
  })

/** The register at which an order was made has an open shift. */
const withShift = async ({ merchant }: World, _ready: Request, id: string) => {
  const { body } = await atRegisters(merchant, 'GET', `/orders/${id}`)
  await openShift({ merchant, registerId: body.register_id })
}

export const samples: AreaSamples = {
  makers: {
    '/v1/physical-checkout/registers/:id/current-order': async (world) => (await ordered(world)).register_id,
    '/v1/physical-checkout/orders/': async (world) => (await ordered(world)).id,
    '/v1/physical-checkout/orders/:id/cash-returns': async ({ merchant }) => {
      const counter = await newCounter(merchant)
      await openShift(counter)
      const { id } = await newOrder(counter)
      await inCash(counter, { id })
      return id
    },
    '/v1/physical-checkout/codes/': async ({ merchant }) => (await newCode(await newCounter(merchant))).id,
    '/v1/physical-checkout/shifts/': async (world) => (await opened(world)).id,
    '/v1/physical-checkout/cash-movements/': moved,
  },
  prepare: {
    'register_codes.create': atRegister,
    'register_orders.create': atRegister,
    'register_shifts.open': atRegister,
  },
  arrange: {
    'register_orders.pay_in_cash': withShift,
  },
  lists: {
    'register_codes.list': withKey('/v1/physical-checkout/codes', async ({ merchant }) =>
      newCode(await newCounter(merchant)),
    ),
    'register_orders.list': withKey('/v1/physical-checkout/orders', ordered),
    'register_shifts.list': withKey('/v1/physical-checkout/shifts', opened),
    'cash_movements.list': withKey(
      ({ link }) => `/v1/physical-checkout/shifts/${link.id}/cash-movements`,
      async (world) => {
        await once(world, 'shift', () => shiftAs(world.merchant, world.link.id))
        return cashOut(world, world.link.id)
      },
    ),
  },
}
