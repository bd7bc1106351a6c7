import { expect } from 'vitest'
import { till } from '../integration/payments/voucher-story.ts'
import { vouchersOf } from './cash.ts'
import type { Browser } from './challenge.ts'
import { newSession } from './checkout.ts'
import { addFile, addKeys, digital, pool } from './entitlements.ts'
import { call, type Merchant, newMerchant, openLink } from './merchant.ts'
import { deposit } from './spei.ts'
import { adminSql } from './stack.ts'

/* What is sold once, with goods, and waits for a voucher or CLABE: who pays it, and what each browser has of it. */

export type Push = 'oxxo' | 'spei'

export interface Sold {
  readonly merchant: Merchant
  readonly publicId: string
  readonly id: string
  readonly method: Push
}

export const key = 'KEY-PAID-0001'

/** A license key and a file, at 200.00, on a link or in a session. */
export async function sold(kind: 'link' | 'session', method: Push): Promise<Sold> {
  const merchant = await newMerchant()
  const license = await digital(merchant, pool)
  await addKeys(merchant, license, key)
  const payment_method_types = ['card', method]
  if (kind === 'session') {
    const file = await digital(merchant, { kind: 'file' })
    await addFile(merchant, file)
    const line_items = [{ item_id: license }, { item_id: file }]
    const session = await newSession(merchant, { line_items, payment_method_types })
    return { merchant, publicId: session.public_id, id: session.id, method }
  }
  const catalog_line_item = { item_id: license, quantity: 1 }
  const { body, text } = await call<{ public_id: string; id: string }>('POST', '/v1/payment-links', {
    bearer: merchant.apiKey,
    body: { amount_source: 'catalog_line_item', currency: 'mxn', catalog_line_item, payment_method_types },
  })
  if (!body.public_id) throw new Error(text)
  return { merchant, publicId: body.public_id, id: body.id, method }
}

export const pushFields = ({ method }: Sold, email: string) => ({
  method,
  name: 'Ana López',
  email,
})

export const cardFields = (email: string | null) => ({
  card_token: 'tok_sbx_approve',
  ...(email ? { receipt_email: email } : {}),
})

/** Sends the form of the sale's page as this browser; answers where it is led. */
export async function begins(
  browser: Browser,
  { publicId }: Sold,
  fields: Record<string, string>,
  query = '',
) {
  const sent = await browser.send(`/${publicId}/attempts`, {
    ...(await openLink(publicId, query)),
    ...fields,
  })
  expect(sent.status).toBe(303)
  return sent.leadsTo!
}

/** The voucher or CLABE that was issued last is paid. */
export async function cashIn({ merchant, method }: Sold): Promise<void> {
  if (method === 'oxxo')
    expect((await till(merchant, (await vouchersOf(merchant.tenantId)).at(-1)!.reference)).status).toBe(200)
  else {
    const [lent] = await adminSql('sandbox')<{ clabe: string; amount: number }>(
      `select c.clabe, p.amount_minor::int as amount from clabes c join payments p on p.tenant_id = c.tenant_id and p.id = c.payment_id
       where c.tenant_id = $1 order by c.created_at desc limit 1`,
      [merchant.tenantId],
    )
    expect((await deposit(merchant, lent!.clabe, lent!.amount)).status).toBeLessThan(300)
  }
}

/** What a browser has of the purchase at an address. */
export async function gets(browser: Browser, path: string) {
  const { html, status } = await browser.open(`${path}?lang=en`)
  const pdf = await browser.open(`${path}/receipt.pdf`)
  return {
    status,
    key: html.includes(key),
    download: html.includes('href="/downloads/'),
    pdf: pdf.headers.get('content-type') === 'application/pdf',
  }
}

export const nothing = { key: false, download: false, pdf: false }
export const all = (kind: string) => ({ status: 200, key: true, download: kind === 'session', pdf: true })
