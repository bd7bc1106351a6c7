import { describe, expect, test } from 'vitest'
import { mailsTo } from '../../../local/mailbox.ts'
import { brokenRules, journalsOf, paymentsOf } from '../../support/books.ts'
import { vouchersOf } from '../../support/cash.ts'
import { Browser } from '../../support/challenge.ts'
import { newSession } from '../../support/checkout.ts'
import { newEmail } from '../../support/customer.ts'
import { addFile, addKeys, digital, pool } from '../../support/entitlements.ts'
import { call, type Merchant, newMerchant, openLink } from '../../support/merchant.ts'
import { deposit } from '../../support/spei.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import { till } from '../payments/voucher-story.ts'

/*
 * What is sold once waits for a voucher or CLABE, and other people open the same address. What was bought, the receipt
 * and the mails belong to who paid.
 */

type Push = 'oxxo' | 'spei'

interface Sold {
  readonly merchant: Merchant
  readonly publicId: string
  readonly id: string
  readonly method: Push
}

const key = 'KEY-PAID-0001'

/** A licence key and a file, at 200.00, on a link or in a session. */
async function sold(kind: 'link' | 'session', method: Push): Promise<Sold> {
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

const pushFields = ({ method }: Sold, email: string, wantsMail: boolean) => ({
  method,
  name: 'Ana López',
  email,
  ...(wantsMail ? { receipt: 'yes' } : {}),
})

const cardFields = (email: string | null) => ({
  card_token: 'tok_sbx_approve',
  ...(email ? { receipt_email: email } : {}),
})

/** Sends the form of the sale's page as this browser; answers where it is led. */
async function begins(browser: Browser, { publicId }: Sold, fields: Record<string, string>, query = '') {
  const sent = await browser.send(`/${publicId}/attempts`, {
    ...(await openLink(publicId, query)),
    ...fields,
  })
  expect(sent.status).toBe(303)
  return sent.leadsTo!
}

/** The voucher or CLABE that was issued last is paid. */
async function cashIn({ merchant, method }: Sold): Promise<void> {
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
async function gets(browser: Browser, path: string) {
  const { html, status } = await browser.open(`${path}?lang=en`)
  const pdf = await browser.open(`${path}/receipt.pdf`)
  return {
    status,
    key: html.includes(key),
    download: html.includes('href="/downloads/'),
    pdf: pdf.headers.get('content-type') === 'application/pdf',
  }
}

const nothing = { key: false, download: false, pdf: false }
const all = (kind: string) => ({ status: 200, key: true, download: kind === 'session', pdf: true })

const receiptsOf = async (to: string) =>
  (await mailsTo(stack.mailboxUrl, to)).filter(({ subject }) => /^Receipt/.test(subject))

/** The address of a payment in a mail, as its reader's browser opens it. */
const linkOf = (text: string) => {
  const { pathname, search } = new URL(/https:\/\/\S+\/spcs_\S+/.exec(text)![0])
  return pathname + search
}

const cases = (['oxxo', 'spei'] as const).flatMap((method) =>
  (['link', 'session'] as const).flatMap((kind) =>
    [true, false].map((wantsMail) => [method, kind, wantsMail ? 'with' : 'without', wantsMail] as const),
  ),
)

describe.each(cases)('%s on a %s, %s mails', (method, kind, _with, wantsMail) => {
  test('who made the voucher that another buyer’s card replaced has nothing of what that buyer paid for', async () => {
    const sale = await sold(kind, method)
    const { merchant, publicId } = sale
    const [lurker, payer] = [new Browser(), new Browser()]
    const [theirs, own] = [newEmail(), newEmail()]
    const left = await begins(lurker, sale, pushFields(sale, theirs, wantsMail), `?method=${method}`)
    const waits = await payer.open(`/${publicId}?lang=en`)
    expect([waits.status, waits.state]).toEqual([200, 'awaits_payment'])
    const other = /href="([^"]*retry=[^"&]+)[^"]*"/.exec(waits.html)![1]!
    const paid = await begins(
      payer,
      sale,
      cardFields(wantsMail ? own : null),
      other.slice(other.indexOf('?')),
    )
    expect(paid).not.toBe(left)

    await trigger('sandbox')
    expect(await gets(lurker, left)).toEqual({ status: 200, ...nothing })
    expect((await lurker.open(`${left}/receipt.pdf`)).status).toBe(303)
    expect((await lurker.open(left)).state).toBe('canceled')
    expect((await lurker.open(`/${publicId}`)).leadsTo).toBe(left)
    expect((await new Browser().open(`/${publicId}`)).status).toBe(410)
    expect(await receiptsOf(theirs)).toEqual([])
    const kept = await adminSql('sandbox')<{ email: string }>(
      'select email from payment_contacts where tenant_id = $1',
      [merchant.tenantId],
    )
    expect(kept.map(({ email }) => email)).toEqual(wantsMail ? [own] : [])

    expect(await gets(payer, paid)).toEqual(all(kind))
    expect((await payer.open(`/${publicId}`)).leadsTo).toBe(paid)
    if (wantsMail) await mailLeads(own, kind)
    expect(await journalsOf(merchant.tenantId)).toMatchObject({ capture: 1 })
    expect((await paymentsOf(merchant.tenantId)).map(({ status }) => status)).toEqual([
      'canceled',
      'succeeded',
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('who opened the address while the holder’s voucher waited has nothing once the holder has paid', async () => {
    const sale = await sold(kind, method)
    const { merchant, publicId } = sale
    const [lurker, payer] = [new Browser(), new Browser()]
    const own = newEmail()
    const paid = await begins(payer, sale, pushFields(sale, own, wantsMail), `?method=${method}`)
    const reference = paid.split('/')[2]!
    for (const query of ['?lang=en', '?retry=another-way', `?retry=spcs_${'0'.repeat(32)}`]) {
      const seen = await lurker.open(`/${publicId}${query}`)
      expect(seen.status).toBe(200)
      expect(seen.html).not.toContain(reference)
      for (const [, sealed] of seen.html.matchAll(/name="quote" value="([^"]+)"/g))
        expect(Buffer.from(sealed!, 'base64url').toString('latin1')).not.toContain(reference)
    }
    expect((await payer.open(`/${publicId}`)).leadsTo).toBe(paid)

    await cashIn(sale)
    await trigger('sandbox')
    expect((await lurker.open(`/${publicId}`)).status).toBe(410)
    expect(lurker.cookie).toBeNull()
    expect(await gets(payer, paid)).toEqual(all(kind))
    // The address alone, without the payer's cookie, or with one that was made up from it.
    expect(await gets(new Browser(), paid)).toEqual({ status: 200, ...nothing })
    for (const forged of [reference, `${reference}.${'0'.repeat(64)}`]) {
      const forger = new Browser()
      forger.cookie = `spindle_payment=${forged}`
      expect(await gets(forger, paid)).toEqual({ status: 200, ...nothing })
    }
    const guesser = new Browser()
    expect((await guesser.open(`${paid}?key=${'0'.repeat(64)}`)).leadsTo).toBe(paid)
    expect(guesser.cookie).toBeNull()
    if (wantsMail) await mailLeads(own, kind)
    expect((await paymentsOf(merchant.tenantId)).map(({ status }) => status)).toEqual(['succeeded'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

/** The receipt's mail came, and its link gives another browser of its reader all of it. */
async function mailLeads(to: string, kind: string): Promise<void> {
  await expect.poll(async () => (await receiptsOf(to)).length).toBe(1)
  const [mail] = await receiptsOf(to)
  const reader = new Browser()
  const { status, leadsTo } = await reader.open(linkOf(mail!.text))
  expect(status).toBe(303)
  expect(leadsTo).not.toContain('key=')
  expect(await gets(reader, leadsTo!)).toEqual(all(kind))
}
