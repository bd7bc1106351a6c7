import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authRoutes } from '../../functions/account/auth/routes.ts'
import { accountExamples } from '../../local/openapi/account-examples.ts'
import { operations } from '../../local/operations.ts'
import { operationOf } from '../../local/samples.ts'
import type { BearerAccess } from '../../src/http/access/kinds.ts'
import { mintApiKey, mintDeviceKey } from '../../src/kernel/api-key.ts'
import { mintPairingCode } from '../../src/kernel/pairing-code.ts'
import { type Customer, newCustomer } from '../support/customer.ts'
import { call, newApiKey, newLink, newMerchant, type Reply } from '../support/merchant.ts'
import { share } from '../support/share.ts'
import { control, counts, stack } from '../support/stack.ts'
import { bearer, expectProblem, fieldsOf, newWorld, request, send } from './requests.ts'

/* Limits low enough to be reached: per credential, or per address where there is none. */

const few = { limit: 2, period: 60 }

beforeAll(() =>
  control.reconfigure('sandbox', {
    // All callers come from one address, and many credentials within a minute.
    rateLimits: {
      RATE_READ: few,
      RATE_WRITE: few,
      RATE_PUBLIC: few,
      RATE_STRANGER: { limit: 10_000, period: 60 },
    },
  }),
)
afterAll(() => control.reconfigure('sandbox'))

// A new minute between two requests starts the count again.
async function untilLimited<T extends { status: number }>(work: () => Promise<T>): Promise<T> {
  for (let at = 0; at < 30; at++) {
    const reply = await work()
    if (reply.status === 429) return reply
  }
  throw new Error('never limited')
}

const limited = operations
  .filter(({ contract }) => contract.access.api_key)
  .map(({ contract }) => [contract.id, contract.rate] as const)

test.each(share(limited, 12))(
  '%s: a credential that asks too often learns when to retry',
  async (id, rate) => {
    const world = await newWorld()
    const made = await request(
      operationOf('payment_links.get'),
      world,
      '0190a6d2-7c3e-7b1a-9f00-000000000000',
    )
    const operation = operationOf(id)
    // Its resource is made with another key: making it would count.
    const { apiKey } = await newApiKey(world.merchant)
    const path = operation.contract.path.replace(/:[a-z_]+/i, '0190a6d2-7c3e-7b1a-9f00-000000000000')
    const asked = {
      ...made,
      method: operation.contract.method,
      path,
      headers: {
        ...bearer(apiKey),
        ...(operation.contract.idempotency !== 'none' && { 'idempotency-key': 'limited-key' }),
        ...(operation.contract.body && { 'content-type': 'application/json' }),
      },
      body: operation.contract.body && (operation.contract.example?.body as Record<string, unknown>),
    }
    const reply = await untilLimited(() => send(asked))
    expectProblem(reply, 'rate_limited', null)
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
    expect(reply.headers.get('ratelimit')).toMatch(new RegExp(`^"${rate}";r=0;t=[1-9]\\d?$`))
    expect(reply.headers.get('ratelimit-policy')).toMatch(new RegExp(`^"${rate}";q=\\d+;w=60$`))

    const { apiKey: other } = await newApiKey(world.merchant)
    const unharmed = await send({ ...asked, headers: { ...asked.headers, ...bearer(other) } })
    expect(unharmed.status).not.toBe(429)
  },
)

test('a request over the limit makes no trip', async () => {
  const world = await newWorld()
  const made = await request(operationOf('payment_links.list'), world)
  await untilLimited(() => send(made))
  const { result, calls } = await counts.during(() => send(made))
  // At the turn of a minute one more may pass.
  if (result.status === 429) expect(calls.neon).toEqual([])
})

test("a link's page has a limit of its own", async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const reply = await untilLimited(() => fetch(`${stack.sandbox.directUrl}/${link.public_id}`))
  expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
  expect(reply.headers.get('content-type')).toMatch(/^text\/html/)
})

describe('what checks a password, a code or a proof', () => {
  let customer: Customer
  beforeAll(async () => {
    customer = await newCustomer()
    await control.reconfigure('sandbox', { rateLimits: { RATE_AUTH: few } })
  })

  let addresses = 0
  const newAddress = () => {
    addresses += 1
    return `2001:db8:0:${addresses.toString(16)}::1`
  }
  const signIn = (email: string, address: string) =>
    call('POST', '/v1/auth/sign-in/email', {
      headers: { 'cf-connecting-ip': address },
      body: { email, password: 'not the password' },
    })
  const expectLimited = (reply: Reply) => {
    expectProblem(reply, 'rate_limited', null)
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
    expect(reply.headers.get('ratelimit')).toMatch(/^"auth";r=0;t=[1-9]\d?$/)
  }

  test('limits an address that guesses the passwords of many', async () => {
    const address = newAddress()
    let tried = 0
    expectLimited(await untilLimited(() => signIn(`nobody.${tried++}@example.com`, address)))
    expect((await signIn('nobody@example.com', newAddress())).status).toBe(401)
  })

  test.each(
    operations
      .filter(({ contract }) => contract.rate === 'auth')
      .map(({ contract }) => [contract.id, contract]),
  )(
    '%s: limits a caller that asks too often',
    async (_id, { method, path, access, body, example, idempotency }) => {
      const token = access.pairing ? 'A7K2-9QXM' : `${customer.token.slice(0, -1)}${method}${path}`
      const asked = () =>
        call(method, path.replace(/:[a-z_]+/i, '0190a6d2-7c3e-7b1a-9f00-000000000000'), {
          bearer: token,
          headers: {
            ...(idempotency !== 'none' && { 'idempotency-key': 'limited-key' }),
            ...(access.session?.stepUp && { 'x-sp-step-up-token': 'x'.repeat(43) }),
          },
          ...(body && { body: example?.body as object }),
        })
      expectLimited(await untilLimited(asked))
    },
  )
})

describe('requests without a proven credential make no trip beyond the bucket of their address', () => {
  const bucket = 10
  const requestsCount = 600
  const limit = { limit: bucket, period: 60 }
  let dead: string
  beforeAll(async () => {
    await control.reconfigure('sandbox')
    const customer = await newCustomer()
    await call('POST', '/v1/auth/sign-out', { bearer: customer.token })
    dead = customer.token
    const rateLimits = { RATE_PUBLIC: limit, RATE_AUTH: limit, RATE_STRANGER: limit }
    await control.reconfigure('sandbox', { rateLimits })
    await control.reconfigure('live', { rateLimits, vars: stripeVars })
  })
  afterAll(() => control.reconfigure('live'))

  const stripeVars = {
    STRIPE_SECRET_KEY: 'sk_live_stand-in',
    STRIPE_WEBHOOK_SECRET: 'whsec_stand-in',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_stand-in',
    STRIPE_MERCHANT_ACCOUNTS: 'true',
  }
  const id = '0190a6d2-7c3e-7b1a-9f00-000000000000'
  const withId = (path: string) => path.replace(/:[a-z_]+/gi, id)
  const invented = ({ api_key, device, pairing }: BearerAccess) => {
    if (api_key) return mintApiKey({ environment: 'sandbox' }).token
    if (device) return mintDeviceKey({ environment: 'sandbox' }).token
    return pairing ? mintPairingCode().code : dead
  }

  type Send = (at: number, headers: Record<string, string>) => Promise<Response>
  const post = (url: string, headers: Record<string, string>, body?: object, method = 'POST') =>
    fetch(url, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
    })
  const ofAKey = operations.findIndex(({ contract }) => contract.access.api_key)
  const operationAt: Send = (at, headers) => {
    const { contract } = operations[at % operations.length]!
    const { method, path, access, body, example, idempotency, query } = contract
    const named = query && fieldsOf(query).some(({ name }) => name === 'tenant_id') ? '?tenant_id=tn_x' : ''
    return post(
      stack.sandbox.directUrl + withId(path) + named,
      {
        ...headers,
        ...bearer(invented(access)),
        ...(idempotency === 'required' && { 'idempotency-key': `stranger-${at}` }),
        ...(access.session?.stepUp && { 'x-sp-step-up-token': `${'x'.repeat(43)}${at}` }),
      },
      body && (example?.body as object),
      method,
    )
  }
  const accountAt: Send = (at, headers) => {
    const route = authRoutes[at % authRoutes.length]!
    const sent = 'body' in route ? (accountExamples[route.id].body as object) : undefined
    const credential = route.guard === 'anyone' ? {} : bearer(dead)
    const url = stack.sandbox.directUrl + route.path
    return post(url, { ...headers, ...credential }, sent, route.method)
  }
  const linkOf = (at: number) => `splink_${String(at).padStart(32, '0')}`
  const pages: readonly ((at: number) => [method: 'GET' | 'POST', path: string])[] = [
    (at) => ['GET', `/${linkOf(at)}`],
    (at) => ['GET', `/${linkOf(at)}/spcs_${'0'.repeat(32)}`],
    (at) => ['GET', `/${linkOf(at)}/spcs_${'0'.repeat(32)}/bank`],
    (at) => ['POST', `/${linkOf(at)}/spcs_${'0'.repeat(32)}/cancel`],
    (at) => ['POST', `/${linkOf(at)}/attempts`],
    () => ['GET', `/simulator/3ds/${id}`],
    () => ['POST', `/simulator/3ds/${id}`],
  ]
  const pageAt: Send = (at, headers) => {
    const [method, path] = pages[at % pages.length]!(at)
    const form = new URLSearchParams({ outcome: 'approve', quote: 'forged', attempt_key: 'forged' })
    const body = method === 'POST' ? { body: form } : {}
    return fetch(stack.sandbox.directUrl + path, { method, headers, ...body })
  }
  const hook = '/v1/processors/stripe/notifications'
  const signature = () => `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`
  const forged: Send = (at, headers) =>
    post(`${stack.live.directUrl}${hook}/tn_${at}`, { ...headers, 'stripe-signature': signature() }, {})
  const unsigned: Send = (at, headers) =>
    post(`${stack.live.directUrl}${hook}${at % 2 ? '/tn_x' : ''}`, headers, {})
  const files: Send = (at, headers) =>
    fetch(`${stack.sandbox.directUrl}${['/docs', '/openapi.json', '/v1/nothing', '/nothing'][at % 4]}`, {
      headers,
    })

  /** `waits`: the most calls that an admitted request makes. */
  const rows: [what: string, send: Send, waits: number][] = [
    ['every operation, with invented credentials and an ended session', operationAt, 2],
    // Two buckets: one for guesses, one for the rest.
    ['every route of the accounts', accountAt, 2 * 5],
    // Two buckets: one of sales, one of challenges.
    ['pages of links and payments that do not exist', pageAt, 2 * 2],
    ['notifications with a forged signature', forged, 1],
    ['notifications without a signature', unsigned, 0],
    ['files, and what is not there', files, 0],
  ]
  test.each(rows)('%s', async (what, send, waits) => {
    const network = `2001:db8:${rows.findIndex(([name]) => name === what) + 1}:1:`
    const from = (at: number) => ({ 'cf-connecting-ip': `${network}:${at.toString(16)}` })
    const minute = Math.floor(Date.now() / 60_000)
    const { result, calls } = await counts.during(async () => {
      const statuses: number[] = []
      for (let at = 0; at < requestsCount; at += 50) {
        const replies = await Promise.all(
          Array.from({ length: 50 }, async (_, each) => {
            const reply = await send(at + each, from(at + each))
            await reply.arrayBuffer()
            return reply.status
          }),
        )
        statuses.push(...replies)
      }
      return statuses
    })
    const minutes = Math.floor(Date.now() / 60_000) - minute + 1
    const made = calls.neon.filter(isAsked).length + calls.redis.length
    expect(made).toBeLessThanOrEqual(bucket * minutes * waits)
    expect(result.filter((status) => status >= 500)).toEqual([])
    if (waits === 0) return
    expect(result).toContain(429)
    // The ended session has a bucket of its own as well.
    const other = await send(send === operationAt ? ofAKey : 0, { 'cf-connecting-ip': '198.51.100.7' })
    expect(other.status).not.toBe(429)
  })

  /** Leaves out scheduled work and deliveries: no request asks for them. */
  const isAsked = ({ statements }: { statements: string[] }) =>
    !statements.some((each) => each.includes('door.claim_deliveries'))

  test('a recently accepted credential keeps working, however busy its address', async () => {
    const merchant = await newMerchant()
    const from = { 'cf-connecting-ip': '2001:db8:7:7::1' }
    const ask = (bearer: string) => call('GET', '/v1/payment-links', { bearer, headers: from })
    expect((await ask(merchant.apiKey)).status).toBe(200)
    await untilLimited(() => ask(invented({ api_key: { scopes: ['payment_links:read'] } })))
    expect((await ask(merchant.apiKey)).status).toBe(200)
  })
})
