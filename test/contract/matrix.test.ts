import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { linkOrigin } from '../../functions/selling/payment-links/origin.ts'
import { eventScopes } from '../../src/generated/events.ts'
import type { Operation } from '../../src/http/operation.ts'
import { newApiKey } from '../support/merchant.ts'
import { share } from '../support/share.ts'
import { stack } from '../support/stack.ts'
import {
  all,
  bearer,
  bodiless,
  differing,
  expectEnvelope,
  expectProblem,
  fieldsOf,
  forKeys,
  idempotent,
  kindsOf,
  newWorld,
  prove,
  type Request,
  type Row,
  ready,
  request,
  rowsOf,
  send,
  tokenOf,
  withBody,
  withHeaders,
} from './requests.ts'

/*
 * What every operation does alike. The cases follow from the contracts, so a new operation is tested without a line
 * here. Who may call: callers.test.ts.
 */

const kept = new Map<string, Promise<Request>>()

/** One request of each operation for everything that is refused before it has an effect. */
const untouched = async (operation: Operation): Promise<Request> => {
  const { id } = operation.contract
  if (!kept.has(id)) kept.set(id, ready(operation))
  return structuredClone(await kept.get(id)!)
}

/** Requests that are about other resources as well: without the scopes to read those they are refused either way. */
const readsToo: Readonly<Record<string, { scopes: readonly string[]; refusal: number }>> = {
  'webhooks.get_event': { scopes: eventScopes.payment_link, refusal: 404 },
  'webhooks.create_endpoint': { scopes: Object.values(eventScopes).flat(), refusal: 403 },
  'webhooks.update_endpoint': { scopes: Object.values(eventScopes).flat(), refusal: 403 },
}

/** Refusals that ask nothing are held over all operations in test/unit/http/refusals.test.ts: these show them on workerd. */
const some = (rows: readonly Row[]) =>
  rows.filter(([id]) =>
    [
      'payment_links.create',
      'payment_links.update',
      'payments.list',
      'api_keys.rotate',
      'transfers.cancel',
    ].includes(id),
  )

describe('a good request', () => {
  const called = all.flatMap(([id, operation]) =>
    kindsOf(operation.contract).map((kind) => [id, kind, operation] as const),
  )
  test.each(called)('%s, called by %s, answers what its contract says', async (_id, kind, operation) => {
    const { status, schema } = operation.contract.reply
    const world = await newWorld()
    const reply = await send(
      withHeaders(await request(operation, world), {
        // A request has the credential of its first kind already: a device asks about what is its own.
        ...(kind === kindsOf(operation.contract)[0] ? {} : bearer(await tokenOf[kind](world))),
        'spindle-version': '2026-06-13',
        'x-request-id': 'mine-0001',
      }),
    )
    expect(reply.status, reply.text).toBe(status)
    schema.parse(reply.body)
    expectEnvelope(reply)
    expect(reply.headers.get('x-request-id')).toBe('mine-0001')
    expect(reply.headers.get('content-type')).toBe(operation.contract.download?.type ?? 'application/json')
    expect(reply.headers.get('ratelimit-policy')).toMatch(/^"(read|write|public|auth)";q=\d+;w=60$/)
    expect(reply.headers.get('idempotent-replayed')).toBeNull()
  })

  // The scope of what sold it captures and cancels a payment, and sends its receipt: here a link.
  const ofOrigin = ['payments.capture', 'payments.cancel', 'payments.send_receipt']
  test.each(forKeys)('%s needs no more than its scope', async (_id, operation) => {
    const { access, id } = operation.contract
    const world = await newWorld()
    const statusWith = async (scopes: readonly string[]) => {
      const made = await request(operation, world)
      const { apiKey } = await newApiKey(world.merchant, { scopes: [...new Set(scopes)] })
      const again = {
        ...bearer(apiKey),
        ...(made.headers['idempotency-key'] && { 'idempotency-key': randomUUID() }),
      }
      return (await send(withHeaders(made, again))).status
    }
    const more = readsToo[id]
    for (const scope of access.api_key?.scopes ?? []) {
      if (ofOrigin.includes(id) && !linkOrigin.writeScopes.includes(scope as never)) {
        expect([scope, await statusWith([scope])]).toEqual([scope, 403])
        continue
      }
      if (more) expect(await statusWith([scope])).toBe(more.refusal)
      expect(await statusWith([scope, ...(more?.scopes ?? [])])).toBe(operation.contract.reply.status)
    }
  })
})

describe('the envelope', () => {
  test.each(some(all))('%s: refuses any other version', async (_id, operation) => {
    const made = await untouched(operation)
    for (const version of ['2026-06-12', '2027-01-01', 'latest', '1']) {
      const reply = await send(withHeaders(made, { 'spindle-version': version }))
      expectProblem(reply, 'version_unknown', 'Spindle-Version')
    }
  })

  test.each(some(all))('%s: an unusable request id is replaced', async (_id, operation) => {
    const made = await untouched(operation)
    for (const given of ['short', 'x'.repeat(65), 'with space', '<script>alert</script>']) {
      const reply = await send(withHeaders(made, { 'x-request-id': given, 'spindle-version': 'none' }))
      expect(reply.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
    }
  })

  test.each(some(all))('%s: refuses an unknown query parameter', async (_id, operation) => {
    const { query, ...made } = await untouched(operation)
    const reply = await send({ ...made, query: { ...query, unexpected: '1' } })
    expectProblem(reply, 'parameter_unknown', 'unexpected')
  })
})

describe('the body', () => {
  const raw: [what: string, body: () => string, code: string][] = [
    ['nothing', () => '', 'body_malformed'],
    ['no JSON', () => '{"a":', 'body_malformed'],
    ['two JSON texts', () => '{} {}', 'body_malformed'],
    ['JSON with a comment', () => '{/* */}', 'body_malformed'],
    ['64 KiB and more', () => JSON.stringify({ a: 'x'.repeat(65_536) }), 'body_too_large'],
    [
      '64 KiB and more in two-byte characters',
      () => JSON.stringify({ a: 'é'.repeat(33_000) }),
      'body_too_large',
    ],
    ['65 arrays', () => `{"a":${'['.repeat(65)}${']'.repeat(65)}}`, 'body_malformed'],
    ['10,000 arrays', () => '['.repeat(10_000) + ']'.repeat(10_000), 'body_malformed'],
    ['a list', () => '[]', 'parameter_invalid'],
    ['a text', () => '"x"', 'parameter_invalid'],
    ['null', () => 'null', 'parameter_invalid'],
  ]
  test.each(some(withBody))('%s: refuses a body that is no JSON object', async (_id, operation) => {
    const made = await untouched(operation)
    for (const [what, body, code] of raw) {
      const reply = await send(made, body())
      expect([what, (reply.body.error as { code: string })?.code]).toEqual([what, code])
      expectProblem(reply, code, null)
    }
  })

  test.each(some(withBody))('%s: refuses another media type', async (_id, operation) => {
    const made = await ready(operation)
    for (const type of [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const body = new TextEncoder().encode(JSON.stringify(made.body))
      const reply = await send(withHeaders(made, { 'content-type': type }), body)
      expectProblem(reply, 'content_type_unsupported', null)
    }
    const charset = await send(withHeaders(made, { 'content-type': 'Application/JSON; charset=utf-8' }))
    expect(charset.status, charset.text).toBe(operation.contract.reply.status)
  })

  test.each(some(withBody))('%s: names the field that does not exist', async (_id, operation) => {
    const made = await untouched(operation)
    for (const name of ['unexpected', '__proto__', 'constructor']) {
      const body = `${JSON.stringify(made.body).slice(0, -1)},${JSON.stringify(name)}:1}`
      expectProblem(await send(made, body), 'parameter_unknown', name)
    }
  })

  test.each(some(withBody))('%s: names the field that is missing', async (_id, operation) => {
    const made = await untouched(operation)
    for (const { name, required } of fieldsOf(operation.contract.body)) {
      if (!required) continue
      const { [name]: _, ...body } = made.body!
      expectProblem(await send({ ...made, body }), 'parameter_missing', name)
    }
  })

  test.each(some(withBody))('%s: names the field of the wrong type', async (_id, operation) => {
    const made = await ready(operation)
    for (const { name, flag } of fieldsOf(operation.contract.body)) {
      for (const value of [flag ? 'yes' : true, []]) {
        // Of its own key each: more than one list may be empty.
        const keyed = 'idempotency-key' in made.headers ? { 'idempotency-key': randomUUID() } : {}
        const reply = await send(withHeaders({ ...made, body: { ...made.body, [name]: value } }, keyed))
        if (Array.isArray(value) && reply.status < 300) continue // a list may be empty where it is one
        const { error } = reply.body as { error: { code: string; param: string } }
        expect([name, reply.status, error.code, error.param]).toEqual([name, 422, 'parameter_invalid', name])
        expectProblem(reply, 'parameter_invalid', name)
      }
    }
  })

  test.each(some(bodiless))('%s: its body has no field', async (_id, operation) => {
    const made = await ready(operation, { 'content-type': 'application/json' })
    expectProblem(await send(made, '{"unexpected":1}'), 'parameter_unknown', 'unexpected')
    expectProblem(await send(made, '{"a":'), 'body_malformed')
    for (const body of ['null', '[]', '1', '"x"'])
      expectProblem(await send(made, body), 'parameter_invalid', null)
    const empty = await send(made, '{}')
    expect(empty.status, empty.text).toBe(operation.contract.reply.status)
  })

  test.each(some(withBody))('%s: takes a body of undeclared length, up to 64 KiB', async (_id, operation) => {
    const made = await ready(operation)
    const stream = async (text: string) => {
      const bytes = new TextEncoder().encode(text)
      const pieces = [bytes.slice(0, 7), bytes.slice(7, 40_000), bytes.slice(40_000)].filter(
        ({ length }) => length,
      )
      const response = await fetch(stack.sandbox.directUrl + made.path, {
        method: made.method,
        headers: made.headers,
        body: ReadableStream.from(pieces),
        duplex: 'half',
      })
      const said = await response.text()
      return { status: response.status, headers: response.headers, body: JSON.parse(said), text: said }
    }
    expectProblem(await stream(JSON.stringify({ a: 'é'.repeat(33_000) })), 'body_too_large', null)
    const taken = await stream(JSON.stringify(made.body))
    expect(taken.status, taken.text).toBe(operation.contract.reply.status)
  })
})

describe('Idempotency-Key', () => {
  const needing = rowsOf(({ contract }) => contract.idempotency === 'required')
  test.each(some(needing))('%s: is required', async (_id, operation) => {
    const made = withHeaders(await untouched(operation), { 'idempotency-key': undefined })
    expectProblem(await send(made), 'idempotency_key_missing', 'Idempotency-Key')
  })

  test.each(some(idempotent))('%s: has 8 to 255 characters', async (_id, operation) => {
    const made = await untouched(operation)
    const param = 'Idempotency-Key'
    for (const key of ['', '1234567', 'é'.repeat(7), 'x'.repeat(256)]) {
      const sent = withHeaders(made, { 'idempotency-key': Buffer.from(key).toString('latin1') })
      expectProblem(await send(sent), 'idempotency_key_invalid', param)
    }
  })

  test.each(some(idempotent))('%s: may be of the shortest and the longest length', async (_id, operation) => {
    for (const key of ['8 chars.', 'k'.repeat(255)]) {
      const world = await newWorld()
      const made = await request(operation, world)
      made.headers['idempotency-key'] = key
      // Keys of customers without a workspace belong to the customer, not to a tenant.
      if (operation.contract.access.customer)
        made.headers['idempotency-key'] = key.replace('.', randomUUID()[0]!)
      if (operation.contract.access.session?.stepUp) await prove(operation, world, made)
      const reply = await send(made)
      expect([201, 200], reply.text).toContain(reply.status)
    }
  })

  test.each(share(idempotent, 6))(
    '%s: the same request again gets the same reply',
    async (_id, operation) => {
      const made = await ready(operation)
      const first = await send(made)
      const again = [await send(made), ...(await Promise.all([send(made), send(made), send(made)]))]
      const { one_time_value: _, ...kept } = first.body
      for (const reply of again) {
        expect([reply.status, reply.text]).toEqual([first.status, JSON.stringify(kept)])
        expect(reply.headers.get('idempotent-replayed')).toBe('true')
        operation.contract.reply.schema.parse(reply.body)
      }
    },
  )

  // A request that names its workspace and nothing else has no other.
  const varying = idempotent.filter(
    ([, { contract }]) => contract.params || fieldsOf(contract.body).some(({ name }) => name !== 'tenant_id'),
  )
  test.each(share(varying, 6, 1))(
    '%s: refuses another request under the same key',
    async (_id, operation) => {
      const world = await newWorld()
      const made = await request(operation, world)
      const first = await send(made)
      expect(first.status, first.text).toBe(operation.contract.reply.status)
      const other = await request(operation, world)
      other.headers['idempotency-key'] = made.headers['idempotency-key']!
      if (other.body) other.body = { ...other.body, ...differing(operation.contract.id, other.body) }
      if (operation.contract.access.session?.stepUp) await prove(operation, world, other)
      expectProblem(await send(other), 'idempotency_key_reused', null)
      expect((await send(made)).text).toBe(JSON.stringify({ ...first.body, one_time_value: undefined }))
    },
  )
})

test.each(some(all))('%s: the refused requests above have changed nothing', async (_id, operation) => {
  const reply = await send(await untouched(operation))
  expect(reply.status, reply.text).toBe(operation.contract.reply.status)
})

test('the examples of an operation fit its schemas', () => {
  for (const [id, { contract }] of all) {
    expect([id, contract.reply.schema.safeParse(contract.example?.reply).success]).toEqual([id, true])
    if (contract.body)
      expect([id, contract.body.safeParse(contract.example?.body).success]).toEqual([id, true])
  }
})
