import { expect, test } from 'vitest'
import { brokenRules, pageState } from '../../support/books.ts'
import { payInCash, vouchersOf } from '../../support/cash.ts'
import { completeFree, cup, newSession, onSale, payByCard, stateOf } from '../../support/checkout.ts'
import { asked } from '../../support/digital-catalogs.ts'
import { newDiscount } from '../../support/discounts.ts'
import { call, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { trigger } from '../../support/stack.ts'

test('what is off sale takes no payment, free or not, until it is for sale again; a voucher is paid', async () => {
  const merchant = await newMerchant()
  const [item] = await onSale(merchant, 10)
  const { code } = await newDiscount(merchant, { percent_off_bps: 10_000 })
  const line_items = [{ item_id: item }, cup]
  const [open, free, waiting] = [
    await newSession(merchant, { line_items }),
    await newSession(merchant, { line_items, discounts: [{ code }] }),
    await newSession(merchant, { line_items, payment_method_types: ['oxxo'] }),
  ]
  await payInCash(waiting.public_id, await openLink(waiting.public_id, '?method=oxxo'), 'oxxo')
  const forms = [await openLink(open.public_id), await openLink(free.public_id)]
  await asked(merchant, 'POST', `/items/${item}/deactivate`)
  const sent = [
    await pay(open.public_id, forms[0]!, 'tok_sbx_approve'),
    await completeFree(free.public_id, forms[1]!),
  ]
  for (const { status, html } of sent)
    expect([status, html]).toEqual([409, expect.stringContaining('Not for sale now')])
  for (const { public_id } of [open, free]) expect((await pageState(`/${public_id}`)).status).toBe(409)
  const [voucher] = await vouchersOf(merchant.tenantId)
  await call('POST', `/v1/sandbox/oxxo/${voucher!.reference}/pay`, { bearer: merchant.apiKey, body: {} })
  await trigger('sandbox')
  await expect.poll(() => stateOf(merchant, waiting)).toBe('complete/paid')
  await asked(merchant, 'POST', `/items/${item}/activate`)
  expect((await payByCard(open)).status).toBe(303)
  expect((await completeFree(free.public_id, await openLink(free.public_id))).status).toBe(303)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
