import { expect } from 'vitest'
import { asks, newPaired } from '../../support/devices.ts'
import type { Merchant } from '../../support/merchant.ts'
import { forwards, newOfflineCounter, stores } from '../../support/offline.ts'
import { adminSql } from '../../support/stack.ts'
import { type Action, asksFor, opensSession, present, process } from '../../support/terminal.ts'
import { withKey } from '../listing.ts'
import type { AreaSamples, Request, World } from '../samples.ts'

/** The credentials of the readers of actions, by their ids. */
const credentials = new Map<string, string>()

/** An action of a reader of its own. */
async function waiting({ merchant }: World): Promise<Action> {
  const reader = await newPaired(merchant)
  const { body } = await process({ merchant, reader })
  credentials.set(body.id, reader.credential)
  return body
}

/** An action whose card was authorized, and is captured later. */
async function authorized({ merchant }: World): Promise<Action> {
  const counter = { merchant, reader: await newPaired(merchant) }
  const { body } = await process(counter, { capture_method: 'manual' })
  await present(counter)
  // What is published after the reply is no answer to who asks next.
  const announced = () =>
    adminSql('sandbox')(
      'select from reader_actions where tenant_id = $1 and id = $2 and announced_at is not null',
      [merchant.tenantId, body.id],
    )
  await expect.poll(announced).toHaveLength(1)
  return body
}

/** A receipt that a reader of its own prints. */
async function printing({ merchant }: World): Promise<Action> {
  const reader = await newPaired(merchant)
  const { in_person_payment_id } = await authorized({ merchant } as World)
  const { body } = await asksFor({ merchant, reader }, 'print', { in_person_payment_id })
  credentials.set(body.id, reader.credential)
  return body
}

/** Its reader asks, and no other. */
const byItsReader = async (_world: World, ready: Request, id: string) => {
  ready.headers.authorization = `Bearer ${credentials.get(id)}`
}

/** What a reader of its own has stored and forwarded. */
async function forwarded({ merchant }: World) {
  const counter = await newOfflineCounter(merchant)
  const { body } = await forwards(counter, [await stores(counter)])
  const id = body.results[0]!.offline_payment_id!
  const announced = () =>
    adminSql('sandbox')(
      'select from offline_payments where tenant_id = $1 and id = $2 and announced_at is not null',
      [merchant.tenantId, id],
    )
  await expect.poll(announced).toHaveLength(1)
  return { id }
}

const phoneInSession = async (merchant: Merchant) => {
  const phone = await newPaired(merchant, 'phone')
  await opensSession(merchant, phone)
  return phone
}

const sessionOf = async (merchant: Merchant) =>
  (await opensSession(merchant, await newPaired(merchant, 'phone'))).body.session_id

const phoneOf = async ({ merchant }: World) => {
  const { id, location_id, credential } = await newPaired(merchant, 'phone')
  return { credential, body: { device_id: id, location_id } }
}

export const samples: AreaSamples = {
  makers: {
    ...Object.fromEntries(
      ['process-payment', 'collect-tip', 'collect-input', 'display', 'print', 'ping'].map((what) => [
        `/v1/terminal/readers/:id/${what}`,
        async ({ merchant }: World) => (await newPaired(merchant)).id,
      ]),
    ),
    '/v1/terminal/actions/': async (world) => (await waiting(world)).id,
    '/v1/device/actions/:id/receipt': async (world) => (await printing(world)).id,
    '/v1/device/actions/': async (world) => (await waiting(world)).id,
    '/v1/in-person-payments/:id/capture': async (world) => (await authorized(world)).in_person_payment_id,
    '/v1/in-person-payments/:id/receipt': async (world) => (await authorized(world)).in_person_payment_id,
    '/v1/in-person-payments/': async (world) => (await waiting(world)).in_person_payment_id,
    '/v1/terminal/offline-payments/': async (world) => (await forwarded(world)).id,
    '/v1/sandbox/readers/': async (world) => (await waiting(world)).reader_id,
    '/v1/sandbox/devices/': async ({ merchant }) => {
      const reader = await phoneInSession(merchant)
      return (await process({ merchant, reader })).body.reader_id
    },
    '/v1/tap-to-pay/devices/:id/process-payment': async ({ merchant }) => (await phoneInSession(merchant)).id,
    '/v1/tap-to-pay/devices/:id/collect-tip': async ({ merchant }) => (await phoneInSession(merchant)).id,
    '/v1/tap-to-pay/sessions/': async ({ merchant }) => sessionOf(merchant),
  },
  prepare: {
    'sandbox.device.present_card': async (world, ready) => {
      const { id } = await waiting(world)
      ready.headers.authorization = `Bearer ${credentials.get(id)}`
    },
    'connection_tokens.create': async (world, ready) => {
      ready.body = (await phoneOf(world)).body
    },
    'device.forward_offline_payments': async ({ merchant }, ready) => {
      const counter = await newOfflineCounter(merchant)
      ready.body = { payments: [await stores(counter)], has_more: false }
      ready.headers.authorization = `Bearer ${counter.reader.credential}`
    },
    'connection_tokens.redeem': async (world, ready) => {
      const { credential, body } = await phoneOf(world)
      const at = '/v1/tap-to-pay/connection_tokens'
      const made = await asks<{ secret: string }>(world.merchant.apiKey, 'POST', at, body)
      ready.body = { secret: made.body.secret }
      ready.headers.authorization = `Bearer ${credential}`
    },
  },
  arrange: {
    'device.get_action': byItsReader,
    'device.get_payment_secret': byItsReader,
    'device.report_progress': byItsReader,
    'device.report_result': byItsReader,
    'device.get_printout': byItsReader,
    'readers.print': async (world, ready) => {
      const { in_person_payment_id } = await authorized(world)
      ready.body = { ...(ready.body as object), in_person_payment_id }
    },
  },
  lists: {
    'reader_actions.list': withKey('/v1/terminal/actions', waiting),
    'offline_payments.list': withKey('/v1/terminal/offline-payments', forwarded),
    'in_person_payments.list': withKey('/v1/in-person-payments', waiting),
    'tap_sessions.list': withKey('/v1/tap-to-pay/sessions', async ({ merchant }) => ({
      id: await sessionOf(merchant),
    })),
  },
}
