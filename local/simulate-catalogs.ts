import type { EventType } from '../src/kernel/event-types.ts'
import { advance, ask, type Link, pay, type Recipe, type Sandbox, type Sent, until } from './simulate.ts'

const catalogs = '/v1/digital-catalogs'
const inventory = '/v1/inventory'

/** An item with ten on hand. */
async function stocked(sandbox: Sandbox): Promise<string> {
  const catalog = await ask<Sent>(sandbox, catalogs, { name: 'npm run trigger' })
  const item = await ask<Sent>(sandbox, `${catalogs}/${catalog.id}/items`, {
    kind: 'physical_count',
    name: 'Taza azul',
  })
  await ask(sandbox, `${inventory}/adjustments`, { item_id: item.id, kind: 'received', quantity: 10 })
  return item.id
}

const reserve = (sandbox: Sandbox, itemId: string) =>
  ask<Sent>(sandbox, `${inventory}/reservations`, { lines: [{ item_id: itemId, quantity: 6 }] })

const reserved = (move?: 'commit' | 'release') => async (sandbox: Sandbox) => {
  const { id } = await reserve(sandbox, await stocked(sandbox))
  if (move) await ask(sandbox, `${inventory}/reservations/${id}/${move}`)
}

async function extended(sandbox: Sandbox) {
  const { id } = await reserve(sandbox, await stocked(sandbox))
  const later = new Date(Date.now() + 3_600_000).toISOString()
  await ask(sandbox, `${inventory}/reservations/${id}/extend`, { expires_at: later })
}

async function reservationExpired(sandbox: Sandbox) {
  await reserve(sandbox, await stocked(sandbox))
  await advance(sandbox, 'PT1H')
}

/** Says at how many left a level is low. */
async function watched(sandbox: Sandbox): Promise<string> {
  const item = await stocked(sandbox)
  const levels = await ask<{ data: Sent[] }>(sandbox, `${inventory}/levels?item_id=${item}`, undefined, 'GET')
  await ask(sandbox, `${inventory}/levels/${levels.data[0]!.id}`, { low_quantity: 5 }, 'PATCH')
  return item
}

async function checkedOut(sandbox: Sandbox) {
  const session = await ask<Link>(sandbox, '/v1/hosted-checkout/sessions', { amount: '120000' })
  await pay(sandbox, session, { card_token: 'tok_sbx_approve' })
}

/** Its buyer consents to a mail, and does not pay. */
async function recoveryMailed(sandbox: Sandbox) {
  const session = await ask<Link>(sandbox, '/v1/hosted-checkout/sessions', {
    amount: '120000',
    recovery: { delay_minutes: 0 },
  })
  const response = await fetch(`${sandbox.baseUrl}/${session.public_id}/recovery`, {
    method: 'POST',
    body: new URLSearchParams({ recovery_email: 'ana@example.com', consent: 'yes', locale: 'en' }),
    redirect: 'manual',
  })
  if (response.status !== 303) throw new Error(`the page answered ${response.status}`)
  await ask(sandbox, `/v1/hosted-checkout/sessions/${session.id}/expire`)
  await advance(sandbox, 'PT1M')
}

/** A payment of 100.00 for an item of this kind, with the id of what it granted. */
async function granted(
  sandbox: Sandbox,
  kind: 'access' | 'voucher',
): Promise<{ id: string; receipt: string }> {
  const catalog = await ask<Sent>(sandbox, catalogs, { name: 'npm run trigger' })
  const item = await ask<Sent>(sandbox, `${catalogs}/${catalog.id}/items`, {
    kind,
    name: 'Clase de barro',
    price: { amount: '10000' },
  })
  await ask(sandbox, `${catalogs}/${catalog.id}/publish`)
  const session = await ask<Link>(sandbox, '/v1/hosted-checkout/sessions', {
    line_items: [{ item_id: item.id }],
  })
  await pay(sandbox, session, { card_token: 'tok_sbx_approve' })
  await advance(sandbox, 'PT1M')
  const at = `/v1/entitlements?item_id=${item.id}`
  const { data } = await ask<{ data: (Sent & { payment_id: string })[] }>(sandbox, at, undefined, 'GET')
  const paid = await ask<Link>(
    sandbox,
    `/v1/payment-operations/payments/${data[0]!.payment_id}`,
    undefined,
    'GET',
  )
  return { id: data[0]!.id, receipt: `/${session.public_id}/${paid.public_id}` }
}

async function redeemed(sandbox: Sandbox) {
  const { receipt } = await granted(sandbox, 'voucher')
  const code = await until('the code', async () => {
    const html = await (await fetch(sandbox.baseUrl + receipt)).text()
    return /<code translate="no">([^<]+)/.exec(html)?.[1]
  })
  await ask(sandbox, '/v1/redemptions', { code })
}

const revoked = async (sandbox: Sandbox): Promise<string> => {
  const { id } = await granted(sandbox, 'access')
  await ask(sandbox, `/v1/entitlements/${id}/revoke`)
  return id
}

/** Stories of catalogs, their stock and checkouts. */
export const catalogStories: Readonly<Partial<Record<EventType, Recipe>>> = {
  'checkout_session.completed': checkedOut,
  'checkout_session.recovery_mailed': recoveryMailed,
  'entitlement.created': (sandbox) => granted(sandbox, 'access'),
  'entitlement.delivered': (sandbox) => granted(sandbox, 'access'),
  'entitlement.redeemed': redeemed,
  'entitlement.revoked': revoked,
  'entitlement.reinstated': async (sandbox) => {
    await ask(sandbox, `/v1/entitlements/${await revoked(sandbox)}/reinstate`)
  },
  'stock_movement.created': stocked,
  'stock_level.updated': watched,
  'stock_level.low': async (sandbox) => {
    await reserve(sandbox, await watched(sandbox))
    await advance(sandbox, 'PT1M')
  },
  'stock_reservation.created': reserved(),
  'stock_reservation.extended': extended,
  'stock_reservation.committed': reserved('commit'),
  'stock_reservation.released': reserved('release'),
  'stock_reservation.expired': reservationExpired,
}
