import { describe, expect, test } from 'vitest'
import { mailsTo } from '../../../local/mailbox.ts'
import { brokenRules } from '../../support/books.ts'
import { checkout, newSession, onSale, payByCard, type Session, sessionNow } from '../../support/checkout.ts'
import { newEmail } from '../../support/customer.ts'
import { erased, newCustomer } from '../../support/customers.ts'
import { newDiscount } from '../../support/discounts.ts'
import { received } from '../../support/mails.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { consentTo, ended, mailsOf, newRecoverable, send, wayBack } from '../../support/recovery.ts'
import { eventsOf } from '../../support/refunds.ts'
import { adminSql, stack } from '../../support/stack.ts'

type Recovered = Session & { recovery: object | null; recovered_from: string | null }

const htmlOf = async (path: string) => {
  const reply = await fetch(stack.sandbox.directUrl + path, { redirect: 'manual' })
  return { status: reply.status, location: reply.headers.get('location') ?? '', html: await reply.text() }
}

/** A session that ended unpaid, whose buyer was mailed; with the path in the mail. */
async function mailed(merchant: Merchant, fields?: object) {
  const session = await newRecoverable(merchant, fields)
  const to = newEmail()
  await consentTo(session, to)
  await ended(merchant, session)
  expect(await mailsOf(session)).toEqual(['sent'])
  const [mail] = await received(to)
  return { session, to, mail: mail!, path: wayBack(mail!) }
}

const keptOf = async ({ id }: Session) =>
  (await adminSql('sandbox')('select email, status from checkout_recoveries where session_id = $1', [id]))[0]

const at = (location: string) => /^\/(spcs_[a-z0-9]{32})/.exec(location)?.[1] ?? ''

describe('the consent', () => {
  test('is asked for on the page where the session offers a mail, with a box that is not ticked', async () => {
    const merchant = await newMerchant()
    const [offered, plain] = [await newRecoverable(merchant), await newSession(merchant)]
    expect(offered).toMatchObject({ recovery: { delay_minutes: 0, valid_hours: 72 }, recovered_from: null })
    const { html } = await htmlOf(`/${offered.public_id}?lang=es`)
    expect(html).toContain('Avísame')
    expect(html).not.toMatch(/name="consent" value="yes" checked/)
    expect((await htmlOf(`/${plain.public_id}`)).html).not.toContain('recovery_email')
    expect(
      await send(`/${plain.public_id}/recovery`, { recovery_email: newEmail(), consent: 'yes' }),
    ).toMatchObject({
      status: 404,
    })
  })

  test('without the box, or at what is no address, nothing is kept; taken back, nothing is sent', async () => {
    const merchant = await newMerchant()
    const session = await newRecoverable(merchant)
    const to = newEmail()
    const unticked = await send(`/${session.public_id}/recovery`, { recovery_email: to })
    expect(unticked.location).toContain('recovery=consent')
    expect((await htmlOf(unticked.location)).html).toContain('Tick the box')
    expect((await consentTo(session, 'no-at-sign')).location).toContain('recovery=email')
    expect((await consentTo(session, '4242424242424242@example.com')).location).toContain('recovery=email')
    await consentTo(session, to)
    expect((await htmlOf(`/${session.public_id}?lang=en`)).html).toContain('writes to you once')
    expect((await htmlOf(`/${session.public_id}?lang=en`)).html).not.toContain(to)
    await send(`/${session.public_id}/recovery`, {})
    await ended(merchant, session)
    expect(await mailsOf(session)).toEqual([])
    expect(await keptOf(session)).toEqual({ email: null, status: 'withdrawn' })
  })

  test('follows a change of what the session offers: none any more forgets it, another delay holds for it', async () => {
    const merchant = await newMerchant()
    const change = (session: Session, recovery: object | null) =>
      checkout<Recovered>(merchant, 'PATCH', `/sessions/${session.id}`, { recovery })
    const session = await newSession(merchant)
    expect((await change(session, {})).body).toMatchObject({
      recovery: { delay_minutes: 60, valid_hours: 72 },
      version: 2,
    })
    expect((await change(session, { delay_minutes: 1_441 })).body.error?.param).toBe('recovery.delay_minutes')
    await consentTo(session, newEmail())
    expect((await change(session, null)).body).toMatchObject({ recovery: null })
    const kept = () =>
      adminSql('sandbox')('select email, status from checkout_recoveries where session_id = $1', [session.id])
    expect(await kept()).toEqual([{ email: null, status: 'withdrawn' }])
    expect((await htmlOf(`/${session.public_id}`)).html).not.toContain('recovery')
    expect((await consentTo(session, newEmail())).status).toBe(404)
    await change(session, { delay_minutes: 0 })
    await consentTo(session, newEmail())
    await ended(merchant, session)
    expect(await mailsOf(session)).toEqual(['sent'])
    const late = await change(session, null)
    expect([late.status, late.body.error?.code]).toEqual([409, 'checkout_session_closed'])
  })

  test('against a session that stops to offer it, 25 each way: no address stays where none is offered', async () => {
    const merchant = await newMerchant()
    const sessions = await Promise.all(Array.from({ length: 25 }, () => newRecoverable(merchant)))
    await Promise.all(
      sessions.flatMap((session) => [
        consentTo(session, newEmail()),
        checkout(merchant, 'PATCH', `/sessions/${session.id}`, { recovery: null }),
      ]),
    )
    const kept = await adminSql('sandbox')(
      `select r.status from checkout_recoveries r join checkout_sessions s on s.tenant_id = r.tenant_id and s.id = r.session_id
       where r.tenant_id = $1 and s.recovery is null and r.status <> 'withdrawn'`,
      [merchant.tenantId],
    )
    expect(kept).toEqual([])
  })
})

describe('the mail', () => {
  test('comes once after the end, tells an event, and leads to a fresh session with the same lines', async () => {
    const merchant = await newMerchant()
    const [item] = await onSale(merchant, 5)
    await newDiscount(merchant)
    const fields = {
      line_items: [{ item_id: item, quantity: 2, quantity_min: 1, quantity_max: 3 }],
      discounts: [{ code: 'BUENFIN' }],
      client_reference_id: 'pedido-7',
    }
    const { session, to, mail, path } = await mailed(merchant, fields)
    expect(mail.text).toContain('Plato a')
    expect((await eventsOf(merchant.tenantId, session.id)).map(({ type }) => type)).toEqual([
      'checkout_session.created',
      'checkout_session.expired',
      'checkout_session.recovery_mailed',
    ])
    // Programs that check mails open links: that changes nothing.
    expect(await htmlOf(path)).toMatchObject({ status: 200, html: expect.stringContaining('Plato a') })
    const opened = await send(path, {})
    expect(opened.status).toBe(303)
    const fresh = (await checkout<Recovered>(merchant, 'GET', `/sessions/${at(opened.location)}`)).body
    expect(fresh).toMatchObject({
      status: 'open',
      recovered_from: session.id,
      recovery: null,
      amount: session.amount,
      client_reference_id: 'pedido-7',
      line_items: [{ item_id: item, quantity: 2, quantity_min: 1, quantity_max: 3 }],
    })
    expect((await htmlOf(path)).location).toContain(fresh.public_id)
    const anew = await checkout(merchant, 'PATCH', `/sessions/${fresh.id}`, { recovery: {} })
    expect([anew.status, anew.body.error?.param]).toEqual([422, 'recovery'])
    await payByCard(fresh)
    expect((await sessionNow(merchant, fresh)).status).toBe('complete')
    expect(await mailsOf(session)).toEqual(['sent'])
    expect(await mailsTo(stack.mailboxUrl, to)).toHaveLength(1)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('opens at the price of now; a discount that is over is left out', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant)
    const { path } = await mailed(merchant, {
      line_items: [{ name: 'Libro', unit_amount: '33300' }],
      discounts: [{ code: 'BUENFIN' }],
    })
    await checkout(merchant, 'PATCH', `/discounts/${discount.id}`, { active: false })
    const { location } = await send(path, {})
    const fresh = await checkout(merchant, 'GET', `/sessions/${at(location)}`)
    expect(fresh.body).toMatchObject({ amount: '33300', discounts: [] })
  })

  test('does not come where the session was paid, nor to an address that ended reminders of this merchant', async () => {
    const merchant = await newMerchant()
    const paid = await newRecoverable(merchant)
    const to = newEmail()
    await consentTo(paid, to)
    await payByCard(paid)
    expect(await mailsOf(paid)).toEqual([])
    expect(await keptOf(paid)).toEqual({ email: null, status: 'not_needed' })
    const { mail, to: reader } = await mailed(merchant)
    const [, link = ''] = /<(.*)>/.exec(mail.headers['List-Unsubscribe'] ?? '') ?? []
    await send(new URL(link).pathname, { 'List-Unsubscribe': 'One-Click' })
    const next = await newRecoverable(merchant)
    await consentTo(next, reader)
    await ended(merchant, next)
    expect(await mailsOf(next)).toEqual(['unsubscribed'])
    expect(await mailsTo(stack.mailboxUrl, reader)).toHaveLength(1)
  })

  test('waits for as long as the session says, and goes with an erased customer', async () => {
    const merchant = await newMerchant()
    const { id: customer_id } = await newCustomer(merchant)
    const session = await newSession(merchant, {
      amount: '10000',
      customer_id,
      recovery: { delay_minutes: 30 },
    })
    await consentTo(session, newEmail())
    await ended(merchant, session)
    expect(await mailsOf(session, 1)).toEqual([])
    await erased(merchant)
    await adminSql('sandbox')(
      `update checkout_recoveries set mail_at = now() where session_id = $1 and mail_at is not null`,
      [session.id],
    )
    expect(await mailsOf(session)).toEqual([])
  })

  test('its address ends: after its hours, by a digit that is not ours, and once an item is not for sale', async () => {
    const merchant = await newMerchant()
    const [item] = await onSale(merchant, 5)
    const late = await mailed(merchant)
    await adminSql('sandbox')(`update checkout_recoveries set valid_until = now() where session_id = $1`, [
      late.session.id,
    ])
    const over = { status: 410, html: expect.stringContaining('does not work any more') }
    expect(await htmlOf(`${late.path}?lang=en`)).toMatchObject(over)
    expect(await send(late.path, {})).toMatchObject(over)
    const invented = late.path.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
    expect([(await htmlOf(invented)).status, (await send(invented, {})).status]).toEqual([404, 404])
    const gone = await mailed(merchant, { line_items: [{ item_id: item }] })
    // Neither does the token of one session at the address of another.
    const crossed = gone.path.replace(gone.session.public_id, late.session.public_id)
    expect((await send(crossed, {})).status).toBe(404)
    await adminSql('sandbox')(`update catalog_items set status = 'archived' where id = $1`, [item])
    expect(await send(gone.path, {})).toMatchObject(over)
  })
})

test.each(['suspended', 'closed'])(
  'of a workspace that is %s no mail is sent, and one that was sent leads to an end',
  async (status) => {
    const merchant = await newMerchant()
    const sql = adminSql('sandbox')
    const become = (to: string) =>
      sql('update tenants set status = $2, version = version + 1 where tenant_id = $1', [
        merchant.tenantId,
        to,
      ])
    const before = await mailed(merchant)
    const waiting = await newRecoverable(merchant)
    await consentTo(waiting, newEmail())
    await ended(merchant, waiting)
    await become(status)
    expect(await mailsOf(waiting)).toEqual([])
    const rows = await sql('select status, email from checkout_recoveries where session_id = $1', [
      waiting.id,
    ])
    expect(rows).toEqual([{ status: 'not_needed', email: null }])
    const over = { status: 410, html: expect.stringContaining('does not work any more') }
    expect(await htmlOf(`${before.path}?lang=en`)).toMatchObject(over)
    expect(await send(before.path, {})).toMatchObject(over)
    const failures = await sql('select job from due_failures where tenant_id = $1', [merchant.tenantId])
    const fresh = await sql('select id from checkout_sessions where recovered_from = $1', [before.session.id])
    expect([failures, fresh]).toEqual([[], []])
    // The address works again with its workspace; a mail that was given up does not come late.
    await become('active')
    expect((await htmlOf(before.path)).status).toBe(200)
    expect(await mailsOf(waiting)).toEqual([])
  },
)

test('50 clicks on one mail: one fresh session', async () => {
  const merchant = await newMerchant()
  const { session, path } = await mailed(merchant)
  const replies = await Promise.all(Array.from({ length: 50 }, () => send(path, {})))
  const opened = new Set(replies.map(({ status, location }) => `${status} ${at(location)}`))
  expect([...opened]).toEqual([expect.stringMatching(/^303 spcs_/)])
  const rows = await adminSql('sandbox')(`select id from checkout_sessions where recovered_from = $1`, [
    session.id,
  ])
  expect(rows).toHaveLength(1)
})

test('consents against ends, 20 sessions each way: one mail for each consent that came in time', async () => {
  const merchant = await newMerchant()
  const sessions = await Promise.all(Array.from({ length: 20 }, () => newRecoverable(merchant)))
  await Promise.all(sessions.flatMap((session) => [consentTo(session, newEmail()), ended(merchant, session)]))
  for (const session of sessions) {
    const mails = await mailsOf(session, 1)
    const rows = await adminSql('sandbox')(`select status from checkout_recoveries where session_id = $1`, [
      session.id,
    ])
    expect(mails).toHaveLength(rows.length)
  }
})

test.each([
  ['a delay of more than a day', { delay_minutes: 1_441, valid_hours: 72 }],
  ['an address that never opens', { delay_minutes: 0, valid_hours: 0 }],
  ['no delay', { valid_hours: 72 }],
])('the database refuses %s', async (_what, recovery) => {
  const { id } = await newSession(await newMerchant())
  await expect(
    adminSql('sandbox')('update checkout_sessions set recovery = $2 where id = $1', [id, recovery]),
  ).rejects.toThrow('checkout_sessions_recovery_bounded')
})
