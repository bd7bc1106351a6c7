import { deviceKinds, kinds } from '../../../functions/in-person/devices/kinds.ts'
import { newDevice, newLocation, newPaired, roma } from '../../support/devices.ts'
import type { AreaSamples, Request, World } from '../samples.ts'

/** At a location of its own workspace, which the examples cannot name. */
const somewhere = async ({ merchant }: World, ready: Request) => {
  ready.body = { ...ready.body, location_id: await newLocation(merchant, `Of ${crypto.randomUUID()}`) }
}

const ofKinds = <T>(made: (kind: (typeof deviceKinds)[number]) => readonly (readonly [string, T])[]) =>
  Object.fromEntries(deviceKinds.flatMap(made))

export const samples: AreaSamples = {
  makers: {
    ...ofKinds((kind) => [
      [`${kinds[kind].path}/`, async ({ merchant }: World) => (await newDevice(merchant, kind)).id],
      [`${kinds[kind].path}/:id/unpair`, async ({ merchant }: World) => (await newPaired(merchant, kind)).id],
    ]),
    [`${kinds.reader.path}/:id/register`]: async ({ merchant }: World) =>
      (await newDevice(merchant, 'reader', { address: roma })).id,
  },
  prepare: ofKinds((kind) => [[`${kind}s.create`, somewhere]]),
}
