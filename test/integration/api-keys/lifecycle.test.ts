import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newCustomer } from '../../support/customer.ts'
import {
  createKey,
  issueKey,
  type Keeper,
  moveKey,
  newKeeper,
  proveCreate,
  proveMove,
  revokeKey,
} from '../../support/keys.ts'
import { call, newApiKey } from '../../support/merchant.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

type Key = Record<string, unknown> & { id: string; status: string; expires_at: string | null }

const keyOf = async (keeper: Keeper, id: string) =>
  (await call<Key>('GET', `/v1/api-keys/${id}?tenant_id=${keeper.tenantId}`, { bearer: keeper.token })).body

/** The status or error code that a key gets when it is used. */
async function use(apiKey: string): Promise<string> {
  const { status, body } = await call<{ error?: { code: string } }>('GET', '/v1/payment-links', {
    bearer: apiKey,
  })
  return body.error?.code ?? String(status)
}

async function move(keeper: Keeper, kind: 'rotate' | 'revoke', id: string) {
  const key = randomUUID()
  return moveKey(keeper, kind, id, key, await proveMove(keeper, kind, id, key))
}

const ownedBy = (keeper: Keeper) => ({
  environment: keeper.environment,
  tenantId: keeper.tenantId,
  ownerId: keeper.userId,
})

const turnClock = (id: string, column: 'grace_ends_at' | 'expires_at' | 'created_at', minutesAgo: number) =>
  adminSql('sandbox')(`update api_keys set ${column} = now() - make_interval(mins => $2) where id = $1`, [
    id,
    minutesAgo,
  ])

/** Sweeps until this key is done: the sweep takes other files' keys too, a hundred at a time. */
const swept = async (keeper: Keeper, id: string, status: string) =>
  expect
    .poll(
      async () => {
        await trigger('sandbox')
        return (await keyOf(keeper, id)).status
      },
      { timeout: 60_000 },
    )
    .toBe(status)

const eventsOf = async (id: string) =>
  (
    await adminSql('sandbox')<{ type: string; sequence: number }>(
      'select type, sequence from events where resource_id = $1 order by sequence',
      [id],
    )
  ).map(({ type, sequence }) => `${sequence} ${type}`)

test('created: works at once, is listed, can be read', async () => {
  const keeper = await newKeeper()
  const { id, apiKey } = await issueKey(keeper)
  expect(await use(apiKey)).toBe('200')
  const key = await keyOf(keeper, id)
  expect(key).toMatchObject({ id, status: 'active', expires_at: null, created_by_email: keeper.email })
  const list = await call<{ data: Key[] }>('GET', `/v1/api-keys?tenant_id=${keeper.tenantId}`, {
    bearer: keeper.token,
  })
  expect(list.body.data).toEqual([key])
  expect(await eventsOf(id)).toEqual(['1 api_key.created', '2 api_key.activated'])
})

test('rotated: both work until the overlap ends, then the successor alone', async () => {
  const keeper = await newKeeper()
  const { id, apiKey } = await issueKey(keeper)
  const before = await keyOf(keeper, id)
  const rotated = await move(keeper, 'rotate', id)
  expect(rotated.status, rotated.text).toBe(200)
  const successor = rotated.body.key as unknown as Key
  const { one_time_value: token } = rotated.body
  expect(successor).toEqual({
    ...before,
    id: successor.id,
    obfuscated_value: `sk_sbx_…${token!.slice(-4)}`,
    created_at: successor.created_at,
  })
  expect(successor.id).not.toBe(id)
  expect([await use(apiKey), await use(token!)]).toEqual(['200', '200'])

  const rotating = await keyOf(keeper, id)
  expect(rotating.status).toBe('rotating')
  const hours = (Date.parse(rotating.expires_at!) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThanOrEqual(24)

  await turnClock(id, 'grace_ends_at', 1)
  expect([await use(apiKey), await use(token!)]).toEqual(['api_key_rotated_out', '200'])
  await swept(keeper, id, 'revoked')
  expect([await use(apiKey), await use(token!)]).toEqual(['api_key_rotated_out', '200'])
  expect((await keyOf(keeper, successor.id)).status).toBe('active')
  expect(await eventsOf(id)).toEqual([
    '1 api_key.created',
    '2 api_key.activated',
    '3 api_key.rotated',
    '4 api_key.revoking',
    '5 api_key.revoked',
  ])
})

test('a rotation extends nothing: a key that expires sooner still does, and so does its successor', async () => {
  const keeper = await newKeeper()
  const expiresAt = new Date(Date.now() + 3_600_000)
  const { keyId, apiKey } = await newApiKey(ownedBy(keeper), { expiresAt })
  const rotated = await move(keeper, 'rotate', keyId)
  expect(rotated.status, rotated.text).toBe(200)
  expect((await keyOf(keeper, keyId)).expires_at).toBe(expiresAt.toISOString())
  expect((rotated.body.key as unknown as Key).expires_at).toBe(expiresAt.toISOString())
  await turnClock(keyId, 'expires_at', 1)
  expect(await use(apiKey)).toBe('api_key_expired')
})

test('revoked: stops with the next request, replays included', async () => {
  const keeper = await newKeeper()
  const { id, apiKey } = await issueKey(keeper)
  const create = () =>
    call('POST', '/v1/payment-links', {
      bearer: apiKey,
      headers: { 'idempotency-key': 'made before' },
      body: { manual_amount: 120_000, currency: 'mxn' },
    })
  expect((await create()).status).toBe(201)
  for (let at = 0; at < 3; at++) {
    const again = await create()
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  }
  expect(await revokeKey(keeper, id)).toBe(200)
  const replies = await Promise.all([create(), create(), create()])
  expect(replies.map(({ body }) => (body.error as { code: string }).code)).toEqual(
    Array(3).fill('api_key_revoked'),
  )
  expect(await use(apiKey)).toBe('api_key_revoked')
  expect((await keyOf(keeper, id)).status).toBe('revoking')
  await swept(keeper, id, 'revoked')
  expect(await use(apiKey)).toBe('api_key_revoked')
})

test('revoked within its overlap: its error says revoked, not rotated out', async () => {
  const keeper = await newKeeper()
  const { id, apiKey } = await issueKey(keeper)
  await move(keeper, 'rotate', id)
  expect(await revokeKey(keeper, id)).toBe(200)
  expect(await use(apiKey)).toBe('api_key_revoked')
  await swept(keeper, id, 'revoked')
  expect(await use(apiKey)).toBe('api_key_revoked')
})

test('expired: refused at once, revoked by the sweep, and its error still says expired', async () => {
  const keeper = await newKeeper()
  const { keyId, apiKey } = await newApiKey(ownedBy(keeper), { expiresAt: new Date(Date.now() + 60_000) })
  expect(await use(apiKey)).toBe('200')
  await turnClock(keyId, 'expires_at', 1)
  expect(await use(apiKey)).toBe('api_key_expired')
  expect((await keyOf(keeper, keyId)).status).toBe('active')
  await swept(keeper, keyId, 'revoked')
  expect(await use(apiKey)).toBe('api_key_expired')
})

test('a key stuck while it was made has failed for good', async () => {
  const keeper = await newKeeper()
  const young = await newApiKey(ownedBy(keeper), { status: 'provisioning' })
  const stuck = await newApiKey(ownedBy(keeper), { status: 'provisioning' })
  await turnClock(stuck.keyId, 'created_at', 16)
  await swept(keeper, stuck.keyId, 'failed')
  expect((await keyOf(keeper, young.keyId)).status).toBe('provisioning')
  expect([await use(stuck.apiKey), await use(young.apiKey)]).toEqual([
    'api_key_not_active',
    'api_key_not_active',
  ])
})

const ahead = new Date(Date.now() + 3_600_000)
const past = new Date(Date.now() - 60_000)
const moves: [status: string, key: Parameters<typeof newApiKey>[1], rotate: string, revoke: string][] = [
  ['active', {}, '200', '200'],
  ['active, expired', { expiresAt: past }, 'api_key_not_rotatable', '200'],
  ['rotating', { status: 'rotating', graceEndsAt: ahead }, 'api_key_not_rotatable', '200'],
  ['provisioning', { status: 'provisioning' }, 'api_key_not_rotatable', 'api_key_not_revocable'],
  ['failed', { status: 'failed' }, 'api_key_not_rotatable', 'api_key_not_revocable'],
  ['revoking', { status: 'revoking' }, 'api_key_not_rotatable', 'api_key_not_revocable'],
  ['revoked', { status: 'revoked' }, 'api_key_not_rotatable', 'api_key_not_revocable'],
]
test.each(moves)('%s: which moves are open', async (_status, key, rotate, revoke) => {
  const keeper = await sharedKeeper()
  for (const [kind, expected] of [
    ['rotate', rotate],
    ['revoke', revoke],
  ] as const) {
    const { keyId } = await newApiKey(ownedBy(keeper), key)
    const { status, body } = await move(keeper, kind, keyId)
    expect([kind, (body as { error?: { code: string } }).error?.code ?? String(status)]).toEqual([
      kind,
      expected,
    ])
    if (status === 409) expect((await eventsOf(keyId)).length).toBe(0)
  }
})

let shared: Promise<Keeper> | undefined
const sharedKeeper = () => {
  shared ??= newKeeper()
  return shared
}

test('rotated twice under two keys: one successor, the others get 409', async () => {
  const keeper = await sharedKeeper()
  const { id } = await issueKey(keeper)
  const replies = await Promise.all(Array.from({ length: 6 }, () => move(keeper, 'rotate', id)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  const rows = await adminSql('sandbox')('select id from api_keys where rotated_from_id = $1', [id])
  expect(rows.length).toBe(1)
})

test('a replay carries everything but the value', async () => {
  const keeper = await sharedKeeper()
  const key = randomUUID()
  const proof = await proveCreate(keeper, key, 'Storefront')
  const first = await createKey(keeper, key, proof, 'Storefront')
  const again = await createKey(keeper, key, proof, 'Storefront')
  const { one_time_value, ...kept } = first.body
  expect([first.status, again.status]).toEqual([201, 201])
  expect(one_time_value).toMatch(/^sk_sbx_a[a-z0-9]{16}_[A-Za-z0-9]{43}_[A-Za-z0-9]{6}$/)
  expect(again.text).toBe(JSON.stringify(kept))
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  // A replay needs no new proof, and a spent one does no harm.
  const withAnother = await createKey(keeper, key, await proveCreate(keeper, key, 'Storefront'), 'Storefront')
  expect(withAnother.text).toBe(again.text)
})

test('a description of spaces counts as none', async () => {
  const keeper = await sharedKeeper()
  const key = randomUUID()
  const reply = await createKey(keeper, key, await proveCreate(keeper, key, 'API key'), '   ')
  expect(reply.status, reply.text).toBe(201)
  expect(reply.body.key.description).toBe('API key')
})

test("the other environment's key is refused here and made at its own address", async () => {
  const keeper = await sharedKeeper()
  const key = randomUUID()
  const { status, body } = await call<{ error: { code: string; param: string; message: string } }>(
    'POST',
    '/v1/api-keys',
    {
      bearer: keeper.token,
      headers: { 'idempotency-key': key, 'x-sp-step-up-token': await proveCreate(keeper, key, 'API key') },
      body: { tenant_id: keeper.tenantId, tenant_environment: 'live', scopes: ['payment_links:read'] },
    },
  )
  expect([status, body.error.code, body.error.param]).toEqual([
    422,
    'tenant_environment_mismatch',
    'tenant_environment',
  ])
  expect(body.error.message).toContain(` ${stack.live.baseUrl}.`)
})

test('a stranger sees none of it', async () => {
  const [keeper, stranger] = [await sharedKeeper(), await newCustomer()]
  const { id } = await issueKey(keeper)
  const asStranger = { ...stranger, tenantId: keeper.tenantId, environment: 'sandbox' } as const
  const answers = [
    await call('GET', `/v1/api-keys/${id}?tenant_id=${keeper.tenantId}`, { bearer: stranger.token }),
    await call('GET', `/v1/api-keys?tenant_id=${keeper.tenantId}`, { bearer: stranger.token }),
    await move(asStranger, 'rotate', id),
    await move(asStranger, 'revoke', id),
  ]
  expect(
    answers.map(({ status, body }) => [status, (body as { error?: { code: string } }).error?.code]),
  ).toEqual(Array(4).fill([404, 'workspace_not_found']))
})
