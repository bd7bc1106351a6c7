import { describe, expect, test } from 'vitest'
import { mailsTo } from '../../../local/mailbox.ts'
import { brokenRules, journalsOf, paymentsOf } from '../../support/books.ts'
import { Browser } from '../../support/challenge.ts'
import { newEmail } from '../../support/customer.ts'
import { all, begins, cardFields, cashIn, gets, nothing, pushFields, sold } from '../../support/sold-once.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

/*
 * What is sold once waits for a voucher or CLABE, and other people open the same address. What was bought, the receipt
 * and the mails belong to who paid.
 */

const receiptsOf = async (to: string) =>
  (await mailsTo(stack.mailboxUrl, to)).filter(({ subject }) => /^Receipt/.test(subject))

/** The address of a payment in a mail, as its reader's browser opens it. */
const linkOf = (text: string) => {
  const { pathname, search } = new URL(/https:\/\/\S+\/spcs_\S+/.exec(text)![0])
  return pathname + search
}

const cases = (['oxxo', 'spei'] as const).flatMap((method) =>
  (['link', 'session'] as const).flatMap((kind) =>
    [true, false].map((isMailed) => [method, kind, isMailed ? 'with' : 'without', isMailed] as const),
  ),
)

describe.each(cases)('%s on a %s, a card %s an address', (method, kind, _with, isMailed) => {
  test('who made the voucher that another buyer’s card replaced has nothing of what that buyer paid for', async () => {
    const sale = await sold(kind, method)
    const { merchant, publicId } = sale
    const [lurker, payer] = [new Browser(), new Browser()]
    const [theirs, own] = [newEmail(), newEmail()]
    const left = await begins(lurker, sale, pushFields(sale, theirs), `?method=${method}`)
    const waits = await payer.open(`/${publicId}?lang=en`)
    expect([waits.status, waits.state]).toEqual([200, 'awaits_payment'])
    const other = /href="([^"]*retry=[^"&]+)[^"]*"/.exec(waits.html)![1]!
    const paid = await begins(payer, sale, cardFields(isMailed ? own : null), other.slice(other.indexOf('?')))
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
    expect(kept.map(({ email }) => email)).toEqual(isMailed ? [own] : [])

    expect(await gets(payer, paid)).toEqual(all(kind))
    expect((await payer.open(`/${publicId}`)).leadsTo).toBe(paid)
    if (isMailed) await mailLeads(own, kind)
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
    const paid = await begins(payer, sale, pushFields(sale, own), `?method=${method}`)
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
    await mailLeads(own, kind)
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
