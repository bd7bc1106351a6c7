import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { asked, newCustomer, newVerified, storedBatches, waitEnds } from '../../support/customers.ts'
import { newLink, newMerchant } from '../../support/merchant.ts'
import { sendForm } from '../../support/pages.ts'
import { adminSql } from '../../support/stack.ts'

const sql = adminSql('sandbox')

const claimsNaming = async (id: string) =>
  (await sql(`select from idempotency_claims where strpos(reply_body, $1) > 0`, [id])).length

/** A slice of an erasure, as a run of the scheduled job publishes it: whether it left something. */
async function slice(id: string): Promise<boolean> {
  await sql(
    `update customers set status = 'blocked', erase_at = now() + interval '1 day', version = version + 1,
       erasure = jsonb_build_object('slices', coalesce((erasure->>'slices')::int, 0) + 1) where id = $1`,
    [id],
  )
  const [row] = await sql<{ left: boolean }>(
    `select (erasure->'left')::boolean as left from customers where id = $1`,
    [id],
  )
  return row!.left
}

const end = (id: string) =>
  sql(
    `update customers set status = 'erased', name = null, email = null, field_stamps = '{}', terms = '{}', erase_at = null,
       erasure = null where id = $1`,
    [id],
  )

test('a slice reads at most 500 stored replies, the next one goes on behind them, and the last finds nothing', async () => {
  const merchant = await newMerchant()
  const { id } = await newCustomer(merchant, { name: 'Ana' })
  await storedBatches(merchant, id, 1200)
  const counts = [await claimsNaming(id)]
  let hasMore = true
  while (hasMore) {
    hasMore = await slice(id)
    counts.push(await claimsNaming(id))
  }
  const emptied = counts.slice(1).map((count, at) => counts[at]! - count)
  expect(counts.at(-1)).toBe(0)
  expect(emptied).toHaveLength(3)
  expect(Math.max(...emptied)).toBeLessThanOrEqual(500)
  await end(id)
})

test('hundreds of stored replies are erased by a run, slice by slice, and the trail names each', async () => {
  const merchant = await newMerchant()
  const { id } = await newCustomer(merchant, { name: 'Ana' })
  await storedBatches(merchant, id, 1200)
  expect((await asked(merchant, 'POST', `/customers/${id}/erase`)).status).toBe(200)
  await waitEnds(id)
  const { body } = await asked(merchant, 'GET', `/customers/${id}`)
  expect(body).toMatchObject({ status: 'erased', name: null })
  expect(await claimsNaming(id)).toBe(0)
  const steps = `select from audit_events a join audit_event_objects o on o.tenant_id = a.tenant_id and o.id = a.id
    where a.tenant_id = $1 and a.operation = 'customers.erase_due' and o.object_id = $2`
  expect((await sql(steps, [merchant.tenantId, id])).length).toBeGreaterThanOrEqual(4)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('between two slices the customer takes no change and cannot be taken back', async () => {
  const merchant = await newMerchant()
  const { id } = await newCustomer(merchant, { name: 'Ana' })
  await slice(id)
  const codes = await Promise.all([
    asked(merchant, 'PATCH', `/customers/${id}`, { name: 'Eva' }),
    asked(merchant, 'POST', `/customers/${id}/unblock`),
    asked(merchant, 'POST', `/customers/${id}/notes`, { text: 'Ana' }),
    asked(merchant, 'POST', `/customers/${id}/contacts`, { kind: 'email', value: 'eva@example.com' }),
  ])
  expect(codes.map(({ body }) => body.error?.code)).toEqual(Array(4).fill('customer_erased'))
  await expect(
    sql(`update customers set status = 'active', erase_at = null where id = $1`, [id]),
  ).rejects.toThrow('customers_erasure')
  await expect(sql('update customers set erasure = null where id = $1', [id])).rejects.toThrow(
    'an erasure that has begun is ended',
  )
})

test('what comes between two slices keeps the customer from being erased until it is erased too', async () => {
  const merchant = await newMerchant()
  const ana = await newVerified(merchant)
  const { id } = ana
  await expect(end(id)).rejects.toThrow()
  expect(await slice(id)).toBe(false)
  const link = await newLink(merchant)
  const { status } = await sendForm(link, { card_token: 'tok_sbx_approve', receipt_email: ana.email! })
  expect(status).toBe(303)
  await sql(
    `insert into customer_notes (tenant_id, id, customer_id, status, text, created_at, updated_at)
     values ($1, gen_random_uuid(), $2, 'active', 'Ana', now(), now())`,
    [merchant.tenantId, id],
  )
  await storedBatches(merchant, id, 1)
  await expect(end(id)).rejects.toThrow('something of the person is left')
  await waitEnds(id)
  expect((await asked(merchant, 'GET', `/customers/${id}`)).body.status).toBe('erased')
  const left = `select 1 from payment_contacts where tenant_id = $1 and email = $2
    union all select 1 from customer_notes where tenant_id = $1 and text <> ''
    union all select 1 from idempotency_claims where tenant_id = $1 and strpos(reply_body, $3) > 0`
  expect(await sql(left, [merchant.tenantId, ana.email, id])).toEqual([])
})
