import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { call, type Merchant, newLink, newMerchant, openLink, pay } from '../support/merchant.ts'
import { newEndpoint } from '../support/receiver.ts'
import { adminSql, control } from '../support/stack.ts'

/* No card number reaches our records or replies, wherever a merchant may put one. */

type Answer = { error?: { code: string; param: string | null } } & Record<string, unknown>

let shared: Promise<Merchant> | undefined
const merchant = () => {
  shared ??= newMerchant()
  return shared
}

const create = async (body: unknown) =>
  call<Answer>('POST', '/v1/payment-links', { bearer: (await merchant()).apiKey, body })

const good = { manual_amount: 120_000, currency: 'mxn' }
const snapshot = { item_id: 'sku-1', name: 'Silla', unit_amount: '40000', quantity: 3 }
const fromCatalog = {
  amount_source: 'catalog_line_item',
  currency: 'mxn',
  catalog_line_item_snapshot: snapshot,
}

const pan = '4242424242424242'
const holding: [what: string, body: (pan: string) => object, param: string][] = [
  ['description', (text) => ({ ...good, description: `card ${text} thanks` }), 'description'],
  ['a value of metadata', (text) => ({ ...good, metadata: { order: text } }), 'metadata.order'],
  ['a key of metadata', (text) => ({ ...good, metadata: { [text]: 'x' } }), 'metadata'],
  [
    'the name of a line item',
    (text) => ({ ...fromCatalog, catalog_line_item_snapshot: { ...snapshot, name: text } }),
    'catalog_line_item_snapshot.name',
  ],
  [
    'the id of a line item',
    (text) => ({ ...fromCatalog, catalog_line_item_snapshot: { ...snapshot, item_id: text } }),
    'catalog_line_item_snapshot.item_id',
  ],
]
const written = [
  pan,
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  '4242.4242.4242.4242',
  '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
  '４２４２４２４２４２４２４２４２',
  '378282246310005',
]
test.each(holding)('a card number in %s is refused, and not stored', async (_what, body, param) => {
  for (const text of written) {
    const { status, body: answer, text: said } = await create(body(text))
    expect([status, answer.error?.code, answer.error?.param]).toEqual([422, 'card_number_refused', param])
    expect(said).not.toContain(text)
  }
})

const ordinary = [
  ['milliseconds', 'order-1785321600004'],
  ['an EAN-13', '7501055341085'],
  ['an order of a shop', '5551234567896'],
  ['a CLABE', '646180157000000000'],
] as const
test.each(ordinary)('%s is no card number: %s', async (_, text) => {
  const body = { ...good, client_reference_id: text, metadata: { order: text, [text]: 1 } }
  expect((await create(body)).status).toBe(201)
})

test('a card number in the URL of a webhook endpoint is refused, and not stored', async () => {
  const { apiKey: bearer } = await merchant()
  const { id } = await newEndpoint(await merchant(), 'https://93.184.215.14/hook')
  for (const url of [
    `https://shop.mx/${pan}`,
    'https://shop.mx/?c=4242+4242+4242+4242',
    `https://:${pan}@shop.mx/`,
  ])
    for (const [method, path] of [
      ['POST', '/v1/webhooks/endpoints'],
      ['PATCH', `/v1/webhooks/endpoints/${id}`],
    ] as const) {
      const { status, body, text } = await call<Answer>(method, path, {
        bearer,
        body: { url, ...(method === 'POST' && { event_types: ['*'] }) },
      })
      expect([url, status, body.error?.code, body.error?.param]).toEqual([
        url,
        422,
        'card_number_refused',
        'url',
      ])
      expect(text).not.toContain(url)
    }
})

test('a card number where no field takes one is not repeated in the reply', async () => {
  const answers = [
    await create({ ...good, [pan]: 1 }),
    await call<Answer>('GET', `/v1/payment-links?${pan}=1`, { bearer: (await merchant()).apiKey }),
    await call<Answer>('GET', `/v1/payment-links?status=${pan}`, { bearer: (await merchant()).apiKey }),
    await create({ ...good, currency: pan }),
    await create({ ...good, manual_amount: pan }),
  ]
  for (const { status, text } of answers) {
    expect(status).toBe(422)
    expect(text).not.toContain(pan)
  }
})

test('a card number as an amount is refused and not repeated, wherever an amount goes', async () => {
  const { apiKey: bearer } = await merchant()
  const [funds, amount] = ['/v1/payment-operations/unapplied-funds', '4242 4242 4242 4242']
  const destination = { clabe: '032180000118359719', holder: 'Ana Ruiz' }
  const sent: [path: string, body: object][] = [
    [`${funds}/${randomUUID()}/refund`, { amount, destination }],
    [`${funds}/${randomUUID()}/apply`, { amount, payment_id: randomUUID() }],
    ['/v1/sandbox/spei/deposits', { amount, clabe: '032180000118359719' }],
    ['/v1/refunds', { amount, payment_id: randomUUID(), reason: 'duplicate' }],
    [`/v1/payments/${randomUUID()}/capture`, { amount }],
  ]
  for (const [path, body] of sent) {
    const reply = await call<Answer>('POST', path, { bearer, body })
    expect([path, reply.status, reply.body.error?.code]).toEqual([path, 422, 'amount_malformed'])
    expect(reply.text).not.toContain(amount)
  }
})

test('a request id that is a card number is replaced', async () => {
  for (const given of [pan, 'order-4242-4242-4242-4242']) {
    const headers = { 'x-request-id': given }
    const reply = await call('POST', '/v1/payment-links', {
      bearer: (await merchant()).apiKey,
      headers,
      body: good,
    })
    expect([reply.status, reply.headers.get('x-request-id')]).toEqual([
      201,
      expect.stringMatching(/^req_[0-9a-f]{32}$/),
    ])
  }
})

test('no card number is in the log or in any table', async () => {
  for (const text of written) for (const [, body] of holding) await create(body(text))
  const link = await newLink(await newMerchant())
  await pay(link.public_id, await openLink(link.public_id), pan)
  const lines = (await control.workerLines('sandbox')).map(({ message }) => message)
  expect(lines.filter((line) => written.some((text) => line.includes(text)))).toEqual([])
  const sql = adminSql('sandbox')
  const tables = await sql<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'simulator')`,
  )
  for (const { name } of tables) {
    const rows = await sql(
      `select 1 from ${name} t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0 limit 1`,
      [pan, '4242 4242 4242 4242'],
    )
    expect([name, rows.length]).toEqual([name, 0])
  }
})
