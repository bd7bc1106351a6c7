import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { scopes as allScopes } from '../../src/http/contract.ts'
import { type Customer, join, newCustomer } from '../support/customer.ts'
import { newPaired } from '../support/devices.ts'
import { call, type Merchant, newApiKey, newLink, newMerchant, openLink, pay } from '../support/merchant.ts'
import { adminSql, stack } from '../support/stack.ts'

/* The interface document to the letter, for what exists: the numbers are its sections. */

let signedUp: Promise<Customer> | undefined
async function newWorld(): Promise<{ customer: Customer; merchant: Merchant }> {
  signedUp ??= newCustomer()
  if ((await signedUp).backupCodes.length < 2) signedUp = newCustomer()
  const [customer, merchant] = [await signedUp, await newMerchant()]
  await join(customer, merchant)
  return { customer, merchant }
}

/** Proves a mutation through the interface, with a params_hash that the test writes down. */
async function proof(
  customer: Customer,
  merchant: Merchant,
  action: string,
  key: string,
  paramsHash: string,
): Promise<string> {
  const challenge = await call<{ id: string }>('POST', '/v1/auth/step-up/challenges', {
    bearer: customer.token,
    body: {
      action,
      scope: 'api_keys:write',
      tenant_id: merchant.tenantId,
      tenant_environment: 'sandbox',
      idempotency_key: key,
      params_hash: paramsHash,
    },
  })
  const verified = await call<{ step_up_token: string }>(
    'POST',
    `/v1/auth/step-up/challenges/${challenge.body.id}/verify`,
    {
      bearer: customer.token,
      body: { method: 'backup_code', response: customer.backupCodes.shift() },
    },
  )
  expect(verified.status, verified.text).toBe(200)
  expect(verified.body.step_up_token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  return verified.body.step_up_token
}

type Issued = {
  key: Record<string, unknown> & { id: string }
  object: string
  one_time_value?: string
  error?: { code: string; param: string }
}

const create = (customer: Customer, key: string, token: string, body: object) =>
  call<Issued>('POST', '/v1/api-keys', {
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': token },
    body,
  })

const keyFields = [
  'created_at',
  'created_by_email',
  'description',
  'environment',
  'expires_at',
  'id',
  'obfuscated_value',
  'scopes',
  'status',
]
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function expectIssued(issued: Issued, description: string, scopes: string[], email: string): void {
  expect(Object.keys(issued).sort()).toEqual(['key', 'object', 'one_time_value'])
  expect(issued.object).toBe('service.v1.api_key')
  expect(issued.one_time_value!.length).toBeGreaterThanOrEqual(16)
  expect(Object.keys(issued.key).sort()).toEqual(keyFields)
  expect(issued.key).toEqual({
    created_at: expect.stringMatching(dateTime),
    created_by_email: email,
    description,
    environment: 'sandbox',
    expires_at: null,
    id: expect.stringMatching(uuid),
    obfuscated_value: `sk_sbx_…${issued.one_time_value!.slice(-4)}`,
    scopes,
    status: 'active',
  })
}

describe('2.1, 2.2, 4.1, 4.2: API keys', () => {
  const storefront = 'c807457de80bfe13f0bb60d71575dfb9fbe1e801827ffc6917250cff02185a55'
  const keyOne = '476b472467cce629bd8a930773d80308c58843bca323b89382ce8ae88e9b7427'

  test('created with 201 on the published params_hash; a replay has no one_time_value', async () => {
    const { customer, merchant } = await newWorld()
    const key = randomUUID()
    const token = await proof(customer, merchant, 'api_key.create', key, storefront)
    const body = {
      description: '  Storefront ',
      tenant_environment: 'sandbox',
      tenant_id: merchant.tenantId,
      scopes: ['refunds:write', 'payment_links:read'],
    }
    const created = await create(customer, key, token, body)
    expect(created.status, created.text).toBe(201)
    expectIssued(created.body, 'Storefront', ['payment_links:read', 'refunds:write'], customer.email)

    const replayed = await create(customer, key, token, body)
    expect([replayed.status, Object.keys(replayed.body).sort()]).toEqual([201, ['key', 'object']])
    expect(replayed.body.key).toEqual(created.body.key)
    const listed = await call('GET', `/v1/api-keys?tenant_id=${merchant.tenantId}`, {
      bearer: customer.token,
    })
    expect(listed.text).toContain(created.body.key.id)
    expect(listed.text).not.toContain('one_time_value')
    expect(Object.keys((listed.body.data as object[])[0]!).sort()).toEqual(keyFields)
  })

  test('rotated with 200 on the published params_hash', async () => {
    const { customer, merchant } = await newWorld()
    const id = '0190a6d2-7c3e-7b1a-9f00-000000000001'
    const { keyId } = await newApiKey(merchant, { scopes: ['refunds:read'] })
    await adminSql('sandbox')('update api_keys set id = $2 where id = $1', [keyId, id])
    const key = randomUUID()
    const token = await proof(customer, merchant, 'api_key.rotate', key, keyOne)
    const rotated = await call<Issued>('POST', `/v1/api-keys/${id}/rotate`, {
      bearer: customer.token,
      headers: { 'idempotency-key': key, 'x-sp-step-up-token': token },
      body: { tenant_id: merchant.tenantId },
    })
    expect(rotated.status, rotated.text).toBe(200)
    expectIssued(rotated.body, 'Test', ['refunds:read'], customer.email)
  })

  // What is hashed, as text: no code of ours spells it.
  const described: [what: string, description: string | undefined, canonical: string][] = [
    [
      'none: the published default',
      undefined,
      '{"description":"API key","environment":"sandbox","scopes":["refunds:read"]}',
    ],
    [
      'an empty one: the default',
      '',
      '{"description":"API key","environment":"sandbox","scopes":["refunds:read"]}',
    ],
    [
      'line ends and tabs around it: trimmed',
      '\n\tStorefront \r\n',
      '{"description":"Storefront","environment":"sandbox","scopes":["refunds:read"]}',
    ],
    [
      'other alphabets, unescaped',
      'Ñandú ☕ 日本',
      '{"description":"Ñandú ☕ 日本","environment":"sandbox","scopes":["refunds:read"]}',
    ],
    [
      'quotes and backslashes',
      'a"b\\c/d',
      '{"description":"a\\"b\\\\c/d","environment":"sandbox","scopes":["refunds:read"]}',
    ],
    [
      'line ends and other control characters inside',
      'a\r\nb\tc\u001b',
      '{"description":"a\\r\\nb\\tc\\u001b","environment":"sandbox","scopes":["refunds:read"]}',
    ],
    [
      'combined and composed letters as they are',
      'e\u0301 \u00e9',
      '{"description":"e\u0301 \u00e9","environment":"sandbox","scopes":["refunds:read"]}',
    ],
  ]
  test.each(described)('the params_hash of a description: %s', async (_what, description, canonical) => {
    const { customer, merchant } = await newWorld()
    const key = randomUUID()
    const hash = createHash('sha256').update(canonical, 'utf8').digest('hex')
    const token = await proof(customer, merchant, 'api_key.create', key, hash)
    const body = { tenant_environment: 'sandbox', tenant_id: merchant.tenantId, scopes: ['refunds:read'] }
    const created = await create(
      customer,
      key,
      token,
      description === undefined ? body : { ...body, description },
    )
    expect(created.status, created.text).toBe(201)
    expect(created.body.key.description).toBe((JSON.parse(canonical) as { description: string }).description)
  })

  const good = { tenant_environment: 'sandbox', tenant_id: 'tn_x', scopes: ['refunds:read'] }
  const bodies: [what: string, body: object, code: string, param: string][] = [
    ['description of 121', { ...good, description: 'x'.repeat(121) }, 'parameter_invalid', 'description'],
    ['a description with NUL', { ...good, description: 'a\u0000b' }, 'parameter_invalid', 'description'],
    ['description null', { ...good, description: null }, 'parameter_invalid', 'description'],
    [
      'description with a card number',
      { ...good, description: '4242 4242 4242 4242' },
      'card_number_refused',
      'description',
    ],
    [
      'tenant_environment of another name',
      { ...good, tenant_environment: 'test' },
      'parameter_invalid',
      'tenant_environment',
    ],
    ['tenant_id empty', { ...good, tenant_id: '' }, 'parameter_invalid', 'tenant_id'],
    ['tenant_id of 129', { ...good, tenant_id: 'x'.repeat(129) }, 'parameter_invalid', 'tenant_id'],
    ['tenant_id that begins with _', { ...good, tenant_id: '_x' }, 'parameter_invalid', 'tenant_id'],
    ['tenant_id with a line end', { ...good, tenant_id: 'x\n' }, 'parameter_invalid', 'tenant_id'],
    ['no scope', { ...good, scopes: [] }, 'parameter_invalid', 'scopes'],
    ['a scope twice', { ...good, scopes: ['refunds:read', 'refunds:read'] }, 'parameter_invalid', 'scopes'],
    [
      'a scope that is none',
      { ...good, scopes: ['refunds:read', 'refunds:all'] },
      'parameter_invalid',
      'scopes.1',
    ],
    ['the scope of the proof', { ...good, scopes: ['api_keys:write'] }, 'parameter_invalid', 'scopes.0'],
    ['more fields', { ...good, grace_hours: 0 }, 'parameter_unknown', 'grace_hours'],
  ]
  test.each(bodies)('refused: %s', async (_what, body, code, param) => {
    const { customer } = await newWorld()
    const reply = await create(customer, randomUUID(), 'x'.repeat(43), body)
    expect([reply.status, reply.body.error?.code, reply.body.error?.param]).toEqual([422, code, param])
  })

  test('5.3: every scope can be given, all of them at once', async () => {
    const { customer, merchant } = await newWorld()
    const scopes = [...allScopes].sort()
    expect(scopes.length).toBe(40)
    const canonical = JSON.stringify({ description: 'x'.repeat(120), environment: 'sandbox', scopes })
    const key = randomUUID()
    const hash = createHash('sha256').update(canonical).digest('hex')
    const token = await proof(customer, merchant, 'api_key.create', key, hash)
    const created = await create(customer, key, token, {
      description: 'x'.repeat(120),
      tenant_environment: 'sandbox',
      tenant_id: merchant.tenantId,
      scopes: allScopes,
    })
    expect(created.body.key.scopes, created.text).toEqual(scopes)
  })
})

describe('4.5: a session of a table', () => {
  const open = async (key: string, bearer?: string) => {
    const merchant = await newMerchant()
    const table = await call<{ id: string }>('POST', '/v1/table-pay/tables', {
      bearer: merchant.apiKey,
      body: { name: 'Mesa 4' },
    })
    return call<{ error?: { code: string } }>('POST', `/v1/table-pay/tables/${table.body.id}/sessions`, {
      bearer: bearer ?? merchant.apiKey,
      headers: { 'idempotency-key': key },
      body: {},
    })
  }

  test.each([
    [7, 400],
    [8, 201],
    [255, 201],
    [256, 400],
  ])('with a key of %i characters: %i', async (length, status) => {
    expect((await open('a'.repeat(length))).status).toBe(status)
  })

  test('without a bearer', async () => {
    expect((await open('a'.repeat(8), '')).status).toBe(401)
  })
})

describe('4.6: a connection token', () => {
  test.each(['device_id', 'location_id'])('%s is a UUID: no character fewer or more', async (field) => {
    const merchant = await newMerchant()
    const { id: device_id, location_id } = await newPaired(merchant, 'phone')
    const whole: Record<string, string> = { device_id, location_id }
    const issue = (body: Record<string, string>) =>
      call<{ error?: { code: string; param: string } }>('POST', '/v1/tap-to-pay/connection_tokens', {
        bearer: merchant.apiKey,
        body,
      })
    expect((await issue(whole)).status).toBe(201)
    for (const wrong of [whole[field]!.slice(0, -1), `${whole[field]}0`]) {
      const { status, body } = await issue({ ...whole, [field]: wrong })
      expect([status, body.error?.param]).toEqual([422, field])
    }
  })
})

describe('2.3, 4.7: payment links', () => {
  const fields = [
    'id',
    'object',
    'public_id',
    'url',
    'status',
    'amount_source',
    'manual_amount',
    'currency',
    'catalog_line_item_snapshot',
    'payment_method_types',
    'installment_options',
    'installment_plan',
    'checkout_session_ref',
    'expires_at',
    'revoked_at',
    'metadata',
    'created_at',
    'updated_at',
    'installment_pricing',
  ]

  test('every field is there, in its form', async () => {
    const merchant = await newMerchant()
    const link = (await newLink(merchant, {
      installment_options: [{ months: 12 }, { months: 3 }],
      installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: 250 },
      metadata: { order: '1024', 'with space': '' },
      expires_at: '2026-12-31T18:00:00-06:00',
    })) as unknown as Record<string, unknown>
    expect(Object.keys(link)).toEqual(expect.arrayContaining(fields))
    expect(link).toMatchObject({
      id: expect.stringMatching(uuid),
      object: 'payment_link',
      public_id: expect.stringMatching(/^splink_[a-z0-9]{32}$/),
      url: `https://${stack.sandbox.linkBaseUrl}/${link.public_id}`,
      status: 'active',
      amount_source: 'manual_amount',
      manual_amount: 120_000,
      currency: 'mxn',
      catalog_line_item_snapshot: null,
      payment_method_types: ['card'],
      installment_options: [{ months: 3 }, { months: 12 }],
      installment_plan: null,
      checkout_session_ref: null,
      expires_at: '2027-01-01T00:00:00.000Z',
      revoked_at: null,
      metadata: { order: '1024', 'with space': '' },
      created_at: expect.stringMatching(dateTime),
      installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: 250 },
    })
    expect(link.updated_at).toBe(link.created_at)
    const { body } = await call('GET', '/v1/payment-links', { bearer: merchant.apiKey })
    expect(body).toEqual({ object: 'list', data: [link], has_more: false, next_cursor: '' })
  })

  test('2.4, 4.3: a paid link names its payment; amounts of payments are strings of minor units', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
    const read = await call('GET', `/v1/payment-links/${link.id}`, { bearer: merchant.apiKey })
    expect(read.body).toMatchObject({
      status: 'paid',
      checkout_session_ref: expect.stringMatching(/^spcs_[a-z0-9]{32}$/),
    })
    const { body } = await call<{ data: Record<string, unknown>[] }>(
      'GET',
      '/v1/payment-operations/payments?limit=1',
      {
        bearer: merchant.apiKey,
      },
    )
    expect(Object.keys(body).sort()).toEqual(['data', 'has_more', 'next_cursor', 'object'])
    const [payment] = body.data
    const amounts = Object.entries(payment!).filter(([name]) => /amount|net/.test(name))
    expect(amounts.length).toBeGreaterThanOrEqual(8)
    for (const [name, value] of amounts)
      expect([name, value]).toEqual([name, expect.stringMatching(/^-?\d{1,18}$/)])
    expect(payment).toMatchObject({
      public_id: read.body.checkout_session_ref,
      amount: '120000',
      amount_captured: '120000',
    })
    const { quantity, ...others } = payment!
    expect(quantity).toBe(1)
    const numbers = JSON.stringify(others).match(/":\d+/g) ?? []
    expect(numbers).toEqual([])
  })
})
