import type { EventType } from '../src/kernel/event-types.ts'
import { advance, ask, type Recipe, type Sandbox } from './simulate.ts'
import { newDevice } from './simulate-devices.ts'

/** The address of a paired reader that waits for a card, and of what it waits for. */
async function waiting(sandbox: Sandbox) {
  const at = await newDevice(sandbox, '/v1/terminal/readers')
  const code = await ask<{ one_time_value: string }>(sandbox, `${at}/pairing-codes`)
  await ask({ ...sandbox, apiKey: code.one_time_value }, '/v1/device/pair', {})
  const action = await ask<{ id: string }>(sandbox, `${at}/process-payment`, {
    amount: '120000',
    currency: 'mxn',
    description: 'npm run trigger',
  })
  return {
    action: `/v1/terminal/actions/${action.id}`,
    card: `${at.replace('terminal', 'sandbox')}/present-card`,
  }
}

const presented = (body: object) => async (sandbox: Sandbox) => {
  await ask(sandbox, (await waiting(sandbox)).card, { ...body })
}

/** Stories of readers. */
export const terminalStories: Readonly<Partial<Record<EventType, Recipe>>> = {
  'reader_action.created': async (sandbox) => {
    await waiting(sandbox)
  },
  'reader_action.succeeded': presented({}),
  'reader_action.failed': presented({ card: 'tok_sbx_decline_funds' }),
  'reader_action.canceled': async (sandbox) => {
    await ask(sandbox, `${(await waiting(sandbox)).action}/cancel`)
  },
  'reader_action.timed_out': async (sandbox) => {
    await waiting(sandbox)
    await advance(sandbox, 'PT5M')
  },
  'reader_action.unknown': async (sandbox) => {
    await presented({ answer: 'late' })(sandbox)
    await advance(sandbox, 'PT5M')
  },
}
