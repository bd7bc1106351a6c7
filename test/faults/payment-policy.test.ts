import { expect, test } from 'vitest'
import { payInCash } from '../support/cash.ts'
import { call, newLink, newMerchant, openLink, pay } from '../support/merchant.ts'
import { policyOf } from '../support/policy.ts'
import { control, stack } from '../support/stack.ts'

test('a method that the platform stops is stopped on what is for sale already, and for a form that was shown', async () => {
  const merchant = await newMerchant()
  const both = await newLink(merchant, { payment_method_types: ['card', 'oxxo'], usage: 'multi_use' })
  const cash = await newLink(merchant, { payment_method_types: ['oxxo'] })
  const forms = { both: await openLink(both.public_id), cash: await openLink(cash.public_id) }
  const page = async (publicId: string) => {
    const response = await fetch(`${stack.sandbox.directUrl}/${publicId}`)
    return { status: response.status, html: await response.text() }
  }
  const payments = async (id: string) =>
    (
      await call<{ data: { method: string }[] }>('GET', `/v1/payment-links/${id}/payments`, {
        bearer: merchant.apiKey,
      })
    ).body.data.map(({ method }) => method)

  await control.reconfigure('sandbox', { vars: { PAYMENT_POLICY: '{"stopped":["oxxo"]}' } })
  expect((await policyOf(merchant)).body).toMatchObject({
    effective: { methods: { oxxo: { enabled: false }, card: { enabled: true } } },
    sources: { 'methods.oxxo.enabled': 'platform' },
  })
  const refused = await payInCash(both.public_id, forms.both, 'oxxo')
  expect(refused.status).toBe(409)
  expect((await payInCash(cash.public_id, forms.cash, 'oxxo')).status).not.toBe(303)
  expect((await page(cash.public_id)).html).not.toContain('name="quote"')
  expect((await page(both.public_id)).html).not.toContain('method=oxxo')
  expect((await pay(both.public_id, await openLink(both.public_id), 'tok_sbx_approve')).status).toBe(303)
  expect([await payments(both.id), await payments(cash.id)]).toEqual([['card'], []])
  const made = await call<{ error: { code: string } }>('POST', '/v1/payment-links', {
    bearer: merchant.apiKey,
    body: { manual_amount: 120_000, currency: 'mxn', payment_method_types: ['oxxo'] },
  })
  expect(made.body.error.code).toBe('payment_method_unavailable')

  await control.reconfigure('sandbox', {})
  expect((await payInCash(cash.public_id, await openLink(cash.public_id), 'oxxo')).status).toBe(303)
})
