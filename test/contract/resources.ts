import { clabeWithCheckDigit } from '../../src/kernel/clabe.ts'
import { newAuthorized } from '../support/authorized.ts'
import { newVoucher } from '../support/cash.ts'
import { dispute, resolve } from '../support/disputes.ts'
import { call, type Merchant, newLink, openLink, pay } from '../support/merchant.ts'
import { payOut, release, settingsFor, settlesAs } from '../support/payouts.ts'
import { newEndpoint } from '../support/receiver.ts'
import { ends, paidByCard, paidInCash, refund, refundsWait } from '../support/refunds.ts'
import { newContradicted, newContradictedRefund } from '../support/review.ts'
import { deposit, depositsOf, fundsOf } from '../support/spei.ts'
import { adminSql } from '../support/stack.ts'
import { allWaits, endow, isNow, toClabe, transfer } from '../support/transfers.ts'

/** A resource's owner. Each of these makes a resource in a state that allows most operations, and returns its id. */
type Owner = { readonly merchant: Merchant }

export const paid = async ({ merchant }: Owner) => {
  const link = await newLink(merchant)
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  const path = `/v1/payment-links/${link.id}/payments`
  const { body } = await call<{ data: { id: string }[] }>('GET', path, { bearer: merchant.apiKey })
  return body.data[0]!.id
}

/** A payment of which the processor reports another amount. */
export const contradicted = async ({ merchant }: Owner) => (await newContradicted(merchant)).paymentId

export const authorized = async ({ merchant }: Owner) => (await newAuthorized(merchant)).paymentId

/** The reference of a voucher that a buyer got on a link. */
export const voucher = async ({ merchant }: Owner) => (await newVoucher(merchant)).reference

/** An endpoint without a server behind it, of the type that `paused` makes one event of. */
export const endpoint = async ({ merchant }: Owner) => {
  const url = 'http://127.0.0.1:9/hooks'
  return (await newEndpoint(merchant, url, ['payment_link.created'])).id
}

/** A delivery to an endpoint without a server, with `set` as its outcome: it stays as it is while a test counts. */
async function stilled(world: Owner, set: string) {
  const { merchant } = world
  const id = await endpoint(world)
  await call('POST', `/v1/webhooks/endpoints/${id}/pause`, { bearer: merchant.apiKey })
  await newLink(merchant)
  const sql = adminSql('sandbox')
  await sql(`update webhook_endpoints set status = 'enabled' where id = $1`, [id])
  const [made] = await sql<{ id: string; endpoint_id: string }>(
    `update webhook_deliveries set ${set}, updated_at = now() where endpoint_id = $1 returning id, endpoint_id`,
    [id],
  )
  return made!
}

/** A delivery that is over. */
export const delivery = async (world: Owner) =>
  (await stilled(world, `status = 'exhausted', next_attempt_at = null`)).id

/** An endpoint that has taken an event. */
export const tookOne = async (world: Owner) =>
  (await stilled(world, `status = 'succeeded', next_attempt_at = null, finished_at = now()`)).endpoint_id

/** An endpoint that an event waits for. */
export const awaitsOne = async (world: Owner) =>
  (await stilled(world, `status = 'retrying', next_attempt_at = now() + interval '1 minute'`)).endpoint_id

export const event = async ({ merchant }: Owner) => {
  await newLink(merchant)
  const path = '/v1/webhooks/events?limit=1'
  return (await call<{ data: { id: string }[] }>('GET', path, { bearer: merchant.apiKey })).body.data[0]!.id
}

export const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString()

export const recovery = async (world: Owner) => {
  const path = `/v1/webhooks/endpoints/${await endpoint(world)}/recover`
  const { body } = await call('POST', path, { bearer: world.merchant.apiKey, body: { since: anHourAgo() } })
  return body.id as string
}

export const unapplied = async ({ merchant }: Owner) => {
  await deposit(merchant, '012914002014112176', 120_000)
  return (await fundsOf(merchant)).at(-1)!.id
}

export const arrived = async (world: Owner) => {
  await unapplied(world)
  return (await depositsOf(world.merchant)).at(-1)!.id
}

/** A refund that waits for a CLABE: it can be given one, and can be canceled. */
export const waitingRefund = async ({ merchant }: Owner) =>
  (await refund(merchant, { payment_id: await paidInCash(merchant), amount: '2500' })).body.id

/** A refund that waits for approval, as the example of an approval has seen it. */
export const askedRefund = async ({ merchant }: Owner) => {
  await refundsWait(merchant)
  const payment_id = await paidInCash(merchant, 60_000)
  const destination = { clabe: '646180000000000012', holder: 'Ana Torres' }
  return (await refund(merchant, { payment_id, amount: '60000', destination })).body.id
}

/** A refund of which the processor reports another amount. */
export const contradictedRefund = async ({ merchant }: Owner) => newContradictedRefund(merchant)

/** A refund that the buyer's bank has. */
export const paidRefund = async ({ merchant }: Owner) => {
  const { id } = (await refund(merchant, { payment_id: await paidByCard(merchant) })).body
  await ends(merchant, id, 'succeeded')
  return id
}

export const opened = async ({ merchant }: Owner) =>
  (await dispute(merchant, await paidByCard(merchant))).body.id

/** An inquiry that nobody has answered. */
export const inquired = async ({ merchant }: Owner) =>
  (await dispute(merchant, await paidByCard(merchant), { inquiry: true })).body.id

/** A dispute that the bank has decided for the merchant. */
export const wonDispute = async (owner: Owner) => {
  const id = await opened(owner)
  await resolve(owner.merchant, id, 'won')
  return id
}

/** Available money, and an account to be paid out to at which the bank leaves payouts on their way. */
export const toPayOut = async (world: Owner, account = '18') => {
  await paid(world)
  await settingsFor(world.merchant, { account })
  await release(world.merchant)
}

/** A payout that the bank has and can still stop. */
export const payout = async (world: Owner) => {
  await toPayOut(world)
  const { id } = (await payOut(world.merchant)).body
  await settlesAs(world.merchant, id, 'in_transit')
  return id
}

export const rich = ({ merchant }: Owner) => endow(merchant, 4_000_000n)

/** A transfer that the bank has on its way for good. */
export const sent = async (world: Owner) => {
  await rich(world)
  const { id } = (await transfer(world.merchant, { destination: toClabe('18') })).body
  await isNow(world.merchant, id, 'processing')
  return id
}

/** A transfer that waits for approval, as the example of an approval has seen it. */
export const waitingTransfer = async (world: Owner) => {
  await rich(world)
  await allWaits(world.merchant)
  return (await transfer(world.merchant, { amount: '50000' })).body.id
}

/** A transfer to a CLABE that was never lent. */
export const unmatchedDeposit = ({ merchant }: Owner) => {
  const account = String(Math.trunc(Math.random() * 1e9)).padStart(11, '0')
  return deposit(merchant, clabeWithCheckDigit(`012180${account}`), 1_000)
}
