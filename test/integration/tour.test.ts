import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { payInCash } from '../support/cash.ts'
import { newEmail } from '../support/customer.ts'
import { openLink, pay } from '../support/merchant.ts'
import { consentTo, mailsOf } from '../support/recovery.ts'
import { trigger } from '../support/stack.ts'
import { blocks, demoTerminal, home, lines, tour } from '../support/tour.ts'

const publicIdIn = (printed: string) => /Pay here: .*\/(splink_[a-z0-9]{32})/.exec(printed)?.[1] as string

test('the tour of the README works word for word', async () => {
  const [, create, read, retry, fail] = tour as [string, string, string, string, string]
  const [key] = blocks('docs/signing-in.md', '## An API key') as [string]
  const { run, end } = await demoTerminal()

  const made = await run(create)
  const publicId = publicIdIn(made)
  expect(await pay(publicId, await openLink(publicId), 'tok_sbx_approve', 1)).toMatchObject({ status: 303 })

  const [payments, journals] = (await run(read)).replaceAll('}{', '}\n{').split('\n') as [string, string]
  expect(JSON.parse(payments).data[0]).toMatchObject({ status: 'succeeded', amount: '120000' })
  const { postings } = JSON.parse(journals).data[0] as { postings: { amount: string }[] }
  expect(postings.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(0n)

  const retried = await run(retry)
  expect(retried).toMatch(/^HTTP\/1\.1 201[\s\S]*idempotent-replayed: true/i)
  expect(retried).toContain(publicId)
  expect(JSON.parse(await run(fail))).toMatchObject({ error: { code: 'idempotency_key_reused' } })
  expect(JSON.parse(await run(key))).toMatchObject({
    object: 'service.v1.api_key',
    one_time_value: expect.stringMatching(/^sk_sbx_/),
    key: { description: 'Tour', status: 'active' },
  })
  end()
})

test('so do the parts about capture, OXXO, SPEI, money back and out, what may be sold and who buys', async () => {
  const [hold, capture, oxxo, till, spei, send, back, out, policy, customers] = blocks(
    'docs/sandbox.md',
    '## Authorize now',
  ) as [string, string, string, string, string, string, string, string, string, string]
  const { run, end } = await demoTerminal()
  const settled = async () => lines(await run('api GET /v1/payment-operations/payments?limit=1'))[0]?.data

  const card = publicIdIn(await run(hold))
  expect(await pay(card, await openLink(card), 'tok_sbx_approve')).toMatchObject({ status: 303 })
  expect(lines(await run(capture))[0]).toMatchObject({ status: 'partially_captured' })

  const cash = publicIdIn(await run(oxxo))
  expect(await payInCash(cash, await openLink(cash, '?method=oxxo'), 'oxxo')).toMatchObject({ status: 303 })
  expect(lines(await run(till))[0]).toMatchObject({ status: 'paid' })
  expect(await settled()).toMatchObject([{ status: 'succeeded', method: 'oxxo' }])

  const sent = publicIdIn(await run(spei))
  expect(await payInCash(sent, await openLink(sent, '?method=spei'), 'spei')).toMatchObject({ status: 303 })
  expect(lines(await run(send)).map(({ amount }) => amount)).toEqual(['50000', '70000'])
  expect(await settled()).toMatchObject([{ status: 'succeeded', method: 'spei' }])

  const plain = publicIdIn(await run((tour[1] as string).replace('tour-link-1', 'tour-link-2')))
  expect(await pay(plain, await openLink(plain), 'tok_sbx_approve', 1)).toMatchObject({ status: 303 })
  expect(lines(await run(back)).map(({ object }) => object)).toEqual(['refund', 'sandbox_clock'])
  await expect
    .poll(
      async () => {
        await trigger('sandbox')
        return (await run('api GET /v1/payment-operations/balance')).includes('"pending":"0"')
      },
      { timeout: 60_000 },
    )
    .toBe(true)
  const [balance, transfer, entries] = lines(await run(out))
  expect([balance?.object, transfer?.object]).toEqual(['balance', 'transfer'])
  expect(entries?.data?.map(({ kind }) => kind)).toContain('payment')
  expect(lines(await run(policy)).map(({ object }) => object)).toEqual([
    'payment_policy',
    'payment_policy_evaluation',
  ])
  const [link, found, timeline] = lines(await run(customers))
  expect([link?.object, found?.data?.length]).toEqual(['payment_link', 1])
  expect(timeline?.data?.map(({ resource }) => resource?.type)).toEqual(['payment_link', 'customer'])
  end()
})

test('a thing with stock, sold by a checkout', async () => {
  const [item, session, back, framed, after] = blocks('docs/selling-with-stock.md', '## A catalog') as [
    string,
    string,
    string,
    string,
    string,
  ]
  const { run, end } = await demoTerminal()
  expect(lines(await run(item)).map(({ object }) => object)).toEqual(['stock_movement', 'digital_catalog'])
  const address = /Pay here: .*\/(spcs_[a-z0-9]{32})/.exec(await run(session))?.[1] as string
  expect(await pay(address, await openLink(address), 'tok_sbx_approve')).toMatchObject({ status: 303 })
  expect(lines(await run(back)).map(({ object }) => object)).toEqual([
    'checkout_settings',
    'checkout_session',
  ])
  expect(await run(framed)).toMatch(/https:.*\/spcs_[a-z0-9]{32}$/)
  const [paid, movements] = lines(await run(after))
  expect(paid).toMatchObject({ object: 'checkout_session', status: 'complete' })
  expect(movements?.data?.map(({ kind }) => kind)).toEqual(['sold', 'received'])
  end()
})

test('a file, a key and a voucher, delivered and taken back', async () => {
  const [items, session, granted, refunded] = blocks('docs/delivering.md', '# Sell a file') as [
    string,
    string,
    string,
    string,
  ]
  const { run, end } = await demoTerminal()
  expect(lines(await run(items)).map(({ object }) => object)).toEqual([
    'delivered_file',
    'license_key_batch',
    'digital_catalog',
  ])
  const address = /Pay here: .*\/(spcs_[a-z0-9]{32})/.exec(await run(session))?.[1] as string
  expect(await pay(address, await openLink(address), 'tok_sbx_approve')).toMatchObject({ status: 303 })
  expect(
    lines(await run(granted))[0]
      ?.data?.map(({ kind }) => kind)
      .sort(),
  ).toEqual(['file', 'license_key', 'voucher'])
  const [refund, after] = lines(await run(refunded))
  expect(refund?.object).toBe('refund')
  expect(JSON.stringify(after).match(/"status":"revoked"/g)).toHaveLength(3)
  end()
})

test('what a payment link can do', async () => {
  const [
    places,
    more,
    amount,
    many,
    item,
    several,
    extras,
    coded,
    bounds,
    payers,
    asked,
    locked,
    templates,
    sending,
  ] = blocks('docs/payment-links.md', '# Payment links') as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const { run, end } = await demoTerminal()
  const course = publicIdIn(await run(places))
  expect(await pay(course, await openLink(course), 'tok_sbx_approve')).toMatchObject({ status: 303 })
  expect(lines(await run(more))).toMatchObject([
    { object: 'payment_link', uses_max: 12, uses_count: 1 },
    { object: 'payment_link', uses_max: 15, uses_count: 1 },
  ])
  expect(lines(await run(amount))).toMatchObject([
    { buyer_amount: { amount_min: '2000', amount_max: '500000' } },
  ])
  expect(lines(await run(many))).toMatchObject([{ adjustable_quantity: { min: 1, max: 5 } }])
  expect(lines(await run(item)).at(-1)).toMatchObject({
    object: 'payment_link',
    catalog_line_item_snapshot: { name: 'Maceta', unit_amount: '32000' },
  })
  expect(lines(await run(several)).at(-1)).toMatchObject({ object: 'payment_link', line_items: [{}, {}] })
  expect(lines(await run(extras))).toMatchObject([
    { shipping_options: [{}, {}], tips: { presets_bps: [1000, 1500] } },
  ])
  expect(lines(await run(coded))).toMatchObject([{ object: 'discount' }, { allows_discount_codes: true }])
  expect(lines(await run(bounds))).toMatchObject([
    { line_items: [{ quantity_max: 3 }, { quantity_max: null }] },
  ])
  expect(lines(await run(payers)).map(({ object }) => object)).toEqual(['checkout_settings', 'payment_link'])
  expect(lines(await run(asked)).at(-1)).toMatchObject({ object: 'list', data: [] })
  expect(lines(await run(locked))).toMatchObject([{ has_password: true }])
  const template_ref = expect.any(String)
  expect(lines(await run(templates))).toMatchObject([
    { description: 'Torno', manual_amount: 45_000, uses_max: 12, template_ref },
    { description: 'Esmaltes', manual_amount: 60_000, uses_max: 8, template_ref },
  ])
  expect(lines(await run(sending)).map(({ object }) => object)).toEqual([
    'payment_link_share',
    'payment_link_mail',
    'payment_link',
  ])
  end()
})

test('a discount code, applied and typed', async () => {
  const [code, sessions, end, free, chosen, asked] = blocks('docs/checkout-orders.md', '## Discount') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const { run, end: close } = await demoTerminal()
  expect(lines(await run(code))[0]).toMatchObject({ object: 'discount', active: true })
  expect(await run(sessions)).toMatch(/^52200\nhttps:\/\/[^/]+\/spcs_/)
  expect(lines(await run(end))[0]).toMatchObject({ object: 'discount', active: false })
  expect(await run(free)).toMatch(/^CORTESIA\w+\nno_payment_required\nComplete here: .*spcs_/)
  expect(await run(asked)).toMatch(/^https:\/\/[^/]+\/spcs_/)
  expect(await run(chosen)).toMatch(/^https:\/\/[^/]+\/spcs_/)
  close()
})

test('a table of four: its bill, a split dish, another bill, who serves, cash with a tip, a discount of the rest, closed', async () => {
  const [table, bill, split, merged, served, cash, tips, closed] = blocks(
    'docs/table-pay.md',
    '# A table',
  ) as [string, string, string, string, string, string, string, string]
  const { run, end } = await demoTerminal()
  await run(table)
  const opened = await run(bill)
  expect(opened).toMatch(/^The guests' page: http:\/\/[^/]+\/sbill_/)
  expect(lines(opened.slice(opened.indexOf('{')))).toMatchObject([{ amount: '71000' }])
  expect(lines(await run(split))).toMatchObject([{ amount: '71000', amount_due: '71000' }])
  expect(lines(await run(merged))).toMatchObject([{ object: 'table_session', amount: '77500' }])
  expect(lines(await run(served))).toMatchObject([{ object: 'table_session', waiter_id: expect.any(String) }])
  expect(lines(await run(cash))).toMatchObject([{ object: 'table_external_payment', amount: '29000' }])
  expect(lines(await run(tips))).toMatchObject([
    { object: 'tip_report', amount_owed: '3000' },
    { object: 'tip_payout', amount: '3000' },
  ])
  expect(lines(await run(closed))).toMatchObject([
    { amount: '29000', payment_status: 'paid' },
    { status: 'closed' },
  ])
  end()
})

test('a register: its codes, an order, detached, cash with change, counted at night, items scanned', async () => {
  const [register, order, detached, cash, counted, scanned, paid] = blocks(
    'docs/registers.md',
    '# Sell at',
  ) as [string, string, string, string, string, string, string]
  const { run, end } = await demoTerminal()
  expect(await run(register)).toMatch(/^Open on the screen: http:\/\/[^/]+\/r\/sreg_/)
  const made = await run(order)
  expect(made).toMatch(/^The buyer pays at: http:\/\/[^/]+\/sorder_/)
  expect(lines(made.slice(made.indexOf('{')))).toMatchObject([{ amount: '11600', current: true }])
  expect(lines(await run(detached))).toMatchObject([{ status: 'open', current: false }])
  expect(lines(await run(cash))).toMatchObject([
    { status: 'paid', amount_change: '8400' },
    { amount_cash_returned: '5800' },
    { object: 'cash_movement', amount: '20000' },
  ])
  expect(lines(await run(counted))).toMatchObject([
    { status: 'closed', amount_expected: '35800', amount_difference: '0' },
    { object: 'register_shift_report', paid: [{ method: 'cash', count: 1 }] },
  ])
  expect(lines(await run(scanned)).at(-1)).toMatchObject({
    object: 'register_order',
    amount: '27100',
    line_items: [{ amount_total: '4000' }, { name: 'Café en grano 0.350 kg' }, { name: 'Latte (Almendra)' }],
  })
  expect(lines(await run(paid))).toMatchObject([
    { object: 'payment', status: 'requires_payment_method', decline_code: 'insufficient_funds' },
    { object: 'payment', status: 'succeeded', amount: '27100' },
  ])
  end()
})

test('a mail for buyers who do not finish', async () => {
  const [offered, left] = blocks('docs/checkout-orders.md', '## Buyers') as [string, string]
  const { run, end } = await demoTerminal()
  const public_id = /Ask for the mail here: .*\/(spcs_[a-z0-9]{32})/.exec(await run(offered))?.[1] as string
  await consentTo({ public_id }, newEmail())
  const [session] = lines(await run(left))
  expect(session).toMatchObject({ object: 'checkout_session', status: 'expired' })
  expect(await mailsOf(session as { id: string })).toEqual(['sent'])
  end()
})

test('a brand, a policy, an invitation and customers from a file', async () => {
  const [colors, logo, decide, policy, campaign, invitation] = blocks('docs/setting-up.md', '## Name') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const [source, upload, map, preview, start, errors] = blocks('docs/importing-customers.md', '# Import') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  rmSync(join(home.path, 'demo.json')) // another demo merchant: the codes of this one are used
  const { run, end } = await demoTerminal()
  expect(lines(await run(colors))[0]).toMatchObject({ brand_name: 'Muebles Ñandú' })
  expect(lines(await run(logo))[0]).toMatchObject({ logo: { content_type: 'image/svg+xml' } })
  // The codes of neighboring half minutes work too: nothing is waited for.
  const ahead = join(home.path, 'ahead')
  const code = `code() { echo x >> ${ahead}; npm run -s totp -- $(demo totp_secret) $(($(wc -l < ${ahead}) - 1)); }`
  const [wait = ''] = /^code.*$/m.exec(decide) ?? []
  await run(decide.replace(wait, code))
  const refused = await run(`decide 'PUT /v1/payment-policy' no.such_action policies:write '{}' '{}' 2>&1`)
  expect(lines(refused)).toMatchObject([{ error: { code: 'parameter_invalid', param: 'action' } }])
  // One of the two: there is no third code in the same minute.
  expect(policy).toContain('payment_policy.update')
  expect(lines(await run(campaign))).toMatchObject(
    Array(2).fill({ settings: {}, upcoming: [{ policy_version: '2' }, { policy_version: '3' }] }),
  )
  expect(await run('echo "${SESSION:+signed in}"')).toBe('signed in')
  expect(invitation).toContain('invitation.create')

  await run(source)
  expect(lines(await run(upload))[0]).toMatchObject({
    columns: [{ field: 'name' }, { field: 'email' }, { field: 'phone' }],
  })
  expect(lines(await run(map))[0]).toMatchObject({ object: 'sync_file' })
  expect(lines(await run(preview))[0]).toMatchObject({ object: 'sync_preview' })
  expect(lines(await run(start))[0]).toMatchObject({ object: 'sync_run' })
  await expect
    .poll(
      async () => {
        await trigger('sandbox')
        return lines(await run('api GET /v1/customer-hub/sync-runs/$RUN'))[0]?.status
      },
      { timeout: 60_000 },
    )
    .toBe('partial')
  expect(await run(errors)).toMatch(/^3,email,/m)
  end()
})

test('what payments say, as its guide asks', async () => {
  const [cards, picture, vouchers, balance, insights, rules, dryRun, reviews] = blocks(
    'docs/what-payments-say.md',
    '# What',
  ) as [string, string, string, string, string, string, string, string]
  const { run, end } = await demoTerminal()
  expect(lines(await run(cards))).toMatchObject([
    { object: 'acceptance_report' },
    { object: 'decline_report' },
  ])
  await run(picture)
  expect(readFileSync(join(home.path, 'spindle-acceptance.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\s*$/)
  expect(lines(await run(vouchers))).toMatchObject([{ object: 'conversion_report' }])
  const [forecast] = lines(await run(balance))
  expect(forecast).toMatchObject({ object: 'cash_flow_forecast', days: Array(14).fill({ certain: {} }) })
  expect(lines(await run(insights))).toMatchObject([{ object: 'list', data: [] }])
  expect(lines(await run(rules))).toMatchObject([{ object: 'list' }])
  expect(lines(await run(dryRun))).toMatchObject([{ object: 'risk_dry_run', decision: 'none' }])
  expect(lines(await run(reviews))).toMatchObject([{ object: 'list', data: [] }])
  end()
})
