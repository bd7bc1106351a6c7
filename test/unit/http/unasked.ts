import { expect } from 'vitest'
import * as z from 'zod'
import { declaredOf } from '../../../local/access.ts'
import { errors } from '../../../local/declarations.ts'
import { operations } from '../../../local/operations.ts'
import { areasSelling, sold } from '../../../src/app.ts'
import { serve } from '../../../src/http/areas.ts'
import type { Contract } from '../../../src/http/contract.ts'
import { type ProblemCode, typeOf } from '../../../src/http/problems.ts'
import type { Services } from '../../../src/http/services.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'

export const asked: string[] = []
const nothing = (name: string) =>
  new Proxy(
    {},
    {
      get: (_, method) => () => {
        asked.push(`${name}.${String(method)}`)
        throw new Error(`${name} was asked`)
      },
    },
  )

const secrets = { current: '1', byVersion: { '1': 'a secret of at least thirty-two bytes' } }
const services = {
  settings: {
    environment: 'sandbox',
    baseUrl: 'https://sandbox.spindle.test',
    sandboxBaseUrl: 'https://sandbox.spindle.test',
    liveBaseUrl: 'https://live.spindle.test',
    linkBaseUrl: 'pay.spindle.test',
    peppers: secrets,
    signingSecrets: secrets,
    redis: null,
    get feeSchedules(): string {
      asked.push('feeSchedules')
      throw new Error('fees were asked for')
    },
  },
  db: nothing('db'),
  memory: nothing('memory'),
  wake: () => {},
  bucket: undefined,
  sendMails: () => {},
  sessionOf: () => {
    asked.push('sessionOf')
    return Promise.reject(new Error('sessions were asked'))
  },
} as unknown as Services

const app = serve(areasSelling(sold), () => services)
const execution = { waitUntil: (work: Promise<unknown>) => work.catch(() => {}) }

type Made = { method: string; path: string; headers: Record<string, string>; body?: string }
type Answer = { status: number; headers: Headers; text: string; code: string; param: string | null }

type Field = { readonly name: string; readonly required: boolean; readonly flag: boolean }
const known = new WeakMap<z.ZodType, readonly Field[]>()

export function fieldsOf(schema: z.ZodType | undefined): readonly Field[] {
  if (!schema) return []
  const before = known.get(schema)
  if (before) return before
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    flag: (property as { type?: string }).type === 'boolean',
  }))
  known.set(schema, fields)
  return fields
}

/** What the parameters of a path are given: a voucher is named by its reference. */
const idOf = ({ path, params }: Contract): string => {
  const id = uuidv7(Date.now())
  const named = Object.fromEntries([...path.matchAll(/:([a-z_]+)/gi)].map(([, name]) => [name!, id]))
  return params?.safeParse(named).success ? id : '12345678901234'
}

/** A request that only its caller and its resource keep from being carried out. */
function requestOf(contract: Contract): Made & { fields: Record<string, unknown> } {
  const needsTenant = (schema: z.ZodType | undefined) =>
    fieldsOf(schema).some(({ name, required }) => name === 'tenant_id' && required)
  const fields = {
    ...(contract.example?.body as object),
    ...(needsTenant(contract.body) && { tenant_id: 'tn_0123456789' }),
  }
  const query = needsTenant(contract.query) ? '?tenant_id=tn_0123456789' : ''
  return {
    method: contract.method,
    path: contract.path.replace(/:[a-z_]+/gi, idOf(contract)) + query,
    headers: {
      authorization: `Bearer ${declaredOf(contract.access, (kind) => kind.samples().possible)[0]}`,
      ...(contract.idempotency !== 'none' && { 'idempotency-key': 'a key of this test' }),
      ...(contract.access.session?.stepUp && { 'x-sp-step-up-token': 'x'.repeat(40) }),
      ...(contract.body && { 'content-type': 'application/json' }),
    },
    fields,
    ...(contract.body && { body: JSON.stringify(fields) }),
  }
}

type Changes = {
  headers?: Record<string, string | undefined>
  body?: unknown
  query?: string
  method?: string
}

export async function send(made: Made, { headers = {}, body = made.body, query, method }: Changes = {}) {
  const all = Object.entries({ ...made.headers, ...headers }).filter(([, value]) => value !== undefined)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const path = query ? `${made.path}${made.path.includes('?') ? '&' : '?'}${query}` : made.path
  const request = new Request(`https://sandbox.spindle.test${path}`, {
    method: method ?? made.method,
    headers: [
      ...(all as [string, string][]),
      ...(bytes instanceof Uint8Array ? [['content-length', String(bytes.length)] as [string, string]] : []),
    ],
    body: (bytes ?? null) as string | null,
    ...(bytes instanceof ReadableStream && { duplex: 'half' as const }),
  })
  asked.splice(0)
  const reply = await app.fetch(request, {}, execution as never)
  const text = await reply.text()
  const { error } = JSON.parse(text) as { error: { code: string; param: string | null } }
  return { status: reply.status, headers: reply.headers, text, ...error } as Answer
}

const nothingInternal =
  /\b(select|insert into|postgres|neon|drizzle|redis|sqlstate|stack|pg_)|\n\s+at |\.ts:|0x[0-9a-f]{6}/i

/** What is wrong with a refusal; nothing was asked for it. */
export function faultsOf(answer: Answer, code: string, param?: string | null): string[] {
  const { error } = JSON.parse(answer.text) as { error: Record<string, unknown> }
  const faults: string[] = []
  const is = (what: string, actual: unknown, wanted: unknown) => {
    if (JSON.stringify(actual) !== JSON.stringify(wanted))
      faults.push(`${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`)
  }
  const { status } = errors[code as ProblemCode]
  is('code', answer.code, code)
  is('status', answer.status, status)
  is('type', error.type, typeOf(status))
  if (param !== undefined) is('param', answer.param, param)
  is('keys', Object.keys(error).sort(), [
    'code',
    'details',
    'doc_url',
    'message',
    'param',
    'request_id',
    'type',
  ])
  is('doc_url', error.doc_url, `https://sandbox.spindle.test/docs/errors#${code}`)
  is('request id', error.request_id, answer.headers.get('x-request-id'))
  is('version', answer.headers.get('spindle-version'), '2026-06-13')
  is('asked', asked, [])
  if (nothingInternal.test(answer.text)) faults.push(`shows its inside: ${answer.text}`)
  for (const detail of error.details as { code: string; param: string; message: string }[])
    if (!Object.hasOwn(errors, detail.code) || !detail.message || typeof detail.param !== 'string')
      faults.push(`has the detail ${JSON.stringify(detail)}`)
  return faults
}

/** A third of the cases, another third for the next operation: each case meets a third of all operations. */
type Share = <T>(cases: readonly T[]) => T[]

type Check = (
  contract: Contract,
  made: ReturnType<typeof requestOf>,
  share: Share,
) => Promise<readonly string[]>

/** Runs a check over operations; the failure names each operation and what is wrong. */
export async function over(fits: (contract: Contract) => boolean, check: Check): Promise<void> {
  const found = operations.filter(({ contract }) => fits(contract))
  expect(found.length).toBeGreaterThan(0)
  const faults: string[] = []
  for (const [at, { contract }] of found.entries()) {
    const share: Share = (cases) => cases.filter((_, number) => number % 3 === at % 3)
    for (const fault of await check(contract, requestOf(contract), share))
      faults.push(`${contract.id}: ${fault}`)
  }
  expect(faults).toEqual([])
}
