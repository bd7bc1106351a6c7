import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { totp } from '../../../local/totp.ts'
import { keyDigest } from '../../support/customer.ts'
import {
  createKey,
  issueKey,
  moveKey,
  newChallenge,
  newKeeper,
  proveCreate,
  proveMove,
} from '../../support/keys.ts'
import { call } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))

const keysOf = (tenantId: string) =>
  adminSql('sandbox')<{ id: string; status: string; description: string }>(
    'select id, status, description from api_keys where tenant_id = $1 order by created_at, id',
    [tenantId],
  )

test('one proof, two bodies, 25 copies of each: exactly one key, its value in exactly one reply', async () => {
  const keeper = await newKeeper()
  const key = randomUUID()
  const proof = await proveCreate(keeper, key, 'One')
  const replies = await times((at) => createKey(keeper, key, proof, at % 2 === 0 ? 'One' : 'Two'))

  const ones = replies.filter((_, at) => at % 2 === 0)
  expect(new Set(ones.map(({ status }) => status))).toEqual(new Set([201]))
  expect(ones.filter(({ body }) => body.one_time_value !== undefined)).toHaveLength(1)
  expect(new Set(ones.map(({ body }) => JSON.stringify(body.key))).size).toBe(1)
  const others = replies.filter((_, at) => at % 2 === 1)
  expect(others.filter(({ status }) => status < 400)).toEqual([])
  expect((await keysOf(keeper.tenantId)).map(({ description }) => description)).toEqual(['One'])
  const proofs = await adminSql('sandbox')(
    `select status from step_up_challenges where tenant_id = $1 and idempotency_key = $2`,
    [keeper.tenantId, keyDigest(key)],
  )
  expect(proofs).toEqual([{ status: 'consumed' }])
})

test('one proof under 50 different keys: at most the bound one has an effect', async () => {
  const keeper = await newKeeper()
  const key = randomUUID()
  const proof = await proveCreate(keeper, key, 'One')
  const replies = await times((at) => createKey(keeper, at === 0 ? key : randomUUID(), proof, 'One'))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(await keysOf(keeper.tenantId)).toHaveLength(1)
})

test('rotations of one key with proofs of their own, two and fifty at once: one successor, the rest 409', async () => {
  for (const many of [2, copies]) {
    const keeper = await newKeeper()
    const { id } = await issueKey(keeper)
    const mutations = await Promise.all(
      Array.from({ length: many }, async () => {
        const key = randomUUID()
        return {
          key,
          proof: await proveMove(keeper, 'rotate', id, key),
        }
      }),
    )
    const replies = await Promise.all(
      mutations.map(({ key, proof }) => moveKey(keeper, 'rotate', id, key, proof)),
    )
    const statuses = replies.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(many - 1).fill(409)])
    expect((await keysOf(keeper.tenantId)).map(({ status }) => status).sort()).toEqual(['active', 'rotating'])
    const winner = replies.find(({ status }) => status === 200)!
    const listed = await call('GET', '/v1/payment-links', { bearer: winner.body.one_time_value! })
    expect(listed.status).toBe(200)
  }
})

test('one rotation sent 50 times: one successor, one reply with its value', async () => {
  const keeper = await newKeeper()
  const { id } = await issueKey(keeper)
  const key = randomUUID()
  const proof = await proveMove(keeper, 'rotate', id, key)
  const replies = await times(() => moveKey(keeper, 'rotate', id, key, proof))
  expect(replies.map(({ status }) => status)).toEqual(Array(copies).fill(200))
  expect(replies.filter(({ body }) => body.one_time_value !== undefined)).toHaveLength(1)
  expect(new Set(replies.map(({ body }) => body.key.id)).size).toBe(1)
  expect(await keysOf(keeper.tenantId)).toHaveLength(2)
})

test('rotations racing revocations of one key: it is revoked, with at most one successor', async () => {
  const keeper = await newKeeper()
  const { id } = await issueKey(keeper)
  const replies = await times(async (at) => {
    const move = at % 2 === 0 ? ('rotate' as const) : ('revoke' as const)
    const key = randomUUID()
    const proof = await proveMove(keeper, move, id, key)
    return { move, ...(await moveKey(keeper, move, id, key, proof)) }
  })
  const won = (move: string) => replies.filter((reply) => reply.move === move && reply.status === 200).length
  expect(won('revoke')).toBe(1)
  expect(won('rotate')).toBeLessThanOrEqual(1)
  expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true)
  const keys = await keysOf(keeper.tenantId)
  expect(keys).toHaveLength(1 + won('rotate'))
  expect(['revoking', 'revoked']).toContain(keys.find((each) => each.id === id)!.status)
})

test.each(['backup_code', 'totp'] as const)('one %s for 50 challenges: one proof', async (method) => {
  const keeper = await newKeeper()
  const challenges = await times(() => newChallenge(keeper))
  const code = method === 'totp' ? await totp(keeper.totpSecret) : keeper.backupCodes.shift()!
  const replies = await times((at) =>
    call('POST', `/v1/auth/step-up/challenges/${challenges[at]!.id}/verify`, {
      bearer: keeper.token,
      body: { method, response: code },
    }),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.every(({ status }) => status === 200 || (status >= 400 && status < 500))).toBe(true)
  const verified = await adminSql('sandbox')(
    `select id from step_up_challenges where tenant_id = $1 and status = 'verified'`,
    [keeper.tenantId],
  )
  expect(verified).toHaveLength(1)
})

// The sixth guess within a moment locks the account and ends its challenge, which may overtake the right answer.
test('one challenge answered 50 times with one code: at most one proof', async () => {
  const keeper = await newKeeper()
  const challenge = await newChallenge(keeper)
  const body = { method: 'backup_code', response: keeper.backupCodes.shift()! }
  const replies = await times(() =>
    call('POST', `/v1/auth/step-up/challenges/${challenge.id}/verify`, {
      bearer: keeper.token,
      body,
    }),
  )
  expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
})
