import { createHash, createHmac, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { publicId, uuidv7 } from '../../../src/kernel/ids.ts'
import { newProof } from '../../support/customer.ts'
import {
  type Link,
  type Merchant,
  newApiKey,
  newLink,
  newMerchant,
  openLink,
  pay,
} from '../../support/merchant.ts'
import { adminSql, stack, workerSql } from '../../support/stack.ts'

/*
 * The door, asked as the Workers' role asks it but by nobody's Worker: what it refuses here, no bug of ours can get past.
 */

const id = () => uuidv7(Date.now())
const pepper = (JSON.parse(stack.sandbox.apiKeyPeppers) as Record<string, string>)['1']!

const asKey = (apiKey: string) => ({
  kind: 'api_key',
  kid: /^sk_sbx_.(.{16})/.exec(apiKey)![1],
  digests: { 1: createHmac('sha256', pepper).update(apiKey).digest('hex') },
})

type Asked = Record<string, unknown>

async function publish(asked: Asked): Promise<Record<string, unknown>> {
  const publication = {
    publishId: randomUUID(),
    requestId: 'req_door',
    now: new Date().toISOString(),
    writes: [],
    events: [],
    ...asked,
  }
  const [row] = await workerSql('sandbox')<{ publish: Record<string, unknown> }>(
    'select door.publish($1::jsonb)',
    [JSON.stringify(publication)],
  )
  return row!.publish
}

const newLinkRow = (more: Asked = {}) => ({
  id: id(),
  public_id: publicId('splink'),
  status: 'active',
  usage: 'single_use',
  amount_source: 'manual_amount',
  amount_minor: '120000',
  currency: 'mxn',
  payment_method_types: ['card'],
  installment_months: [],
  fee_allocation: 'absorb',
  merchant_markup_bps: 0,
  metadata: {},
  terms_version: 1,
  version: 1,
  created_at: new Date().toISOString(),
  updated_at: new Date().toISOString(),
  ...more,
})

const insertLink = (more?: Asked) => ({ kind: 'insert', table: 'payment_links', rows: [newLinkRow(more)] })
const changeLink = (link: Link, set: Asked, more: Asked = {}) => ({
  kind: 'change',
  table: 'payment_links',
  id: link.id,
  version: link.version,
  fromStatus: link.status,
  set,
  ...more,
})
const journal = (postings: [account: string, amountMinor: string][], more: Asked = {}) => ({
  kind: 'post',
  table: 'ledger_journals',
  id: id(),
  sourceType: 'payment',
  sourceId: id(),
  entryKind: 'capture',
  currency: 'mxn',
  createdAt: new Date().toISOString(),
  postings: postings.map(([account, amountMinor]) => ({ account, amountMinor })),
  ...more,
})

type World = { merchant: Merchant; link: Link; other: Merchant; foreign: Link }

async function newWorld(): Promise<World> {
  const [merchant, other] = await Promise.all([newMerchant(), newMerchant()])
  const [link, foreign] = await Promise.all([newLink(merchant), newLink(other)])
  return { merchant, link, other, foreign }
}

test('what is allowed goes through, under the tenant of the credential', async () => {
  const { merchant } = await newWorld()
  const write = insertLink()
  const answer = await publish({
    credential: asKey(merchant.apiKey),
    operation: 'payment_links.create',
    writes: [write],
  })
  expect(answer).toMatchObject({ kind: 'api_key', tenantId: merchant.tenantId, actorId: merchant.keyId })
  const rows = await adminSql('sandbox')('select tenant_id from payment_links where id = $1', [
    write.rows[0]!.id,
  ])
  expect(rows).toEqual([{ tenant_id: merchant.tenantId }])
})

/** One line a guard: what is asked of an API key's own operation, and the SQLSTATE that refuses it. */
const refusals: [what: string, code: string, operation: string, writes: (world: World) => object[]][] = [
  [
    'a row that names its tenant',
    'SP460',
    'create',
    ({ other }) => [insertLink({ tenant_id: other.tenantId })],
  ],
  ['a table of another operation', 'SP460', 'create', () => [{ ...insertLink(), table: 'payments' }]],
  ['a table that no operation writes', 'SP460', 'create', () => [{ ...insertLink(), table: 'events' }]],
  ['a table that is none', 'SP460', 'create', () => [{ ...insertLink(), table: 'pg_authid' }]],
  [
    'a table with SQL in its name',
    'SP460',
    'create',
    () => [{ ...insertLink(), table: 'payment_links; drop table x' }],
  ],
  ['a table that is missing', 'SP460', 'create', () => [{ ...insertLink(), table: undefined }]],
  [
    'a journal of an operation that posts none',
    'SP460',
    'create',
    () => [
      journal([
        ['merchant_pending', '1'],
        ['processor_clearing', '-1'],
      ]),
    ],
  ],
  [
    'a journal that does not say its table',
    'SP460',
    'create',
    () => [
      {
        ...journal([
          ['merchant_pending', '1'],
          ['processor_clearing', '-1'],
        ]),
        table: undefined,
      },
    ],
  ],
  ['any write of an operation that reads', 'SP460', 'get', () => [insertLink()]],
  ['a birth in another status', 'SP440', 'create', () => [insertLink({ status: 'paid' })]],
  [
    'a second row born in another status',
    'SP440',
    'create',
    () => [{ kind: 'insert', table: 'payment_links', rows: [newLinkRow(), newLinkRow({ status: 'paid' })] }],
  ],
  ['a column that is none', '42703', 'create', () => [insertLink({ nonsense: 1 })]],
  [
    'a move that no lifecycle has',
    'SP440',
    'archive',
    ({ link }) => [changeLink({ ...link, status: 'archived' }, { status: 'active' })],
  ],
  [
    'a move from a status that the row does not have',
    'SP409',
    'activate',
    ({ link }) => [changeLink({ ...link, status: 'inactive' }, { status: 'active' })],
  ],
  [
    'a move from no status',
    'SP440',
    'archive',
    ({ link }) => [changeLink(link, { status: 'archived' }, { fromStatus: null })],
  ],
  ['a status that is none', 'SP440', 'archive', ({ link }) => [changeLink(link, { status: 'sold' })]],
  [
    'a version that has moved',
    'SP409',
    'update',
    ({ link }) => [changeLink({ ...link, version: 7 }, { description: 'x' })],
  ],
  ["another tenant's row", 'SP409', 'update', ({ foreign }) => [changeLink(foreign, { description: 'x' })]],
  [
    'a new tenant for a row',
    'SP460',
    'update',
    ({ link, other }) => [changeLink(link, { tenant_id: other.tenantId })],
  ],
  ['a new id for a row', 'SP460', 'update', ({ link }) => [changeLink(link, { id: id() })]],
  ['a version of its own', 'SP460', 'update', ({ link }) => [changeLink(link, { version: 9 })]],
  [
    "a delta on another tenant's row",
    'SP430',
    'update',
    ({ foreign }) => [
      { kind: 'adjust', table: 'payment_links', id: foreign.id, deltas: { amount_minor: 1 } },
    ],
  ],
  [
    'a delta below a CHECK',
    '23514',
    'update',
    ({ link }) => [
      { kind: 'adjust', table: 'payment_links', id: link.id, deltas: { amount_minor: -120_000 } },
    ],
  ],
  [
    'an expectation that does not hold',
    'SP430',
    'update',
    ({ link }) => [{ kind: 'expect', table: 'payment_links', id: link.id, where: { status: 'paid' } }],
  ],
  [
    "an expectation of another tenant's row",
    'SP430',
    'update',
    ({ foreign }) => [{ kind: 'expect', table: 'payment_links', id: foreign.id, where: {} }],
  ],
]
test.each(refusals)('refused: %s', async (_what, code, operation, writes) => {
  const world = await newWorld()
  const before = await rowsOf(world)
  await expect(
    publish({
      credential: asKey(world.merchant.apiKey),
      operation: `payment_links.${operation}`,
      writes: writes(world),
    }),
  ).rejects.toMatchObject({ code })
  expect(await rowsOf(world)).toEqual(before)
})

const rowsOf = ({ merchant, other }: World) =>
  adminSql('sandbox')(`select * from payment_links where tenant_id = any ($1) order by id`, [
    [merchant.tenantId, other.tenantId],
  ])

test('one write that is refused takes all others with it', async () => {
  const world = await newWorld()
  const before = await rowsOf(world)
  await expect(
    publish({
      credential: asKey(world.merchant.apiKey),
      operation: 'payment_links.create',
      claim: { key: 'claimed-in-vain', fingerprint: 'f', status: 201, body: '{}' },
      writes: [insertLink(), insertLink({ merchant_markup_bps: 5 })],
    }),
  ).rejects.toMatchObject({ code: '23514', constraint: 'payment_links_absorb_no_markup' })
  expect(await rowsOf(world)).toEqual(before)
  const claims = await adminSql('sandbox')(
    'select key from idempotency_claims where tenant_id = $1 and key = $2',
    [world.merchant.tenantId, 'claimed-in-vain'],
  )
  expect(claims).toEqual([])
})

describe('the ledger', () => {
  const unbalanced: [what: string, code: string, write: object][] = [
    [
      'a sum that is not zero',
      'SP450',
      journal([
        ['merchant_pending', '2'],
        ['processor_clearing', '-1'],
      ]),
    ],
    ['one line', 'SP450', journal([['merchant_pending', '1']])],
    ['one line of nothing', 'SP450', journal([['merchant_pending', '0']])],
    ['no lines', 'SP450', journal([])],
    [
      'lines of nothing',
      '23514',
      journal([
        ['merchant_pending', '0'],
        ['processor_clearing', '0'],
      ]),
    ],
    [
      'an account that is none',
      '23514',
      journal([
        ['pockets', '1'],
        ['processor_clearing', '-1'],
      ]),
    ],
    [
      'a fraction',
      '22P02',
      journal([
        ['merchant_pending', '0.5'],
        ['processor_clearing', '-0.5'],
      ]),
    ],
    [
      'more than a bigint',
      '22003',
      journal([
        ['merchant_pending', '9223372036854775808'],
        ['processor_clearing', '-9223372036854775808'],
      ]),
    ],
    [
      'a currency in capitals',
      '23514',
      journal(
        [
          ['merchant_pending', '1'],
          ['processor_clearing', '-1'],
        ],
        { currency: 'MXN' },
      ),
    ],
    [
      'a pending balance below zero',
      '23514',
      journal([
        ['merchant_pending', '-1'],
        ['processor_clearing', '1'],
      ]),
    ],
  ]
  test.each(unbalanced)('refuses a journal with %s', async (_what, code, write) => {
    const { tenantId } = await newMerchant()
    await expect(
      publish({ credential: { kind: 'system', tenantId }, operation: 'payments.settle', writes: [write] }),
    ).rejects.toMatchObject({ code })
    const left = await adminSql('sandbox')('select 1 from ledger_journals where tenant_id = $1', [tenantId])
    expect(left).toEqual([])
  })

  test('books a source once', async () => {
    const { tenantId } = await newMerchant()
    const sourceId = id()
    const post = () =>
      publish({
        credential: { kind: 'system', tenantId },
        operation: 'payments.settle',
        writes: [
          journal(
            [
              ['merchant_pending', '1'],
              ['processor_clearing', '-1'],
            ],
            { sourceId },
          ),
        ],
      })
    await post()
    await expect(post()).rejects.toMatchObject({ code: '23505', constraint: 'ledger_journals_once' })
  })

  test('an unbalanced journal cannot even be committed by hand', async () => {
    const { tenantId } = await newMerchant()
    await expect(
      adminSql(
        'sandbox',
      )(`with j as (insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at)
        values ('${tenantId}', gen_random_uuid(), 'x', gen_random_uuid(), 'x', 'mxn', now()) returning id)
        insert into ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
        select '${tenantId}', j.id, 1, 'mxn', 'merchant_pending', 5 from j`),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(SP450|23503)$/) })
  })
})

describe('credentials', () => {
  const kinds: [what: string, credential: (world: World) => Asked, code: string, reason: string][] = [
    ['none', () => ({}), 'SP401', 'credential_not_accepted'],
    ['of a kind that is none', () => ({ kind: 'root' }), 'SP401', 'credential_not_accepted'],
    [
      'a session',
      ({ merchant }) => ({ kind: 'session', tenantId: merchant.tenantId, userId: merchant.ownerId }),
      'SP401',
      'credential_not_accepted',
    ],
    [
      'the system',
      ({ merchant }) => ({ kind: 'system', tenantId: merchant.tenantId }),
      'SP401',
      'credential_not_accepted',
    ],
    [
      "a link's address",
      ({ link }) => ({ kind: 'public', publicId: link.public_id }),
      'SP401',
      'credential_not_accepted',
    ],
    [
      'a key with another digest',
      ({ merchant }) => ({ ...asKey(merchant.apiKey), digests: { 1: 'no' } }),
      'SP401',
      'api_key_invalid',
    ],
    [
      'a key without a digest',
      ({ merchant }) => ({ ...asKey(merchant.apiKey), digests: {} }),
      'SP401',
      'api_key_invalid',
    ],
    [
      'a key under another pepper',
      ({ merchant }) => ({ ...asKey(merchant.apiKey), digests: { 2: asKey(merchant.apiKey).digests[1] } }),
      'SP401',
      'api_key_invalid',
    ],
    [
      'a key that names another tenant',
      ({ merchant, other }) => ({ ...asKey(merchant.apiKey), kid: asKey(other.apiKey).kid }),
      'SP401',
      'api_key_invalid',
    ],
  ]
  test.each(kinds)('%s is refused', async (_what, credential, code, reason) => {
    const world = await newWorld()
    await expect(
      publish({ credential: credential(world), operation: 'payment_links.create', writes: [insertLink()] }),
    ).rejects.toMatchObject({ code, message: reason })
  })

  test('a credential cannot choose its tenant', async () => {
    const { merchant, other } = await newWorld()
    const credential = { ...asKey(merchant.apiKey), tenantId: other.tenantId }
    const answer = await publish({ credential, operation: 'payment_links.create', writes: [insertLink()] })
    expect(answer.tenantId).toBe(merchant.tenantId)
  })

  test('an operation that is none has nobody who may', async () => {
    const { merchant } = await newWorld()
    const credential = asKey(merchant.apiKey)
    await expect(publish({ credential, operation: 'payment_links.drop' })).rejects.toMatchObject({
      code: 'SP401',
      message: 'credential_not_accepted',
    })
  })

  test('a step-up proof alone reads, and publishes nothing', async () => {
    const merchant = await newMerchant()
    const { keyId } = await newApiKey(merchant)
    const customer = { userId: merchant.ownerId, sessionId: 's' }
    const params = { key_ref_id: keyId }
    const token = await newProof(customer, merchant, { action: 'api_key.revoke', key: 'door-proof', params })
    const tokenDigest = createHash('sha256').update(token).digest('hex')
    const change = {
      kind: 'change',
      table: 'api_keys',
      id: keyId,
      version: 1,
      fromStatus: 'active',
      set: { status: 'revoking' },
    }
    const revoke = (credential: Asked, more: Asked = {}) =>
      publish({ credential, operation: 'api_keys.revoke', writes: [change], ...more })
    const proof = { kind: 'step_up', tenantId: merchant.tenantId, tokenDigest }
    const session = { kind: 'session', tenantId: merchant.tenantId, userId: merchant.ownerId }
    const wanted = {
      tokenDigest,
      userId: merchant.ownerId,
      sessionId: 's',
      scope: 'api_keys:write',
      idempotencyKey: 'door-proof',
      paramsHash: createHash('sha256').update(canonicalJson(params)).digest('hex'),
    }

    await expect(revoke(proof)).rejects.toMatchObject({ code: 'SP401', message: 'credential_not_accepted' })
    await expect(revoke(proof, { stepUp: wanted })).rejects.toMatchObject({ code: 'SP401' })
    await expect(revoke(session)).rejects.toMatchObject({ code: 'SP420', message: 'step_up_invalid' })
    await expect(
      revoke(session, { stepUp: { ...wanted, action: 'x', paramsHash: 'x' } }),
    ).rejects.toMatchObject({
      code: 'SP420',
      message: 'step_up_params_mismatch',
    })
    // Action and environment are the database's own: what the caller says of them does not count.
    const answer = await revoke(session, { stepUp: { ...wanted, action: 'x', environment: 'live' } })
    expect(answer.tenantId).toBe(merchant.tenantId)
    await expect(revoke(session, { stepUp: wanted })).rejects.toMatchObject({
      code: 'SP420',
      message: 'step_up_already_used',
    })
  })
})

test("a paid payment's own publish is the only one that ends it", async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  const [payment] = await adminSql('sandbox')<{ id: string; version: number }>(
    'select id, version from payments where tenant_id = $1',
    [merchant.tenantId],
  )
  const change = (status: string) => ({
    kind: 'change',
    table: 'payments',
    id: payment!.id,
    version: payment!.version,
    fromStatus: 'succeeded',
    set: { status },
  })
  for (const status of ['processing', 'requires_payment_method', 'failed', 'expired']) {
    await expect(
      publish({
        credential: { kind: 'system', tenantId: merchant.tenantId },
        operation: 'payments.outcome',
        writes: [change(status)],
      }),
    ).rejects.toMatchObject({ code: 'SP440' })
  }
})
