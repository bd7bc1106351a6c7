import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { newEmail } from './customer.ts'
import { call, type Merchant } from './merchant.ts'
import { adminSql, trigger } from './stack.ts'

export interface Customer {
  id: string
  status: string
  name: string | null
  email: string | null
  phone: string | null
  tags: string[]
  merged_into: string | null
  version: number
  error?: { code: string; param: string | null; message: string }
}

/** Letters that no other text has: digits could look like a card number. */
export const letters = () =>
  randomBytes(12)
    .toString('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)

export const customersPath = '/v1/customer-hub/customers'

/** A request about customers by the merchant's key. */
export const asked = <Body = Customer>(
  { apiKey }: Merchant,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  at: string,
  body?: object,
) => call<Body>(method, `/v1/customer-hub${at}`, { bearer: apiKey, ...(body ? { body: body as never } : {}) })

export async function newCustomer(merchant: Merchant, fields: object = {}): Promise<Customer> {
  const { status, body, text } = await asked(merchant, 'POST', '/customers', fields)
  if (status !== 201) throw new Error(`no customer: ${status} ${text}`)
  return body
}

/** A customer with a verified e-mail address of its own. */
export async function newVerified(merchant: Merchant): Promise<Customer & { contactId: string }> {
  const customer = await newCustomer(merchant, { email: newEmail() })
  const contacts = await asked<{ data: { id: string }[] }>(
    merchant,
    'GET',
    `/customers/${customer.id}/contacts`,
  )
  const contactId = contacts.body.data[0]!.id
  const verified = await asked(merchant, 'POST', `/contacts/${contactId}/verify`)
  if (verified.status !== 200) throw new Error(`not verified: ${verified.text}`)
  return { ...customer, contactId }
}

/** A customer with this id, written straight into the table. */
export const customerAs = ({ tenantId }: Merchant, id: string) =>
  adminSql('sandbox')(
    `insert into customers (tenant_id, id, status, addresses, tags, metadata, field_stamps, terms, created_at, updated_at)
     values ($1, $2, 'active', '[]', '{}', '{}', '{}', '{}', now(), now()) on conflict do nothing`,
    [tenantId, id],
  )

/** The wait is over, and the scheduled jobs run, until the customer is erased or put off: another run may come between. */
export async function waitEnds(id: string): Promise<void> {
  const sql = adminSql('sandbox')
  await sql(`update customers set erase_at = now() - interval '1 second' where id = $1`, [id])
  await expect
    .poll(
      async () => {
        await trigger('sandbox')
        return sql('select id from customers where id = $1 and erase_at <= now()', [id])
      },
      { timeout: 60_000 },
    )
    .toEqual([])
}

/** So many stored replies to batches of a source that name a customer: one a second until now. */
export const storedBatches = ({ tenantId }: Merchant, customer: string, count: number) =>
  adminSql('sandbox')(
    `insert into idempotency_claims (tenant_id, operation, key, fingerprint, publish_id, reply_status, reply_body, created_at, expires_at)
     select $1, 'sync_sources.push_records', encode(sha256(convert_to($2 || n, 'UTF8')), 'hex'), '',
       uuidv7(make_interval(secs => n - $3::int)), 200, '{"results":[{"customer_id":"' || $2 || '"}]}', now(), now() + interval '1 day'
     from generate_series(1, $3::int) n`,
    [tenantId, customer, count],
  )

/** Erases a merchant's customers, as the scheduled work does when the wait is over. */
export async function erased({ tenantId }: Merchant): Promise<void> {
  const sql = adminSql('sandbox')
  await sql(`update customers set status = 'blocked', erasure = '{"slices": 1}' where tenant_id = $1`, [
    tenantId,
  ])
  await sql(
    `update customers set status = 'erased', name = null, email = null, phone = null, locale = null, addresses = '[]',
       tags = '{}', tax_profile = null, external_id = null, metadata = '{}', own_fields = null, field_stamps = '{}',
       terms = '{}', erasure = null where tenant_id = $1`,
    [tenantId],
  )
}
