import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newAuthorized } from '../../support/authorized.ts'
import { createKey, moveKey, newChallenge, newKeeper, proveCreate, proveMove } from '../../support/keys.ts'
import { call, newApiKey } from '../../support/merchant.ts'
import { placesOf } from '../../support/places.ts'
import { control } from '../../support/stack.ts'

/* The plaintext of a key, and of a proof, is in one reply and nowhere else. */

test('the search finds a text that is stored', async () => {
  const keeper = await newKeeper()
  expect(await placesOf(keeper.userId)).toEqual(
    expect.arrayContaining(['sandbox public.memberships', 'identity public.users']),
  )
})

test('an Idempotency-Key is stored nowhere, whatever its use', async () => {
  const keeper = await newKeeper()
  const { tenantId, userId: ownerId, environment } = keeper
  const own = await newApiKey({ tenantId, ownerId, environment })
  const key = `ana@example.com ${randomUUID()}`
  const as = { bearer: own.apiKey, headers: { 'idempotency-key': key } }
  const link = await call('POST', '/v1/payment-links', {
    ...as,
    body: { manual_amount: 120_000, currency: 'mxn' },
  })
  expect(link.status, link.text).toBe(201)
  const path = `/v1/payment-links/${link.body.id}`
  for (const body of [{ description: 'One' }, { description: 'One' }, { description: 'Two' }])
    await call('PATCH', path, { ...as, body })
  await call('POST', `${path}/activate`, as)
  const { paymentId } = await newAuthorized({ tenantId, ownerId, environment, ...own })
  expect((await call('POST', `/v1/payments/${paymentId}/capture`, { ...as, body: {} })).status).toBe(200)
  const clabe = '646180000000000012'
  await call('POST', '/v1/sandbox/spei/deposits', { ...as, body: { clabe, amount: '1000' } })
  const { id } = await newChallenge(keeper, key)
  expect(
    (await call('GET', `/v1/auth/step-up/challenges/${id}`, { bearer: keeper.token })).text,
  ).not.toContain(key)
  const proof = await proveCreate(keeper, key, 'Storefront')
  expect((await createKey(keeper, key, proof, 'Storefront')).status).toBe(201)
  await createKey(keeper, key, proof, 'Other')
  const remembered = async () => Object.keys(await control.redisEntries('sandbox')).join()
  await expect.poll(remembered).toContain('proof:')
  expect(await placesOf(key)).toEqual([])
  expect(await placesOf(encodeURIComponent(key))).toEqual([])
})

test('created, rotated, replayed, used and refused: neither key nor proof is stored anywhere', async () => {
  const keeper = await newKeeper()
  const [creating, rotating] = [randomUUID(), randomUUID()]
  const createProof = await proveCreate(keeper, creating, 'Storefront')
  const created = await createKey(keeper, creating, createProof, 'Storefront')
  const replayed = await createKey(keeper, creating, createProof, 'Storefront')
  const { id } = created.body.key
  const rotateProof = await proveMove(keeper, 'rotate', id, rotating)
  const rotated = await moveKey(keeper, 'rotate', id, rotating, rotateProof)
  const again = await moveKey(keeper, 'rotate', id, rotating, rotateProof)
  const tokens = [created.body.one_time_value!, rotated.body.one_time_value!]
  expect(new Set(tokens).size).toBe(2)

  const replies: string[] = [replayed.text, again.text]
  for (const token of tokens) {
    const sent = {
      bearer: token,
      headers: { 'idempotency-key': randomUUID() },
      body: { manual_amount: 120_000, currency: 'mxn' },
    }
    replies.push((await call('POST', '/v1/payment-links', sent)).text)
    replies.push((await call('POST', '/v1/payment-links', sent)).text)
    replies.push((await call('POST', '/v1/payment-links', { ...sent, body: { manual_amount: token } })).text)
    replies.push((await call('POST', '/v1/payment-links', { ...sent, body: { [token]: token } })).text)
    replies.push(
      (await call('GET', `/v1/api-keys/${token}?tenant_id=${keeper.tenantId}`, { bearer: token })).text,
    )
    replies.push((await call('GET', `/v1/payment-links/${token}`, { bearer: token })).text)
    replies.push((await call('GET', '/v1/payment-links', { bearer: token, environment: 'live' })).text)
  }
  const { tenantId } = keeper
  replies.push((await call('GET', `/v1/api-keys?tenant_id=${tenantId}`, { bearer: keeper.token })).text)
  replies.push((await call('GET', `/v1/api-keys/${id}?tenant_id=${tenantId}`, { bearer: keeper.token })).text)

  // Redis does hold these proofs, as digests.
  const digest = createHash('sha256').update(rotateProof).digest('hex')
  const known = async () => Object.keys(await control.redisEntries('sandbox'))
  await expect.poll(known, { interval: 500 }).toContain(`proof:${digest}`)
  for (const token of tokens) {
    const secret = /_([A-Za-z0-9]{43})_/.exec(token)![1]!
    expect(await placesOf(secret)).toEqual([])
    // An error repeats the sender's own unknown field name; no reply otherwise shows what a key opens.
    expect(replies.filter((text) => text.includes(secret) && !text.includes('parameter_unknown'))).toEqual([])
  }
  for (const proof of [createProof, rotateProof]) expect(await placesOf(proof)).toEqual([])
})

test('a session bearer is stored only as its digest', async () => {
  const keeper = await newKeeper()
  await call('GET', `/v1/api-keys?tenant_id=${keeper.tenantId}`, { bearer: keeper.token })
  expect(await placesOf(keeper.token)).toEqual([])
  expect(await placesOf(keeper.token.split('.')[0]!)).toEqual([])
})
