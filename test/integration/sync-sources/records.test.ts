import { expect, test } from 'vitest'
import { asked, letters, waitEnds } from '../../support/customers.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { placesOf } from '../../support/places.ts'
import { adminSql } from '../../support/stack.ts'
import {
  type Batch,
  customersOf,
  moveSource,
  newSource,
  push,
  type Source,
  sent,
  told,
} from '../../support/sync.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const record = (external_id: string, customer: object, minute?: number) => ({
  external_id,
  customer,
  ...(minute === undefined ? {} : { updated_at: at(minute) }),
})

const eventsOf = ({ tenantId }: Merchant) =>
  adminSql('sandbox')<{ type: string }>('select type from events where tenant_id = $1', [tenantId]).then(
    (events) => events.map(({ type }) => type).toSorted(),
  )

test('a source lives from its creation to its end', async () => {
  const merchant = await newMerchant()
  const id = await newSource(merchant)
  const get = () => call<Source>('GET', `/v1/customer-hub/sync-sources/${id}`, { bearer: merchant.apiKey })
  const answer = async (move: string) => {
    const { status, body } = await moveSource(merchant, id, move)
    return `${status} ${body.error?.code ?? body.status}`
  }
  expect((await get()).body.status).toBe('created')
  expect(await answer('resume')).toBe('409 sync_source_not_paused')
  expect(told(await push(merchant, id, [record('a', { name: 'Ana' })]))).toEqual(['created'])
  expect((await get()).body).toMatchObject({ status: 'active', version: 2 })
  expect(await answer('pause')).toBe('200 paused')
  expect(await answer('pause')).toBe('409 sync_source_paused')
  expect((await sent(merchant, id, [record('b', {})])).body.error?.code).toBe('sync_source_paused')
  expect(await answer('resume')).toBe('200 active')
  expect(await answer('disconnect')).toBe('200 disconnected')
  for (const move of ['pause', 'resume', 'disconnect'])
    expect(await answer(move)).toBe('409 sync_source_disconnected')
  expect((await sent(merchant, id, [record('b', {})])).body.error?.code).toBe('sync_source_disconnected')
  expect(await eventsOf(merchant)).toEqual([
    'customer.created',
    'sync_run.succeeded',
    'sync_source.activated',
    'sync_source.created',
    'sync_source.disconnected',
    'sync_source.paused',
    'sync_source.resumed',
  ])
})

test('each record has its own result, and the run counts them', async () => {
  const merchant = await newMerchant()
  const id = await newSource(merchant)
  const { run, results } = await push(merchant, id, [
    record('a', { name: 'Ana', email: 'ANA@example.com' }, 1),
    record('b', { name: 'Berta', email: 'no address' }, 1),
    record('c', { name: 'card 4242 4242 4242 4242' }, 1),
    { customer: { name: 'Without an id' } },
    'no record',
    { ...record('d', {}, 1), unexpected: 1 },
    { ...record('e', {}), updated_at: new Date(Date.now() + 3_600_000).toISOString() },
    record('a', { phone: '55 1234 5678' }, 2),
    record('a', { name: 'Ana' }, 1),
    { ...record('f', {}), same_as: { source_id: id, external_id: 'nobody' } },
  ])
  expect(results.map(({ external_id }) => external_id)).toEqual([
    'a',
    'b',
    'c',
    null,
    null,
    'd',
    'e',
    'a',
    'a',
    'f',
  ])
  expect(told({ run, results })).toEqual([
    'created',
    'parameter_invalid customer.email',
    'card_number_refused customer.name',
    'parameter_missing external_id',
    'parameter_invalid null',
    'parameter_unknown unexpected',
    'sync_record_in_future updated_at',
    'updated',
    'skipped',
    'sync_record_unknown same_as',
  ])
  const counts = { total: 10, processed: 10, created: 1, updated: 1, skipped: 1, failed: 7 }
  expect(run).toMatchObject({ status: 'partial', ...counts })
  const { body } = await call('GET', `/v1/customer-hub/sync-runs/${run.id}`, { bearer: merchant.apiKey })
  expect(body).toEqual(run)
  expect(await customersOf(merchant)).toEqual([
    { name: 'Ana', email: 'ana@example.com', version: 1, ids: ['a'] },
  ])
})

test('a number that some country has and E.164 does not fails its own record alone', async () => {
  const merchant = await newMerchant()
  const id = await newSource(merchant)
  const numbers = ['+43 1234', '+49 123456789012345', '55 1234 5678']
  const batch = await push(
    merchant,
    id,
    numbers.map((phone, index) => record(`shop-${index}`, { phone })),
  )
  const refused = 'parameter_invalid customer.phone'
  expect(told(batch)).toEqual([refused, refused, 'created'])
  const of = `/customers/${batch.results[2]!.customer_id}`
  for (const [method, at, body] of [
    ['POST', '/customers', { phone: numbers[0] }],
    ['PATCH', of, { phone: numbers[0] }],
    ['POST', `${of}/contacts`, { kind: 'phone', value: numbers[0] }],
  ] as const) {
    const { error } = (await asked(merchant, method, at, body)).body
    expect(`${error?.code} ${error?.param}`).toMatch(/^parameter_invalid (phone|value)$/)
  }
})

test('what no canonical JSON may hold fails its own record alone, and a retry is the same request', async () => {
  const merchant = await newMerchant()
  const id = await newSource(merchant)
  const at = `/v1/customer-hub/sync-sources/${id}/records/batch`
  const good = '{"external_id":"a","customer":{"name":"Ana"}}'
  for (const bad of ['1e400', '{"external_id":"b","customer":{"metadata":{"n":-1e400}}}', deep(62)]) {
    const headers = { 'idempotency-key': `records-${bad.slice(0, 20).replace(/[^a-z0-9]/g, '')}-x` }
    const ask = (body: string) => call<Batch>('POST', at, { bearer: merchant.apiKey, body, headers })
    const first = await ask(`{"records":[${good},${bad}]}`)
    expect([first.status, first.body.results?.map(({ result }) => result)[1]], first.text).toEqual([
      200,
      'failed',
    ])
    const again = await ask(`{ "records": [ ${good}, ${bad} ] }`)
    expect(again.body).toEqual(first.body)
    expect((await ask(`{"records":[${good},2]}`)).body.error?.code).toBe('idempotency_key_reused')
  }
  expect((await customersOf(merchant)).map(({ name }) => name)).toEqual(['Ana'])
})

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

test('the same records in any order make the same customer; what is older than known is named', async () => {
  const records = [
    record('a', { name: 'Ana', email: 'a@example.com', tags: ['new'] }, 1),
    record('a', { name: 'Ana Torres' }, 3),
    record('a', { name: 'Ana Tores', phone: '+525512345678' }, 2),
  ]
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
  ]
  const made = await Promise.all(
    orders.map(async (order) => {
      const merchant = await newMerchant()
      const id = await newSource(merchant)
      for (const one of order) await push(merchant, id, [records[one]])
      const again = await push(
        merchant,
        id,
        order.map((one) => records[one]!),
      )
      expect(told(again)).toEqual(['skipped', 'skipped', 'skipped'])
      expect(again.results.flatMap(({ kept }) => kept)).toEqual(['name', 'name'])
      const customers = await adminSql('sandbox')(
        `select name, email, phone, tags, (select count(*)::int from customer_contacts k where k.customer_id = c.id) as contacts
         from customers c where tenant_id = $1`,
        [merchant.tenantId],
      )
      return customers
    }),
  )
  for (const customers of made)
    expect(customers).toEqual([
      { name: 'Ana Torres', email: 'a@example.com', phone: '+525512345678', tags: ['new'], contacts: 2 },
    ])
})

test('what is said again keeps an older record away, without another event', async () => {
  const merchant = await newMerchant()
  const id = await newSource(merchant)
  for (const [name, minute, result] of [
    ['Ana', 1, 'created'],
    ['Ana', 3, 'skipped'],
    ['Berta', 2, 'skipped'],
    ['Carla', 4, 'updated'],
  ] as const)
    expect(told(await push(merchant, id, [record('a', { name }, minute)]))).toEqual([result])
  expect((await eventsOf(merchant)).filter((type) => type.startsWith('customer.'))).toEqual([
    'customer.created',
    'customer.updated',
  ])
})

test('a backfill corrects what its source said, and leaves what others said', async () => {
  const merchant = await newMerchant()
  const [crm, shop] = [await newSource(merchant, 'CRM'), await newSource(merchant)]
  const customer = { name: 'Ana', locale: 'es-MX', external_id: 'own-1' }
  const created = await push(merchant, shop, [record('a', customer, 5)])
  const url = `/v1/customer-hub/customers/${created.results[0]!.customer_id}`
  await call('PATCH', url, { bearer: merchant.apiKey, body: { locale: 'en' } })
  await push(merchant, crm, [record('x', { tags: ['crm'], external_id: 'own-1' }, 6)])
  const older = record('a', { name: 'Anna', locale: 'fr', tags: ['shop'] }, 1)
  const live = await push(merchant, shop, [older])
  expect([told(live), live.results[0]!.kept]).toEqual([['skipped'], ['name', 'locale', 'tags']])
  const backfill = await push(merchant, shop, [older], 'backfill')
  expect([told(backfill), backfill.results[0]!.kept]).toEqual([['updated'], ['locale', 'tags']])
  expect(told(await push(merchant, shop, [older], 'backfill'))).toEqual(['skipped'])
  const { body } = await call('GET', url, { bearer: merchant.apiKey })
  expect(body).toMatchObject({ name: 'Anna', locale: 'en', tags: ['crm'], external_id: 'own-1' })
})

test('a new id is of a known customer by another id or one verified contact, never by a weak key', async () => {
  const merchant = await newMerchant()
  const [crm, shop] = [await newSource(merchant, 'CRM'), await newSource(merchant)]
  const made = await push(merchant, crm, [
    record('ana', { name: 'Ana', email: 'ana@example.com', phone: '+525511111111', external_id: 'own-a' }, 1),
    record('berta', { name: 'Berta', email: 'berta@example.com', phone: '+525511111111' }, 1),
  ])
  const [ana, berta] = made.results.map(({ customer_id }) => customer_id)
  const newId = async (external_id: string, customer: object, same?: string) => {
    const said = {
      ...record(external_id, customer, 2),
      ...(same ? { same_as: { source_id: crm, external_id: same } } : {}),
    }
    const { results } = await push(merchant, shop, [said])
    const { result, customer_id: of, error } = results[0]!
    return error ? error.code : `${result} ${of === ana ? 'ana' : of === berta ? 'berta' : 'another'}`
  }
  expect(await newId('s-1', { email: 'ana@example.com' })).toBe('created another')
  expect(await newId('s-2', { phone: '+525511111111' })).toBe('created another')
  for (const [customer, value] of [
    [ana, 'ana@example.com'],
    [berta, 'berta@example.com'],
    [berta, '+525511111111'],
  ] as const) {
    const path = `/v1/customer-hub/customers/${customer}/contacts`
    const { body } = await call<{ data: { id: string; value: string }[] }>('GET', path, {
      bearer: merchant.apiKey,
    })
    const contact = body.data.find((one) => one.value === value)!.id
    await call('POST', `/v1/customer-hub/contacts/${contact}/verify`, { bearer: merchant.apiKey })
  }
  expect(await newId('s-3', { email: 'Ana@Example.com' })).toBe('updated ana')
  expect(await newId('s-4', { phone: '55 1111 1111' })).toBe('updated berta')
  expect(await newId('s-5', { email: 'ana@example.com', phone: '+525511111111' })).toBe('created another')
  expect(await newId('s-6', { external_id: 'own-a' })).toBe('updated ana')
  expect(await newId('s-7', {}, 'berta')).toBe('updated berta')
  expect(await newId('s-8', { external_id: 'own-a' }, 'berta')).toBe('sync_record_ambiguous')
  expect(await newId('s-4', { external_id: 'own-a' })).toBe('customer_external_id_taken')
  expect(await newId('s-3', { email: 'ana@example.com' })).toBe('skipped ana')
})

test('a merged customer’s id leads to its survivor; an erased one’s is a tombstone', async () => {
  const merchant = await newMerchant()
  const id = await newSource(merchant)
  const { results } = await push(merchant, id, [
    record('a', { name: 'Ana' }, 1),
    record('b', { name: 'Ana Torres' }, 1),
    record('c', { name: 'Carla' }, 1),
  ])
  const [a, b, c] = results.map(({ customer_id }) => customer_id)
  const sql = adminSql('sandbox')
  await sql(`update customers set status = 'merged', merged_into = $2 where id = $1`, [a, b])
  await sql(`update customers set status = 'blocked', erasure = '{"slices": 1}' where id = $1`, [c])
  await sql(
    `update customers set status = 'erased', name = null, field_stamps = '{}', terms = '{}', erasure = null where id = $1`,
    [c],
  )
  const [tombstone] = await sql<{ external_id: string | null; external_id_digest: string }>(
    'select external_id, external_id_digest from customer_external_ids where customer_id = $1',
    [c],
  )
  expect(tombstone!.external_id).toBeNull()
  expect(tombstone!.external_id_digest).toMatch(/^[0-9a-f]{64}$/)
  const later = await push(merchant, id, [
    record('a', { name: 'Ana T.' }, 2),
    record('c', { name: 'Carla' }, 2),
  ])
  expect(told(later)).toEqual(['updated', 'customer_erased null'])
  expect(later.results[0]!.customer_id).toBe(b)
  expect((await customersOf(merchant)).map(({ name }) => name)).toEqual(['Ana', 'Ana T.', null])
})

test('the id at a source of an erased person is kept by no later push, whatever it says of them', async () => {
  const merchant = await newMerchant()
  const [id, person] = [await newSource(merchant), letters()]
  const { results } = await push(merchant, id, [record(person, { name: 'Ana' })])
  const of = results[0]!.customer_id!
  await asked(merchant, 'POST', `/customers/${of}/erase`)
  await waitEnds(of)
  expect(await placesOf(person)).toEqual([])
  const later = await push(merchant, id, [
    record(person, { name: 'Ana' }),
    record(person, { email: 'none' }),
    { ...record(person, {}), updated_at: new Date(Date.now() + 3_600_000).toISOString() },
    record('another', { email: 'none' }),
  ])
  const known = later.results.map(({ external_id }) => external_id)
  expect(known).toEqual([null, null, null, 'another'])
  expect(told(later)[0]).toBe('customer_erased null')
  expect(await placesOf(person)).toEqual([])
})

test('a blocked customer stays blocked, whatever its sources say of it, and none stands beside it', async () => {
  const merchant = await newMerchant()
  const [crm, shop] = [await newSource(merchant), await newSource(merchant)]
  const person = { external_id: 'own-a', name: 'Ana', email: 'ana@example.com' }
  const { results } = await push(merchant, crm, [record('a', person, 1)])
  const of = results[0]!.customer_id
  const blocked = await call('POST', `/v1/customer-hub/customers/${of}/block`, { bearer: merchant.apiKey })
  expect(blocked.status, blocked.text).toBe(200)
  await adminSql('sandbox')('update customer_contacts set verified_at = now() where customer_id = $1', [of])
  const said = [
    await push(merchant, crm, [record('a', { name: 'Ana Torres', phone: '+525511111111' }, 2)]),
    await push(merchant, shop, [
      { ...record('s-1', { name: 'A. Torres' }, 3), same_as: { source_id: crm, external_id: 'a' } },
      record('s-2', { external_id: 'own-a', name: 'Ana T.' }, 4),
      record('s-3', { email: 'ana@example.com', name: 'Anita' }, 5),
    ]),
  ]
  expect(said.flatMap(told)).toEqual(Array(4).fill('updated'))
  expect(new Set(said.flatMap((batch) => batch.results.map(({ customer_id }) => customer_id)))).toEqual(
    new Set([of]),
  )
  const rows = await adminSql('sandbox')(
    `select c.id, c.status, c.name, array(select k.value from customer_contacts k where k.customer_id = c.id order by 1) as contacts
     from customers c where c.tenant_id = $1`,
    [merchant.tenantId],
  )
  // What a source knows it may still say: an erasure takes that too.
  const contacts = ['+525511111111', 'ana@example.com']
  expect(rows).toEqual([{ id: of, status: 'blocked', name: 'Anita', contacts }])
})

test('of fifty that push the same records at once, no customer is made twice', async () => {
  const merchant = await newMerchant()
  const id = await newSource(merchant)
  const ids = Array.from({ length: 20 }, (_, index) => `shop-${index}`)
  const turned = (by: number) =>
    [...ids.slice(by % 20), ...ids.slice(0, by % 20)].map((one) =>
      record(one, { name: one, external_id: one }, 1),
    )
  const batches = await Promise.all(
    Array.from({ length: 50 }, (_, racer) => sent(merchant, id, turned(racer))),
  )
  expect(batches.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
  const results = batches.flatMap(({ body }) => told(body))
  expect(results.filter((result) => result === 'created')).toHaveLength(20)
  expect(results.filter((result) => result === 'skipped')).toHaveLength(980)
  const customers = await customersOf(merchant)
  expect(customers.map(({ ids }) => ids)).toEqual(ids.toSorted().map((one) => [one]))
})

test('five hundred records fit into one batch, and the whole again changes nothing', async () => {
  const merchant = await newMerchant()
  const id = await newSource(merchant)
  const records = Array.from({ length: 500 }, (_, index) =>
    record(`shop-${index}`, { name: `Customer ${index}`, email: `c${index}@example.com` }, 1),
  )
  expect((await push(merchant, id, records)).run).toMatchObject({ status: 'succeeded', created: 500 })
  const before = await customersOf(merchant)
  expect((await push(merchant, id, records.toReversed())).run).toMatchObject({ skipped: 500 })
  expect(await customersOf(merchant)).toEqual(before)
  expect((await sent(merchant, id, [...records, records[0]])).status).toBe(422)
})
