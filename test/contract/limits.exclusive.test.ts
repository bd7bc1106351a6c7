import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../local/operations.ts'
import { mintApiKey } from '../../src/kernel/api-key.ts'
import { type Customer, newCustomer } from '../support/customer.ts'
import { call, newApiKey, newLink, newMerchant, type Reply } from '../support/merchant.ts'
import { control, counts, stack } from '../support/stack.ts'
import { bearer, expectProblem, isForCustomers, newWorld, operationOf, request, send } from './requests.ts'

/* Limits so low that they are met: of a whole credential, of an address where there is none. */

const few = { limit: 2, period: 60 }

beforeAll(() =>
  control.reconfigure('sandbox', {
    rateLimits: { RATE_READ: few, RATE_WRITE: few, RATE_PUBLIC: few },
  }),
)
afterAll(() => control.reconfigure('sandbox'))

// A minute that begins between two requests begins counting anew.
async function untilLimited<T extends { status: number }>(work: () => Promise<T>): Promise<T> {
  for (let at = 0; at < 6; at++) {
    const reply = await work()
    if (reply.status === 429) return reply
  }
  throw new Error('never limited')
}

const limited = operations
  .filter(({ contract }) => !isForCustomers(contract))
  .map(({ contract }) => [contract.id, contract.rate] as const)

test.each(limited)('%s: a credential that asks too often is told when to come back', async (id, rate) => {
  const world = await newWorld()
  const made = await request(operationOf('payment_links.get'), world, '0190a6d2-7c3e-7b1a-9f00-000000000000')
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
})

test('what is over the limit costs nobody a trip', async () => {
  const world = await newWorld()
  const made = await request(operationOf('payment_links.list'), world)
  await untilLimited(() => send(made))
  const { result, calls } = await counts.during(() => send(made))
  // At the turn of a minute it may be let through once more.
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
    return `2001:db8::${addresses.toString(16)}`
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

  test('an account whose password is guessed from everywhere', async () => {
    expectLimited(await untilLimited(() => signIn(customer.email, newAddress())))
    expect((await signIn('somebody.else@example.com', newAddress())).status).toBe(401)
  })

  test('an address that guesses the passwords of many', async () => {
    const address = newAddress()
    let tried = 0
    expectLimited(await untilLimited(() => signIn(`nobody.${tried++}@example.com`, address)))
    expect((await signIn('nobody@example.com', newAddress())).status).toBe(401)
  })

  test('an address that invents API keys', async () => {
    const address = newAddress()
    const invented = () =>
      call('GET', '/v1/payment-links', {
        bearer: mintApiKey({ environment: 'sandbox', shard: 'a' }).token,
        headers: { 'cf-connecting-ip': address },
      })
    expectLimited(await untilLimited(invented))
  })

  test.each(
    operations
      .filter(({ contract }) => contract.rate === 'auth')
      .map(({ contract }) => [contract.id, contract]),
  )(
    '%s: a session that asks too often',
    async (_id, { method, path, body, example, idempotency, stepUp }) => {
      const token = `${customer.token.slice(0, -1)}${method}${path}`
      const asked = () =>
        call(method, path.replace(/:[a-z_]+/i, '0190a6d2-7c3e-7b1a-9f00-000000000000'), {
          bearer: token,
          headers: {
            ...(idempotency !== 'none' && { 'idempotency-key': 'limited-key' }),
            ...(stepUp && { 'x-sp-step-up-token': 'x'.repeat(43) }),
          },
          ...(body && { body: example?.body as object }),
        })
      expectLimited(await untilLimited(asked))
    },
  )
})
