import { kinds } from '../../functions/in-person/devices/kinds.ts'
import { asks, newPaired } from './devices.ts'
import { call, type Merchant, newMerchant } from './merchant.ts'
import { adminSql } from './stack.ts'

export interface Action {
  id: string
  type: string
  status: string
  reader_id: string
  payment_id: string
  in_person_payment_id: string
  tip_action_id: string | null
  tip: { presets: { bps: number | null; amount: string }[]; chosen: object | null } | null
  failure_code: string | null
  step: string | null
  reported_as: string | null
  expires_at: string
  ended_at: string | null
  version: number
  error?: { code: string; param: string | null }
}

/** A merchant with a paired reader. */
export async function newCounter() {
  const merchant = await newMerchant()
  return { merchant, reader: await newPaired(merchant) }
}
export type Counter = Awaited<ReturnType<typeof newCounter>>
export type Paired = Counter['reader']

export interface TapSession {
  id: string
  status: string
  device_id: string
  expires_at: string
  ended_at: string | null
  error?: { code: string; param: string | null }
}

/** A connection token of a phone: the merchant's server asks for it, and the phone redeems it. */
export async function opensSession({ apiKey }: Merchant, { id, location_id, credential }: Paired) {
  const at = '/v1/tap-to-pay/connection_tokens'
  const { body } = await asks<{ secret: string }>(apiKey, 'POST', at, { device_id: id, location_id })
  return asks<{ session_id: string; error?: { code: string } }>(credential, 'POST', `${at}/redeem`, {
    secret: body.secret,
  })
}

/** A merchant with a phone that takes cards: it stands where a counter has its reader. */
export async function newPhoneCounter() {
  const merchant = await newMerchant()
  const reader = await newPaired(merchant, 'phone')
  const { session_id: sessionId } = (await opensSession(merchant, reader)).body
  return { merchant, reader, sessionId }
}

const pathOf = ({ object, id }: Paired) => `${kinds[object as 'reader' | 'phone'].path}/${id}`

export const ask = <Body = Action>(
  { apiKey }: Merchant,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  key?: string,
) =>
  call<Body>(method, path, {
    bearer: apiKey,
    ...(body ? { body } : {}),
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  })

export const process = ({ merchant, reader }: Counter, body: object = {}, key?: string) =>
  ask(
    merchant,
    'POST',
    `${pathOf(reader)}/process-payment`,
    { amount: '120000', currency: 'mxn', ...body },
    key,
  )

/** Asks a reader for something that takes no payment: `collect-tip`, `display`, `print`, `ping`. */
export const asksFor = ({ merchant, reader }: Counter, what: string, body: object = {}, key?: string) =>
  ask(merchant, 'POST', `${pathOf(reader)}/${what}`, body, key)

/** A tip on 450.00 pesos: 10 %, 15 %, 50.00, another amount, or none. */
export const asksTip = (counter: Counter, body: object = {}, key?: string) =>
  asksFor(
    counter,
    'collect-tip',
    {
      amount: '45000',
      currency: 'mxn',
      presets: [{ bps: 1000 }, { bps: 1500 }, { amount: '5000' }],
      ...body,
    },
    key,
  )

/** What the device says of an action. */
export const reports = ({ reader }: Pick<Counter, 'reader'>, { id }: { id: string }, body: object) =>
  asks<Action>(reader.credential, 'POST', `/v1/device/actions/${id}/result`, body)

/** A tip that was chosen: an action that has succeeded. */
export async function choosesTip(counter: Counter, tip: object = { preset: 0 }, body: object = {}) {
  const { body: action } = await asksTip(counter, body)
  await reports(counter, action, { outcome: 'completed', tip })
  return action
}

export const present = ({ merchant, reader }: Counter, body: object = {}) =>
  ask(
    merchant,
    'POST',
    reader.object === 'phone'
      ? `/v1/sandbox/devices/${reader.id}/tap`
      : `/v1/sandbox/readers/${reader.id}/present-card`,
    body,
  )

export const cancel = ({ merchant }: Counter, { id }: Action, key?: string) =>
  ask(merchant, 'POST', `/v1/terminal/actions/${id}/cancel`, undefined, key)

export const read = async ({ merchant }: Counter, { id }: Action) =>
  (await ask(merchant, 'GET', `/v1/terminal/actions/${id}`)).body

export interface InPerson {
  id: string
  public_id: string
  status: string
  payment_id: string
  amount_authorized: string
  amount_captured: string
  capture_method: string
  capture_before: string | null
  card: {
    brand: string
    last4: string
    reading: {
      entry_mode: string
      cardholder_verification: string
      receipt: Record<string, string | null>
    }
  } | null
  error?: { code: string; param: string | null }
}

/** What an action was asked for: read, captured or canceled. */
export const inPerson = (
  { merchant }: Counter,
  { in_person_payment_id: id }: Action,
  step?: 'capture' | 'cancel',
  { body, key }: { body?: object; key?: string } = {},
) =>
  ask<InPerson>(
    merchant,
    step ? 'POST' : 'GET',
    `/v1/in-person-payments/${id}${step ? `/${step}` : ''}`,
    step === 'capture' ? (body ?? {}) : body,
    key,
  )

/** `201 in_progress`, `409 reader_busy`. */
export const answerOf = ({ status, body }: { status: number; body: Pick<Action, 'status' | 'error'> }) =>
  `${status} ${body.error?.code ?? body.status}`

/** `422 parameter_invalid amount_tip`. */
export const refusal = ({ status, body }: { status: number; body: Pick<Action, 'status' | 'error'> }) =>
  `${answerOf({ status, body })} ${body.error?.param}`

export const many = 50
/** The same, that many times at once. */
export const times = <T>(work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: many }, (_, at) => work(at)))

export const paymentOf = async ({ merchant }: Counter, { payment_id }: Action) =>
  (await ask<Record<string, unknown>>(merchant, 'GET', `/v1/payment-operations/payments/${payment_id}`)).body

const sql = adminSql('sandbox')

/** What the books say of the payments of a merchant: each status, with how often it was captured. */
export const booksOf = ({ tenantId }: Merchant) =>
  sql<{ status: string; captured: string; journals: number }>(
    `select p.status, p.amount_captured_minor::text captured, (select count(*)::int from ledger_journals j
       where j.tenant_id = p.tenant_id and j.source_id = p.id) journals
     from payments p where p.tenant_id = $1 order by p.created_at`,
    [tenantId],
  )

export const eventsOf = async ({ tenantId }: Merchant, type: string) =>
  (
    await sql<{ type: string }>(
      'select type from events where tenant_id = $1 and resource_type = $2 order by created_at, id',
      [tenantId, type],
    )
  ).map((event) => event.type.slice(type.length + 1))
