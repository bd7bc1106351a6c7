import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { BearerAccess as Access } from '../../src/http/access/kinds.ts'
import { scopes } from '../../src/http/contract.ts'
import type { Operation } from '../../src/http/operation.ts'
import { mintApiKey } from '../../src/kernel/api-key.ts'
import {
  all,
  isForCustomers,
  newWorld,
  prove,
  type Request,
  request,
  send,
  type World,
} from '../contract/requests.ts'
import { type Customer, join, newCustomer } from '../support/customer.ts'
import { newApiKey, newMerchant } from '../support/merchant.ts'
import { shuffled } from '../support/random.ts'
import { adminSql, stack } from '../support/stack.ts'
import { isLong, random, rounds, timeoutMs } from './time.ts'

/*
 * Every operation, called by every caller without access: from another workspace, environment, scope or role, or with
 * credentials that no longer work. Each is refused, and the workspace's rows stay as they were.
 */

type Intruder = {
  who: string
  /** Null where this caller does not apply to the operation. */
  bearer: (world: World, access: Access) => Promise<string | null>
  /** The statuses that count as a refusal. */
  refused: readonly number[]
  environment?: 'live'
}

const past = new Date(Date.now() - 1000)
const keyOf = (options: Parameters<typeof newApiKey>[1]) => async (world: World, access: Access) =>
  access.api_key ? (await newApiKey(world.merchant, options)).apiKey : null
const constant = (token: string) => async () => token

const intruders: readonly Intruder[] = [
  { who: 'no credential', bearer: constant(''), refused: [401] },
  { who: 'garbage', bearer: constant('garbage'), refused: [401] },
  {
    who: 'an invented key',
    bearer: async () => mintApiKey({ environment: 'sandbox' }).token,
    refused: [401],
  },
  { who: 'an invented session', bearer: constant(`${'A'.repeat(32)}.${'A'.repeat(43)}=`), refused: [401] },
  { who: 'a revoked key', bearer: keyOf({ status: 'revoked' }), refused: [401] },
  { who: 'a key being revoked', bearer: keyOf({ status: 'revoking' }), refused: [401] },
  { who: 'an expired key', bearer: keyOf({ expiresAt: past }), refused: [401] },
  { who: 'a rotated-out key', bearer: keyOf({ status: 'rotating', graceEndsAt: past }), refused: [401] },
  { who: 'a key that never was active', bearer: keyOf({ status: 'provisioning' }), refused: [401] },
  {
    who: 'a key of the other environment',
    bearer: async () => (await newApiKey({ ...(await newMerchant({ environment: 'live' })) })).apiKey,
    refused: [401],
  },
  {
    who: 'the right key at the other environment',
    bearer: async ({ merchant }, { api_key }) => (api_key ? merchant.apiKey : null),
    refused: [401, 404],
    environment: 'live',
  },
  {
    who: 'a key with every scope but the right ones',
    bearer: async ({ merchant }, access) =>
      access.api_key
        ? (
            await newApiKey(merchant, {
              scopes: scopes.filter((scope) => !access.api_key?.scopes.includes(scope)),
            })
          ).apiKey
        : null,
    refused: [403],
  },
  {
    who: 'the owner’s session on a route for keys, the key on a route for sessions',
    bearer: async ({ merchant, customer }, { api_key, session }) => {
      if (api_key && session) return null
      return api_key ? customer.token : merchant.apiKey
    },
    refused: [401],
  },
  {
    who: 'a stranger’s session',
    bearer: async (_world, { session, challenge, invitee }) =>
      session || challenge || invitee ? (await stranger()).token : null,
    refused: [404],
  },
  {
    who: 'a member where the operation wants more',
    bearer: async ({ merchant }, access) => {
      if (!access.session || access.session.role === 'member') return null
      const person = await member()
      await join(person, merchant, 'member')
      return person.token
    },
    refused: [403],
  },
  {
    who: 'another workspace’s key, about this one’s resource',
    bearer: async (_world, { api_key }) => (api_key ? (await newMerchant()).apiKey : null),
    refused: [404],
  },
]

const once = (make: () => Promise<Customer>) => {
  let made: Promise<Customer> | undefined
  return () => {
    made ??= make()
    return made
  }
}
const stranger = once(newCustomer)
const member = once(newCustomer)

/** By table a digest of every row of a workspace, except for what a mere read may change. */
async function rowsOf(tenantId: string): Promise<Map<string, string>> {
  const tables = await adminSql('sandbox')<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and c.relname not in ('api_keys', 'memberships', 'step_up_challenges', 'due_failures') order by 1`,
  )
  const each = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::text || coalesce(md5(string_agg(md5(to_jsonb(t)::text), '' order by to_jsonb(t)::text)), '') as rows
       from ${name} t where tenant_id = $1`,
  )
  const found = await adminSql('sandbox')<{ name: string; rows: string }>(each.join('\nunion all\n'), [
    tenantId,
  ])
  return new Map(found.map(({ name, rows }) => [name, rows]))
}

const isAbout = ({ contract }: Operation) => contract.params !== undefined

async function intrude(world: World, operation: Operation, made: Request, intruder: Intruder) {
  const { access } = operation.contract
  const isForeign = intruder.who.startsWith('another workspace')
  if (isForeign && !isAbout(operation)) return undefined
  const token = await intruder.bearer(world, access)
  if (token === null) return undefined
  const headers: Record<string, string> = { ...made.headers, authorization: `Bearer ${token}` }
  if (token === '') delete headers.authorization
  if (headers['idempotency-key']) headers['idempotency-key'] = randomUUID()
  const sent = { ...structuredClone(made), headers }
  if (operation.contract.access.session?.stepUp) await prove(operation, world, sent)
  const reply = await send(sent, undefined, stack[intruder.environment ?? 'sandbox'].directUrl)
  const { merchant, customer } = world
  const leaks = [merchant.tenantId, merchant.keyId, customer.email].filter(
    (secret) => reply.text.includes(secret) && !JSON.stringify(sent).includes(secret),
  )
  if (intruder.refused.includes(reply.status) && leaks.length === 0) return null
  return {
    operation: operation.contract.id,
    who: intruder.who,
    status: reply.status,
    leaks,
    reply: reply.text,
  }
}

/** Every caller without access tries one operation: how many cells, what was not refused, the tables that changed. */
async function besiege(operation: Operation, customer: Customer) {
  const { contract } = operation
  const owner = contract.access.challenge || contract.access.invitee ? await newCustomer() : customer
  const world = await newWorld(owner)
  const made = await request(operation, world)
  const before = await rowsOf(world.merchant.tenantId)
  const tried: (object | null)[] = []
  for (const intruder of shuffled(random, intruders)) {
    const found = await intrude(world, operation, made, intruder)
    if (found !== undefined) tried.push(found)
  }
  const after = isForCustomers(contract) ? before : await rowsOf(world.merchant.tenantId)
  const changed = [...after].filter(([name, rows]) => before.get(name) !== rows).map(([name]) => name)
  return { cells: tried.length, found: tried.filter((found) => found !== null), changed }
}

test('every operation refuses every caller without access', { timeout: timeoutMs }, async () => {
  let cells = 0
  const customer = await newCustomer()
  const done = await rounds('access', async () => {
    const findings: object[] = []
    for (const [id, operation] of isLong ? shuffled(random, all) : shuffled(random, all).slice(0, 25)) {
      const tried = await besiege(operation, customer)
      cells += tried.cells
      findings.push(...tried.found)
      if (tried.changed.length > 0)
        findings.push({ operation: id, who: 'anyone of them', changed: tried.changed })
    }
    expect(findings, JSON.stringify(findings, null, 1)).toEqual([])
  })
  console.log(`access: ${cells} cells in ${done} rounds, all refused`)
  expect(cells).toBeGreaterThan(100)
})
