import { expect, test } from 'vitest'
import { folioOf } from '../../../src/kernel/folio.ts'
import { onSale } from '../../support/checkout.ts'
import { linkOfLines } from '../../support/link-lines.ts'
import { call, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { stack } from '../../support/stack.ts'

const get = (path: string) => fetch(stack.sandbox.directUrl + path, { redirect: 'manual' })

async function paid(token = 'tok_sbx_approve') {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const { location } = await pay(link.public_id, await openLink(link.public_id), token)
  const path = location!.split('?')[0]!
  return { merchant, link, path, reference: path.split('/')[2]! }
}

test('a paid payment has a receipt as a file, in the language asked for; any other has its page', async () => {
  const one = await paid()
  const file = await get(`${one.path}/receipt.pdf?lang=en`)
  expect(file.status).toBe(200)
  expect(file.headers.get('content-type')).toBe('application/pdf')
  expect(file.headers.get('cache-control')).toBe('no-store')
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${folioOf(one.reference)}.pdf"`)
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')

  const asked = await paid('tok_sbx_3ds_challenge')
  const page = await get(`${asked.path}/receipt.pdf?lang=en`)
  expect([page.status, page.headers.get('location')]).toEqual([303, `${asked.path}?lang=en`])

  const foreign = await get(`/${asked.link.public_id}/${one.reference}/receipt.pdf`)
  expect(foreign.status).toBe(404)
  expect((await fetch(`${stack.sandbox.directUrl}${one.path}/receipt.pdf`, { method: 'POST' })).status).toBe(
    405,
  )
})

test('the merchant finds a payment by its folio, however it is typed, and no other merchant does', async () => {
  const { merchant, reference } = await paid()
  const folio = folioOf(reference)
  const find = async (typed: string, bearer = merchant.apiKey) => {
    const path = `/v1/payment-operations/payments?folio=${encodeURIComponent(typed)}`
    const { status, body } = await call<{ data: { public_id: string }[] }>('GET', path, { bearer })
    return [status, body.data?.map((payment) => payment.public_id)]
  }
  for (const typed of [folio, folio.toLowerCase().replaceAll('-', ' '), folio.replaceAll('0', 'O')])
    expect(await find(typed)).toEqual([200, [reference]])
  expect(await find(folio, (await newMerchant()).apiKey)).toEqual([200, []])
  expect((await find('ABC'))[0]).toBe(422)
})

test('what was sold may change: what the buyer paid for, its page and its file stay', async () => {
  const merchant = await newMerchant()
  const [item_id] = (await onSale(merchant, 9)) as [string]
  const link = await linkOfLines(merchant, [{ item_id, quantity: 2 }], {
    usage: 'multi_use',
    description: 'Dos platos',
    tips: { presets_bps: [1000] },
  })
  const { location } = await pay(
    link.public_id,
    await openLink(link.public_id, '?tip=1000'),
    'tok_sbx_approve',
  )
  const at = location!.split('?')[0]!
  const seen = async () => {
    const page = await get(`${at}?lang=en`)
    const file = await get(`${at}/receipt.pdf?lang=en`)
    const shown = await call('GET', `/v1/payment-operations/payments/${at.split('/')[2]}`, {
      bearer: merchant.apiKey,
    })
    expect([page.status, file.status, shown.status]).toEqual([200, 200, 200])
    return [await page.text(), Buffer.from(await file.arrayBuffer()).toString('base64'), shown.text]
  }
  const before = await seen()
  expect(before[0]).toContain('Dos platos')
  const changes: [string, object][] = [
    [`/v1/payment-links/${link.id}`, { description: 'Vajilla', metadata: { season: 'autumn' } }],
    [`/v1/catalog-items/${item_id}`, { name: 'Otra cosa', iva_rate: '0', description: 'Ya no es un plato' }],
  ]
  for (const [path, body] of changes) {
    const changed = await call('PATCH', path, { bearer: merchant.apiKey, body: body as never })
    expect(changed.status, changed.text).toBe(200)
  }
  expect(await seen()).toEqual(before)
})
