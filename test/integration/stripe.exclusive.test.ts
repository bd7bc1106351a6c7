import { expect, test } from 'vitest'
import { brokenRules } from '../support/books.ts'
import { call } from '../support/merchant.ts'
import { trigger } from '../support/stack.ts'
import { clabeOf } from '../support/stripe-cash.ts'
import {
  aboutAttempt,
  deliver,
  directUrl,
  hook,
  journals,
  liveLink,
  notify,
  open,
  paymentOf,
  payWith,
  send,
  server,
  sql,
  statusIs,
  until,
  withStripe,
} from '../support/stripe-live.ts'

withStripe({ PROCESSOR_TIMEOUT_MS: '2500' })

test('the page shows no card field of ours, says that it needs JavaScript, and lets Stripe in', async () => {
  const { link } = await liveLink()
  const { response, html } = await open(link, '?lang=en')
  expect(html).toContain('data-key="pk_live_stand-in"')
  expect(html).toContain('<noscript>')
  expect(html).toContain('stripe-card.js')
  for (const ours of ['card-number', 'tok_sbx_', 'sandbox-card.js', 'Test mode'])
    expect(html).not.toContain(ours)
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self' https://js.stripe.com")
  expect(policy).toContain('frame-src https://js.stripe.com')
  // The other pages' policy does not allow Stripe.
  const result = await fetch(`${directUrl}/${link.public_id}/spcs_${'0'.repeat(32)}`)
  expect(result.headers.get('content-security-policy')).not.toContain('stripe')
})

test('a card pays a link: page, attempt, journal, succeeded; notifications of it change nothing more', async () => {
  const { merchant, link } = await liveLink()
  const location = await payWith(link, 'pm_approve')
  expect(location).toMatch(new RegExp(`^/${link.public_id}/spcs_`))
  const payment = await paymentOf(merchant)
  expect(payment).toMatchObject({ status: 'succeeded', attempt_status: 'captured' })
  expect(server.intentFor(payment.attempt)).toMatchObject({ amount: 120_000, currency: 'mxn' })
  expect(server.seen.find(({ path }) => path === '/v1/payment_intents')?.key).toBe(payment.attempt)
  const before = await journals(merchant)
  const same = { id: `evt_twice_${payment.attempt}` }
  for (const type of [
    'payment_intent.succeeded',
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
  ])
    expect((await notify(type, aboutAttempt(payment.attempt), same)).status).toBe(200)
  const kept = () =>
    sql<{ n: number; done: number }>(
      `select count(*)::int as n, count(processed_at)::int as done from processor_notifications where reference = $1`,
      [payment.attempt],
    )
  await until(async () => (await kept())[0]!.done === 1)
  expect(await kept()).toEqual([{ n: 1, done: 1 }])
  expect(await journals(merchant)).toBe(before)
  expect(server.complaints).toEqual([])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
  const html = await (await fetch(directUrl + location)).text()
  expect(html).toContain('data-state="succeeded"')
})

test('a declined card is reported, and another card pays the same payment', async () => {
  const { merchant, link } = await liveLink()
  const location = await payWith(link, 'pm_funds')
  expect((await paymentOf(merchant)).status).toBe('requires_payment_method')
  const reference = location.split('/').at(-1)!.split('?')[0]!
  const { form } = await open(link, `?retry=${reference}`)
  await send(link, { ...form, card_token: 'pm_approve' })
  expect((await paymentOf(merchant)).status).toBe('succeeded')
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('a challenge: a notification that comes too early changes nothing; a true one, or coming back, books it once', async () => {
  for (const way of ['notification', 'redirect'] as const) {
    const { merchant, link } = await liveLink()
    const location = await payWith(link, 'pm_challenge')
    const { attempt, status } = await paymentOf(merchant)
    expect(status).toBe('requires_action')
    // Too early: the notification says succeeded, but it is not.
    expect((await notify('payment_intent.succeeded', aboutAttempt(attempt))).status).toBe(200)
    await until(async () => server.seen.filter(({ method }) => method === 'GET').length > 0)
    expect((await paymentOf(merchant)).status).toBe('requires_action')
    server.move(server.intentFor(attempt)!.id, { status: 'succeeded' })
    if (way === 'notification') await notify('payment_intent.succeeded', aboutAttempt(attempt))
    else {
      const back = await fetch(
        `${directUrl}${location.split('?')[0]}?redirect_status=failed&payment_intent=pi_x`,
        {
          redirect: 'manual',
        },
      )
      expect([back.status, back.headers.get('location')?.includes('payment_intent')]).toEqual([303, false])
    }
    await until(statusIs(merchant, 'succeeded'))
    expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
  }
  expect(server.complaints).toEqual([])
})

test('notified before Stripe has answered: booked once, and the buyer sees it paid', async () => {
  const { merchant, link } = await liveLink()
  server.failNext(/POST \/v1\/payment_intents$/, 'time_out_after')
  const answered = payWith(link, 'pm_approve')
  await until(async () => server.intents.size === 1)
  const { attempt, attempt_status } = await paymentOf(merchant)
  expect(attempt_status).toBe('submitting')
  const told = Array.from({ length: 50 }, (_, at) =>
    notify('payment_intent.succeeded', aboutAttempt(attempt), { id: `evt_early_${at}_${attempt}` }),
  )
  for (const { status } of await Promise.all(told)) expect(status).toBe(200)
  const location = await answered
  await until(statusIs(merchant, 'succeeded'))
  const html = await (await fetch(directUrl + location)).text()
  expect(html).toContain('data-state="succeeded"')
  expect([server.intents.size, await journals(merchant)]).toEqual([1, 1])
  expect(server.complaints).toEqual([])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('another amount than ours is never booked', async () => {
  const { merchant, link } = await liveLink()
  await payWith(link, 'pm_challenge')
  const { attempt } = await paymentOf(merchant)
  server.move(server.intentFor(attempt)!.id, { status: 'succeeded', received: 1 })
  await notify('payment_intent.succeeded', { ...aboutAttempt(attempt), amount_received: 120_000 })
  await until(async () => (await paymentOf(merchant)).attempt_status === 'amount_mismatch')
  expect(await journals(merchant)).toBe(0)
})

test.each(['time_out_after', 'cut_after', '500_after'] as const)(
  'Stripe took the money and did not answer (%s): the reconciler finds it, booked once',
  async (fault) => {
    const { merchant, link } = await liveLink()
    server.failNext(/POST \/v1\/payment_intents$/, fault)
    await payWith(link, 'pm_approve')
    expect(await paymentOf(merchant)).toMatchObject({ status: 'processing', attempt_status: 'unknown' })
    await sql(`update payment_attempts set next_check_at = now() where tenant_id = $1`, [merchant.tenantId])
    await trigger('live')
    expect((await paymentOf(merchant)).status).toBe('succeeded')
    expect(server.intents.size).toBe(1)
    expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
    expect(server.complaints).toEqual([])
  },
)

test('OXXO: a voucher, paid at the till, reported by notification', async () => {
  const { merchant, link } = await liveLink({ payment_method_types: ['oxxo'] })
  const { form } = await open(link)
  await send(link, { ...form, method: 'oxxo', name: 'Ana Prueba', email: 'ana@example.com' })
  const { attempt, status } = await paymentOf(merchant)
  expect(status).toBe('requires_action')
  const [voucher] = await sql('select reference from vouchers where tenant_id = $1', [merchant.tenantId])
  const { action } = server.intentFor(attempt)!
  expect(voucher).toEqual({ reference: action!.oxxo_display_details!.number })
  const [paid] = await sql<{ public_id: string }>('select public_id from payments where tenant_id = $1', [
    merchant.tenantId,
  ])
  const sent = server.seen.find(({ fields }) => fields['metadata[attempt_id]'] === attempt)!
  expect(sent.fields.return_url).toMatch(new RegExp(`^https://.+/${link.public_id}/${paid!.public_id}$`))
  server.move(server.intentFor(attempt)!.id, { status: 'succeeded' })
  await notify('payment_intent.succeeded', aboutAttempt(attempt))
  await until(statusIs(merchant, 'succeeded'))
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
  expect(server.complaints).toEqual([])
})

test('SPEI: a CLABE, and deposits by notification: two that make the amount, each notified twice', async () => {
  const { merchant, link } = await liveLink({ payment_method_types: ['spei'] })
  const { form } = await open(link)
  await send(link, { ...form, method: 'spei', name: 'Ana Prueba', email: 'ana@example.com' })
  const { attempt, status } = await paymentOf(merchant)
  expect(status).toBe('requires_action')
  const [lent] = await sql('select clabe from clabes where tenant_id = $1', [merchant.tenantId])
  const { customer } = server.intentFor(attempt)!
  expect(lent).toEqual({ clabe: clabeOf(customer!) })
  for (const [at, amount] of [50_000, 70_000].entries()) {
    const id = `ccsbtxn_${at}${Date.now()}`
    const deposit = server.deposit(customer!, id, amount)
    for (const _ of [1, 2])
      expect((await notify('customer_cash_balance_transaction.created', deposit)).status).toBe(200)
  }
  expect(server.intentFor(attempt)).toMatchObject({ status: 'succeeded', received: 120_000 })
  await deliver()
  await until(statusIs(merchant, 'succeeded'))
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
  expect(server.complaints).toEqual([])
})

test('a signature that does not fit, or is old, is refused and nothing is stored', async () => {
  const { merchant, link } = await liveLink()
  await payWith(link, 'pm_challenge')
  const { attempt } = await paymentOf(merchant)
  server.move(server.intentFor(attempt)!.id, { status: 'succeeded' })
  const old = Math.floor(Date.now() / 1000) - 3600
  for (const more of [{ secret: 'another' }, { timestamp: old }]) {
    const reply = await notify('payment_intent.succeeded', aboutAttempt(attempt), more)
    expect([reply.status, ((await reply.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      'notification_signature_invalid',
    ])
  }
  const bare = await fetch(directUrl + hook, { method: 'POST', body: '{}' })
  expect(bare.status).toBe(400)
  expect(await sql('select 1 from processor_notifications where reference = $1', [attempt])).toEqual([])
  expect((await notify('invoice.paid', { id: 'in_1', object: 'invoice' })).status).toBe(200)
  expect((await paymentOf(merchant)).status).toBe('requires_action')
})

test('the scheduled job handles a notification that was stored but not handled', async () => {
  const { merchant, link } = await liveLink()
  await payWith(link, 'pm_challenge')
  const { attempt } = await paymentOf(merchant)
  server.move(server.intentFor(attempt)!.id, { status: 'succeeded' })
  const event = `evt_lost_${attempt}`
  await sql(
    `insert into processor_notifications (processor, account, event_id, kind, reference, received_at, tries_count, next_try_at)
     values ('stripe', '', $1, 'attempt', $2, now(), 0, now())`,
    [event, attempt],
  )
  await trigger('live')
  expect((await paymentOf(merchant)).status).toBe('succeeded')
  const [row] = await sql(
    'select processed_at is not null as done, next_try_at from processor_notifications where event_id = $1',
    [event],
  )
  expect(row).toEqual({ done: true, next_try_at: null })
})

test('a term that the card has goes to Stripe as a plan', async () => {
  const { merchant, link } = await liveLink({ installment_options: [{ months: 3 }, { months: 6 }] })
  const { form } = await open(link)
  const review = await fetch(`${directUrl}/${link.public_id}/review`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, card_token: 'pm_msi' }),
  })
  expect(await review.text()).toContain('value="6"')
  await send(link, { ...form, card_token: 'pm_msi', months: '6' })
  expect((await paymentOf(merchant)).status).toBe('succeeded')
  const sent = server.seen.find(({ fields }) => fields.confirm === 'true')!.fields
  expect(sent['payment_method_options[card][installments][plan][count]']).toBe('6')
  expect(server.complaints).toEqual([])
})

test('Stripe has no room to say which terms a card has: it pays at once, or with a term once Stripe has said', async () => {
  const { merchant, link } = await liveLink({ installment_options: [{ months: 3 }, { months: 6 }] })
  const { form } = await open(link)
  const busy = () => server.failNext(/POST \/v1\/payment_intents$/, '429', 3)
  busy()
  const review = await fetch(`${directUrl}/${link.public_id}/review`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, card_token: 'pm_msi' }),
  })
  const html = await review.text()
  expect([review.status, html.includes('We cannot see now whether this card has installment plans')]).toEqual(
    [200, true],
  )
  expect(html).not.toContain('value="6"')
  busy()
  expect(await send(link, { ...form, card_token: 'pm_msi', months: '6' })).toMatch(/^503 /)
  expect(await sql('select 1 from payments where tenant_id = $1', [merchant.tenantId])).toEqual([])
  await send(link, { ...form, card_token: 'pm_msi', months: '6' })
  expect((await paymentOf(merchant)).status).toBe('succeeded')
  expect(server.complaints).toEqual([])
})

test('no card number passes as a token', async () => {
  const { link } = await liveLink()
  const { form } = await open(link)
  expect(await send(link, { ...form, card_token: '4242424242424242' })).toContain('error=card_unknown')
  expect(server.seen).toEqual([])
})

test('the interface reads what Stripe took', async () => {
  const { merchant, link } = await liveLink()
  await payWith(link, 'pm_approve')
  const { id } = await paymentOf(merchant)
  const reply = await call<{ status: string }>('GET', `/v1/payment-operations/payments/${id}`, {
    environment: 'live',
    bearer: merchant.apiKey,
  })
  expect([reply.status, reply.body.status]).toEqual([200, 'succeeded'])
})

test('a refund goes out once; one that takes time ends by notification', async () => {
  const { merchant, link } = await liveLink()
  await payWith(link, 'pm_approve')
  const { id, attempt } = await paymentOf(merchant)
  const headers = { 'idempotency-key': `refund-${id}` }
  const refundNow = (amount: string) =>
    call<{ id: string; status: string }>('POST', '/v1/refunds', {
      environment: 'live',
      bearer: merchant.apiKey,
      headers,
      body: { payment_id: id, amount, reason: 'requested_by_customer' },
    })
  server.refundStatus = 'pending'
  const replies = [await refundNow('50000'), await refundNow('50000')]
  expect(replies.map(({ status }) => status)).toEqual([201, 201])
  const refundId = replies[0]!.body.id
  await until(async () => server.refunds.size === 1)
  const [made] = server.refunds.values()
  expect(made).toMatchObject({ amount: 50_000, metadata: { refund_id: refundId, attempt_id: attempt } })
  const statusOf = async () =>
    (await sql<{ status: string }>('select status from refunds where id = $1', [refundId]))[0]!.status
  await until(
    async () =>
      (await sql('select 1 from refunds where id = $1 and processor_ref is not null', [refundId])).length ===
      1,
  )
  expect(await statusOf()).toBe('processing')
  server.moveRefund(made!.id, 'succeeded')
  for (const _ of [1, 2]) await notify('refund.updated', { ...made!, object: 'refund', status: 'failed' })
  await until(async () => (await statusOf()) === 'succeeded')
  expect(server.refunds.size).toBe(1)
  expect(server.complaints).toEqual([])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('fifty notifications at once, half of them the same one: booked once', async () => {
  const { merchant, link } = await liveLink()
  await payWith(link, 'pm_challenge')
  const { attempt } = await paymentOf(merchant)
  server.move(server.intentFor(attempt)!.id, { status: 'succeeded' })
  const sent = Array.from({ length: 50 }, (_, at) =>
    notify('payment_intent.succeeded', aboutAttempt(attempt), {
      id: `evt_${at % 2 ? at : 'same'}_${attempt}`,
    }),
  )
  expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]))
  await until(statusIs(merchant, 'succeeded'))
  await until(async () => {
    const [waiting] = await sql<{ n: number }>(
      'select count(*)::int as n from processor_notifications where reference = $1 and processed_at is null',
      [attempt],
    )
    return waiting!.n === 0
  })
  const kept = await sql('select 1 from processor_notifications where reference = $1', [attempt])
  expect([kept.length, await journals(merchant)]).toEqual([26, 1])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('authorized, then taken in part by the merchant', async () => {
  const { merchant, link } = await liveLink({ capture_method: 'manual', payment_method_types: ['card'] })
  await payWith(link, 'pm_approve')
  const { id, attempt, status } = await paymentOf(merchant)
  expect(status).toBe('requires_capture')
  const reply = await call('POST', `/v1/payments/${id}/capture`, {
    environment: 'live',
    bearer: merchant.apiKey,
    body: { amount: '70000' },
  })
  expect([reply.status, reply.body], reply.text).toMatchObject([200, { amount_captured: '70000' }])
  expect(server.seen.find(({ path }) => path.endsWith('/capture'))).toMatchObject({
    key: expect.stringContaining(`${attempt}:capture:`),
    fields: { amount_to_capture: '70000' },
  })
  // Its id was stored: no search was needed.
  expect(server.seen.some(({ path }) => path.endsWith('/search'))).toBe(false)
  expect(server.complaints).toEqual([])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('Stripe does not say what the card is: the same form can be sent again, and is one payment', async () => {
  const { merchant, link } = await liveLink()
  const { form } = await open(link)
  for (const fault of ['500', '429'] as const) {
    server.failNext(/GET \/v1\/payment_methods/, fault, fault === '429' ? 3 : 1)
    const answer = await send(link, { ...form, card_token: 'pm_approve' })
    expect(answer).toMatch(/^503 /)
    expect(answer).toContain(`value="${form.attempt_key}"`)
  }
  expect(await sql('select 1 from payments where tenant_id = $1', [merchant.tenantId])).toEqual([])
  for (const _ of [1, 2]) await send(link, { ...form, card_token: 'pm_approve' })
  expect((await paymentOf(merchant)).status).toBe('succeeded')
  expect(server.intents.size).toBe(1)
})
