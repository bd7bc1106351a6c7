import { expect, test } from 'vitest'
import { asked, type Customer, customersPath, newCustomer } from '../../support/customers.ts'
import { call, type Merchant, newApiKey, newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

type Contact = {
  id: string
  kind: string
  value: string
  primary: boolean
  verified_at: string | null
  status: string
  error?: { code: string }
}
type List<Item> = { data: Item[] }

const answerOf = ({
  status,
  body,
}: {
  status: number
  body: { status?: string; error?: { code: string } }
}) => `${status} ${body.error?.code ?? body.status}`

const found = async (merchant: Merchant, query: Record<string, string>) => {
  const { status, body, text } = await asked<List<Customer>>(
    merchant,
    'GET',
    `/customers?${new URLSearchParams(query)}`,
  )
  expect(status, text).toBe(200)
  return body.data.map(({ name }) => name)
}

const contactsOf = async (merchant: Merchant, id: string) =>
  (await asked<List<Contact>>(merchant, 'GET', `/customers/${id}/contacts`)).body.data

test('a customer is created, read, changed, blocked and unblocked, each with its event', async () => {
  const merchant = await newMerchant()
  const made = await newCustomer(merchant, {
    name: 'Ana Torres',
    email: ' Ana@Café.MX',
    phone: '044 55 1234 5678',
    locale: 'es-mx',
    tax_profile: {
      rfc: 'XAXX010101000',
      legal_name: 'PUBLICO EN GENERAL',
      tax_regime: '616',
      postal_code: '06700',
      cfdi_use: 'S01',
    },
  })
  expect(made).toMatchObject({
    object: 'customer',
    status: 'active',
    email: 'ana@xn--caf-dma.mx',
    phone: '+525512345678',
    locale: 'es-MX',
    merged_into: null,
    version: 1,
  })
  const at = `/customers/${made.id}`
  expect((await asked(merchant, 'GET', at)).body).toEqual(made)
  const changed = await asked(merchant, 'PATCH', at, { email: 'ana@example.com', tags: ['vip'] })
  expect(changed.body).toMatchObject({
    name: 'Ana Torres',
    email: 'ana@example.com',
    tags: ['vip'],
    version: 2,
  })
  const contacts = await contactsOf(merchant, made.id)
  expect(contacts.map(({ value, primary }) => `${value} ${primary}`).sort()).toEqual([
    '+525512345678 true',
    'ana@example.com true',
    'ana@xn--caf-dma.mx false',
  ])
  expect(answerOf(await asked(merchant, 'POST', `${at}/block`))).toBe('200 blocked')
  expect(answerOf(await asked(merchant, 'POST', `${at}/block`))).toBe('409 customer_blocked')
  expect(answerOf(await asked(merchant, 'PATCH', at, { name: 'Ana' }))).toBe('200 blocked')
  expect(answerOf(await asked(merchant, 'POST', `${at}/unblock`))).toBe('200 active')
  expect(answerOf(await asked(merchant, 'POST', `${at}/unblock`))).toBe('409 customer_not_blocked')

  const events = await adminSql('sandbox')<{ type: string }>(
    'select type from events where tenant_id = $1 and resource_id = $2 order by sequence',
    [merchant.tenantId, made.id],
  )
  expect(events.map(({ type }) => type.replace('customer.', ''))).toEqual([
    'created',
    'updated',
    'blocked',
    'updated',
    'unblocked',
  ])
})

test('contacts are added, verified by one customer only, and removed', async () => {
  const merchant = await newMerchant()
  const [ana, eva] = [
    await newCustomer(merchant, { name: 'Ana' }),
    await newCustomer(merchant, { name: 'Eva' }),
  ]
  const add = (to: Customer, body: object) =>
    asked<Contact>(merchant, 'POST', `/customers/${to.id}/contacts`, body)
  const shared = { kind: 'phone', value: '+52 1 55 1234 5678' }
  const first = await add(ana, shared)
  expect(first.body).toMatchObject({ value: '+525512345678', primary: true, verified_at: null })
  expect(answerOf(await add(ana, { kind: 'phone', value: '5512345678' }))).toBe('409 customer_contact_exists')
  const second = await add(eva, { ...shared, verified: true })
  expect(second.body.verified_at).not.toBeNull()
  const verify = ({ body }: { body: Contact }) =>
    asked<Contact>(merchant, 'POST', `/contacts/${body.id}/verify`)
  expect(answerOf(await verify(first))).toBe('409 customer_contact_taken')
  expect(answerOf(await verify(second))).toBe('409 customer_contact_verified')
  expect(await found(merchant, { phone: '5512345678' })).toEqual(['Eva', 'Ana'])

  const removed = await asked<Contact>(merchant, 'DELETE', `/contacts/${second.body.id}`)
  expect(answerOf(removed)).toBe('200 removed')
  expect((await asked(merchant, 'GET', `/customers/${eva.id}`)).body.phone).toBeNull()
  expect(await contactsOf(merchant, eva.id)).toEqual([])
  expect(await found(merchant, { phone: '5512345678' })).toEqual(['Ana'])
  expect(answerOf(await verify(second))).toBe('409 customer_contact_removed')
  expect(answerOf(await verify(first))).toBe('200 active')
  expect(answerOf(await add(eva, { kind: 'email', value: '+525512345678' }))).toBe('422 parameter_invalid')
  expect(answerOf(await add(eva, { kind: 'email', value: '4242424242424242@x.mx' }))).toBe(
    '422 card_number_refused',
  )
})

test('a blocked customer takes no new contact, whichever way it is given', async () => {
  const merchant = await newMerchant()
  const ana = await newCustomer(merchant, { name: 'Ana', email: 'ana@example.com' })
  const add = () =>
    asked<Contact>(merchant, 'POST', `/customers/${ana.id}/contacts`, { kind: 'phone', value: '5512345678' })
  const change = (body: object) => asked(merchant, 'PATCH', `/customers/${ana.id}`, body)
  expect((await asked(merchant, 'POST', `/customers/${ana.id}/erase`)).status).toBe(200)
  expect(answerOf(await add())).toBe('409 customer_blocked')
  expect(answerOf(await change({ email: 'ana@work.example.com' }))).toBe('409 customer_blocked')
  expect((await contactsOf(merchant, ana.id)).map(({ value }) => value)).toEqual(['ana@example.com'])
  // What it has may change.
  expect(answerOf(await change({ email: null }))).toBe('200 blocked')
  expect(answerOf(await change({ email: 'ana@example.com' }))).toBe('200 blocked')
  expect((await asked(merchant, 'POST', `/customers/${ana.id}/unblock`)).status).toBe(200)
  expect((await add()).status).toBe(201)
})

test('a consent keeps its proof, counts once, and can be withdrawn and given again', async () => {
  const merchant = await newMerchant()
  const ana = await newCustomer(merchant, { email: 'ana@example.com' })
  const [contact] = await contactsOf(merchant, ana.id)
  const proof = {
    given_at: '2026-06-13T11:59:00.000Z',
    method: 'web_form',
    text_version: 'v1',
    ip: '203.0.113.7',
  }
  const give = (more: object) =>
    asked<{ id: string; status: string; error?: { code: string } }>(
      merchant,
      'POST',
      `/contacts/${contact!.id}/consents`,
      {
        channel: 'email',
        ...proof,
        ...more,
      },
    )
  const given = await give({})
  expect(given.body).toMatchObject({
    ...proof,
    customer_id: ana.id,
    purpose: 'marketing',
    status: 'given',
    withdrawn_at: null,
  })
  expect(answerOf(await give({}))).toBe('409 customer_consent_exists')
  expect(answerOf(await give({ purpose: 'surveys' }))).toBe('201 given')
  expect(answerOf(await give({ channel: 'sms' }))).toBe('422 customer_consent_channel')
  expect(answerOf(await give({ given_at: '2099-01-01T00:00:00Z' }))).toBe('422 customer_consent_in_future')
  const withdraw = () => asked(merchant, 'POST', `/consents/${given.body.id}/withdraw`)
  expect(answerOf(await withdraw())).toBe('200 withdrawn')
  expect(answerOf(await withdraw())).toBe('409 customer_consent_withdrawn')
  expect(answerOf(await give({}))).toBe('201 given')
  const listed = await asked<List<object>>(merchant, 'GET', `/customers/${ana.id}/consents?status=given`)
  expect(listed.body.data).toHaveLength(2)
})

test('notes are added, changed and deleted; no event and no row keeps a deleted text', async () => {
  const merchant = await newMerchant()
  const ana = await newCustomer(merchant)
  const add = (text: string) =>
    asked<{ id: string; text: string }>(merchant, 'POST', `/customers/${ana.id}/notes`, {
      text,
    })
  const note = (await add('first\nsecond')).body
  expect(note.text).toBe('first\nsecond')
  expect(
    answerOf(
      await asked(merchant, 'POST', `/customers/${ana.id}/notes`, { text: 'card 4242 4242 4242 4242' }),
    ),
  ).toBe('422 card_number_refused')
  const changed = await asked<typeof note>(merchant, 'PATCH', `/notes/${note.id}`, {
    text: 'prefers mornings',
  })
  expect(changed.body).toMatchObject({ id: note.id, text: 'prefers mornings' })
  expect((await asked(merchant, 'DELETE', `/notes/${note.id}`)).body).toMatchObject({ deleted: true })
  for (const method of ['GET', 'DELETE'] as const)
    expect(answerOf(await asked(merchant, method, `/notes/${note.id}`))).toBe('404 customer_note_not_found')
  expect((await asked<List<object>>(merchant, 'GET', `/customers/${ana.id}/notes`)).body.data).toEqual([])
  const kept = await adminSql('sandbox')(
    `select 1 from events where tenant_id = $1 and (object::text like '%mornings%' or previous_attributes::text like '%mornings%')
     union all select 1 from customer_notes where tenant_id = $1 and text <> ''`,
    [merchant.tenantId],
  )
  expect(kept).toEqual([])
})

test('customers are found by words of the name, e-mail address, phone number, tag, external id and metadata', async () => {
  const merchant = await newMerchant()
  await newCustomer(merchant, {
    name: 'José Pérez Li',
    email: 'jose@example.com',
    tags: ['vip'],
    metadata: { shop: 7 },
  })
  await newCustomer(merchant, { name: 'María José Ñúñez', phone: '+1 415 555 2671', tags: ['vip', 'new'] })
  await newCustomer(merchant, { name: 'Łukasz Li', external_id: 'crm-7' })
  const cases: readonly [Record<string, string>, readonly string[]][] = [
    [{ query: 'jose' }, ['María José Ñúñez', 'José Pérez Li']],
    [{ query: 'PER JOSÉ' }, ['José Pérez Li']],
    [{ query: 'nun' }, ['María José Ñúñez']],
    [{ query: 'li' }, ['Łukasz Li', 'José Pérez Li']],
    [{ query: 'li per' }, ['José Pérez Li']],
    [{ query: 'jo' }, []],
    [{ query: 'jose@ex' }, ['José Pérez Li']],
    [{ query: '1415555' }, ['María José Ñúñez']],
    [{ email: 'JOSE@example.com' }, ['José Pérez Li']],
    [{ phone: '+1 (415) 555-2671' }, ['María José Ñúñez']],
    [{ tag: 'vip' }, ['María José Ñúñez', 'José Pérez Li']],
    [{ tag: 'vip', query: 'mar' }, ['María José Ñúñez']],
    [{ tag: 'vip', 'metadata[shop]': '7' }, ['José Pérez Li']],
    [{ 'metadata[shop]': '7' }, ['José Pérez Li']],
    [{ external_id: 'crm-7' }, ['Łukasz Li']],
    [{ query: 'jose', email: 'jose@example.com' }, ['José Pérez Li']],
    [{ status: 'blocked' }, []],
  ]
  for (const [query, names] of cases) expect([query, await found(merchant, query)]).toEqual([query, names])
  const { body } = await asked<List<Customer> & { next_cursor: string }>(
    merchant,
    'GET',
    '/customers?query=jose&limit=1',
  )
  expect(await found(merchant, { query: 'jose', limit: '1', cursor: body.next_cursor })).toEqual([
    'José Pérez Li',
  ])
  expect((await asked(merchant, 'GET', '/customers?query=!')).status).toBe(422)

  const [first] = (await asked<List<Customer>>(merchant, 'GET', '/customers?query=mar')).body.data
  await asked(merchant, 'PATCH', `/customers/${first!.id}`, { name: 'Ana', tags: [] })
  expect(await found(merchant, { query: 'mar' })).toEqual([])
  expect(await found(merchant, { tag: 'vip' })).toEqual(['José Pérez Li'])
  expect(await found(merchant, { query: 'ana' })).toEqual(['Ana'])
  expect(await found(await newMerchant(), { query: 'ana' })).toEqual([])
})

test('an external id is of one customer; a merged customer answers as its survivor and takes no change', async () => {
  const merchant = await newMerchant()
  const [kept, gone] = [
    await newCustomer(merchant, { external_id: 'crm-1' }),
    await newCustomer(merchant, { name: 'Ana' }),
  ]
  expect(answerOf(await asked(merchant, 'POST', '/customers', { external_id: 'crm-1' }))).toBe(
    '409 customer_external_id_taken',
  )
  await adminSql('sandbox')(`update customers set status = 'merged', merged_into = $2 where id = $1`, [
    gone.id,
    kept.id,
  ])
  expect((await asked(merchant, 'GET', `/customers/${gone.id}`)).body).toEqual(kept)
  const refused = await asked(merchant, 'PATCH', `/customers/${gone.id}`, { name: 'Eva' })
  expect(answerOf(refused)).toBe('409 customer_merged')
  expect(refused.body.error!.message).toContain(kept.id)
  expect(await found(merchant, { query: 'ana' })).toEqual([])
  expect(await found(merchant, {})).toEqual([null])
  expect(await found(merchant, { status: 'merged' })).toEqual(['Ana'])
})

test('a key needs the scope of what it writes, and the field at fault is named', async () => {
  const merchant = await newMerchant()
  const { id } = await newCustomer(merchant)
  const keyed = async (scope: string) => (await newApiKey(merchant, { scopes: [scope] })).apiKey
  const [reader, noter] = [await keyed('customer_hub:read'), await keyed('customer_hub.notes:write')]
  const statusOf = async (bearer: string, method: 'GET' | 'POST', at: string, body?: object) =>
    (await call(method, customersPath + at, { bearer, ...(body ? { body: body as never } : {}) })).status
  expect(await statusOf(reader, 'GET', `/${id}`)).toBe(200)
  expect(await statusOf(reader, 'POST', '', {})).toBe(403)
  expect(await statusOf(noter, 'POST', `/${id}/notes`, { text: 'x' })).toBe(201)
  expect(await statusOf(noter, 'GET', `/${id}/notes`)).toBe(403)
  const profile = {
    rfc: 'EKU9003173C9',
    legal_name: 'X',
    tax_regime: '601',
    postal_code: '42501',
    cfdi_use: 'G03',
  }
  for (const [param, fields] of [
    ['email', { email: 'ana' }],
    ['phone', { phone: '12' }],
    ['locale', { locale: 'e' }],
    ['tags', { tags: ['a', 'a'] }],
    ['tax_profile.rfc', { tax_profile: { ...profile, rfc: 'EKU9003173C8' } }],
    ['tax_profile.tax_regime', { tax_profile: { ...profile, tax_regime: '612' } }],
    ['tax_profile.cfdi_use', { tax_profile: { ...profile, cfdi_use: 'D01' } }],
  ] as const) {
    const { status, body } = await asked(merchant, 'POST', '/customers', fields)
    expect([status, body.error]).toMatchObject([422, { code: 'parameter_invalid', param }])
  }
  expect((await asked(merchant, 'POST', '/customers', { tax_profile: profile })).status).toBe(201)
})
