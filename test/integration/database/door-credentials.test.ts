import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { keyDigest, newProof } from '../../support/customer.ts'
import { newApiKey, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'
import { type Asked, asKey, id, insertLink, journal, newWorld, publish, type World } from './door.ts'

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
