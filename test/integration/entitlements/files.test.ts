import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addFile, buy, digital, downloadsOn, entitled, grantedNow } from '../../support/entitlements.ts'
import { newMerchant } from '../../support/merchant.ts'
import { open, pageOf } from '../../support/pages.ts'
import { adminSql } from '../../support/stack.ts'

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

test('ten uploads at once to an item with fifteen files: five become the last of twenty', async () => {
  const merchant = await newMerchant()
  const item = await digital(merchant, { kind: 'file' })
  for (let number = 1; number <= 15; number++)
    await adminSql('sandbox')(
      `insert into delivered_files (tenant_id, id, item_id, name, bytes, address, status, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, $3, 1, $4, 'stored', now(), now())`,
      [merchant.tenantId, item, `${number}.pdf`, randomUUID().replaceAll('-', '')],
    )
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      entitled(merchant, 'POST', '/files', { item_id: item, name: `más ${at}.pdf`, content: 'AAAA' }),
    ),
  )
  const told = replies.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`).sort()
  expect(told).toEqual([...Array(5).fill('201 '), ...Array(5).fill('409 delivered_files_too_many')])
  const list = await entitled<{ data: { status: string }[] }>(
    merchant,
    'GET',
    `/files?item_id=${item}&limit=50`,
  )
  expect(list.body.data.filter(({ status }) => status === 'stored')).toHaveLength(20)
})
