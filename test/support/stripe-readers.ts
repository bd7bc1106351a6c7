import { randomUUID } from 'node:crypto'
import { kinds } from '../../functions/in-person/devices/kinds.ts'
import { type Device, roma } from './devices.ts'
import { call, type Merchant, newMerchant } from './merchant.ts'
import { trigger } from './stack.ts'
import { server, sql } from './stripe-live.ts'
import type { Action, InPerson } from './terminal.ts'

// Readers of Stripe's in live, and what a till asks of them.

export const asksLive = <Body = Action>(
  { apiKey }: Merchant,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
  key: string = randomUUID(),
) =>
  call<Body>(method, path, {
    environment: 'live',
    bearer: apiKey,
    headers: { 'idempotency-key': key },
    ...(body ? { body } : {}),
  })

const { path } = kinds.reader

/** A device at a location of its own, which has an address unless it is said otherwise. */
export async function newLiveDevice(
  merchant: Merchant,
  more: object = { address: roma },
  at: string = path,
): Promise<Device> {
  const place = { name: `Of ${randomUUID()}`, ...more }
  const { body } = await asksLive<{ id: string }>(merchant, 'POST', '/v1/workspace/locations', place)
  return (await asksLive<Device>(merchant, 'POST', at, { name: 'Mostrador', location_id: body.id })).body
}

/** A machine that shows a code; a new one, if it is not said which. */
export function newCode(serial = `WSC-${randomUUID().slice(-6)}`): string {
  const code = `quick-${randomUUID()}`
  server.codes.set(code, serial)
  return code
}

export const registers = (merchant: Merchant, { id }: Device, code = newCode(), key?: string) =>
  asksLive<Device>(merchant, 'POST', `${path}/${id}/register`, { registration_code: code }, key)

/** Stripe's reader that was registered last. */
export const lastReader = () => [...server.readers.keys()].at(-1)!

/** A merchant with a reader that Stripe has registered. */
export async function newStripeCounter(merchant?: Merchant) {
  const who = merchant ?? (await newMerchant({ environment: 'live' }))
  const device = await newLiveDevice(who)
  const { status, text, body } = await registers(who, device)
  if (status !== 200) throw new Error(`not registered: ${status} ${text}`)
  return { merchant: who, device: body, reader: lastReader() }
}
export type StripeCounter = Awaited<ReturnType<typeof newStripeCounter>>

export const charges = ({ merchant, device }: StripeCounter, body: object = {}, key?: string) =>
  asksLive(
    merchant,
    'POST',
    `${path}/${device.id}/process-payment`,
    { amount: '120000', currency: 'mxn', ...body },
    key,
  )

export const cancels = ({ merchant }: StripeCounter, { id }: Action, key?: string) =>
  asksLive(merchant, 'POST', `/v1/terminal/actions/${id}/cancel`, undefined, key)

export const readsAction = async ({ merchant }: StripeCounter, { id }: Action) =>
  (await asksLive(merchant, 'GET', `/v1/terminal/actions/${id}`)).body

export const readsSale = async ({ merchant }: StripeCounter, { in_person_payment_id: id }: Action) =>
  (await asksLive<InPerson>(merchant, 'GET', `/v1/in-person-payments/${id}`)).body

export const actionIs = (counter: StripeCounter, action: Action, status: string) => async () =>
  (await readsAction(counter, action)).status === status

/** What the scheduled jobs do once the processor is to be asked again; `later`: after the deadline. */
export async function settles({ merchant: { tenantId } }: StripeCounter, later = false): Promise<void> {
  if (later) {
    const past = `expires_at = now() - interval '1 second'`
    await sql(`update payment_attempts set ${past} where tenant_id = $1 and resolved_at is null`, [tenantId])
    await sql(`update reader_actions set ${past} where tenant_id = $1 and status = 'in_progress'`, [tenantId])
  }
  await sql(
    `update payment_attempts set next_check_at = now() where tenant_id = $1 and next_check_at is not null`,
    [tenantId],
  )
  await trigger('live')
}

/** How often each payment of a merchant was captured and booked. */
export const booksAt = ({ merchant: { tenantId } }: StripeCounter) =>
  sql<{ status: string; captured: string; journals: number }>(
    `select p.status, p.amount_captured_minor::text captured, (select count(*)::int from ledger_journals j
       where j.tenant_id = p.tenant_id and j.source_id = p.id) journals
     from payments p where p.tenant_id = $1 order by p.created_at`,
    [tenantId],
  )
