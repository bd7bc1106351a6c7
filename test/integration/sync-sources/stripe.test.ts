import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { erased } from '../../support/customers.ts'
import { call, newMerchant } from '../../support/merchant.ts'
import { adminSql, control, stack } from '../../support/stack.ts'
import {
  connectedSource,
  followed,
  newKey,
  newStripeSource,
  peopleOf,
  pulled,
  setConnection,
  sourceIs,
  stripeAccount,
} from '../../support/stripe-sync.ts'
import { errorFile, moveSource, newSource } from '../../support/sync.ts'

const sql = adminSql('sandbox')
const get = async (bearer: string, id: string) =>
  (
    await call<{ status: string; failure: { code: string } | null }>(
      'GET',
      `/v1/customer-hub/sync-sources/${id}`,
      { bearer },
    )
  ).body

/** A connected source whose pull is over, with its account's customers. */
async function followedSource(customers: object[] = [{ name: 'Ana', email: 'ana@example.com' }]) {
  const merchant = await newMerchant()
  const account = stripeAccount()
  const ids = await account.save(customers, { silently: true })
  const id = await connectedSource(merchant, account.key)
  await pulled(id)
  return { merchant, account, id, ids }
}

test('an account is pulled in pages, then followed by its events', async () => {
  const merchant = await newMerchant()
  const account = stripeAccount()
  const many = Array.from({ length: 230 }, (_, index) => ({ name: `Customer ${index}`, phone: 'none' }))
  const ids = await account.save(many, { silently: true })
  const id = await connectedSource(merchant, account.key)
  expect(await get(merchant.apiKey, id)).toMatchObject({ status: 'connecting', failure: null })
  await pulled(id)
  expect(await get(merchant.apiKey, id)).toMatchObject({ status: 'active' })
  const [run] = await sql(
    'select status, created, failed, slices_count from sync_runs where source_id = $1',
    [id],
  )
  expect(run).toEqual({ status: 'partial', created: 230, failed: 230, slices_count: 3 })

  await account.save([{ id: ids[0]!, name: 'Ana', metadata: { order: '7' } }, { name: 'Berta' }])
  await followed(id)
  const people = await peopleOf(merchant)
  expect(people).toHaveLength(231)
  expect(people.find((one) => one.ids[0] === ids[0])).toMatchObject({ name: 'Ana', metadata: { order: '7' } })
  const requests = await account.order<{ path: string }[]>({ order: 'requests' })
  await followed(id)
  expect(await account.order<object[]>({ order: 'requests' })).toHaveLength(requests.length + 1)
})

test('an event of a customer that is not known here makes all of it', async () => {
  const { merchant, account, id } = await followedSource()
  const berta = { name: 'Berta', email: 'berta@example.com', phone: '+525512345678' }
  const [late] = await account.save([berta], { silently: true })
  await account.save([
    { id: late!, name: 'Berta Luz' },
    { id: late!, phone: null },
  ])
  await followed(id)
  expect((await peopleOf(merchant))[1]).toMatchObject({
    name: 'Berta Luz',
    email: 'berta@example.com',
    phone: null,
  })
})

test('refused records are listed with their reason, of a pull and of events, until a person of their source is erased', async () => {
  const { merchant, account, id, ids } = await followedSource([
    { name: 'Ana', phone: 'ask her' },
    ...Array.from({ length: 120 }, (_, at) => ({ name: `Customer ${at}` })),
    { name: '=Berta', email: 'none' },
  ])
  await account.save([{ id: ids[0]!, phone: 'none' }])
  await followed(id)
  const runs = await sql<{ id: string }>(
    'select id from sync_runs where source_id = $1 order by created_at',
    [id],
  )
  const listed = () => Promise.all(runs.map((run) => errorFile(merchant, run.id)))
  const reason = 'parameter_invalid,"?[^,]+[^"]*"?'
  const line = (row: number, field: string, customer: string) => `${row},${field},${reason},${customer}\r\n`
  const header = '\ufeffrow,field,code,text,external_id\r\n'
  const [pull, event] = await listed()
  expect(pull).toMatch(new RegExp(`^${header}${line(2, 'email', ids[121]!)}${line(124, 'phone', ids[0]!)}$`))
  expect(event).toMatch(new RegExp(`^${header}${line(2, 'phone', ids[0]!)}$`))
  await sql(`update sync_refusals set created_at = created_at - interval '31 days' where run_id = $1`, [
    runs[1]!.id,
  ])
  await control.trigger('sandbox', id)
  expect(await listed()).toEqual([pull, header])
  await erased(merchant)
  await account.save([{ id: ids[0]!, name: 'Ana' }])
  await followed(id)
  expect(await listed()).toEqual([header, header])
  const ofErased = await sql('select records from sync_refusals where source_id = $1', [id])
  expect(JSON.stringify(ofErased)).toContain('customer_erased')
  expect(JSON.stringify(ofErased)).not.toContain(ids[0])
})

test('a number that no contact can be is refused alone, and following goes on', async () => {
  const { merchant, account, id } = await followedSource([
    { name: 'Ana', phone: '+43 1234' },
    { name: 'Eva' },
  ])
  const [berta] = await account.save([{ name: 'Berta', phone: '+49 123456789012345' }])
  await followed(id)
  await account.save([{ id: berta!, name: 'Berta Luz' }])
  await followed(id)
  const people = (await peopleOf(merchant)).map(({ name, phone }) => [name, phone])
  expect(people.toSorted()).toEqual([
    ['Ana', null],
    ['Berta Luz', null],
    ['Eva', null],
  ])
  const counts = await sql('select sum(failed)::int as failed from sync_runs where source_id = $1', [id])
  expect(counts).toEqual([{ failed: 2 }])
})

test('a source that was paused and resumed before it had a key is pulled and followed', async () => {
  const [merchant, account] = [await newMerchant(), stripeAccount()]
  const [ana] = await account.save([{ name: 'Ana' }], { silently: true })
  const id = await newStripeSource(merchant)
  for (const move of ['pause', 'resume']) await moveSource(merchant, id, move)
  expect((await get(merchant.apiKey, id)).status).toBe('active')
  expect((await setConnection(merchant, id, { api_key: account.key })).status).toBe(200)
  await pulled(id)
  expect((await peopleOf(merchant)).map(({ name }) => name)).toEqual(['Ana'])
  await account.save([{ id: ana!, name: 'Ana Torres' }])
  await followed(id)
  expect((await peopleOf(merchant)).map(({ name }) => name)).toEqual(['Ana Torres'])
})

test.each([
  ['a key that Stripe does not know', 'open', { revoked: true }, 'stripe_key_refused'],
  ['a key that may not read customers', 'open', { rights: ['events'] }, 'stripe_right_missing'],
  ['a key that may not read events', 'open', { rights: ['customers'] }, 'stripe_right_missing'],
] as const)('with %s the source is in error, until another one is sent', async (_what, order, more, code) => {
  const merchant = await newMerchant()
  const [refused, account] = [stripeAccount(), stripeAccount()]
  await refused.order({ order, ...more } as never)
  await account.save([{ name: 'Ana' }])
  const id = await connectedSource(merchant, refused.key)
  await sourceIs(id, 'error')
  expect(await get(merchant.apiKey, id)).toMatchObject({ status: 'error', failure: { code } })
  expect((await setConnection(merchant, id, { api_key: account.key })).status).toBe(200)
  await pulled(id)
  expect(await get(merchant.apiKey, id)).toMatchObject({ status: 'active', failure: null })
  expect((await peopleOf(merchant)).map(({ name }) => name)).toEqual(['Ana'])
})

test('a key that is revoked later ends the following with an error', async () => {
  const { merchant, account, id } = await followedSource()
  await account.order({ order: 'open', revoked: true })
  await followed(id)
  expect(await get(merchant.apiKey, id)).toMatchObject({
    status: 'error',
    failure: { code: 'stripe_key_refused' },
  })
})

test('what a key must be, and of which source', async () => {
  const merchant = await newMerchant()
  const id = await newStripeSource(merchant)
  const answer = async (body: object, of = id) => {
    const { status, body: shown } = await setConnection(merchant, of, body)
    return `${status} ${shown.error?.code} ${shown.error?.param}`
  }
  const letters = 'abcdefghijklmnopqrst'
  expect(await answer({ api_key: `sk_test_${letters}` })).toBe('422 stripe_key_not_restricted api_key')
  expect(await answer({ api_key: `rk_live_${letters}` })).toBe('422 stripe_key_of_live api_key')
  expect(await answer({ webhook_secret: `whsec_${letters}` })).toBe('409 stripe_not_connected api_key')
  expect(await answer({})).toBe('422 parameter_invalid null')
  expect(await answer({ api_key: newKey() }, await newSource(merchant))).toBe(
    '409 sync_source_not_stripe null',
  )
  await moveSource(merchant, id, 'pause')
  expect(await answer({ api_key: newKey() })).toBe('409 sync_source_paused null')
  const run = await call<{ error: { code: string } }>('POST', `/v1/customer-hub/sync-sources/${id}/runs`, {
    bearer: merchant.apiKey,
    body: {},
  })
  expect(run.body.error.code).toBe('sync_source_paused')
})

test('a paused source reads nothing, a resumed one what it missed, and a disconnected one has no secrets', async () => {
  const { merchant, account, id, ids } = await followedSource()
  await moveSource(merchant, id, 'pause')
  await account.save([{ id: ids[0]!, name: 'Ana Torres' }])
  await followed(id)
  expect((await peopleOf(merchant)).map(({ name }) => name)).toEqual(['Ana'])
  await moveSource(merchant, id, 'resume')
  await followed(id)
  expect((await peopleOf(merchant)).map(({ name }) => name)).toEqual(['Ana Torres'])
  await setConnection(merchant, id, { webhook_secret: 'whsec_of_letters_alone' })
  await moveSource(merchant, id, 'disconnect')
  expect(
    await sql('select api_key, webhook_secret, next_check_at from stripe_connections where id = $1', [id]),
  ).toEqual([{ api_key: null, webhook_secret: null, next_check_at: null }])
  expect((await setConnection(merchant, id, { api_key: account.key })).status).toBe(409)
})

test('where Stripe has forgotten the events, all customers are read again', async () => {
  const { merchant, account, id, ids } = await followedSource()
  await account.save([{ name: 'Berta' }])
  await followed(id)
  await account.save([{ id: ids[0]!, name: 'Ana Torres' }, { name: 'Carla' }], { silently: true })
  await account.order({ order: 'forget_events' })
  await followed(id)
  await pulled(id)
  expect((await peopleOf(merchant)).map(({ name }) => name).toSorted()).toEqual([
    'Ana Torres',
    'Berta',
    'Carla',
  ])
})

test('too many requests: the run waits as long as Stripe asks it to', async () => {
  const merchant = await newMerchant()
  const account = stripeAccount()
  await account.save([{ name: 'Ana' }])
  await account.order({ order: 'fail', fault: { mode: '429', times: 1, retryAfter: 900 } })
  const id = await connectedSource(merchant, account.key)
  await control.trigger('sandbox', id)
  await expect
    .poll(async () => {
      const [run] = await sql<{ wait: number; failure: { code: string } | null }>(
        'select extract(epoch from next_check_at - updated_at)::int as wait, failure from sync_runs where source_id = $1',
        [id],
      )
      return run?.failure && { code: run.failure.code, wait: run.wait }
    })
    .toEqual({ code: 'sync_source_unanswered', wait: 900 })
  await pulled(id)
  expect((await peopleOf(merchant)).map(({ name }) => name)).toEqual(['Ana'])
})

test('an erased person is not made again', async () => {
  const { merchant, account, id, ids } = await followedSource()
  await erased(merchant)
  await account.save([{ id: ids[0]!, name: 'Ana Torres' }])
  await followed(id)
  expect((await peopleOf(merchant)).map(({ name }) => name)).toEqual([null])
})

const post = (id: string, payload: string, signature: string) =>
  fetch(`${stack.sandbox.directUrl}/v1/customer-hub/stripe-events/${id}`, {
    method: 'POST',
    body: payload,
    headers: { 'stripe-signature': signature },
  }).then(async (response) => ({ status: response.status, body: await response.text() }))

const signed = (payload: string, secret: string, timestamp?: number) =>
  Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, ...(timestamp ? { timestamp } : {}) })

test('only what the source’s own secret signed starts a reading, and an event that is posted fifty times is read once', async () => {
  const { merchant, account, id, ids } = await followedSource()
  const other = await followedSource()
  const secret = 'whsec_of_this_source_alone'
  await setConnection(merchant, id, { webhook_secret: secret })
  await setConnection(other.merchant, other.id, { webhook_secret: 'whsec_of_another_source' })
  await followed(id)
  await sql(`update stripe_connections set next_check_at = now() + interval '10 minutes' where id = $1`, [id])
  await account.save([{ id: ids[0]!, name: 'Ana Torres' }])
  const payload = JSON.stringify({ id: 'evt_a', object: 'event', type: 'customer.updated' })
  const now = Math.floor(Date.now() / 1000)
  const good = await signed(payload, secret)
  for (const [of, body, signature, status] of [
    [id, payload, '', 400],
    [id, payload, await signed(payload, 'whsec_of_another_source'), 400],
    [other.id, payload, good, 400],
    [id, `${payload} `, good, 400],
    [id, payload, await signed(payload, secret, now - 400), 400],
    ['no-source', payload, good, 404],
  ] as const)
    expect(await post(of, body, signature)).toMatchObject({ status })
  expect((await peopleOf(merchant)).map(({ name }) => name)).toEqual(['Ana'])
  const posted = await Promise.all(Array.from({ length: 50 }, () => post(id, payload, good)))
  expect(posted.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
  await expect.poll(async () => (await peopleOf(merchant)).map(({ name }) => name)).toEqual(['Ana Torres'])
  const runs = await sql('select total from sync_runs where source_id = $1', [id])
  expect(runs).toHaveLength(2)
})

test('no secret is in an event, a reply, a stored reply or a refusal', async () => {
  const { merchant, account, id } = await followedSource()
  const secret = 'whsec_letters_of_a_secret'
  const { text } = await setConnection(merchant, id, { webhook_secret: secret })
  const kept = await sql<{ kept: string }>(
    `select (select jsonb_agg(e)::text from events e where e.tenant_id = $1)
       || (select jsonb_agg(c)::text from idempotency_claims c where c.tenant_id = $1)
       || (select jsonb_agg(a)::text from audit_events a where a.tenant_id = $1)
       || (select jsonb_agg(k)::text from stripe_connections k where k.tenant_id = $1) as kept`,
    [merchant.tenantId],
  )
  for (const found of [text, kept[0]!.kept]) {
    expect(found).not.toContain(account.key.slice(8))
    expect(found).not.toContain(secret.slice(6))
  }
  const { body } = await call('GET', `/v1/customer-hub/sync-sources/${id}/stripe-connection`, {
    bearer: merchant.apiKey,
  })
  expect(body).toMatchObject({
    api_key_last4: account.key.slice(-4),
    webhook_secret_last4: 'cret',
    notifications_url: `${stack.sandbox.baseUrl}/v1/customer-hub/stripe-events/${id}`,
  })
})
