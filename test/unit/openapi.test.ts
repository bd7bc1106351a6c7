import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { authRoutes } from '../../functions/auth/routes.ts'
import { accountExamples } from '../../local/openapi/account-examples.ts'
import { codesOf } from '../../local/openapi/errors.ts'
import { openapi, openapiFile, openapiText } from '../../local/openapi.ts'
import { operations } from '../../local/operations.ts'
import type { ProblemCode } from '../../src/http/problems.ts'

type Operation = {
  operationId: string
  summary: string
  tags: string[]
  security: object[]
  parameters: { name?: string; in?: string; description?: string; $ref?: string }[]
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>
}
const document = openapi() as {
  paths: Record<string, Record<string, Operation>>
  tags: { name: string }[]
}
const told = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
)
const contracts = operations.map(({ contract }) => contract)

test('openapi.json is what the contracts say', () => {
  expect(readFileSync(openapiFile, 'utf8') === openapiText(), 'run `npm run openapi`').toBe(true)
})

test('the document is valid OpenAPI 3.1, and every reference in it leads somewhere', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  const refs = [...new Set(openapiText().match(/"\$ref": "[^"]+"/g))].map((each) => each.slice(9, -1))
  const lost = refs.filter((ref) => at(document, ref.replace('#/', '').split('/')) === undefined)
  expect(lost).toEqual([])
})

const at = (value: unknown, path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)

test('every operation and every route is told once, under a chapter that exists', () => {
  const ids = told.map(({ operationId }) => operationId)
  const declared = [...contracts, ...authRoutes].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual([...declared].sort())
  const chapters = document.tags.map(({ name }) => name)
  expect([...new Set(told.flatMap(({ tags }) => tags))].sort()).toEqual([...chapters].sort())
  expect(told.filter(({ summary }) => !summary)).toEqual([])
})

describe.each(told)('$method $path', (operation) => {
  test('names its path parameters', () => {
    const wanted = [...operation.path.matchAll(/\{([a-z_]+)\}/gi)].map((match) => match[1])
    const named = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name)
    expect(named).toEqual(wanted)
  })

  test('says what each parameter is', () => {
    expect(operation.parameters.filter(({ $ref, description }) => !$ref && !description)).toEqual([])
  })
})

describe.each(contracts)('$id', (contract) => {
  const { body, reply, example } = contract

  test('its examples are what its schemas allow', () => {
    expect(example).toBeDefined()
    expect(reply.schema.safeParse(example?.reply).error).toBeUndefined()
    if (body) expect(body.safeParse(example?.body).error).toBeUndefined()
  })

  test('declares no error twice, and needs no body for what has none', () => {
    expect(new Set(contract.errors).size).toBe(contract.errors.length)
    expect(contract.method === 'GET' && (body !== undefined || contract.idempotency === 'required')).toBe(
      false,
    )
  })

  test('tells the errors that its access and its headers imply', () => {
    const codes = codesOf(contract)
    const implied: ProblemCode[] = [
      'credential_missing',
      'credential_not_accepted',
      'rate_limited',
      'version_unknown',
      'internal',
      'parameter_unknown',
    ]
    if (contract.idempotency === 'required') implied.push('idempotency_key_missing', 'idempotency_key_reused')
    if (contract.stepUp) implied.push('step_up_missing', 'step_up_params_mismatch')
    if (body) implied.push('body_malformed', 'content_type_unsupported', 'parameter_missing')
    implied.push(contract.access.kind === 'api_key' ? 'insufficient_scope' : 'session_invalid')
    expect(codes).toEqual(expect.arrayContaining([...implied, ...contract.errors]))
  })
})

test.each(authRoutes)('$id: its examples are what its schemas allow', (route) => {
  const { body, reply } = accountExamples[route.id]
  expect(route.reply.schema.safeParse(reply).error).toBeUndefined()
  const schema = (route as { body?: z.ZodType }).body
  if (schema) expect(schema.safeParse(body).error).toBeUndefined()
})
