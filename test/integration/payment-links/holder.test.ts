import { expect, test } from 'vitest'
import { brokenRules, chargesOf, paymentsOf } from '../../support/books.ts'
import { Browser } from '../../support/challenge.ts'
import { newEmail } from '../../support/customer.ts'
import { call, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'

/* The last use of a link that many pay is held by a voucher or CLABE: who made it may pay another way, and nobody else. */

async function held() {
  const merchant = await newMerchant()
  const payment_method_types = ['card', 'oxxo', 'spei']
  const link = await newLink(merchant, { usage: 'multi_use', uses_max: 1, payment_method_types })
  const path = `/${link.public_id}`
  const early = await Promise.all(Array.from({ length: 25 }, () => openLink(link.public_id)))
  const holder = new Browser()
  const issued = await holder.send(`${path}/attempts`, {
    ...(await openLink(link.public_id, '?method=oxxo')),
    method: 'oxxo',
    name: 'Ana López',
    email: newEmail(),
  })
  expect(issued.status).toBe(303)
  const voucher = issued.leadsTo!
  const reference = voucher.split('/')[2]!
  const uses = async () => {
    const { body } = await call<{ uses_count: number; uses_held_count: number }>(
      'GET',
      `/v1/payment-links/${link.id}`,
      { bearer: merchant.apiKey },
    )
    return [body.uses_count, body.uses_held_count]
  }
  const statuses = async () => (await paymentsOf(merchant.tenantId)).map(({ status }) => status)
  return { merchant, link, path, early, holder, voucher, retry: `${path}?retry=${reference}`, uses, statuses }
}

const formIn = (html: string) => ({
  quote: /name="quote" value="([^"]+)"/.exec(html)![1]!,
  attempt_key: /name="attempt_key" value="([^"]+)"/.exec(html)![1]!,
})
const otherWay = /href="[^"]*\?retry=spcs_/

test.each([
  ['a card', { card_token: 'tok_sbx_approve' }, [1, 0], 'succeeded'],
  ['SPEI', { method: 'spei', name: 'Ana López', email: 'ana@example.com' }, [0, 1], 'requires_action'],
] as const)('the holder of the voucher pays by %s instead', async (_way, fields, used, status) => {
  const { merchant, path, holder, voucher, retry, uses, statuses } = await held()
  expect(await uses()).toEqual([0, 1])
  expect((await holder.open(path)).leadsTo).toBe(voucher)
  expect((await holder.open(voucher)).html).toMatch(otherWay)
  const form = await holder.open(`${retry}&lang=en`)
  expect(form.status).toBe(200)
  // The open form is not taken from its buyer.
  expect(JSON.parse((await holder.open(`${path}/status`)).html)).toMatchObject({ state: 'open' })
  const sent = await holder.send(`${path}/attempts`, { ...formIn(form.html), ...fields })
  expect(sent.status).toBe(303)
  expect(sent.leadsTo).not.toBe(voucher)
  expect(await statuses()).toEqual(['canceled', status])
  expect(await uses()).toEqual(used)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('who knows the voucher’s address alone, or makes a cookie of it, has no form', async () => {
  const { link, path, voucher, retry, uses, statuses } = await held()
  const reference = voucher.split('/')[2]!
  for (const cookie of [null, reference, `${reference}.${'0'.repeat(64)}`]) {
    const lurker = new Browser()
    lurker.cookie = cookie && `spindle_payment=${cookie}`
    expect((await lurker.open(voucher)).html).not.toMatch(otherWay)
    const refused = await lurker.open(retry)
    expect(refused.html).not.toContain('name="quote"')
    expect([303, 409]).toContain(refused.status)
    expect(JSON.parse((await lurker.open(`${path}/status`)).html)).toMatchObject({ state: 'closed' })
  }
  expect((await new Browser().open(`/${link.public_id}`)).status).toBe(409)
  expect(await uses()).toEqual([0, 1])
  expect(await statuses()).toEqual(['requires_action'])
})

test('the holder’s card and 49 others at once: the use passes over to the holder, and nobody pays a second one', async () => {
  const { merchant, link, path, early, holder, retry, uses, statuses } = await held()
  const own = await Promise.all(
    Array.from({ length: 25 }, async () => formIn((await holder.open(retry)).html)),
  )
  const cookie = holder.cookie
  const results = await Promise.all([
    ...own.map(async (form) => {
      const tab = new Browser()
      tab.cookie = cookie
      return (await tab.send(`${path}/attempts`, { ...form, card_token: 'tok_sbx_approve' })).status
    }),
    ...early.map(async (form) => (await pay(link.public_id, form, 'tok_sbx_approve')).status),
  ])
  expect(results.slice(25).every((status) => status === 409 || status === 410)).toBe(true)
  expect(await uses()).toEqual([1, 0])
  expect((await chargesOf(link.public_id)).filter(({ state }) => state === 'captured')).toHaveLength(1)
  expect((await statuses()).toSorted()).toEqual(['canceled', 'succeeded'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
