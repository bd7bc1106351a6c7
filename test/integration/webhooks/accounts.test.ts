import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopes } from '../../../src/http/contract.ts'
import { accountOf, newBankAccount } from '../../support/bank-accounts.ts'
import { join, newCustomer, newProof } from '../../support/customer.ts'
import { call, type Merchant, newApiKey } from '../../support/merchant.ts'
import { funded, payOut } from '../../support/payouts.ts'
import { type Event, newEndpoint, type Receiver, startReceiver, verify } from '../../support/receiver.ts'
import { paidInCash, refund, refundOf, settleRefunds } from '../../support/refunds.ts'
import { deposit, lent } from '../../support/spei.ts'
import { adminSql } from '../../support/stack.ts'
import { clabeOf, settleTransfers, transfer } from '../../support/transfers.ts'
import { newPath } from './story.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const holder = 'Ana Torres Quintanilla'
const [buyers, payees, own, next] = [clabeOf('4711'), clabeOf('4712'), accountOf('99'), accountOf('4713')]

/** Every event of the merchant, read with a key that may read everything and change nothing. */
async function eventsOf(merchant: Merchant): Promise<Event[]> {
  const { apiKey: bearer } = await newApiKey(merchant, {
    scopes: scopes.filter((scope) => scope.endsWith(':read')),
  })
  const events: Event[] = []
  for (let cursor = ''; ; ) {
    const query = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const { body } = await call<{ data: Event[]; next_cursor: string }>(
      'GET',
      `/v1/webhooks/events?${query}`,
      {
        bearer,
      },
    )
    events.push(...body.data)
    if (!body.next_cursor) return events
    cursor = body.next_cursor
  }
}

async function setPayouts(merchant: Merchant) {
  const customer = await newCustomer()
  await join(customer, merchant)
  const { id: bank_account_id } = await newBankAccount(merchant, { clabe: next, holder })
  const params = { currency: 'mxn', interval: 'manual', anchor_day: null, amount_min: '0', bank_account_id }
  const key = randomUUID()
  const proof = await newProof(customer, merchant, {
    action: 'payout_settings.update',
    scope: 'transfers:write',
    key,
    params,
  })
  const reply = await call('POST', '/v1/payment-operations/payout-settings', {
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { tenant_id: merchant.tenantId, ...params },
  })
  expect(reply.status, reply.text).toBe(200)
}

test('events and messages show no account that money goes to, only its last digits', async () => {
  const { merchant } = await funded([300_000])
  const path = newPath()
  const { secret } = await newEndpoint(merchant, receiver.url + path, ['*'])
  // Money to a payee, to a buyer, to the merchant, and from a buyer.
  const sent = await transfer(merchant, { destination: { type: 'clabe', clabe: payees, holder } })
  expect(sent.status, sent.text).toBe(201)
  const payment = await paidInCash(merchant, 20_000)
  const back = await refund(merchant, { payment_id: payment, destination: { clabe: buyers, holder } })
  expect(back.status, back.text).toBe(201)
  const paidOut = await payOut(merchant)
  expect(paidOut.status, paidOut.text).toBe(201)
  await setPayouts(merchant)
  const { clabe: receiving } = await lent(merchant)
  await deposit(merchant, receiving, 120_000)
  await settleTransfers(merchant.tenantId)
  await settleRefunds(merchant.tenantId)
  expect((await refundOf(merchant, back.body.id)).status).toBe('succeeded')

  const events = await eventsOf(merchant)
  const about = new Set(events.map(({ type }) => type.slice(0, type.indexOf('.'))))
  for (const resource of ['transfer', 'refund', 'payout', 'payout_settings', 'payment'])
    expect(about).toContain(resource)
  await expect
    .poll(() => new Set(receiver.at(path).map(({ headers }) => headers['webhook-id'])).size)
    .toBeGreaterThan(8)
  const messages = receiver.at(path).map((received) => verify(secret, received))
  const told = JSON.stringify([events, messages])
  for (const secretOf of [buyers, payees, own, next, holder]) expect(told).not.toContain(secretOf)
  const endings = new Set([...told.matchAll(/"clabe_last4":"(\d{4})"/g)].map(([, last4]) => last4))
  for (const clabe of [buyers, payees, own, next]) expect(endings).toContain(clabe.slice(-4))
  // The buyer needs the CLABE to pay to, so it is shown.
  expect(told).toContain(receiving)

  // A key that may read the resource reads the whole account.
  expect((await refundOf(merchant, back.body.id)).destination).toEqual({ clabe: buyers, holder })
})

test('the database takes no event that shows one', async () => {
  for (const [about, object, before] of [
    ['refund', { destination: { clabe: buyers } }, {}],
    ['refund', {}, { destination: { clabe: buyers, holder } }],
    ['bank_account', { clabe: own }, {}],
    ['bank_account', {}, { verification: { sent_to: [own] } }],
    ['payout_settings', { destination: { account: own } }, {}],
  ])
    await expect(
      adminSql('sandbox')(
        `insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
         select tenant_id, gen_random_uuid(), $1 || '.created', $1, gen_random_uuid(), 1, $2, $3, 'r', now() from tenants limit 1`,
        [about, object, before],
      ),
    ).rejects.toMatchObject({ constraint: 'events_tell_no_account' })
})
