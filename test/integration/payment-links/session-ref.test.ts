import { expect, test } from 'vitest'
import { answerBank } from '../../support/bank.ts'
import { newVoucher } from '../../support/cash.ts'
import { challenged } from '../../support/challenge.ts'
import {
  call,
  type Link,
  type Merchant,
  newLink,
  newMerchant,
  openLink,
  pay,
} from '../../support/merchant.ts'

const read = async ({ apiKey }: Merchant, { id }: Link) => {
  const { body } = await call<Link>('GET', `/v1/payment-links/${id}`, { bearer: apiKey })
  return [body.status, body.checkout_session_ref]
}
const refIn = (location: string | null) => /spcs_[a-z0-9]{32}/.exec(location ?? '')![0]

test('a single-use link names the payment under way, none once that is over, then the one that paid it', async () => {
  const merchant = await newMerchant()
  const { link, location } = await newVoucher(merchant)
  const voucher = refIn(location)
  expect(await read(merchant, link)).toEqual(['active', voucher])
  const listed = await call<{ data: Link[] }>('GET', '/v1/payment-links', { bearer: merchant.apiKey })
  expect(listed.body.data.map((each) => each.checkout_session_ref)).toEqual([voucher])
  const payments = await call<{ data: { id: string }[] }>('GET', `/v1/payment-links/${link.id}/payments`, {
    bearer: merchant.apiKey,
  })
  await call('POST', `/v1/payments/${payments.body.data[0]!.id}/cancel`, { bearer: merchant.apiKey })
  expect(await read(merchant, link)).toEqual(['active', null])
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_decline_generic')
  expect(await read(merchant, link)).toEqual(['active', null])
  const paid = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  expect(await read(merchant, link)).toEqual(['paid', refIn(paid.location)])
})

test('of a link that many pay none is the live one', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use', payment_method_types: ['card', 'oxxo'] })
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  expect(await read(merchant, link)).toEqual(['active', null])
})

test.each([
  ['deactivate', 'paid'],
  ['revoke', 'inactive'],
  ['archive', 'archived'],
])(
  'paid by a challenge that was answered after %s: one use, the same in the list, %s for good',
  async (verb, status) => {
    const { merchant, link, browser, path, reference, attemptId } = await challenged()
    const counts = async () => {
      const { body } = await call<Link & { uses_count: number }>('GET', `/v1/payment-links/${link.id}`, {
        bearer: merchant.apiKey,
      })
      const listed = await call<{ data: Link[] }>('GET', '/v1/payment-links', { bearer: merchant.apiKey })
      expect(listed.body.data).toEqual([body])
      return [body.status, body.checkout_session_ref, body.uses_count]
    }
    const { body: moved } = await call<Link>('POST', `/v1/payment-links/${link.id}/${verb}`, {
      bearer: merchant.apiKey,
    })
    expect(await counts()).toEqual([moved.status, reference, 0])
    await answerBank(attemptId, 'approve')
    await browser.open(path)
    expect(await counts()).toEqual([status, reference, 1])
  },
)
