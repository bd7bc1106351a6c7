import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { personalData } from '../../../local/personal-data.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { brokenRules } from '../../support/books.ts'
import { checkout, cup, newSession } from '../../support/checkout.ts'
import { asked, type Customer, letters, newCustomer, newVerified, waitEnds } from '../../support/customers.ts'
import { newDiscount } from '../../support/discounts.ts'
import { dispute, disputeIs, evidence, resolve } from '../../support/disputes.ts'
import { call, type Merchant, newLink, newMerchant } from '../../support/merchant.ts'
import { sendForm } from '../../support/pages.ts'
import { newEndpoint } from '../../support/receiver.ts'
import { consentTo, newRecoverable } from '../../support/recovery.ts'
import { paidByCard, paidInCash, refund } from '../../support/refunds.ts'
import { adminSql, control } from '../../support/stack.ts'
import { type Batch, newSource } from '../../support/sync.ts'

const sql = adminSql('sandbox')
const erase = (merchant: Merchant, id: string) => asked(merchant, 'POST', `/customers/${id}/erase`)
const codeOf = ({ status, body }: { status: number; body: Customer }) =>
  body.error?.code ?? `${status} ${body.status}`
const read = async (merchant: Merchant, id: string) => (await asked(merchant, 'GET', `/customers/${id}`)).body

/** A source says something of a customer, then the same again, then something that is refused; answers the requests. */
async function pushedBatches(merchant: Merchant, externalId: string, customer: object) {
  const source = await newSource(merchant)
  const record = { external_id: externalId, customer, updated_at: new Date().toISOString() }
  const future = { ...record, updated_at: new Date(Date.now() + 3_600_000).toISOString() }
  // Long enough for replies that Redis holds.
  const others = Array.from({ length: 20 }, () => 'no record')
  const requests = [[record, ...others], [record, ...others], [future]].map((records) => {
    const sent = {
      bearer: merchant.apiKey,
      headers: { 'idempotency-key': randomUUID() },
      body: { records },
    }
    return () => call<Batch & Customer>('POST', `/v1/customer-hub/sync-sources/${source}/records/batch`, sent)
  })
  const results = []
  for (const request of requests) results.push((await request()).body.results[0]!.result)
  expect(results).toEqual(['updated', 'skipped', 'failed'])
  return requests
}

/**
 * Payments of a customer whose buyers gave these addresses, each with a mail that waits; answers their ids. The first address
 * is given for a payment of no customer too.
 */
async function paidAs(merchant: Merchant, customer: string, addresses: readonly string[]) {
  const link = await newLink(merchant, { customer_id: customer, usage: 'multi_use' })
  for (const address of addresses)
    await sendForm(link, { card_token: 'tok_sbx_approve', receipt_email: address })
  const ofOthers = { card_token: 'tok_sbx_approve', receipt_email: addresses[0]! }
  await sendForm(await newLink(merchant), ofOthers)
  const payments = await sql<{ id: string }>('select id from payments where customer_id = $1', [customer])
  const ids = payments.map(({ id }) => id)
  await sql(
    `insert into outgoing_mails (tenant_id, id, kind, locale, recipient, payment_id, data, status, next_check_at, created_at, updated_at)
     select tenant_id, gen_random_uuid(), 'payment_receipt', 'en', null, id, '{}', 'waiting', now() + interval '1 day', now(), now()
     from payments where id = any ($1)`,
    [ids],
  )
  return ids
}

/** What is sold to a buyer who is known: how to read it, and to repeat the request that made it. */
async function saleFor({ apiKey: bearer }: Merchant, path: string, body: Record<string, Json>) {
  const sent = { bearer, headers: { 'idempotency-key': randomUUID() }, body }
  const repeat = () => call<Known>('POST', path, sent)
  const { id } = (await repeat()).body
  return { repeat, read: () => call<Known>('GET', `${path}/${id}`, { bearer }) }
}

type Known = { id: string; customer_email: string | null; customer_name: string | null }

/** A customer with a text of its own in every field that the interface takes, and the key of the request. */
async function canary(merchant: Merchant) {
  const texts: string[] = []
  const text = () => {
    texts.push(letters())
    return texts.at(-1)!
  }
  const phone = () => {
    const digits = String(Math.trunc(1_000_000 + Math.random() * 8_999_999))
    texts.push(digits)
    return `+52999${digits}`
  }
  const email = () => `${text()}@${text()}.example`
  const post = async <Body = { id: string }>(at: string, body: object) =>
    (await asked<Body>(merchant, 'POST', at, body)).body
  const key = randomUUID()
  const address = {
    label: text(),
    line1: text(),
    line2: text(),
    neighborhood: text(),
    city: text(),
    state: text(),
    postal_code: '06700',
  }
  const sent = {
    bearer: merchant.apiKey,
    headers: { 'idempotency-key': key },
    body: {
      name: text(),
      email: email(),
      phone: phone(),
      locale: 'nah-MX',
      addresses: [{ ...address, country: 'MX' }],
      // Long enough for a reply that Redis holds.
      tags: Array.from({ length: 50 }, () => `${text()}-${'x'.repeat(12)}`),
      tax_profile: {
        rfc: 'XAXX010101000',
        legal_name: text().toUpperCase(),
        tax_regime: '616',
        postal_code: '06700',
        cfdi_use: 'S01',
      },
      external_id: text(),
      metadata: { [text()]: text(), nested: { [text()]: [text(), text()] } },
    },
  }
  const create = () => call<Customer>('POST', '/v1/customer-hub/customers', sent)
  const made = await create()
  expect(made.status, made.text).toBe(201)
  const { id } = made.body
  const contact = await post(`/customers/${id}/contacts`, { kind: 'email', value: email(), label: text() })
  const consent = { channel: 'email', method: 'web_form', text_version: 'kept', ip: '2001:db8::c0de:77' }
  await post(`/contacts/${contact.id}/consents`, consent)
  texts.push('2001:db8::c0de:77')
  const note = await post(`/customers/${id}/notes`, { text: text() })
  await asked(merchant, 'PATCH', `/notes/${note.id}`, { text: text() })
  const changed = { name: text(), phone: phone(), email: email(), metadata: { nested: text() } }
  await asked(merchant, 'PATCH', `/customers/${id}`, changed)
  const push = await pushedBatches(merchant, text(), { external_id: sent.body.external_id, name: text() })
  const payments = await paidAs(merchant, id, [changed.email, email()])
  await sql(
    `insert into outgoing_mails (tenant_id, id, kind, locale, recipient, data, status, next_check_at, created_at, updated_at)
     select tenant_id, gen_random_uuid(), 'workspace_invitation', 'en', email, jsonb_build_object('to', email), 'waiting',
       now() + interval '1 day', now(), now() from customers where id = $1`,
    [id],
  )
  await sql(
    `insert into buyer_details (tenant_id, id, payment_id, origin_id, details, email, created_at)
     select p.tenant_id, gen_random_uuid(), p.id, p.origin_id, jsonb_build_object('phone', c.email, 'email', c.email), c.email, now()
     from payments p join customers c on c.tenant_id = p.tenant_id and c.id = p.customer_id where c.id = $1`,
    [id],
  )
  await sql(
    `with list as (insert into risk_lists (tenant_id, id, name, kind, effect, status, created_by_user_id,
       created_by_email, created_at, updated_at)
       select tenant_id, gen_random_uuid(), 'Known', 'email', 'none', 'active', 'usr', 'admin', now(), now()
       from customers where id = $1 returning *)
     insert into risk_list_items (tenant_id, id, list_id, value, reason, status, created_by_user_id, created_by_email,
       created_at, updated_at)
     select l.tenant_id, gen_random_uuid(), l.id, c.email, c.name, 'active', 'usr', 'admin', now(), now()
     from list l join customers c on c.tenant_id = l.tenant_id where c.id = $1`,
    [id],
  )
  await sql(
    `insert into risk_reviews (tenant_id, id, payment_id, attempt_id, status, amount_minor, currency, score, note,
       decided_by_user_id, decided_by_email, ended_at, created_at, updated_at)
     select distinct on (p.id) p.tenant_id, gen_random_uuid(), p.id, a.id, 'approved', p.amount_minor, p.currency, 0, c.name,
       'usr', 'admin', now(), now(), now()
     from customers c join payments p on p.tenant_id = c.tenant_id and p.customer_id = c.id
     join payment_attempts a on a.tenant_id = p.tenant_id and a.payment_id = p.id where c.id = $1`,
    [id],
  )
  await consentTo(await newRecoverable(merchant), changed.email)
  const known = { customer_email: changed.email, customer_name: text() }
  const knownSales = [
    await saleFor(merchant, '/v1/hosted-checkout/sessions', { amount: '10000', ...known }),
    await saleFor(merchant, '/v1/payment-links', { manual_amount: 10_000, currency: 'mxn', ...known }),
  ]
  return { id, texts, payments, knownSales, replays: [create, ...push] }
}

const anyOf = (texts: readonly string[]) => texts.join('|').replaceAll('.', '\\.')

/**
 * Where any of the texts stands: in any column of any table of both databases, and in Redis. Of tables whose rows belong
 * to workspaces, in those of this one: other tests fill theirs meanwhile.
 */
async function placesOf({ tenantId }: Merchant, texts: readonly string[]): Promise<string[]> {
  const places: string[] = []
  for (const name of ['sandbox', 'identity'] as const) {
    const ask = adminSql(name)
    const tables = await ask<{ name: string; is_owned: boolean }>(
      `select format('%I.%I', schemaname, tablename) as name, exists (select from pg_attribute
         where attrelid = format('%I.%I', schemaname, tablename)::regclass and attname = 'tenant_id') as is_owned
       from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    for (const table of tables) {
      const own = table.is_owned ? 'and t.tenant_id = $2' : 'and $2::text is not null'
      const found = await ask(`select from ${table.name} t where t::text ~* $1 ${own} limit 1`, [
        anyOf(texts),
        tenantId,
      ])
      if (found.length > 0) places.push(table.name)
    }
  }
  for (const entry of Object.values(await control.redisEntries('sandbox')))
    if (texts.some((text) => entry.includes(text))) places.push('Redis')
  return [...new Set(places)].sort()
}

test('an erased person, and all that was merged, is in no table, no stored reply, no payload and not in Redis', async () => {
  const merchant = await newMerchant()
  await newEndpoint(merchant, 'http://127.0.0.1:9/hooks', ['customer.*'])
  const [ana, eva] = [await canary(merchant), await canary(merchant)]
  expect((await asked(merchant, 'POST', `/customers/${eva.id}/merge`, { into: ana.id })).status).toBe(200)
  const texts = [...ana.texts, ...eva.texts]
  await sql(
    `insert into webhook_attempts (tenant_id, id, delivery_id, number, response_status, response_body, duration_ms, created_at)
     select d.tenant_id, gen_random_uuid(), d.id, 900, 200, $2, 1, now() from webhook_deliveries d
     join events e on e.id = d.event_id where e.resource_id = $1`,
    [ana.id, texts[0]],
  )
  for (const { knownSales } of [ana, eva])
    for (const { read: readSale } of knownSales) expect((await readSale()).body.customer_email).toContain('@')
  // Files lie in the bucket, refused records are a Stripe account's: test/integration/sync-sources. Answers at a reader belong
  // to no customer: test/integration/terminal/inputs.test.ts.
  const elsewhere = ['metadata_entries', 'reader_actions', 'sync_files', 'sync_refusals']
  const erased = personalData.filter(
    ({ columns, table }) => columns.some(({ fate }) => fate !== 'kept') && !elsewhere.includes(table),
  )
  const places = [...new Set(erased.map(({ table }) => (table === 'Redis' ? table : `public.${table}`)))]
  // A long reply is given to Redis beside the answer: a busy machine leaves one out, so there is another one.
  const another = () => asked(merchant, 'PATCH', `/customers/${ana.id}`, { locale: 'nah-MX' })
  await expect
    .poll(() => another().then(() => placesOf(merchant, texts)), { timeout: 60_000 })
    .toEqual(places.sort())

  expect(codeOf(await erase(merchant, ana.id))).toBe('200 blocked')
  expect(codeOf(await erase(merchant, ana.id))).toBe('customer_erasure_requested')
  await waitEnds(ana.id)
  expect(await placesOf(merchant, texts)).toEqual([])

  for (const { id, replays, knownSales } of [ana, eva]) {
    expect(await read(merchant, id)).toMatchObject({
      id,
      status: 'erased',
      name: null,
      tags: [],
      erases_at: null,
    })
    for (const sale of knownSales)
      for (const shown of [await sale.read(), await sale.repeat()])
        expect(shown.body).toMatchObject({ customer_email: null, customer_name: null })
    for (const replay of replays) {
      const replayed = await replay()
      expect([replayed.status, replayed.body.error?.code]).toEqual([410, 'reply_erased'])
    }
  }
  expect(codeOf(await asked(merchant, 'PATCH', `/customers/${ana.id}`, { name: 'x' }))).toBe(
    'customer_erased',
  )
  expect(codeOf(await asked(merchant, 'POST', `/customers/${eva.id}/unmerge`))).toBe('customer_erased')
  const kept = await sql<{ text_version: string; ip: null }>(
    'select text_version, ip from customer_consents where customer_id = any ($1)',
    [[ana.id, eva.id]],
  )
  expect(kept).toEqual(Array(2).fill({ text_version: 'kept', ip: null }))
  const payments = await sql('select customer_id from payments where id = any ($1)', [eva.payments])
  expect(payments).toEqual(eva.payments.map(() => ({ customer_id: eva.id })))
  const events = await sql<{ type: string }>(
    'select type from events where resource_id = any ($1) order by commit_order desc limit 2',
    [[ana.id, eva.id]],
  )
  expect(events).toEqual(Array(2).fill({ type: 'customer.erased' }))
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('what is under way keeps a customer from being erased, and the error says what', async () => {
  const merchant = await newMerchant()
  const ana = await newCustomer(merchant, { name: 'Ana' })
  const ofAna = (payment: string) =>
    sql('update payments set customer_id = $2 where id = $1', [payment, ana.id])
  const card = await paidByCard(merchant)
  await ofAna(card)
  const { id: disputed } = (await dispute(merchant, card)).body
  expect(codeOf(await erase(merchant, ana.id))).toBe('customer_disputes_open')
  await evidence(merchant, disputed)
  await disputeIs(merchant, disputed, 'under_review')
  expect(codeOf(await erase(merchant, ana.id))).toBe('customer_disputes_open')
  await resolve(merchant, disputed, 'won')
  const cash = await paidInCash(merchant)
  await ofAna(cash)
  const { id: waiting } = (await refund(merchant, { payment_id: cash, amount: '2500' })).body
  expect(codeOf(await erase(merchant, ana.id))).toBe('customer_refunds_open')
  await call('POST', `/v1/refunds/${waiting}/cancel`, { bearer: merchant.apiKey })
  const status = (is: string) => sql('update payments set status = $2 where id = $1', [card, is])
  await status('processing')
  expect(codeOf(await erase(merchant, ana.id))).toBe('customer_payments_open')
  await status('succeeded')

  expect(codeOf(await erase(merchant, ana.id))).toBe('200 blocked')
  await status('processing')
  await waitEnds(ana.id)
  expect(await read(merchant, ana.id)).toMatchObject({ status: 'blocked', name: 'Ana' })
  await status('succeeded')
  expect((await asked(merchant, 'POST', `/customers/${ana.id}/unblock`)).body).toMatchObject({
    erases_at: null,
  })
  expect(codeOf(await erase(merchant, ana.id))).toBe('200 blocked')
  await waitEnds(ana.id)
  expect(await read(merchant, ana.id)).toMatchObject({ status: 'erased', name: null })
})

test('a stranger’s voucher under the customer’s verified address keeps no one from being erased; the merchant’s own sale does', async () => {
  const merchant = await newMerchant()
  const ana = await newVerified(merchant)
  const methods = { payment_method_types: ['card', 'oxxo'] }
  const inCash = { method: 'oxxo', name: 'Una Extraña', email: ana.email! }
  await sendForm(await newLink(merchant, methods), inCash, { query: '?method=oxxo' })
  const [attached] = await sql<{ status: string }>('select status from payments where customer_id = $1', [
    ana.id,
  ])
  expect(attached).toEqual({ status: 'requires_action' })
  const own = await newLink(merchant, { ...methods, customer_id: ana.id })
  await sendForm(own, inCash, { query: '?method=oxxo' })
  expect(codeOf(await erase(merchant, ana.id))).toBe('customer_payments_open')
  const [waiting] = await sql<{ id: string }>('select id from payments where origin_id = $1', [own.id])
  await call('POST', `/v1/payments/${waiting!.id}/cancel`, { bearer: merchant.apiKey, body: {} })
  expect(codeOf(await erase(merchant, ana.id))).toBe('200 blocked')
  await waitEnds(ana.id)
  expect(await read(merchant, ana.id)).toMatchObject({ status: 'erased', email: null })
})

test('what buyers gave is erased with an address alone: mailed to, only given, or among the answers; of no other buyer', async () => {
  const merchant = await newMerchant()
  const mine = `${letters()}@example.com`
  const other = `${letters()}@example.com`
  const collects = { phone: 'required', custom_fields: [{ key: 'reach', label: 'Correo' }] }
  const payment_method_types = ['card', 'oxxo']
  await newDiscount(merchant, { percent_off_bps: 10_000 })
  const [link, session, unasked, answered, free, mailed] = [
    await newLink(merchant, { usage: 'multi_use', collects, payment_method_types }),
    await newSession(merchant, { amount: '10000', collects }),
    await newSession(merchant, { amount: '10000', collects, payment_method_types }),
    await newSession(merchant, { amount: '10000', collects }),
    await newSession(merchant, { line_items: [cup], discounts: [{ code: 'BUENFIN' }], collects }),
    await newSession(merchant, { line_items: [cup], discounts: [{ code: 'BUENFIN' }], collects }),
  ]
  const give = (sale: { public_id: string }, phone: string, fields: Record<string, string>, query = '') =>
    sendForm(sale as typeof link, { 'detail.phone': phone, ...fields }, { query })
  const card = { card_token: 'tok_sbx_approve' }
  const inCash = (email: string) => ({ method: 'oxxo', name: 'Ana López', email })
  await give(link, '5511111111', { ...card, receipt_email: mine })
  await give(link, '5522222222', { ...card, receipt_email: other })
  await give(session, '5533333333', { ...card, receipt_email: mine })
  // A voucher’s address is mailed its instructions.
  await give(link, '5544444444', inCash(mine.toUpperCase()))
  await give(link, '5555555555', inCash(other))
  // What an earlier attempt of the payment was given with goes too, though it came without an address.
  const declined = await give(unasked, '5565656565', { card_token: 'tok_sbx_decline_generic' })
  const [reference] = (declined.headers.get('location') ?? '').match(/spcs_[a-z0-9]{32}/g)!.slice(-1)
  await give(unasked, '5566666666', inCash(mine), `?method=oxxo&retry=${reference}`)
  const reach = (address: string) => ({ 'field.reach': `¿Escriben a “${address}”?` })
  await give(link, '5577777777', { ...card, ...reach(mine) })
  const first = await give(answered, '5567676767', { card_token: 'tok_sbx_decline_generic' })
  const [named] = (first.headers.get('location') ?? '').match(/spcs_[a-z0-9]{32}/g)!.slice(-1)
  await give(answered, '5568686868', { ...card, ...reach(mine) }, `?retry=${named}`)
  await give(link, '5588888888', { ...card, ...reach(`x${mine}`) })
  const complete = (sale: object, fields: Record<string, string>) =>
    sendForm(sale as typeof link, { 'detail.phone': '5599999999', ...fields }, { step: 'complete' })
  await complete(free, reach(mine))
  await complete(mailed, { receipt_email: mine })
  const phones = async () => {
    const given = await call<{ data: { collected: { phone: string } }[] }>(
      'GET',
      `/v1/payment-links/${link.id}/collected`,
      { bearer: merchant.apiKey },
    )
    const ofSessions = [session, unasked, answered, free, mailed].map(async ({ id }) => {
      const { body } = await checkout<{ collected: { phone: string } | null }>(
        merchant,
        'GET',
        `/sessions/${id}`,
      )
      return body.collected?.phone.slice(-2)
    })
    return [
      given.body.data.map(({ collected }) => collected.phone.slice(-2)).join(' '),
      ...(await Promise.all(ofSessions)),
    ]
  }
  expect(await phones()).toEqual(['88 77 55 44 22 11', '33', '66', '68', '99', '99'])
  // No payment names the customer: the merchant makes it afterwards.
  const ana = await newCustomer(merchant, { name: 'Ana', email: mine })
  const known = await sql('select from payments where tenant_id = $1 and customer_id is not null', [
    merchant.tenantId,
  ])
  expect(known).toEqual([])
  expect(codeOf(await erase(merchant, ana.id))).toBe('200 blocked')
  await waitEnds(ana.id)
  expect(await phones()).toEqual(['88 55 22', ...Array(5).fill(undefined)])
  const left = await sql(`select from buyer_details where origin_id = $1`, [answered.id])
  expect(left).toEqual([])
})
