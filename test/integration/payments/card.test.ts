import { expect, test } from 'vitest'
import { call, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'

test('a card payment: link paid, payment succeeded, journal summing to zero', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const { status, location } = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  expect(status).toBe(303)
  expect(location).toMatch(new RegExp(`^/${link.public_id}/spcs_[a-z0-9]{32}`))

  const payments = await call<{ data: { id: string; status: string; amount: string }[] }>(
    'GET',
    '/v1/payment-operations/payments',
    { bearer: merchant.apiKey },
  )
  expect(payments.body.data).toMatchObject([{ status: 'succeeded', amount: '120000' }])
  const [payment] = payments.body.data
  const journals = await call<{ data: { entry_kind: string; postings: { amount: string }[] }[] }>(
    'GET',
    `/v1/payment-operations/payments/${payment!.id}/journals`,
    { bearer: merchant.apiKey },
  )
  expect(journals.body.data.map(({ entry_kind }) => entry_kind)).toEqual(['capture'])
  const sum = journals.body.data[0]!.postings.reduce((total, { amount }) => total + BigInt(amount), 0n)
  expect(sum).toBe(0n)
  const read = await call<{ status: string }>('GET', `/v1/payment-links/${link.id}`, {
    bearer: merchant.apiKey,
  })
  expect(read.body.status).toBe('paid')
})
