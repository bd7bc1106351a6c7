import { expect, test } from 'vitest'
import { brokenRules, chargesOf } from '../../support/books.ts'
import { call, type Link, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { pageOf, sendForm } from '../../support/pages.ts'

type Answer = Record<string, unknown> & { error?: { code: string; param: string | null } }

const seller = async (fields: object) => {
  const merchant = await newMerchant()
  const bearer = merchant.apiKey
  const link = await newLink(merchant, { ...fields })
  const path = `/v1/payment-links/${link.id}`
  return {
    merchant,
    link,
    change: (body: object) => call<Answer>('PATCH', path, { bearer, body }),
    payments: async () =>
      (
        await call<{ data: { amount: string; quantity: number; status: string }[] }>(
          'GET',
          `${path}/payments`,
          { bearer },
        )
      ).body.data,
  }
}

const open = {
  manual_amount: undefined,
  buyer_amount: { amount_min: '2000', amount_max: '500000', presets: ['5000', '10000'] },
}
const many = { manual_amount: 45_000, adjustable_quantity: { min: 1, max: 5 }, usage: 'multi_use' }

test('the buyer chooses the amount within its bounds, or takes one that is suggested', async () => {
  const { merchant, link, payments } = await seller({ ...open, usage: 'multi_use', description: 'Donativo' })
  const page = await pageOf(`/${link.public_id}?lang=en&client_reference_id=fair-7`)
  expect(page.html).toMatch(/href="\/splink_[^"]*client_reference_id=fair-7&amp;amount=50\.00[^"]*"/)
  const wrong = await pageOf(`/${link.public_id}?lang=en&amount=5000.01`)
  expect([wrong.status, /aria-invalid="true"/.test(wrong.html)]).toEqual([422, true])
  for (const amount of ['50.00', '1,234.5'])
    await pay(link.public_id, await openLink(link.public_id, `?amount=${amount}`), 'tok_sbx_approve')
  expect((await payments()).map(({ amount }) => amount)).toEqual(['123450', '5000'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a form of other bounds is refused: nothing is charged', async () => {
  const { link, change } = await seller(open)
  const form = await openLink(link.public_id, '?amount=20.00')
  expect((await change({ buyer_amount: { amount_min: '3000', amount_max: '500000' } })).status).toBe(200)
  const answer = await pay(link.public_id, form, 'tok_sbx_approve')
  expect([answer.status, await chargesOf(link.public_id)]).toEqual([409, []])
})

test('the buyer chooses how many: each pays the price of one that often', async () => {
  const { merchant, link, payments } = await seller(many)
  const first = await pageOf(`/${link.public_id}?lang=en`)
  expect(first.html).toMatch(/name="quantity"[^>]* type="number"[^>]*min="1" max="5"[^>]*value="1"/)
  const three = await pageOf(`/${link.public_id}?lang=en&quantity=3`)
  expect(three.html).toContain('$1,350.00')
  for (const asked of ['6', '0', '1.5', 'two']) {
    const page = await pageOf(`/${link.public_id}?lang=en&quantity=${asked}`)
    expect([page.status, /id="quantity"[^>]*aria-invalid="true"/.test(page.html)]).toEqual([422, true])
    expect(page.html).toContain('Enter a number from 1 to 5.')
  }
  await pay(link.public_id, await openLink(link.public_id, '?quantity=3'), 'tok_sbx_approve')
  expect(await payments()).toMatchObject([{ amount: '135000', quantity: 3, status: 'succeeded' }])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a declined payment is tried again for as many as before', async () => {
  const { link, payments } = await seller(many)
  const declined = await pay(
    link.public_id,
    await openLink(link.public_id, '?quantity=4'),
    'tok_sbx_decline_funds',
  )
  const reference = /spcs_[a-z0-9]{32}/.exec(declined.location!)![0]
  await pay(link.public_id, await openLink(link.public_id, `?retry=${reference}`), 'tok_sbx_approve')
  expect(await payments()).toMatchObject([{ amount: '180000', quantity: 4, status: 'succeeded' }])
})

test('a method that takes less than the greatest amount is offered for amounts that it takes', async () => {
  const { link } = await seller({
    ...open,
    buyer_amount: { amount_min: '2000', amount_max: '5000000' },
    payment_method_types: ['card', 'oxxo'],
  })
  const methods = async (amount: string) =>
    (await pageOf(`/${link.public_id}?lang=en&amount=${amount}`)).html.includes('value="oxxo"')
  expect([await methods('100.00'), await methods('20000.00')]).toEqual([true, false])
})

test('an OXXO voucher is for the quantity that was chosen, without JavaScript', async () => {
  const { link, payments } = await seller({ ...many, payment_method_types: ['oxxo'] })
  const buyer = { method: 'oxxo', name: 'Ana Prueba', email: 'ana@example.com' }
  const placed = await sendForm(link as Link, buyer, { query: '?method=oxxo&quantity=2' })
  expect(placed.status).toBe(303)
  expect(await payments()).toMatchObject([{ amount: '90000', quantity: 2, status: 'requires_action' }])
})

test.each([
  ['both amounts', { ...open, manual_amount: 1_000 }, 'parameter_unknown', 'manual_amount'],
  [
    'a greatest below the least',
    { ...open, buyer_amount: { amount_min: '2000', amount_max: '1999' } },
    'parameter_invalid',
    'buyer_amount.amount_max',
  ],
  [
    'a preset outside',
    { ...open, buyer_amount: { amount_min: '2000', amount_max: '3000', presets: ['2500', '9000'] } },
    'parameter_invalid',
    'buyer_amount.presets.1',
  ],
  [
    'less than any method takes',
    { ...open, buyer_amount: { amount_min: '1', amount_max: '3000' } },
    'amount_below_minimum',
    'buyer_amount.amount_min',
  ],
  [
    'more than any method takes',
    { ...open, buyer_amount: { amount_min: '2000', amount_max: '90000000000' } },
    'amount_above_maximum',
    'buyer_amount.amount_max',
  ],
  [
    'an amount and how many',
    { ...open, adjustable_quantity: { max: 3 } },
    'parameter_unknown',
    'adjustable_quantity',
  ],
  [
    'a crossed quantity',
    { ...many, adjustable_quantity: { min: 4, max: 3 } },
    'parameter_invalid',
    'adjustable_quantity.max',
  ],
  [
    'too many in all',
    { ...many, manual_amount: 9_000_000_000, adjustable_quantity: { max: 10_000 } },
    'amount_above_maximum',
    'adjustable_quantity.max',
  ],
] as const)('%s: refused with its field', async (_what, fields, code, param) => {
  const merchant = await newMerchant()
  const body = { currency: 'mxn', ...fields }
  const reply = await call<Answer>('POST', '/v1/payment-links', { bearer: merchant.apiKey, body })
  expect([reply.status, reply.body.error?.code, reply.body.error?.param]).toEqual([422, code, param])
})

test('a fixed amount takes the place of the chosen one, and comes with it', async () => {
  const { change } = await seller(open)
  const bare = await change({ buyer_amount: null })
  expect([bare.status, bare.body.error?.param]).toEqual([422, 'manual_amount'])
  const fixed = await change({ buyer_amount: null, manual_amount: 7_000 })
  expect(fixed.body).toMatchObject({ manual_amount: 7_000, buyer_amount: null })
})
