import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newSession, payByCard } from '../../support/checkout.ts'
import { asked, newCustomer } from '../../support/customers.ts'
import { call, type Merchant, newApiKey, newMerchant } from '../../support/merchant.ts'
import { daily, newScheduling, scheduling } from '../../support/report-schedules.ts'
import { getReport, over, type Run, started, today } from '../../support/reporting.ts'
import { adminSql } from '../../support/stack.ts'

const sql = adminSql('sandbox')
type Rows = { data: { cells: Record<string, string | null> }[]; error?: { code: string; message: string } }
type Refused = { error: { code: string; param: string | null; message: string } }

const of = { 'payments.detail': ['gross', 'buyer_email'], customers: ['customer_email', 'gross'] } as const
type Type = keyof typeof of

/** A customer with an address, who paid by card. */
async function bought() {
  const merchant = await newMerchant()
  const email = `ana.${randomUUID()}@example.com`
  const { id } = await newCustomer(merchant, { name: 'Ana', email })
  await payByCard(
    await newSession(merchant, { customer_id: id, line_items: [{ name: 'Taza', unit_amount: '10000' }] }),
  )
  return { merchant, email, id }
}

const run = async (merchant: Merchant, type: Type) =>
  over(merchant, await started(merchant, type, today, undefined, { columns: [...of[type]] }))

const rowsOf = async (merchant: Merchant, { id }: Run) =>
  (await getReport<Rows>(merchant, `/runs/${id}/rows`)).body.data.map(({ cells }) => cells)

const fileOf = async (merchant: Merchant, { id }: Run) =>
  (await getReport<never>(merchant, `/runs/${id}/file`)).text

/** A run that names an address is asked for with this key. */
const ask = (apiKey: string, body: object = {}, key: string = randomUUID()) =>
  call<Run & Refused>('POST', '/v1/reporting/runs', {
    bearer: apiKey,
    headers: { 'idempotency-key': key },
    body: {
      type: 'customers',
      period: { from: today, to: today },
      columns: [...of.customers],
      ...body,
    },
  })

const entriesOf = ({ tenantId }: Merchant, operation: string) =>
  sql<{ actor_id: string; objects: string[] }>(
    'select actor_id, objects from audit_events where tenant_id = $1 and operation = $2',
    [tenantId, operation],
  )
const asksOf = (merchant: Merchant) => entriesOf(merchant, 'report_runs.ask_addresses')
const readingsOf = (merchant: Merchant) => entriesOf(merchant, 'report_runs.read_addresses')

test.each(Object.keys(of) as Type[])(
  '%s shows addresses only where a run names their column',
  async (type) => {
    const { merchant, email } = await bought()
    const usual = await over(merchant, await started(merchant, type))
    expect(await fileOf(merchant, usual)).not.toContain('email')
    expect(JSON.stringify(await rowsOf(merchant, usual))).not.toContain(email)
    const named = await run(merchant, type)
    const [first, second] = of[type]
    expect(await fileOf(merchant, named)).toMatch(new RegExp(`^${first},${second}\r\n`))
    expect(await fileOf(merchant, named)).toContain(email)
    const [row] = await rowsOf(merchant, named)
    expect(Object.keys(row!).sort()).toEqual([first, second].sort())
    expect(Object.values(row!)).toContain(email)
    // For less than an erasure waits.
    const days = (Date.parse((named as Run & { removes_at: string }).removes_at) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(14)
  },
)

test('who asks for addresses may read customers, and is in the audit trail once', async () => {
  const { merchant } = await bought()
  const only = await newApiKey(merchant, { scopes: ['reporting:read'] })
  const both = await newApiKey(merchant, { scopes: ['reporting:read', 'customer_hub:read'] })
  const refused = await ask(only.apiKey)
  expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.body.error.message).toContain('customer_hub:read')
  expect(await sql('select from report_runs where tenant_id = $1', [merchant.tenantId])).toEqual([])
  expect(await asksOf(merchant)).toEqual([])
  const key = randomUUID()
  const made = await ask(both.apiKey, {}, key)
  expect(made.status, made.text).toBe(201)
  expect((await ask(both.apiKey, {}, key)).body.id).toBe(made.body.id)
  expect(await asksOf(merchant)).toEqual([{ actor_id: both.keyId, objects: [`report_run:${made.body.id}`] }])
  await over(merchant, made.body)
  for (const part of ['rows', 'file']) {
    const hidden = await getReport<Rows>({ ...merchant, ...only }, `/runs/${made.body.id}/${part}`)
    expect([hidden.status, hidden.body.error?.code]).toEqual([403, 'insufficient_scope'])
    expect(hidden.body.error?.message).toMatch(/^This run shows addresses/)
    expect((await getReport({ ...merchant, ...both }, `/runs/${made.body.id}/${part}`)).status).toBe(200)
  }
  // Without an address one scope is enough.
  expect((await ask(only.apiKey, { columns: ['customer_id', 'gross'] })).status).toBe(201)
})

test('each reading of addresses is in the audit trail, and none that was refused or shows none', async () => {
  const { merchant } = await bought()
  const only = await newApiKey(merchant, { scopes: ['reporting:read'] })
  const both = await newApiKey(merchant, { scopes: ['reporting:read', 'customer_hub:read'] })
  const named = await run(merchant, 'customers')
  const usual = await over(merchant, await started(merchant, 'customers'))
  const as = async (key: { apiKey: string }, { id }: Run, part: string) =>
    (await getReport({ ...merchant, ...key }, `/runs/${id}/${part}`)).status
  for (const part of ['file', 'rows']) {
    expect(await as(only, named, part)).toBe(403)
    expect(await as(both, usual, part)).toBe(200)
  }
  expect(await readingsOf(merchant)).toEqual([])
  const entry = { actor_id: both.keyId, objects: [`report_run:${named.id}`] }
  for (const [at, part] of ['file', 'rows', 'file'].entries()) {
    expect(await as(both, named, part)).toBe(200)
    expect(await readingsOf(merchant)).toEqual(Array(at + 1).fill(entry))
  }
})

test('a run with addresses that nobody asked for is refused by the database', async () => {
  const { merchant } = await bought()
  const { id } = await started(merchant, 'customers')
  const copied = sql(
    `insert into report_runs select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(),
       'columns', jsonb_build_array('customer_email'), 'shows_persons', true))).* from report_runs r where r.id = $1`,
    [id],
  )
  await expect(copied).rejects.toMatchObject({ constraint: 'report_runs_asked' })
})

test.each(Object.keys(of) as Type[])(
  '%s has no address of a customer whose erasure is asked for',
  async (type) => {
    const { merchant, email, id } = await bought()
    const before = await run(merchant, type)
    await sql(
      `insert into payment_contacts (tenant_id, id, payment_id, email, locale, page, created_at, updated_at)
     select tenant_id, gen_random_uuid(), id, $2, 'en', '/plink_' || repeat('a', 32) || '/spcs_' || repeat('a', 32), now(), now()
     from payments where tenant_id = $1`,
      [merchant.tenantId, email],
    )
    expect(JSON.stringify(await rowsOf(merchant, before))).toContain(email)
    const erasing = await asked(merchant, 'POST', `/customers/${id}/erase`)
    expect(erasing.status, erasing.text).toBe(200)
    expect(JSON.stringify(await rowsOf(merchant, before))).not.toContain(email)
    expect(await fileOf(merchant, await run(merchant, type))).not.toContain(email)
  },
)

test('an address of a blocked customer is in no report, wherever the buyer gave it', async () => {
  const { merchant, email, id } = await bought()
  await payByCard(await newSession(merchant, { line_items: undefined, amount: '50000' }))
  const other = `other.${randomUUID()}@example.com`
  // With the customer's payment another address, and its own with a stranger's.
  await sql(
    `insert into payment_contacts (tenant_id, id, payment_id, email, locale, page, created_at, updated_at)
     select tenant_id, gen_random_uuid(), id, case when customer_id is null then $2 else $3 end, 'en',
       '/plink_' || repeat('a', 32) || '/spcs_' || repeat('a', 32), now(), now()
     from payments where tenant_id = $1`,
    [merchant.tenantId, email, other],
  )
  const named = await run(merchant, 'payments.detail')
  const shown = async () => (await rowsOf(merchant, named)).map(({ buyer_email }) => buyer_email).sort()
  expect(await shown()).toEqual([email, other].sort())
  expect((await asked(merchant, 'POST', `/customers/${id}/block`)).status).toBe(200)
  expect(await shown()).toEqual([null, null])
  expect((await asked(merchant, 'POST', `/customers/${id}/unblock`)).status).toBe(200)
  expect(await shown()).toEqual([email, other].sort())
})

test('no schedule names a column', async () => {
  const of = await newScheduling()
  const body = { ...daily, type: 'customers', columns: ['customer_email', 'gross'] }
  const { status, body: refused } = await scheduling(of, 'POST', '', body)
  expect([status, refused.error]).toMatchObject([422, { code: 'parameter_unknown', param: 'columns' }])
})

test.each([
  ['an unknown column', { columns: ['gross', 'password'] }, 'report_column_unknown', 'columns.1'],
  ['a column twice', { columns: ['gross', 'gross'] }, 'parameter_invalid', 'columns'],
  ['no column', { columns: [] }, 'parameter_invalid', 'columns'],
])('%s is refused', async (_, body, code, param) => {
  const { apiKey } = await newMerchant()
  expect((await ask(apiKey, body)).body.error).toMatchObject({ code, param })
})
