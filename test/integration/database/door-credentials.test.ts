import { createHash } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { join, keyDigest, newProof } from '../../support/customer.ts'
import { writesRowsByHand } from '../../support/kept-books.ts'
import { newApiKey, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { type Asked, asKey, id, insertLink, journal, newWorld, proven, publish, type World } from './door.ts'

writesRowsByHand()

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

  test('an unbalanced journal cannot be committed, not even by hand', async () => {
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
      ({ link }) => ({ kind: 'public_id', publicId: link.public_id }),
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

  test('an unknown operation is refused', async () => {
    const { merchant } = await newWorld()
    const credential = asKey(merchant.apiKey)
    await expect(publish({ credential, operation: 'payment_links.drop' })).rejects.toMatchObject({
      code: 'SP401',
      message: 'credential_not_accepted',
    })
  })

  test('a step-up proof alone can read, and publishes nothing', async () => {
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
      idempotencyKeys: [keyDigest('door-proof')],
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
    // The database decides action and environment: what the caller sends for them does not count.
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

describe('an operation of two kinds', () => {
  const stepUp = { action: 'api_key.revoke', scope: 'api_keys:write' }
  const operations = {
    'test.both': {
      api_key: { scopes: ['refunds:read', 'refunds:write'] },
      session: { role: 'admin', stepUp },
    },
    'test.robots': { system: {}, robot: { place: 'counter' } },
    // A condition whose field is missing refuses every caller.
    'test.empty': { api_key: {}, session: {} },
  }
  let client: pg.Client

  // In a transaction of its own: no other test sees these operations, or the branch of a kind that only this test knows.
  beforeAll(async () => {
    client = new Client({ connectionString: stack.databases.sandbox.adminUrl })
    await client.connect()
    await client.query('begin')
    for (const [operation, access] of Object.entries(operations))
      await client.query(`insert into door_operations (id, access, tables) values ($1, $2, '{}')`, [
        operation,
        access,
      ])
  })
  afterAll(async () => {
    await client.query('rollback')
    await client.end()
  })

  const asked = async (text: string, values: unknown[]) => {
    await client.query('savepoint asked')
    try {
      const { rows } = await client.query<{ answer: Record<string, unknown> }>(
        `select ${text} as answer`,
        values,
      )
      return rows[0]!.answer
    } catch (error) {
      await client.query('rollback to asked')
      return (error as Error).message
    }
  }
  const authorized = (credential: Asked, operation = 'test.both') =>
    asked('door.authorize($1, $2)', [proven(credential), operation])

  test('each caller meets the condition of their own kind', async () => {
    const merchant = await newMerchant()
    const { tenantId, ownerId: userId } = merchant
    const key = async (...scopes: string[]) => asKey((await newApiKey(merchant, { scopes })).apiKey)
    const member = { kind: 'session', tenantId, userId }
    expect(await authorized(await key('refunds:write'))).toMatchObject({ kind: 'api_key', tenantId })
    expect(await authorized(await key('transfers:read'))).toBe('insufficient_scope')
    expect(await authorized(member)).toMatchObject({ kind: 'session', role: 'owner' })
    expect(await authorized({ ...member, userId: 'nobody' })).toBe('workspace_not_found')
    expect(await authorized({ kind: 'system', tenantId })).toBe('credential_not_accepted')
    const waiter = { userId: `waiter-${tenantId}`, email: 'waiter@example.com' }
    await join(waiter, merchant, 'member')
    expect(await authorized({ ...member, userId: waiter.userId })).toBe('insufficient_role')
    // Only the member's condition asks for a proof.
    const publishes = (credential: Asked) =>
      asked('door.publish($1)', [
        {
          publishId: id(),
          requestId: 'req_door',
          credential: proven(credential),
          operation: 'test.both',
          writes: [],
          events: [],
        },
      ])
    expect(await publishes(await key('refunds:read'))).toMatchObject({ kind: 'api_key', expected: [] })
    expect(await publishes(member)).toBe('step_up_invalid')
    expect(await authorized(await key('refunds:write'), 'test.empty')).toBe('insufficient_scope')
    expect(await authorized(member, 'test.empty')).toBe('insufficient_role')
  })

  test('a new kind is its branch', async () => {
    const { tenantId } = await newMerchant()
    const robot = { kind: 'robot', tenantId, place: 'counter' }
    const [{ pg_get_functiondef: text } = { pg_get_functiondef: '' }] = (
      await client.query<{ pg_get_functiondef: string }>(
        `select pg_get_functiondef('door.admit(jsonb, jsonb, text)'::regprocedure)`,
      )
    ).rows
    const branch = `case v_kind
      when 'robot' then
        if p_credential->>'place' is distinct from v_condition->>'place' then
          perform door.refuse('SP403', 'insufficient_role');
        end if;
        v_tenant := door.workspace_key(p_credential->>'tenantId');
        v_principal := jsonb_build_object('kind', v_kind, 'tenantId', p_credential->>'tenantId', 'actorId', 'robot');`
    expect(text.split('  case v_kind\n')).toHaveLength(2)
    await client.query(text.replace('  case v_kind\n', () => `${branch}\n`))
    expect(await authorized(robot, 'test.robots')).toMatchObject({ kind: 'robot', tenantId })
    expect(await authorized({ ...robot, place: 'door' }, 'test.robots')).toBe('insufficient_role')
    expect(await authorized(robot)).toBe('credential_not_accepted')
    expect(await authorized({ kind: 'system', tenantId }, 'test.robots')).toMatchObject({ kind: 'system' })
    // Without the Worker's proof it is refused before its branch.
    expect(await asked('door.authorize($1, $2)', [robot, 'test.robots'])).toContain('DOOR_SECRETS')
  })
})
