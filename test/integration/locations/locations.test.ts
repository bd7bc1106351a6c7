import { expect, test } from 'vitest'
import { call, type Merchant, newApiKey, newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

const path = '/v1/workspace/locations'
type Location = { id: string; name: string; status: string; version: number; error?: { code: string } }

const asked = (merchant: Merchant, method: 'GET' | 'POST' | 'PATCH', at: string, body?: object) =>
  call<Location>(method, path + at, { bearer: merchant.apiKey, ...(body ? { body: body as never } : {}) })

const create = (merchant: Merchant, name: string, more: object = {}) =>
  asked(merchant, 'POST', '', { name, ...more })

const answerOf = ({ status, body }: { status: number; body: Location }) =>
  body.error ? `${status} ${body.error.code}` : `${status} ${body.status}`

test('a location is created, read, changed, archived and restored, each with its event', async () => {
  const merchant = await newMerchant()
  const address = { line1: 'Orizaba 101', city: 'Ciudad de México', postal_code: '06700' }
  const { body: made } = await create(merchant, 'Roma', { address, phone: '+525512345678' })
  expect(made).toMatchObject({
    object: 'location',
    status: 'active',
    name: 'Roma',
    address: { ...address, line2: null, state: null, country: 'MX' },
    time_zone: 'America/Mexico_City',
    currency: 'mxn',
    version: 1,
  })
  expect((await asked(merchant, 'GET', `/${made.id}`)).body).toEqual(made)

  const changed = await asked(merchant, 'PATCH', `/${made.id}`, { name: 'Roma Norte', address: null })
  expect(changed.body).toMatchObject({ name: 'Roma Norte', address: null, version: 2 })
  expect(answerOf(await asked(merchant, 'POST', `/${made.id}/archive`))).toBe('200 archived')
  expect(answerOf(await asked(merchant, 'PATCH', `/${made.id}`, { name: 'x' }))).toBe('409 location_archived')
  expect(answerOf(await asked(merchant, 'POST', `/${made.id}/archive`))).toBe('409 location_archived')
  expect(answerOf(await asked(merchant, 'POST', `/${made.id}/restore`))).toBe('200 active')
  expect(answerOf(await asked(merchant, 'POST', `/${made.id}/restore`))).toBe('409 location_not_archived')

  const events = await adminSql('sandbox')<{ type: string; sequence: string }>(
    'select type, sequence from events where tenant_id = $1 and resource_id = $2 order by sequence',
    [merchant.tenantId, made.id],
  )
  expect(events.map(({ type }) => type)).toEqual([
    'location.created',
    'location.updated',
    'location.archived',
    'location.restored',
  ])
})

test('active locations of a workspace have different names, in any case of letters', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const { id } = (await create(merchant, 'Roma')).body
  const condesa = (await create(merchant, 'Condesa')).body
  expect(answerOf(await create(merchant, 'ROMA'))).toBe('409 location_name_taken')
  expect(answerOf(await asked(merchant, 'PATCH', `/${condesa.id}`, { name: 'roma' }))).toBe(
    '409 location_name_taken',
  )
  expect(answerOf(await asked(merchant, 'PATCH', `/${id}`, { name: 'ROMA' }))).toBe('200 active')
  expect(answerOf(await create(other, 'Roma'))).toBe('201 active')

  await asked(merchant, 'POST', `/${id}/archive`)
  expect(answerOf(await create(merchant, 'Roma'))).toBe('201 active')
  expect(answerOf(await asked(merchant, 'POST', `/${id}/restore`))).toBe('409 location_name_taken')
})

test('of two that take one name at once, one succeeds', async () => {
  const merchant = await newMerchant()
  const answers = await Promise.all(['Roma', 'roma', 'ROMA', 'Roma'].map((name) => create(merchant, name)))
  expect(answers.map(answerOf).sort()).toEqual([
    '201 active',
    '409 location_name_taken',
    '409 location_name_taken',
    '409 location_name_taken',
  ])
})

test('the list can be filtered by status', async () => {
  const merchant = await newMerchant()
  const [kept, gone] = [(await create(merchant, 'Roma')).body, (await create(merchant, 'Condesa')).body]
  await asked(merchant, 'POST', `/${gone.id}/archive`)
  const listed = async (query: string) => {
    const { body } = await asked(merchant, 'GET', query)
    return (body as unknown as { data: Location[] }).data.map(({ id }) => id)
  }
  expect(await listed('')).toEqual([gone.id, kept.id])
  expect(await listed('?status=active')).toEqual([kept.id])
  expect(await listed('?status=archived')).toEqual([gone.id])
  expect((await asked(merchant, 'GET', '?status=closed')).status).toBe(422)
})

test('a key that only reads changes nothing, and the field at fault is named', async () => {
  const merchant = await newMerchant()
  const { apiKey } = await newApiKey(merchant, { scopes: ['workspace:read'] })
  expect((await call('GET', path, { bearer: apiKey })).status).toBe(200)
  expect((await call('POST', path, { bearer: apiKey, body: { name: 'Roma' } })).status).toBe(403)
  for (const [field, value] of [
    ['time_zone', 'America/Nowhere'],
    ['phone', '55 1234 5678'],
    ['currency', 'pesos'],
  ] as const) {
    const { status, body } = await create(merchant, 'Roma', { [field]: value })
    expect([status, body.error]).toMatchObject([422, { code: 'parameter_invalid', param: field }])
  }
})

test.each([
  ['as a text', '"Orizaba 101"'],
  ['without a street', '{"city": "Ciudad de México", "country": "MX"}'],
  ['without a country', '{"line1": "Orizaba 101", "city": "Ciudad de México", "country": null}'],
  [
    'with a country in small letters',
    '{"line1": "Orizaba 101", "city": "Ciudad de México", "country": "mx"}',
  ],
])('the schema takes no address %s', async (_what, address) => {
  const merchant = await newMerchant()
  const { id } = (await create(merchant, 'Roma')).body
  const write = adminSql('sandbox')('update locations set address = $2 where id = $1', [id, address])
  await expect(write).rejects.toMatchObject({ constraint: 'locations_address_form' })
})
