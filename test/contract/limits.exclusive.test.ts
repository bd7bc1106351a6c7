import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../local/operations.ts'
import { newApiKey, newLink, newMerchant } from '../support/merchant.ts'
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
      ...(operation.contract.idempotency === 'required' && { 'idempotency-key': 'limited-key' }),
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
