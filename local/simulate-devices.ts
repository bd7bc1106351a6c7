import { deviceKinds, kinds } from '../functions/in-person/devices/kinds.ts'
import type { EventType } from '../src/kernel/event-types.ts'
import { ask, type Recipe, type Sandbox } from './simulate.ts'

/** The address of a device of its own, which stands at a location of its own. */
export async function newDevice(sandbox: Sandbox, path: string): Promise<string> {
  const name = `npm run trigger ${crypto.randomUUID().replaceAll(/\d/g, '')}`
  const location = await ask<{ id: string }>(sandbox, '/v1/workspace/locations', { name })
  const device = await ask<{ id: string }>(sandbox, path, { name, location_id: location.id })
  return `${path}/${device.id}`
}

const storiesOf = (kind: (typeof deviceKinds)[number]): Readonly<Partial<Record<EventType, Recipe>>> => {
  const { path } = kinds[kind]
  return {
    [`${kind}.created`]: async (sandbox: Sandbox) => {
      await newDevice(sandbox, path)
    },
    [`${kind}.updated`]: async (sandbox: Sandbox) => {
      await ask(sandbox, await newDevice(sandbox, path), { name: 'npm run trigger' }, 'PATCH')
    },
    [`${kind}.disabled`]: async (sandbox: Sandbox) => {
      await ask(sandbox, `${await newDevice(sandbox, path)}/disable`)
    },
    [`${kind}.enabled`]: async (sandbox: Sandbox) => {
      const device = await newDevice(sandbox, path)
      await ask(sandbox, `${device}/disable`)
      await ask(sandbox, `${device}/enable`)
    },
  }
}

/** Stories of readers, phones and registers. */
export const deviceStories: Readonly<Partial<Record<EventType, Recipe>>> = Object.assign(
  {},
  ...deviceKinds.map(storiesOf),
)
