import { expect, test } from 'vitest'
import { type AuditEvents, chainOf, digestOf, trailOf, type Verified } from '../../support/audit.ts'
import { type Customer, join, newCustomer, newProof } from '../../support/customer.ts'
import { call, type Merchant, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { newEndpoint } from '../../support/receiver.ts'
import { adminSql, trigger, workerSql } from '../../support/stack.ts'
import { asKey, id, insertLink, publish } from '../database/door.ts'

const path = '/v1/workspace/audit-events'

let signedUp: Promise<Customer> | undefined
async function joined(merchant: Merchant, role: 'owner' | 'admin' | 'member'): Promise<Customer> {
  signedUp ??= newCustomer()
  const customer = await signedUp
  await join(customer, merchant, role)
  return customer
}

test('every publish is in the trail, with actor, operation, objects and request', async () => {
  const merchant = await newMerchant()
  const headers = { 'x-request-id': 'mine-0001' }
  const created = await call<{ id: string; public_id: string }>('POST', '/v1/payment-links', {
    bearer: merchant.apiKey,
    headers,
    body: { manual_amount: 120_000, currency: 'mxn' },
  })
  const link = created.body
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  const trail = await trailOf(merchant)

  expect(trail.map(({ sequence }) => sequence)).toEqual(trail.map((_, at) => at + 1))
  expect(trail[0]).toMatchObject({
    object: 'audit_event',
    operation: 'payment_links.create',
    actor: { type: 'api_key', id: merchant.keyId },
    objects: [{ type: 'payment_link', id: link.id }],
    request_id: 'mine-0001',
  })
  const [claim] = await adminSql('sandbox')<{ publish_id: string }>(
    'select publish_id from idempotency_claims where tenant_id = $1 order by created_at limit 1',
    [merchant.tenantId],
  )
  expect(trail[0]!.id).toBe(claim!.publish_id)
  const bought = trail.filter(({ operation }) => operation === 'hosted_payments.submit')
  expect(bought.map(({ actor }) => actor)).toContainEqual({ type: 'public_id', id: 'buyer' })
  expect(bought.flatMap(({ objects }) => objects.map(({ type }) => type))).toContain('payment')
  expect(trail.map(({ actor }) => actor)).toContainEqual({ type: 'system', id: 'system' })

  // The digests, made again from nothing but the replies.
  let previous = '0'.repeat(64)
  for (const event of trail) {
    previous = digestOf(previous, merchant, event)
    expect(event.digest).toBe(previous)
  }
})

test('filters narrow the list, and another workspace sees nothing of it', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const [one, two] = [await newLink(merchant), await newLink(merchant)]
  await call('PATCH', `/v1/payment-links/${one.id}`, {
    bearer: merchant.apiKey,
    body: { metadata: { a: 'b' } },
  })
  const all = await trailOf(merchant)
  expect(all).toHaveLength(3)
  const cases: [filter: string, sequences: number[]][] = [
    [`object_id=${one.id}`, [1, 3]],
    [`object_id=${two.id}&operation=payment_links.create`, [2]],
    [`object_id=${two.id}&operation=payment_links.update`, []],
    ['operation=payment_links.update', [3]],
    ['actor_type=api_key', [1, 2, 3]],
    ['actor_type=session', []],
    [`actor_id=${merchant.keyId}`, [1, 2, 3]],
    [`actor_id=${other.keyId}`, []],
    [`object_id=${one.id}&created_at.gt=${all[0]!.created_at}&created_at.lte=${all[2]!.created_at}`, [3]],
  ]
  for (const [filter, sequences] of cases) {
    const found = await trailOf(merchant, `&${filter}`)
    expect([filter, found.map(({ sequence }) => sequence)]).toEqual([filter, sequences])
    expect(await trailOf(other, `&${filter}`)).toEqual([])
  }
})

test('a member reads the trail, an admin verifies it, and continues where a verification ended', async () => {
  const merchant = await newMerchant()
  const [first, second] = [await newLink(merchant), await newLink(merchant)]
  const { token } = await joined(merchant, 'admin')
  const asked = async <Body>(at: string) => (await call<Body>('GET', at, { bearer: token })).body
  const named = `?tenant_id=${merchant.tenantId}`
  const trail = (await asked<AuditEvents>(path + named)).data
  expect(trail.map(({ objects }) => objects[0]!.id)).toEqual([second.id, first.id])

  const [newest, oldest] = trail.map(({ sequence, digest }) => ({ sequence, digest }))
  const whole = await asked<Verified>(`${path}/verification${named}`)
  expect(whole).toEqual({
    object: 'audit_verification',
    intact: true,
    checked_count: 2,
    first_break: null,
    last: newest,
    head: newest,
    has_more: false,
  })
  const end = `${path}/verification${named}&after_sequence=${Number.MAX_SAFE_INTEGER}`
  expect(await asked<Verified>(end)).toMatchObject({ checked_count: 0, has_more: false })
  const behind = `${path}/verification${named}&after_sequence=1&after_digest=`
  expect(await asked<Verified>(behind + oldest!.digest)).toEqual({ ...whole, checked_count: 1 })
  // The chain was made again after a merchant kept this digest.
  expect(await asked<Verified>(behind + newest!.digest)).toMatchObject({
    intact: false,
    first_break: { sequence: 1, reason: 'edited' },
  })
})

test('pages of a verification follow each other to the end', async () => {
  const merchant = await newMerchant()
  for (let links = 0; links < 3; links++) await newLink(merchant)
  const page = async (after: number, digest: string | null) => {
    const [row] = await adminSql('sandbox')<{ found: Awaited<ReturnType<typeof chainOf>> }>(
      'select door.verify_audit($1, $2, $3, 2) as found',
      [merchant.tenantId, after, digest],
    )
    return row!.found
  }
  const one = await page(0, null)
  expect(one).toMatchObject({ checked: 2, hasMore: true, firstBreak: null, last: { sequence: 2 } })
  const two = await page(one.last.sequence, one.last.digest)
  expect(two).toMatchObject({ checked: 1, hasMore: false, firstBreak: null, last: { sequence: 3 } })
  expect(two.last).toEqual(two.head)
})

test('50 publishes at once leave a chain without a gap', async () => {
  const merchant = await newMerchant()
  await Promise.all(Array.from({ length: 50 }, () => newLink(merchant)))
  expect(await chainOf(merchant)).toMatchObject({ checked: 50, firstBreak: null, head: { sequence: 50 } })
})

test('a publish that is rolled back, or refused, leaves no gap', async () => {
  const merchant = await newMerchant()
  const asked = { credential: asKey(merchant.apiKey), operation: 'payment_links.create' }
  await publish({ ...asked, writes: [insertLink()] })
  const twice = insertLink()
  await expect(publish({ ...asked, writes: [twice, twice] })).rejects.toMatchObject({ code: '23505' })
  const late = { id: id(), type: 'no.such_type', resourceType: 'x', resourceId: id(), object: {} }
  await expect(publish({ ...asked, writes: [insertLink()], events: [late] })).rejects.toThrow()
  await expect(
    workerSql('sandbox')(`select door.publish($1::jsonb), 1 / (random() * 0)::int`, [
      JSON.stringify({
        ...asked,
        publishId: id(),
        requestId: 'req_x',
        now: new Date(),
        writes: [insertLink()],
        events: [],
      }),
    ]),
  ).rejects.toMatchObject({ code: '22012' })
  await publish({ ...asked, writes: [insertLink()] })
  expect(await chainOf(merchant)).toMatchObject({ checked: 2, firstBreak: null, head: { sequence: 2 } })
})

test('no card number, secret or one-time value is in the trail', async () => {
  const merchant = await newMerchant()
  const customer = await joined(merchant, 'owner')
  const endpoint = await newEndpoint(merchant, 'http://127.0.0.1:9')
  const link = await newLink(merchant)
  const form = await openLink(link.public_id)
  await pay(link.public_id, form, 'tok_sbx_approve')
  const key = `key-${id()}`
  const asked = {
    tenant_id: merchant.tenantId,
    tenant_environment: 'sandbox',
    scopes: ['payment_links:read'],
    description: 'Storefront',
  }
  const proof = await newProof(customer, merchant, {
    action: 'api_key.create',
    key,
    params: { description: 'Storefront', environment: 'sandbox', scopes: ['payment_links:read'] },
  })
  const created = await call<{ one_time_value: string }>('POST', '/v1/api-keys', {
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof, 'x-request-id': '4242424242424242' },
    body: asked,
  })
  expect(created.status, created.text).toBe(201)
  const trail = JSON.stringify(await trailOf(merchant))
  expect(trail).toContain('"operation":"api_keys.create"')
  const hidden = [
    created.body.one_time_value,
    proof,
    key,
    customer.token,
    customer.email,
    merchant.apiKey,
    endpoint.secret,
    link.public_id,
    'tok_sbx_approve',
    '4242424242424242',
  ]
  expect(hidden.filter((value) => typeof value !== 'string' || value.length < 8)).toEqual([])
  expect(hidden.filter((value) => trail.includes(value))).toEqual([])
})

test('the log gets the head of a chain that has grown, once a day', async () => {
  const merchant = await newMerchant()
  await newLink(merchant)
  const { head } = await chainOf(merchant)
  const anchored = () =>
    adminSql('sandbox')('select anchored_sequence from audit_heads where tenant_id = $1', [merchant.tenantId])
  await trigger('sandbox')
  await expect.poll(anchored).toEqual([{ anchored_sequence: String(head.sequence) }])
  await newLink(merchant)
  await trigger('sandbox')
  expect(await anchored()).toEqual([{ anchored_sequence: String(head.sequence) }])
  expect(await chainOf(merchant)).toMatchObject({ checked: 2, firstBreak: null })
})
