import { newPaired } from '../../support/devices.ts'
import { type Action, process } from '../../support/terminal.ts'
import { withKey } from '../listing.ts'
import type { AreaSamples, World } from '../samples.ts'

/** An action of a reader of its own. */
const waiting = async ({ merchant }: World): Promise<Action> =>
  (await process({ merchant, reader: await newPaired(merchant) })).body

export const samples: AreaSamples = {
  makers: {
    '/v1/terminal/readers/:id/process-payment': async ({ merchant }) => (await newPaired(merchant)).id,
    '/v1/terminal/actions/': async (world) => (await waiting(world)).id,
    '/v1/in-person-payments/': async (world) => (await waiting(world)).in_person_payment_id,
    '/v1/sandbox/readers/': async (world) => (await waiting(world)).reader_id,
  },
  lists: {
    'reader_actions.list': withKey('/v1/terminal/actions', waiting),
    'in_person_payments.list': withKey('/v1/in-person-payments', waiting),
  },
}
