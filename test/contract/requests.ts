import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import * as z from 'zod'
import { errors } from '../../local/declarations.ts'
import { operations } from '../../local/operations.ts'
import { bodyOf, creatorOf, operationOf, samples } from '../../local/samples.ts'
import type { BearerName } from '../../src/http/access/kinds.ts'
import type { Contract } from '../../src/http/contract.ts'
import type { Operation } from '../../src/http/operation.ts'
import { type ProblemCode, typeOf } from '../../src/http/problems.ts'
import { type Customer, join, newCustomer, newProof } from '../support/customer.ts'
import { newCode, newDevice, newPaired } from '../support/devices.ts'
import { type Merchant, newMerchant, type Reply } from '../support/merchant.ts'
import { stack } from '../support/stack.ts'
import { arrange, makerAt, prepare, type Request, type World } from './samples.ts'

export type { Request, World } from './samples.ts'

let signedUp: Promise<Customer> | undefined

/** A fresh tenant. The customer is one for the whole file: signing up hashes a password. */
export async function newWorld(customer?: Customer): Promise<World> {
  signedUp ??= newCustomer()
  if ((await signedUp).backupCodes.length === 0) signedUp = newCustomer()
  const owner = customer ?? (await signedUp)
  const merchant = await newMerchant()
  await join(owner, merchant)
  return { merchant, customer: owner }
}

/** Where its area says nothing else, the operation that creates such a resource makes it. */
function makerOf({ id, path }: Contract): (world: World) => Promise<string> {
  const make = makerAt(path)
  const creator = creatorOf(path)
  if (!make && !creator) throw new Error(`${id}: nothing makes what ${path} is about`)
  return make ?? (async (world) => (await request(creator!, world).then(send)).body.id as string)
}

/** Fields that make another request of this one. */
export function differing(id: string, body: Record<string, unknown>): Record<string, unknown> {
  const { other } = samples[id] ?? {}
  if (other) return other
  const [field] = ['metadata', 'description', 'name'].filter((name) => name in body)
  return field ? { [field]: field === 'metadata' ? { order: 'other' } : 'Another' } : {}
}

/** The names in a schema of parameters, query or body, each with its own schema. */
export function fieldsOf(
  schema: z.ZodType | undefined,
): { name: string; required: boolean; flag: boolean }[] {
  if (!schema) return []
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const required = json.required ?? []
  return Object.entries(json.properties ?? {}).map(([name, property]) => ({
    name,
    required: required.includes(name),
    flag: (property as { type?: string }).type === 'boolean',
  }))
}

/** How a caller of each kind presents itself in a world. */
export const tokenOf: Readonly<Record<BearerName, (world: World) => string | Promise<string>>> = {
  api_key: ({ merchant }) => merchant.apiKey,
  session: ({ customer }) => customer.token,
  customer: ({ customer }) => customer.token,
  challenge: ({ customer }) => customer.token,
  invitee: ({ customer }) => customer.token,
  device: async ({ merchant }) => (await newPaired(merchant)).credential,
  pairing: async ({ merchant }) => newCode(merchant, await newDevice(merchant)),
}
export const kindsOf = ({ access }: Contract) => Object.keys(access) as BearerName[]
export const isForCustomers = ({ access: { session, customer, challenge, invitee } }: Contract) =>
  [session, customer, challenge, invitee].some((condition) => condition !== undefined)

/** A valid request of an operation, made from its contract. `id` in place of a resource of its own. */
export async function request(operation: Operation, world: World, id?: string): Promise<Request> {
  const { contract } = operation
  const { merchant } = world
  const headers: Record<string, string> = {
    authorization: `Bearer ${await tokenOf[kindsOf(contract)[0]!](world)}`,
  }
  if (contract.idempotency !== 'none') headers['idempotency-key'] = randomUUID()
  const ready: Request = {
    method: contract.method,
    path: contract.path,
    query: fieldsOf(contract.query).some(({ name }) => name === 'tenant_id')
      ? { tenant_id: merchant.tenantId }
      : {},
    headers,
    file: contract.upload?.example,
    body: contract.body && (withTenant(contract, merchant) as Record<string, unknown>),
  }
  await prepare[contract.id]?.(world, ready)
  if (contract.params) {
    const made = id ?? (await makerOf(contract)(world))
    for (const before of (id === undefined && samples[contract.id]?.after) || [])
      await send(await request(operationOf(before), world, made))
    if (id === undefined) await arrange[contract.id]?.(world, ready, made)
    ready.path = ready.path.replace(/:[a-z_]+/i, made).replaceAll(/:[a-z_]+/gi, made)
  }
  if (contract.body) headers['content-type'] = 'application/json'
  if (contract.upload) headers['content-type'] = contract.upload.type
  if (contract.access.session?.stepUp) await prove(operation, world, ready)
  return ready
}

function withTenant(contract: Contract, { tenantId }: Merchant): object {
  const known = fieldsOf(contract.body).some(({ name, required }) => name === 'tenant_id' && required)
  return { ...bodyOf(contract), ...(known ? { tenant_id: tenantId } : {}) }
}

/** Puts a fresh proof for exactly this request into it. */
export async function prove(
  operation: Operation,
  { merchant, customer }: World,
  ready: Request,
): Promise<void> {
  const { contract, proves } = operation
  const [, id] = new RegExp(`^${contract.path.replace(/:[a-z_]+/i, '([^/]+)')}$`).exec(ready.path) ?? []
  const params = proves!({ params: { id }, query: ready.query, body: ready.body })
  const key = ready.headers['idempotency-key']!
  ready.headers['x-sp-step-up-token'] = await newProof(customer, merchant, {
    ...contract.access.session!.stepUp!,
    key,
    params,
  })
}

/** Sends a request as it is: `raw` in place of the body's JSON. */
export async function send(
  { method, path, query, headers, body, file }: Request,
  raw?: string | Uint8Array<ArrayBuffer>,
  baseUrl = stack.sandbox.directUrl,
): Promise<Reply> {
  const search = new URLSearchParams(query).toString()
  const sent = raw ?? file ?? (body === undefined ? null : JSON.stringify(body))
  const url = baseUrl + (search ? `${path}?${search}` : path)
  const response = await fetch(url, { method, headers, body: sent, redirect: 'manual' })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
  return { status: response.status, headers: response.headers, body: json, text }
}

const nothingInternal =
  /\b(select|insert into|postgres|neon|drizzle|redis|sqlstate|stack|pg_)|\n\s+at |\.ts:|0x[0-9a-f]{6}/i

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(errors, code)

/** The documented error exactly: shape, status and type of the catalog, and no internals. */
export function expectProblem(reply: Reply, code: string, param?: string | null): void {
  const { error } = reply.body as { error: Record<string, unknown> & { details: Record<string, unknown>[] } }
  expect([reply.status, error?.code, error?.param], reply.text).toEqual([
    isProblemCode(code) ? errors[code].status : code,
    code,
    param === undefined ? expect.toSatisfy((value) => value === null || typeof value === 'string') : param,
  ])
  if (!isProblemCode(code)) throw new Error(`${code} is not in the catalog`)
  expect(reply.body).toEqual({
    error: {
      type: typeOf(errors[code].status),
      code,
      message: expect.stringMatching(/\S.{10,}/),
      param: error.param,
      doc_url: expect.toSatisfy((url) =>
        [stack.sandbox, stack.live].some(({ baseUrl }) => url === `${baseUrl}/docs/errors#${code}`),
      ),
      request_id: reply.headers.get('x-request-id'),
      details: expect.any(Array),
    },
  })
  for (const detail of error.details) {
    expect(detail).toEqual({
      param: expect.any(String),
      code: expect.any(String),
      message: expect.any(String),
    })
    expect(isProblemCode(String(detail.code))).toBe(true)
  }
  expect(reply.text).not.toMatch(nothingInternal)
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
  expectEnvelope(reply)
}

/** What every reply carries. */
export function expectEnvelope(reply: Reply): void {
  expect(reply.headers.get('spindle-version')).toBe('2026-06-13')
  expect(reply.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{8,64}$/)
}

export type Row = [id: string, operation: Operation]
export const rowsOf = (fits: (operation: Operation) => boolean): Row[] =>
  operations.filter(fits).map((operation) => [operation.contract.id, operation])

export const all = rowsOf(() => true)
export const forCustomers = rowsOf(({ contract }) => isForCustomers(contract))
export const forKeys = rowsOf(({ contract }) => contract.access.api_key !== undefined)
export const idempotent = rowsOf(({ contract }) => contract.idempotency !== 'none')
export const bodiless = rowsOf(
  ({ contract: { body, upload, method } }) => !body && !upload && method !== 'GET',
)
export const withBody = rowsOf(({ contract }) => contract.body !== undefined)
export const aboutOne = rowsOf(({ contract }) => contract.params !== undefined)

export const ready = async (operation: Operation, changes: Record<string, string | undefined> = {}) => {
  const made = await request(operation, await newWorld())
  return withHeaders(made, changes)
}
export const withHeaders = (made: Request, changes: Record<string, string | undefined>): Request => {
  const headers: Record<string, string> = { ...made.headers }
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }
  return { ...made, headers }
}
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
