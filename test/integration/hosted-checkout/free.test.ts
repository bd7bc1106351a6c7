import { describe, expect, test } from 'vitest'
import { folioOf } from '../../../src/kernel/folio.ts'
import { brokenRules } from '../../support/books.ts'
import {
  checkout,
  completeFree as complete,
  cup,
  newSession,
  onSale,
  payByCard,
  sessionNow,
  stateOf,
} from '../../support/checkout.ts'
import { newEmail } from '../../support/customer.ts'
import { erased, newCustomer } from '../../support/customers.ts'
import { adjustOrder, codes, newDiscount, usesOf } from '../../support/discounts.ts'
import { addKeys, digital, type Entitlement, entitled, pool } from '../../support/entitlements.ts'
import { received } from '../../support/mails.ts'
import { type Merchant, newMerchant, openLink } from '../../support/merchant.ts'
import { eventsOf } from '../../support/refunds.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import { levelsOf } from '../../support/stock.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))

const all = { percent_off_bps: 10_000 }
const htmlOf = async (path: string) => (await fetch(stack.sandbox.directUrl + path)).text()

/** A session that a code of all takes down to nothing. */
async function newFree(merchant: Merchant, fields: object = { line_items: [cup] }) {
  return newSession(merchant, { ...fields, discounts: [{ code: 'BUENFIN' }] })
}

const paymentsOf = async ({ tenantId }: Merchant) =>
  (await adminSql('sandbox')(`select id from payments where tenant_id = $1`, [tenantId])).length

const grantedBy = async (merchant: Merchant, sessionId: string): Promise<Entitlement[]> => {
  await trigger('sandbox')
  const found = await entitled<{ data: Entitlement[] }>(
    merchant,
    'GET',
    `/entitlements?checkout_session_id=${sessionId}&limit=100`,
  )
  return found.body.data
}

/** Sessions that a merchant finds by the folio on the receipt at this address. */
async function idsByFolio(merchant: Merchant, receipt: string): Promise<string[]> {
  const folio = folioOf(/spcs_\w+$/.exec(receipt.split('?')[0]!)![0])
  const { body } = await checkout<{ data: { id: string }[] }>(merchant, 'GET', `/sessions?folio=${folio}`)
  return body.data.map(({ id }) => id)
}

test('an order, free or paid, is found by the folio of its receipt: that one alone, by its merchant alone', async () => {
  const merchant = await newMerchant()
  await newDiscount(merchant, all)
  const [free, paid] = [await newFree(merchant), await newSession(merchant, { line_items: [cup] })]
  const { location } = await complete(free.public_id, await openLink(free.public_id))
  await payByCard(paid)
  const { payment_id } = await sessionNow(merchant, paid)
  const [payment] = await adminSql('sandbox')<{ public_id: string }>(
    'select public_id from payments where id = $1',
    [payment_id],
  )
  expect(await idsByFolio(merchant, location)).toEqual([free.id])
  expect(await idsByFolio(merchant, payment!.public_id)).toEqual([paid.id])
  for (const receipt of [location, payment!.public_id])
    expect(await idsByFolio(await newMerchant(), receipt)).toEqual([])
})

describe('a session that costs nothing', () => {
  test('is completed by one button: no card, no payment, one event, a receipt for this browser', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant, all)
    const session = await newFree(merchant)
    expect(session).toMatchObject({ amount: '0', payment_status: 'no_payment_required', status: 'open' })
    const html = await htmlOf(`/${session.public_id}?lang=es`)
    expect(html).toContain('Completar pedido')
    expect(html).not.toContain('card_token')
    const done = await complete(session.public_id, await openLink(session.public_id))
    expect([done.status, done.location]).toEqual([
      303,
      expect.stringMatching(new RegExp(`^/${session.public_id}/spcs_[a-z0-9]{32}`)),
    ])
    expect(await sessionNow(merchant, session)).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      payment_id: null,
      completed_at: expect.any(String),
    })
    expect(await htmlOf(done.location)).toContain('Order completed')
    const again = await fetch(`${stack.sandbox.directUrl}/${session.public_id}`, {
      headers: { cookie: done.cookie },
      redirect: 'manual',
    })
    expect([again.status, again.headers.get('location')]).toEqual([
      303,
      expect.stringContaining(done.location.split('?')[0]!),
    ])
    const foreign = await fetch(`${stack.sandbox.directUrl}/${session.public_id}?lang=en`)
    expect([foreign.status, await foreign.text()]).toEqual([
      410,
      expect.stringContaining('has been completed'),
    ])
    expect(await usesOf(merchant, discount)).toBe(1)
    expect(await paymentsOf(merchant)).toBe(0)
    expect((await eventsOf(merchant.tenantId, session.id)).map(({ type }) => type)).toEqual([
      'checkout_session.created',
      'checkout_session.completed',
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('its receipt tells price, discount and total: on the page, as a file, and by mail where the buyer asks for it', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant, all)
    const session = await newFree(merchant)
    const form = await openLink(session.public_id)
    const wrong = await complete(session.public_id, form, { receipt_email: 'ana@example' })
    expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('receipt_email-error')])
    const to = newEmail()
    const again = { ...form, receipt_email: to }
    const [done, repeated] = [
      await complete(session.public_id, again),
      await complete(session.public_id, again),
    ]
    expect([done.status, repeated.location]).toEqual([303, done.location])
    const page = await htmlOf(done.location)
    expect(page).toMatch(/Price<\/dt><dd>\$1,160\.00 MXN[\s\S]*−\$1,160\.00 MXN[\s\S]*<strong>\$0\.00 MXN/)
    const [path] = done.location.split('?')
    const file = await fetch(`${stack.sandbox.directUrl}${path}/receipt.pdf?lang=en`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect((await file.bytes()).subarray(0, 5)).toEqual(new TextEncoder().encode('%PDF-'))
    await trigger('sandbox')
    const mails = await received(to)
    expect(mails.map(({ subject }) => subject)).toEqual(['Receipt of your order at Café Azul'])
    for (const said of ['Price: $1,160.00 MXN', 'Discount: −$1,160.00 MXN', 'Total: $0.00 MXN', path!])
      expect(mails[0]!.text).toContain(said)
    // Nothing else keeps the address.
    const [kept] = await adminSql('sandbox')<{ n: number }>(
      `select (select count(*) from payment_contacts where tenant_id = $1)::int
        + (select count(*) from outgoing_mails where tenant_id = $1 and (recipient is not null or data <> '{}'))::int n`,
      [merchant.tenantId],
    )
    expect(kept).toEqual({ n: 0 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('grants keys and files without a payment; the receipt shows them, another reference does not', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant, all)
    const item = await digital(merchant, pool)
    await addKeys(merchant, item, 'GRATIS-1', 'GRATIS-2')
    const session = await newFree(merchant, { line_items: [{ item_id: item, quantity: 2 }] })
    const done = await complete(session.public_id, await openLink(session.public_id))
    const granted = (await grantedBy(merchant, session.id)).sort((a, b) => a.number - b.number)
    expect(granted).toMatchObject([
      { payment_id: null, checkout_session_id: session.id, status: 'active', number: 1 },
      { payment_id: null, checkout_session_id: session.id, status: 'active', number: 2 },
    ])
    const receipt = await htmlOf(done.location)
    expect(receipt).toContain('GRATIS-1')
    expect(receipt).toContain('GRATIS-2')
    const other = await fetch(`${stack.sandbox.directUrl}/${session.public_id}/spcs_${'0'.repeat(32)}`)
    expect(other.status).toBe(404)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('becomes free by the code that a buyer types, and costs again without it', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant, all)
    const session = await newSession(merchant, { line_items: [cup], allows_discount_codes: true })
    await adjustOrder(session.public_id, { code: 'buenfin' })
    expect(await stateOf(merchant, session)).toBe('open/no_payment_required')
    const free = await openLink(session.public_id)
    await adjustOrder(session.public_id, { code: '' })
    const late = await complete(session.public_id, free)
    expect([late.status, late.html]).toEqual([409, expect.stringContaining('The purchase has changed')])
    await payByCard(session)
    expect(await stateOf(merchant, session)).toBe('complete/paid')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('that sells something else meanwhile is not completed by the form of before', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant, all)
    const session = await newFree(merchant)
    const before = await openLink(session.public_id)
    const changed = await checkout(merchant, 'PATCH', `/sessions/${session.id}`, {
      line_items: [{ ...cup, name: 'Taza roja' }],
    })
    expect(changed.body).toMatchObject({ amount: '0', line_items: [{ name: 'Taza roja' }] })
    const late = await complete(session.public_id, before)
    expect([late.status, late.html]).toEqual([409, expect.stringContaining('The purchase has changed')])
    expect((await complete(session.public_id, await openLink(session.public_id))).status).toBe(303)
  })

  test('asks what it collects, keeps it, and erases it with the customer', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant, all)
    const { id: customer_id } = await newCustomer(merchant)
    const fields = { line_items: [cup], customer_id, collects: { phone: 'required' } }
    const session = await newFree(merchant, fields)
    const form = await openLink(session.public_id)
    expect((await complete(session.public_id, form)).status).toBe(422)
    expect((await complete(session.public_id, form, { 'detail.phone': '55 1234 5678' })).status).toBe(303)
    expect(await sessionNow(merchant, session)).toMatchObject({ collected: { phone: '+525512345678' } })
    await erased(merchant)
    expect(await sessionNow(merchant, session)).toMatchObject({ collected: null })
  })

  test('that is over, or whose code is used up meanwhile, is not completed', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant, all)
    const [ended, used] = [await newFree(merchant), await newFree(merchant)]
    const forms = [await openLink(ended.public_id), await openLink(used.public_id)]
    await checkout(merchant, 'POST', `/sessions/${ended.id}/expire`)
    expect(await complete(ended.public_id, forms[0]!)).toMatchObject({ status: 410 })
    await codes(merchant, 'PATCH', `/${discount.id}`, { active: false })
    const refused = await complete(used.public_id, forms[1]!)
    expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('no longer available')])
    expect(await usesOf(merchant, discount)).toBe(0)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('the database completes none that was over, or whose time has passed', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant, all)
    const [ended, late] = [await newFree(merchant), await newFree(merchant)]
    await checkout(merchant, 'POST', `/sessions/${ended.id}/expire`)
    const finish = ({ id }: { id: string }, at: string) =>
      adminSql('sandbox')(
        `update checkout_sessions set status = 'complete', completed_at = ${at}, receipt_ref = $2 where id = $1`,
        [id, `spcs_${id.replaceAll('-', '')}`],
      )
    for (const [session, at] of [
      [ended, 'now()'],
      [late, 'expires_at'],
    ] as const)
      await expect(finish(session, at)).rejects.toMatchObject({ constraint: 'checkout_sessions_free_open' })
    await finish(late, `expires_at - interval '1 second'`)
  })

  test.each(['pending', 'in_review', 'suspended', 'closed'])(
    'of a workspace that is %s is not completed, though its page was open',
    async (status) => {
      const merchant = await newMerchant()
      const discount = await newDiscount(merchant, all)
      const session = await newFree(merchant)
      const form = await openLink(session.public_id)
      await adminSql('sandbox')(`update tenants set status = $2 where tenant_id = $1`, [
        merchant.tenantId,
        status,
      ])
      const refused = await complete(session.public_id, form)
      expect([refused.status, refused.html]).toEqual([403, expect.stringContaining('cannot take payments')])
      const [kept] = await adminSql('sandbox')<{ status: string }>(
        'select status from checkout_sessions where id = $1',
        [session.id],
      )
      expect(kept!.status).toBe('open')
      const [taken] = await adminSql('sandbox')<{ uses: number }>(
        'select uses from discounts where id = $1',
        [discount.id],
      )
      expect(taken!.uses).toBe(0)
    },
  )

  test('takes no form of a session that costs something', async () => {
    const merchant = await newMerchant()
    const session = await newSession(merchant)
    const sent = await complete(session.public_id, await openLink(session.public_id))
    expect([sent.status, await stateOf(merchant, session)]).toEqual([303, 'open/unpaid'])
    expect(sent.location).not.toMatch(/spcs_.*spcs_/)
  })
})

describe('races', () => {
  test('one free session in 50 tabs: completed once, its stock, its use and its key once', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant, all)
    const [plate] = await onSale(merchant, 50)
    const key = await digital(merchant, pool)
    await addKeys(merchant, key, 'A-1', 'A-2', 'A-3')
    const session = await newFree(merchant, { line_items: [{ item_id: plate }, { item_id: key }] })
    const forms = await times(() => openLink(session.public_id))
    const replies = await times((at) => complete(session.public_id, forms[at]!))
    expect(replies.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 410)).toHaveLength(copies - 1)
    expect(await levelsOf(merchant, plate!)).toEqual(['49/0'])
    expect(await usesOf(merchant, discount)).toBe(1)
    expect(await grantedBy(merchant, session.id)).toHaveLength(1)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('one form sent 50 times: one receipt for all', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant, all)
    const session = await newFree(merchant)
    const form = await openLink(session.public_id)
    const replies = await times(() => complete(session.public_id, form))
    const told = new Set(replies.map(({ status, location }) => `${status} ${location}`))
    expect([...told]).toHaveLength(1)
    expect(replies[0]!.status).toBe(303)
  })

  test('50 free sessions for the last unit, with one use of the code left for each: one is completed', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant, all)
    const [plate] = await onSale(merchant, 1)
    const sessions = await times(() => newFree(merchant, { line_items: [{ item_id: plate }] }))
    const forms = await times((at) => openLink(sessions[at]!.public_id))
    const replies = await times((at) => complete(sessions[at]!.public_id, forms[at]!))
    expect(replies.filter(({ status }) => status === 303)).toHaveLength(1)
    for (const { status, html } of replies)
      if (status !== 303) expect([status, html]).toEqual([409, expect.stringContaining('Sold out')])
    expect(await levelsOf(merchant, plate!)).toEqual(['0/0'])
    expect(await usesOf(merchant, discount)).toBe(1)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('completed against expired, 25 sessions each way: each is one of them', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant, all)
    const sessions = await Promise.all(Array.from({ length: 25 }, () => newFree(merchant)))
    const forms = await Promise.all(sessions.map(({ public_id }) => openLink(public_id)))
    await Promise.all([
      ...sessions.map(({ id }) => checkout(merchant, 'POST', `/sessions/${id}/expire`)),
      ...sessions.map(({ public_id }, at) => complete(public_id, forms[at]!)),
    ])
    const states = await Promise.all(sessions.map((session) => stateOf(merchant, session)))
    const done = states.filter((state) => state === 'complete/no_payment_required').length
    expect(states.filter((state) => state === 'expired/no_payment_required')).toHaveLength(25 - done)
    expect(await usesOf(merchant, discount)).toBe(done)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})
