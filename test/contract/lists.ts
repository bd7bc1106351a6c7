import { randomUUID } from 'node:crypto'
import { operations } from '../../local/operations.ts'
import { creatorOf } from '../../local/samples.ts'
import type { Operation } from '../../src/http/operation.ts'
import { clabeWithCheckDigit } from '../../src/kernel/clabe.ts'
import { uuidv7 } from '../../src/kernel/ids.ts'
import type { Customer } from '../support/customer.ts'
import { dispute } from '../support/disputes.ts'
import { type Link, type Merchant, newApiKey, newLink, openLink, pay } from '../support/merchant.ts'
import { accountOf, payOut, settingsFor } from '../support/payouts.ts'
import { newEndpoint } from '../support/receiver.ts'
import { paidByCard, paidInCash, refund } from '../support/refunds.ts'
import { deposit } from '../support/spei.ts'
import { adminSql } from '../support/stack.ts'
import { endow, toClabe, transfer } from '../support/transfers.ts'
import { fieldsOf, request, send } from './requests.ts'

/** Every list that has pages: where it is, and how it gets another row. */

export type World = { merchant: Merchant; customer: Customer; link: Link }
export type List = {
  bearer: (world: World) => string
  path: (world: World) => string
  add: (world: World) => Promise<unknown>
}

const withKey = (path: string | ((world: World) => string), add: List['add']): List => ({
  bearer: ({ merchant }) => merchant.apiKey,
  path: (world) => `${typeof path === 'string' ? path : path(world)}?`,
  add,
})

const payOnce = async ({ link }: World) =>
  pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')

const made = new WeakMap<Merchant, Map<string, Promise<unknown>>>()

/** Something that a world has once, made at its first use. */
function once<T>({ merchant }: World, name: string, make: () => Promise<T>): Promise<T> {
  const known = made.get(merchant) ?? new Map<string, Promise<unknown>>()
  made.set(merchant, known)
  if (!known.has(name)) known.set(name, make())
  return known.get(name) as Promise<T>
}

/** One after the other: two that use up all there is cannot run at once. */
function inTurn(world: World, work: () => Promise<unknown>): Promise<unknown> {
  const known = made.get(world.merchant) ?? new Map<string, Promise<unknown>>()
  made.set(world.merchant, known)
  const next = (known.get('turn') ?? Promise.resolve()).then(work)
  known.set('turn', next)
  return next
}

const payment = (world: World) =>
  once(world, 'payment', () => paidByCard(world.merchant, { amount: 100_000 }))
const cash = (world: World) => once(world, 'cash', () => paidInCash(world.merchant, 100_000))

const unmatchedDeposit = ({ merchant }: World) => {
  const account = String(Math.trunc(Math.random() * 1e9)).padStart(11, '0')
  return deposit(merchant, clabeWithCheckDigit(`012180${account}`), 1_000)
}

async function payOneOut(world: World): Promise<void> {
  await once(world, 'settings', () => settingsFor(world.merchant))
  await endow(world.merchant, 1_000n)
  const { status, text } = await payOut(world.merchant)
  if (status !== 201) throw new Error(`no payout: ${status} ${text}`)
}

/**
 * A payout with the link's id, so that its path is known, and one more entry of it, written straight into the books.
 */
async function addEntry(world: World): Promise<void> {
  const { tenantId } = world.merchant
  await once(world, 'settings', () => settingsFor(world.merchant))
  await endow(world.merchant, 1_000n)
  const [activity] = await adminSql('sandbox')<{ id: string; source_id: string }>(
    'select id, source_id from balance_activity where tenant_id = $1 and payout_id is null',
    [tenantId],
  )
  const entry = `insert into payout_entries (tenant_id, id, payout_id, activity_id, kind, source_id, gross_minor,
      fee_minor, net_minor, currency, created_at)
    values ($1, $2, $3, $4, 'incoming_transfer', $5, 1000, 0, 1000, 'mxn', clock_timestamp())`
  const values = [tenantId, uuidv7(Date.now()), world.link.id, activity!.id, activity!.source_id]
  if ((world.merchant as { hasPayout?: true }).hasPayout)
    return void (await adminSql('sandbox')(entry, values))
  ;(world.merchant as { hasPayout?: true }).hasPayout = true
  await adminSql('sandbox')(
    `with payout as (insert into payouts (tenant_id, id, status, amount_minor, currency, gross_minor, fee_minor,
        entries_count, destination_clabe, destination_holder, processor, checks_count, created_at, updated_at)
      values ($1, $3, 'pending', 1000, 'mxn', 1000, 0, 1, '${accountOf('99')}', 'Café Azul', 'simulator', 0, now(), now()))
     ${entry}`,
    values,
  )
}

const endpoint = (world: World) =>
  once(world, 'endpoint', () => newEndpoint(world.merchant, 'http://127.0.0.1:9/hook'))

const stories: Record<string, List> = {
  'api_keys.list': {
    bearer: ({ customer }) => customer.token,
    path: ({ merchant }) => `/v1/api-keys?tenant_id=${merchant.tenantId}`,
    add: ({ merchant }) => newApiKey(merchant),
  },
  'payment_links.list_payments': withKey(({ link }) => `/v1/payment-links/${link.id}/payments`, payOnce),
  'payments.list': withKey('/v1/payment-operations/payments', payOnce),
  'spei_deposits.list': withKey('/v1/payment-operations/spei-deposits', unmatchedDeposit),
  'unapplied_funds.list': withKey('/v1/payment-operations/unapplied-funds', unmatchedDeposit),
  'refunds.list': withKey('/v1/refunds', async (world) =>
    refund(world.merchant, {
      payment_id: await cash(world),
      amount: '1',
      method: 'recorded_offline',
      reason: 'requested_by_customer',
    }),
  ),
  'disputes.list': withKey('/v1/payment-operations/disputes', async (world) =>
    dispute(world.merchant, await payment(world), { amount: '1' }),
  ),
  'transfers.list': withKey('/v1/payment-operations/transfers', async ({ merchant }) => {
    await endow(merchant, 1_000n)
    await transfer(merchant, { amount: '1000', destination: toClabe() })
  }),
  'transfers.list_incoming': withKey('/v1/payment-operations/incoming-transfers', ({ merchant }) =>
    endow(merchant, 1_000n),
  ),
  'balance_activity.list': withKey('/v1/payment-operations/balance-activity', ({ merchant }) =>
    endow(merchant, 1_000n),
  ),
  'payouts.list': withKey('/v1/payment-operations/payouts', (world) => inTurn(world, () => payOneOut(world))),
  'payouts.list_entries': withKey(
    ({ link }) => `/v1/payment-operations/payouts/${link.id}/entries`,
    (world) => inTurn(world, () => addEntry(world)),
  ),
  'webhooks.list_events': withKey('/v1/webhooks/events', ({ merchant }) => newLink(merchant)),
  'webhooks.list_endpoints': withKey('/v1/webhooks/endpoints', ({ merchant }) =>
    newEndpoint(merchant, `http://127.0.0.1:9/${randomUUID()}`),
  ),
  'webhooks.list_deliveries': withKey('/v1/webhooks/deliveries', async (world) => {
    await endpoint(world)
    await newLink(world.merchant)
  }),
}

const isPaged = ({ contract }: Operation) => fieldsOf(contract.query).some(({ name }) => name === 'cursor')

/** Where no line says otherwise, a list gets a row by the operation that creates at its path. */
const byItsCreator = (list: Operation): [string, List][] => {
  const { id, path } = list.contract
  const creator = creatorOf(`${path}/:id`)
  return isPaged(list) && creator && !(id in stories)
    ? [[id, withKey(path, async (world) => request(creator, world).then(send))]]
    : []
}

export const lists: Record<string, List> = {
  ...Object.fromEntries(operations.flatMap(byItsCreator)),
  ...stories,
}
