import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { payInCash } from '../../support/cash.ts'
import { asked, newVerified } from '../../support/customers.ts'
import { overtaking } from '../../support/gate.ts'
import { call, type Merchant, newLink, newMerchant, openLink } from '../../support/merchant.ts'
import { open } from '../../support/pages.ts'
import { paidByCard, refund } from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { newSource, push, told } from '../../support/sync.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))

type Row = { id: string; customer_id: string | null }

/** The rows of a table, each with the place of its creation in the order of the workspace's commits. */
const rowsOf = (merchant: Merchant, table: 'payments' | 'payment_links', operation: string) =>
  adminSql('sandbox')<Row & { sequence: number }>(
    `select x.id, x.customer_id, a.sequence::int as sequence from ${table} x
     join audit_event_objects o on o.tenant_id = x.tenant_id and o.object_id = x.id::text
     join audit_events a on a.tenant_id = o.tenant_id and a.id = o.id and a.operation = $2
     where x.tenant_id = $1`,
    [merchant.tenantId, operation],
  )
const sequenceOf = async (merchant: Merchant, operation: string) => {
  const [row] = await adminSql('sandbox')<{ sequence: number }>(
    'select sequence::int as sequence from audit_events where tenant_id = $1 and operation = $2',
    [merchant.tenantId, operation],
  )
  return row!.sequence
}

/** Fifty buyers send their forms with the same address, and `meanwhile` runs among them; answers the payments. */
async function submitted(merchant: Merchant, email: string, meanwhile: () => Promise<unknown>) {
  const { public_id: publicId } = await newLink(merchant, { usage: 'multi_use' })
  const forms = await times(() => openLink(publicId))
  const fields = { card_token: 'tok_sbx_approve', receipt_email: email, locale: 'en' }
  const send = async (at: number) => {
    const body = new URLSearchParams({ ...forms[at], ...fields })
    const [{ status }] = await Promise.all([
      open(`/${publicId}/attempts`, { method: 'POST', body }),
      at === copies / 2 && meanwhile(),
    ])
    return status
  }
  expect(await times(send)).toEqual(Array(copies).fill(303))
  const payments = await rowsOf(merchant, 'payments', 'hosted_payments.submit')
  expect(payments).toHaveLength(copies)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  return payments
}

test('blocking a customer and 50 buyers with its address: paid before it theirs, after it no customer’s', async () => {
  const merchant = await newMerchant()
  const ana = await newVerified(merchant)
  const payments = await submitted(merchant, ana.email!, () =>
    asked(merchant, 'POST', `/customers/${ana.id}/block`),
  )
  const blocked = await sequenceOf(merchant, 'customers.block')
  expect(payments.map(({ customer_id }) => customer_id)).toEqual(
    payments.map(({ sequence }) => (sequence < blocked ? ana.id : null)),
  )
})

test('merging a customer and 50 buyers with its address: each payment is of who had the address then', async () => {
  const merchant = await newMerchant()
  const [ana, eva] = [await newVerified(merchant), await newVerified(merchant)]
  const payments = await submitted(merchant, ana.email!, () =>
    asked(merchant, 'POST', `/customers/${ana.id}/merge`, { into: eva.id }),
  )
  const merged = await sequenceOf(merchant, 'customers.merge')
  expect(payments.map(({ customer_id }) => customer_id)).toEqual(
    payments.map(({ sequence }) => (sequence < merged ? ana.id : eva.id)),
  )
})

test('blocking a customer and 50 new links for it: made before it, or refused', async () => {
  const merchant = await newMerchant()
  const ana = await newVerified(merchant)
  const body = { manual_amount: 120_000, currency: 'mxn', customer_id: ana.id }
  const answers = await times(async (at) => {
    if (at === copies / 2) return (await asked(merchant, 'POST', `/customers/${ana.id}/block`)).status
    const reply = await call<{ error?: { code: string } }>('POST', '/v1/payment-links', {
      bearer: merchant.apiKey,
      body,
    })
    return reply.body.error?.code ?? reply.status
  })
  expect(answers.filter((answer) => answer !== 201 && answer !== 'customer_blocked')).toEqual([200])
  const links = await rowsOf(merchant, 'payment_links', 'payment_links.create')
  expect(links).toHaveLength(answers.filter((answer) => answer === 201).length)
  const blocked = await sequenceOf(merchant, 'customers.block')
  expect(links.filter(({ sequence }) => sequence > blocked)).toEqual([])
})

test.each<[what: string, begin: (merchant: Merchant, customerId: string) => Promise<() => Promise<unknown>>]>(
  [
    [
      'a voucher',
      async (merchant, customer_id) => {
        const link = await newLink(merchant, { customer_id, payment_method_types: ['oxxo'] })
        const form = await openLink(link.public_id)
        return () => payInCash(link.public_id, form, 'oxxo')
      },
    ],
    [
      'a refund',
      async (merchant, customer_id) => {
        // The processor does not answer: the refund is not over when the erasure looks.
        const payment_id = await paidByCard(merchant, {
          token: 'tok_sbx_refund_timeout',
          fields: { customer_id },
        })
        return () => refund(merchant, { payment_id })
      },
    ],
    [
      'a refund of what became part',
      async (merchant, customerId) => {
        const { id } = await newVerified(merchant)
        const payment_id = await paidByCard(merchant, {
          token: 'tok_sbx_refund_timeout',
          fields: { customer_id: id },
        })
        const merged = await asked(merchant, 'POST', `/customers/${id}/merge`, { into: customerId })
        expect(merged.status).toBe(200)
        return () => refund(merchant, { payment_id })
      },
    ],
  ],
)(
  '%s of a customer is about to be recorded when the wait for its erasure ends: it is put off',
  async (_what, begin) => {
    const merchant = await newMerchant()
    const { id } = await newVerified(merchant)
    const work = await begin(merchant, id)
    expect((await asked(merchant, 'POST', `/customers/${id}/erase`)).status).toBe(200)
    await overtaking(merchant, work, async () => {
      await adminSql('sandbox')(`update customers set erase_at = now() where id = $1`, [id])
      await trigger('sandbox')
    })
    const begun = 'select status, erasure from customers where id = $1'
    expect(await adminSql('sandbox')(begun, [id])).toEqual([{ status: 'blocked', erasure: null }])
  },
)

test('a batch names a customer by a new id while its erasure is being recorded: the id is not kept', async () => {
  const merchant = await newMerchant()
  const { id, email } = await newVerified(merchant)
  const source = await newSource(merchant)
  await push(merchant, source, [{ external_id: 'shop-7', customer: { email } }])
  expect((await asked(merchant, 'POST', `/customers/${id}/erase`)).status).toBe(200)
  const same_as = { source_id: source, external_id: 'shop-7' }
  const [, batch] = await overtaking(
    merchant,
    async () => {
      await adminSql('sandbox')(`update customers set erase_at = now() where id = $1`, [id])
      await trigger('sandbox')
    },
    () => push(merchant, source, [{ external_id: 'shop-8', same_as, customer: {} }]),
  )
  expect(told(batch)).toEqual(['customer_erased null'])
  const kept = 'select 1 from customer_external_ids where tenant_id = $1 and external_id is not null'
  expect(await adminSql('sandbox')(kept, [merchant.tenantId])).toEqual([])
})
