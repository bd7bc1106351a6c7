import { publicId, uuidv7 } from '../../src/kernel/ids.ts'
import { call, type Merchant, newMerchant, openLink, pay } from './merchant.ts'
import { adminSql } from './stack.ts'

export interface Bill {
  id: string
  public_id: string
  url: string
  status: string
  payment_status: string
  table_id: string
  name: string
  line_items: {
    id: string
    status: string
    name: string
    amount_total: string
    split_from: string | null
    payment_id: string | null
    external_payment_id: string | null
  }[]
  amount_subtotal: string
  amount_discount: string
  amount: string
  amount_held: string
  amount_paid: string
  amount_due: string
  merged_into: string | null
  version: number
  error?: { code: string; param: string | null }
}

export interface Table {
  id: string
  public_id: string
  url: string
  name: string
}

/** A request about tables by the merchant's key. */
export const tablePay = <Body = Bill>(
  { apiKey }: Merchant,
  method: 'GET' | 'POST' | 'PATCH' | 'PUT',
  at: string,
  body?: object,
) => call<Body>(method, `/v1/table-pay${at}`, { bearer: apiKey, ...(body ? { body } : {}) })

export async function newTable(merchant: Merchant, fields: object = { name: 'Mesa 4' }): Promise<Table> {
  const { status, body, text } = await tablePay<Table>(merchant, 'POST', '/tables', fields)
  if (status !== 201) throw new Error(`no table: ${status} ${text}`)
  return body
}

export const newWaiter = async (merchant: Merchant, fields: object = { name: 'Lupita' }) =>
  (await tablePay<{ id: string; version: number }>(merchant, 'POST', '/waiters', fields)).body

/** Tables of which no name is used twice. */
const nameless = () => ({ name: `Mesa ${publicId('stable').slice(-20)}` })

/** A bill that was paid in cash, with a tip that is owed to the waiter; answers the recorded payment. */
export async function tipped(merchant: Merchant, waiter: string, tip = '1500') {
  const table = await newTable(merchant, nameless())
  const opened = await tablePay(merchant, 'POST', `/tables/${table.id}/sessions`, {
    waiter_id: waiter,
    line_items: [dish(14_500)],
  })
  const paid = { method: 'cash', amount: '14500', amount_tip: tip }
  return tablePay(merchant, 'POST', `/sessions/${opened.body.id}/external-payments`, paid)
}

/** A waiter with this id, written straight into the tables. */
export const waiterAs = ({ tenantId }: Merchant, id: string) =>
  adminSql('sandbox')(
    `insert into waiters (tenant_id, id, status, name, created_at, updated_at) values ($1, $2, 'active', 'Lupita', now(), now())`,
    [tenantId, id],
  )

export const dish = (unitAmount: number, more: object = {}) => ({
  name: 'Plato',
  unit_amount: String(unitAmount),
  ...more,
})

/** The open bill of a new merchant's table, with lines of these amounts in minor units. */
export const newBill = async (...amounts: readonly number[]) =>
  billOf(await newMerchant({ name: 'Fonda Ñandú' }), amounts)

/** The same of a merchant that has others. */
export async function billOf(merchant: Merchant, amounts: readonly number[], more: object = {}) {
  const table = await newTable(merchant, nameless())
  const line_items = amounts.map((amount, at) => dish(amount, { name: `Plato ${at + 1}` }))
  const asked = { ...(amounts.length === 0 ? {} : { line_items }), ...more }
  const opened = await tablePay(merchant, 'POST', `/tables/${table.id}/sessions`, asked)
  if (opened.status !== 201) throw new Error(`no bill: ${opened.status} ${opened.text}`)
  const { id, public_id: address, line_items: lines } = opened.body
  return {
    merchant,
    table,
    opened,
    id,
    address,
    lines: lines.map((line) => line.id),
    now: async () => (await tablePay(merchant, 'GET', `/sessions/${id}`)).body,
    ask: <Body = Bill>(method: 'POST' | 'PUT' | 'GET', at: string, body?: object) =>
      tablePay<Body>(merchant, method, `/sessions/${id}${at}`, body),
    /** Cancels a recorded payment. */
    cancelCash: (external: string) => tablePay(merchant, 'POST', `/external-payments/${external}/cancel`),
    form: (part: string) => openLink(address, `?${part}`),
    /** A guest pays this part by card. */
    pay: async (part: string, token = 'tok_sbx_approve') =>
      pay(address, await openLink(address, `?${part}`), token),
  }
}

/** An open bill with this id and one large line, written straight into the tables. */
export async function billAs({ tenantId }: Merchant, id: string): Promise<void> {
  const [sql, table] = [adminSql('sandbox'), uuidv7(Date.now())]
  await sql(
    `insert into dining_tables (tenant_id, id, public_id, status, name, metadata, created_at, updated_at)
     values ($1, $2, $3, 'active', 'Mesa grande', '{}', now(), now())`,
    [tenantId, table, publicId('stable')],
  )
  await sql(
    `insert into table_sessions (tenant_id, id, public_id, status, table_id, name, currency, payment_method_types,
       discount_minor, metadata, created_at, updated_at)
     values ($1, $2, $3, 'open', $4, 'Mesa grande', 'mxn', '{card}', 0, '{}', now(), now())`,
    [tenantId, id, publicId('sbill'), table],
  )
  await sql(
    `insert into table_lines (tenant_id, id, session_id, status, position, name, quantity, unit_amount_minor, iva_rate,
       price_includes_tax, total_minor, created_at, updated_at)
     values ($1, $2, $3, 'ordered', 1, 'Banquete', 1, 90000000, '16', true, 90000000, now(), now())`,
    [tenantId, uuidv7(Date.now()), id],
  )
}
