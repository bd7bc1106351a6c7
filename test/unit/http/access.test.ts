import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { declaredKinds } from '../../../local/access.ts'
import { declared } from '../../../local/declarations.ts'
import { operations } from '../../../local/operations.ts'
import { type BearerAccess, bearers, others, presented } from '../../../src/http/access/kinds.ts'
import type { customer } from '../../../src/http/access/session.ts'
import { serve } from '../../../src/http/areas.ts'
import { contract } from '../../../src/http/contract.ts'
import { operation } from '../../../src/http/operation.ts'
import type { Services } from '../../../src/http/services.ts'

const accesses = [
  ...operations.map(({ contract }) => contract),
  ...declared(({ publishes }) => publishes),
].map(({ id, access }): [id: string, kinds: string[]] => [id, Object.keys(access)])

test('every kind has a branch in the database, and every branch a kind', () => {
  const sql = readFileSync('drizzle/sql/040_authorize.sql', 'utf8')
  const branches = [...sql.matchAll(/^ {2}when '(\w+)' then$/gm)].map(([, kind]) => kind)
  // A proof reads for the member whose session needs it.
  expect(branches.sort()).toEqual([...Object.keys({ ...bearers, ...others }), 'step_up'].sort())
})

test('an operation takes some kind, and no two that one bearer could be', () => {
  const schemeOf = new Map(declaredKinds.map(([name, { scheme }]): [string, string] => [name, scheme[0]]))
  expect(accesses.filter(([, kinds]) => kinds.length === 0)).toEqual([])
  const alike = accesses.filter(
    ([, kinds]) => new Set(kinds.map((kind) => schemeOf.get(kind) ?? kind)).size < kinds.length,
  )
  expect(alike).toEqual([])
})

test.each(declaredKinds)('%s: its samples have its form, or are refused by it', async (name, declaration) => {
  const { possible, impossible } = declaration.samples()
  expect(bearers[name].hasForm(possible)).toBe(true)
  const formed = declaredKinds.filter(([other]) => bearers[other].hasForm(possible))
  expect(new Set(formed.map(([, { scheme }]) => scheme))).toEqual(new Set([declaration.scheme]))
  const settings = {
    environment: 'sandbox',
    liveBaseUrl: 'https://live.spindle.test',
    peppers: { byVersion: {} },
  }
  for (const [bearer, code] of impossible)
    await expect(bearers[name].admit(bearer, { settings } as Services)).rejects.toMatchObject({ code })
})

const stepUp = { action: 'thing.change', scope: 'refunds:write' }
const both: BearerAccess = { api_key: { scopes: ['refunds:read'] }, session: { role: 'admin', stepUp } }
const [key, session] = ['api_key', 'session'].map(
  (name) => declaredKinds.find(([kind]) => kind === name)![1].samples().possible,
) as [string, string]

test('of two kinds each caller meets the condition of their own', () => {
  expect(presented(`Bearer ${key}`, both)).toMatchObject({ admit: bearers.api_key.admit, stepUp: undefined })
  expect(presented(`Bearer ${session}`, both)).toMatchObject({ admit: bearers.session.admit, stepUp })
  // Of no kind's form: the first kind refuses it.
  expect(presented('Bearer garbage', both).admit).toBe(bearers.api_key.admit)
})

/* A kind that only this test knows. Its entry is all that the stages of a request need. */
const robot = {
  noun: 'a robot',
  hasForm: (bearer: string) => bearer.startsWith('rb_'),
  admit: async (bearer: string) => ({
    digest: bearer,
    kid: '',
    open: () => ({
      session: () => Promise.reject(new Error('no session')),
      credential: async () => ({ kind: 'robot', robotId: bearer.slice(3) }),
    }),
  }),
} satisfies typeof customer
afterEach(() => {
  delete (bearers as { robot?: unknown }).robot
})

test('a new kind of bearer calls an operation that names it, and no other', async () => {
  Object.assign(bearers, { robot })
  const asked: unknown[] = []
  const services = {
    settings: { environment: 'sandbox' },
    db: {
      read: async (...about: unknown[]) => {
        asked.push(about.slice(0, 2))
        return { principal: {}, rows: [[]] }
      },
    },
  } as unknown as Services
  const thing = (id: string, access: object) =>
    operation(
      contract({
        id,
        method: 'GET',
        path: `/v1/${id}`,
        tag: 'Things',
        summary: 'A thing',
        access,
        tables: [],
        idempotency: 'none',
        rate: 'read',
        reply: { status: 200, schema: z.object({}) },
        errors: [],
      }),
      async ({ read }) => {
        await read({ text: 'select 1', values: [], rows: () => [] })
        return {}
      },
    )
  const load = async () => ({
    operations: [
      thing('for_robots', { robot: {} }),
      thing('for_both', { api_key: { scopes: ['refunds:read'] }, robot: {} }),
      thing('for_keys', { api_key: { scopes: ['refunds:read'] } }),
    ],
  })
  const app = serve([{ at: ['/v1'], load }], () => services)
  const get = async (path: string, bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}` }
    const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
    const reply = await app.fetch(new Request(`https://x.test/v1/${path}`, { headers }), {}, context)
    const { error } = (await reply.json()) as { error?: { code: string; message: string } }
    return error ? [error.code, error.message] : reply.status
  }
  expect(await get('for_robots', 'rb_1')).toBe(200)
  expect(await get('for_both', 'rb_2')).toBe(200)
  expect(asked).toEqual([
    ['for_robots', { kind: 'robot', robotId: '1' }],
    ['for_both', { kind: 'robot', robotId: '2' }],
  ])
  const refused = (takes: string) => ['credential_not_accepted', `This operation takes ${takes}.`]
  expect(await get('for_keys', 'rb_1')).toEqual(refused('an API key'))
  expect(await get('for_robots', key)).toEqual(refused('a robot'))
  expect(await get('for_both', session)).toEqual(refused('an API key or a robot'))
  expect(asked).toHaveLength(2)
})
