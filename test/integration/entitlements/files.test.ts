import { expect, test } from 'vitest'
import { addFile, buy, digital, downloadsOn, entitled, grantedNow } from '../../support/entitlements.ts'
import { newMerchant } from '../../support/merchant.ts'
import { open, pageOf } from '../../support/pages.ts'

test('a buyer downloads each file as often as the item says, also one that came after the sale', async () => {
  const merchant = await newMerchant()
  const item = await digital(merchant, { kind: 'file', downloads_max: 1 })
  await addFile(merchant, item, Buffer.from('uno'), 'uno.pdf')
  const bought = await buy(merchant, [item])
  await addFile(merchant, item, Buffer.from('dos'), 'dos.pdf')
  const { id } = (await grantedNow(merchant, bought.paymentId))[0]!
  const named = async () => {
    const list = await entitled<{ data: { name: string }[]; error?: { code: string } }>(
      merchant,
      'GET',
      `/entitlements/${id}/downloads`,
    )
    return list.body.error?.code ?? list.body.data.map(({ name }) => name)
  }
  const [first, second] = (await downloadsOn(bought.receipt)) as [string, string]
  expect(await named()).toEqual(['uno.pdf', 'dos.pdf'])

  expect(await (await open(first)).text()).toBe('uno')
  expect([(await open(first)).status, await named()]).toEqual([410, ['dos.pdf']])
  const { html } = await pageOf(`${bought.receipt}?lang=en`)
  expect(html).toMatch(/uno\.pdf<[^:]*: You have downloaded it as often/)
  expect(html).toContain('1 download left')

  const replies = await Promise.all(Array.from({ length: 50 }, () => open(second)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 410)).toHaveLength(49)
  expect((await open(first)).status).toBe(410)
  expect(await named()).toBe('downloads_used_up')
  expect((await grantedNow(merchant, bought.paymentId))[0]!.downloads_count).toBe(2)
  expect(await downloadsOn(bought.receipt)).toEqual([])
})
