import { randomUUID } from 'node:crypto'
import { newDevice } from './devices.ts'
import { call, type Merchant, newMerchant, openLink, pay } from './merchant.ts'
import { adminSql } from './stack.ts'

export interface RegisterOrder {
  id: string
  public_id: string
  url: string
  status: string
  payment_status: string
  register_id: string
  shift_id: string | null
  mode: string
  current: boolean
  amount: string
  payment_id: string | null
  paid_by: string | null
  amount_tendered: string | null
  amount_change: string | null
  amount_cash_returned: string
  replaced_by: string | null
  expires_at: string
  version: number
  error?: { code: string; param: string | null }
}

export interface RegisterCode {
  id: string
  public_id: string
  url: string
  status: string
  purpose: string
  error?: { code: string }
}

export interface Shift {
  id: string
  status: string
  amount_expected: string
  amount_difference: string | null
  unsettled_count: number | null
  version: number
  error?: { code: string; param: string | null }
}

/** A request about registers by the merchant's key. */
export const atRegisters = <Body = RegisterOrder>(
  { apiKey }: Merchant,
  method: 'GET' | 'POST',
  at: string,
  body?: object,
) => call<Body>(method, `/v1/physical-checkout${at}`, { bearer: apiKey, ...(body ? { body } : {}) })

export interface Counter {
  readonly merchant: Merchant
  readonly registerId: string
}

/** A merchant with one register. */
export async function newCounter(merchant?: Merchant): Promise<Counter> {
  const owner = merchant ?? (await newMerchant())
  return { merchant: owner, registerId: (await newDevice(owner, 'register')).id }
}

export const coffee = (unit_amount = '5800', more: object = {}) => ({
  name: 'Café americano',
  unit_amount,
  ...more,
})

/** Asks for an order at a register: one coffee, unless it says something else. */
export const ringUp = ({ merchant, registerId }: Counter, more: object = {}) =>
  atRegisters(merchant, 'POST', '/orders', {
    register_id: registerId,
    ...('amount' in more ? {} : { line_items: [coffee()] }),
    ...more,
  })

export async function newOrder(counter: Counter, more: object = {}): Promise<RegisterOrder> {
  const { status, body, text } = await ringUp(counter, more)
  if (status !== 201) throw new Error(`no order: ${status} ${text}`)
  return body
}

export const orderNow = async ({ merchant }: Counter, { id }: { id: string }) =>
  (await atRegisters(merchant, 'GET', `/orders/${id}`)).body

export const currentOrder = ({ merchant, registerId }: Counter) =>
  atRegisters(merchant, 'GET', `/registers/${registerId}/current-order`)

/** The buyer's card pays an order on its page. */
export const payOrder = async ({ public_id }: Pick<RegisterOrder, 'public_id'>, token = 'tok_sbx_approve') =>
  pay(public_id, await openLink(public_id), token)

export async function openShift({ merchant, registerId }: Counter, amount_opening = '50000'): Promise<Shift> {
  const opened = { register_id: registerId, amount_opening }
  const { status, body, text } = await atRegisters<Shift>(merchant, 'POST', '/shifts', opened)
  if (status !== 201) throw new Error(`no shift: ${status} ${text}`)
  return body
}

export const inCash = ({ merchant }: Counter, { id }: { id: string }, amount_tendered = '10000') =>
  atRegisters(merchant, 'POST', `/orders/${id}/cash-payment`, { amount_tendered })

export const newCode = async (
  { merchant, registerId }: Counter,
  purpose: 'printed' | 'display' = 'printed',
) => (await atRegisters<RegisterCode>(merchant, 'POST', '/codes', { register_id: registerId, purpose })).body

/** A status and the error of a reply: `409 register_occupied`, or the status alone. */
export const answerOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  body.error ? `${status} ${body.error.code}` : String(status)

/** An open shift with this id, written straight into the tables. */
export async function shiftAs(merchant: Merchant, id: string): Promise<void> {
  const { registerId } = await newCounter(merchant)
  await adminSql('sandbox')(
    `insert into register_shifts (tenant_id, id, status, register_id, currency, opening_minor, sales_minor, returns_minor,
       paid_in_minor, paid_out_minor, created_at, updated_at)
     values ($1, $2, 'open', $3, 'mxn', 50000, 0, 0, 0, 0, now(), now())`,
    [merchant.tenantId, id, registerId],
  )
}

export interface Taken {
  id: string
  object: string
  public_id: string
  status: string
  amount: string
  amount_tip: string
  installments: { months: number } | null
  decline_code: string | null
  receipt_url: string | null
  origin: { type: string; id: string }
  next_action: { type: string; url: string } | null
  error?: { code: string; param: string | null }
}

/** The merchant's own server pays an order with a token of its own card form. */
export const byCard = (
  { merchant }: Counter,
  { id }: { id: string },
  card_token = 'tok_sbx_approve',
  more: object = {},
  key: string = randomUUID(),
) =>
  call<Taken>('POST', `/v1/physical-checkout/orders/${id}/card-payment`, {
    bearer: merchant.apiKey,
    environment: merchant.environment,
    headers: { 'idempotency-key': key },
    body: { card_token, ...more },
  })
