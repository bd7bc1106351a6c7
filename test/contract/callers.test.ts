import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { scopes } from '../../src/http/contract.ts'
import type { Operation } from '../../src/http/operation.ts'
import { mintApiKey } from '../../src/kernel/api-key.ts'
import { uuidv7 } from '../../src/kernel/ids.ts'
import { type Customer, join, newCustomer } from '../support/customer.ts'
import { inTurn } from '../support/drills.ts'
import { newApiKey } from '../support/merchant.ts'
import { share } from '../support/share.ts'
import { adminSql, stack } from '../support/stack.ts'
import {
  aboutOne,
  bearer,
  expectProblem,
  fieldsOf,
  forCustomers,
  forKeys,
  isForCustomers,
  newWorld,
  prove,
  type Row,
  request,
  rowsOf,
  send,
  withHeaders,
} from './requests.ts'

/* Who may call, over every operation there is: see matrix.test.ts. */

const kept = new Map<string, ReturnType<typeof prepared>>()

async function prepared(operation: Operation) {
  const world = await newWorld()
  return { world, made: await request(operation, world) }
}

/** One request of each operation, and its owner, for everything that is refused before it has an effect. */
const untouched = async (operation: Operation) => {
  const { id } = operation.contract
  if (!kept.has(id)) kept.set(id, prepared(operation))
  return structuredClone(await kept.get(id)!)
}

/** What refuses a credential unseen is held over all operations in test/unit/http/refusals.test.ts. */
const some = rowsOf(({ contract }) =>
  ['payment_links.create', 'payments.list', 'api_keys.rotate'].includes(contract.id),
)
const withKeys = some.filter(([, { contract }]) => contract.access.api_key)
const withSessions = some.filter(([, { contract }]) => contract.access.session)

const forBoth = rowsOf(({ contract }) => contract.access.api_key !== undefined && isForCustomers(contract))
const ofOneKind = (rows: readonly Row[]) => rows.filter(([id]) => !forBoth.some(([both]) => both === id))

describe('credentials', () => {
  test.each(some)('%s: refuses a missing credential, and one in another form', async (_id, operation) => {
    const { made } = await untouched(operation)
    const cases: [header: string | undefined, code: string][] = [
      [undefined, 'credential_missing'],
      ['', 'credential_missing'],
      ['Bearer', 'credential_malformed'],
      ['Basic YTpi', 'credential_malformed'],
      ['Bearer two words', 'credential_malformed'],
      [made.headers.authorization!.replace('Bearer ', ''), 'credential_malformed'],
    ]
    for (const [authorization, code] of cases) {
      const reply = await send(withHeaders(made, { authorization }))
      expectProblem(reply, code)
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  test.each(share(ofOneKind(forCustomers), 6))('%s: takes no invented session', async (_id, operation) => {
    const { world, made } = await untouched(operation)
    const forged = `${'A'.repeat(32)}.${'A'.repeat(43)}=`
    const changed = world.customer.token.replace(/^./, (first) => (first === 'x' ? 'y' : 'x'))
    for (const token of [forged, changed, 'garbage'])
      expectProblem(await send(withHeaders(made, bearer(token))), 'session_invalid')
  })

  test.each(withSessions)('%s: takes no API key', async (_id, operation) => {
    const { world, made } = await untouched(operation)
    for (const token of [world.merchant.apiKey, 'sk_sbx_garbage']) {
      const reply = await send(withHeaders(made, bearer(token)))
      expectProblem(reply, 'credential_not_accepted')
      expect(reply.text).toContain('This operation takes a customer session.')
    }
  })

  test.each(share(forCustomers, 6, 2))(
    '%s: takes no session of a password alone, be it the owner’s',
    async (_id, operation) => {
      const { world, made } = await untouched(operation)
      const owner = await ofAPasswordAlone()
      await join(owner, world.merchant)
      const events = 'select count(*)::int as n from events where tenant_id = $1'
      const before = await adminSql('sandbox')(events, [world.merchant.tenantId])
      expectProblem(await send(withHeaders(made, bearer(owner.token))), 'second_factor_required')
      expect(await adminSql('sandbox')(events, [world.merchant.tenantId])).toEqual(before)
    },
  )

  test.each(share(ofOneKind(forKeys), 6, 1))('%s: takes no invented key', async (_id, operation) => {
    const { made } = await untouched(operation)
    const { token } = mintApiKey({ environment: 'sandbox' })
    expectProblem(await send(withHeaders(made, bearer(token))), 'api_key_invalid')
  })

  test.each(withKeys)('%s: takes no session and no key in another form', async (_id, operation) => {
    const { world, made } = await untouched(operation)
    const { apiKey } = world.merchant
    const flipped = apiKey.endsWith('0') ? '1' : '0'
    const cases = [
      'garbage',
      'sk_test_0123456789',
      'sk_sbx_',
      apiKey.slice(0, -1),
      apiKey.slice(0, -1) + flipped,
    ]
    for (const token of cases) expectProblem(await send(withHeaders(made, bearer(token))), 'api_key_invalid')
    for (const token of [world.customer.token, `${'A'.repeat(32)}.${'A'.repeat(43)}=`]) {
      const reply = await send(withHeaders(made, bearer(token)))
      expectProblem(reply, 'credential_not_accepted')
      expect(reply.text).toContain('This operation takes an API key.')
    }
  })

  test.each(withKeys)("%s: says where the other environment's key belongs", async (_id, operation) => {
    const { token } = mintApiKey({ environment: 'live' })
    const { made } = await untouched(operation)
    const reply = await send(withHeaders(made, bearer(token)))
    expectProblem(reply, 'environment_mismatch')
    expect((reply.body.error as { message: string }).message).toContain(` ${stack.live.baseUrl}.`)
  })

  test.each(forBoth)(
    '%s: takes a key or a session, and no invented one of either',
    async (_id, operation) => {
      const { made } = await untouched(operation)
      const { token } = mintApiKey({ environment: 'sandbox' })
      expectProblem(await send(withHeaders(made, bearer(token))), 'api_key_invalid')
      expectProblem(
        await send(withHeaders(made, bearer(`${'A'.repeat(32)}.${'A'.repeat(43)}=`))),
        'session_invalid',
      )
    },
  )

  const past = new Date(Date.now() - 1000)
  const ahead = new Date(Date.now() + 3_600_000)
  const states: [what: string, key: Parameters<typeof newApiKey>[1], code: string | null][] = [
    ['revoked', { status: 'revoked' }, 'api_key_revoked'],
    ['revoking', { status: 'revoking' }, 'api_key_revoked'],
    ['expired', { expiresAt: past }, 'api_key_expired'],
    [
      'expired in its overlap',
      { status: 'rotating', expiresAt: past, graceEndsAt: ahead },
      'api_key_expired',
    ],
    ['rotated out', { status: 'rotating', graceEndsAt: past }, 'api_key_rotated_out'],
    ['rotated out and swept', { status: 'revoking', graceEndsAt: past }, 'api_key_rotated_out'],
    ['rotated out and gone', { status: 'revoked', graceEndsAt: past }, 'api_key_rotated_out'],
    ['expired and swept', { status: 'revoking', expiresAt: past }, 'api_key_expired'],
    ['expired and gone', { status: 'revoked', expiresAt: past }, 'api_key_expired'],
    ['provisioning', { status: 'provisioning' }, 'api_key_not_active'],
    ['failed', { status: 'failed' }, 'api_key_not_active'],
    ['rotating, in its overlap', { status: 'rotating', graceEndsAt: ahead }, null],
    ['active, not yet expired', { expiresAt: ahead }, null],
  ]
  // The same question decides for all operations: each shows three of the states, the next one the following three.
  const shown = inTurn(
    forKeys.map(([id]) => ({ id })),
    states.map(([what, options, code]) => ({ what, options, code })),
    3,
  )
  test.each(share(forKeys, 6))(
    '%s: a key in another state gets the answer of its state',
    async (id, operation) => {
      const world = await newWorld()
      const made = await request(operation, world)
      for (const { what, options, code } of shown.filter((one) => one.id === id)) {
        const { apiKey } = await newApiKey(world.merchant, options)
        const fresh = made.headers['idempotency-key'] && { 'idempotency-key': randomUUID() }
        const reply = await send(withHeaders(made, { ...bearer(apiKey), ...fresh }))
        if (code) expectProblem(reply, code)
        else expect([what, reply.status]).not.toEqual([what, 401])
      }
    },
  )

  test.each(forKeys)('%s: refuses a key without its scope', async (_id, operation) => {
    const { access } = operation.contract
    const { world, made } = await untouched(operation)
    const others = scopes.filter((scope) => !access.api_key?.scopes.includes(scope))
    const { apiKey } = await newApiKey(world.merchant, { scopes: others })
    const reply = await send(withHeaders(made, bearer(apiKey)))
    expectProblem(reply, 'insufficient_scope')
    for (const scope of access.api_key?.scopes ?? []) expect(reply.text).toContain(scope)
  })

  const ofRole = rowsOf(({ contract }) => contract.access.session !== undefined)
  test.each(ofRole)('%s: membership is checked first, then the role', async (_id, operation) => {
    const { access } = operation.contract
    const world = await newWorld()
    const person = await otherCustomer()
    const made = withHeaders(await request(operation, world), bearer(person.token))
    const as = async () => {
      if (operation.contract.access.session?.stepUp)
        await prove(operation, { ...world, customer: person }, made)
      return send(made)
    }
    expectProblem(await as(), 'workspace_not_found')
    await join(person, world.merchant, 'member')
    const asMember = await as()
    if (access.session?.role === 'member') {
      expect(asMember.status, asMember.text).toBe(operation.contract.reply.status)
    } else expectProblem(asMember, 'insufficient_role')
  })
})

let withoutFactor: Promise<Customer> | undefined
const ofAPasswordAlone = () => {
  withoutFactor ??= newCustomer({ factor: false })
  return withoutFactor
}

let second: Promise<Customer> | undefined
const otherCustomer = () => {
  second ??= newCustomer()
  return second
}

let mine: ReturnType<typeof newWorld> | undefined
/** Of a caller who is refused every time. */
const ownWorld = async () => {
  mine ??= newWorld()
  if ((await mine).customer.backupCodes.length === 0) mine = newWorld()
  return mine
}

describe('what belongs to others', () => {
  test.each(aboutOne)(
    '%s: gets the reply for a resource that does not exist, word for word',
    async (_id, operation) => {
      const { contract } = operation
      const own = await ownWorld()
      const isOfCustomer = contract.access.challenge !== undefined || contract.access.invitee !== undefined
      const foreign = isOfCustomer
        ? await newWorld(await otherCustomer())
        : (await untouched(operation)).world
      const { path } = isOfCustomer ? await request(operation, foreign) : (await untouched(operation)).made
      const theirs = path.split('/')[contract.path.split('/').findIndex((part) => part.startsWith(':'))]!
      const answers: string[] = []
      for (const id of [theirs, uuidv7(Date.now()), 'not-a-uuid', '%00', `${theirs}x`]) {
        const made = await request(operation, own, id)
        const reply = await send(withHeaders(made, { 'x-request-id': 'same-for-all' }))
        expect(reply.status, reply.text).toBe(404)
        expectProblem(reply, contract.notFound!, null)
        answers.push(reply.text)
      }
      expect(new Set(answers).size).toBe(1)
      expect((await send(await request(operation, foreign, theirs))).status).toBeLessThan(500)
    },
  )

  const byTenant = rowsOf(
    ({ contract }) =>
      contract.access.session !== undefined &&
      [contract.query, contract.body].some((schema) =>
        fieldsOf(schema).some(({ name }) => name === 'tenant_id'),
      ),
  )
  test.each(byTenant)(
    "%s: another's workspace gets the reply for one that does not exist, word for word",
    async (_id, operation) => {
      const own = await ownWorld()
      const stranger = await otherCustomer()
      const foreign = await newWorld(stranger)
      const answers: string[] = []
      for (const tenantId of [foreign.merchant.tenantId, 'tn_nobody']) {
        const made = await request(operation, own)
        made.headers.authorization = `Bearer ${own.customer.token}`
        if (made.body) made.body.tenant_id = tenantId
        else made.query.tenant_id = tenantId
        const reply = await send(withHeaders(made, { 'x-request-id': 'same-for-all' }))
        expectProblem(reply, 'workspace_not_found', null)
        answers.push(reply.text)
      }
      expect(new Set(answers).size).toBe(1)
    },
  )
})
