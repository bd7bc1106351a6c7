import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { declaredKinds, declaredOf } from '../../../local/access.ts'
import { operations } from '../../../local/operations.ts'
import { type BearerName, bearers } from '../../../src/http/access/kinds.ts'
import type { Contract } from '../../../src/http/contract.ts'
import { changesVersion } from '../../../src/http/request-context.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import { asked, faultsOf, fieldsOf, over, send } from './unasked.ts'

/*
 * What every operation refuses before it asks anything: over all operations, in one process, with a database, a Redis and
 * sessions that fail when asked. A few operations show the same on workerd: test/contract/matrix.test.ts.
 */

// What asks fails here, and each failure is logged.
beforeAll(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})
afterAll(() => vi.restoreAllMocks())

const any = () => true
const withBody = ({ body }: Contract) => body !== undefined

test('a request without a fault is not refused here: it asks', async () => {
  await over(any, async (_contract, made) => {
    const { status } = await send(made)
    return asked.length > 0 && status === 500 ? [] : [`answers ${status} and asked ${asked.length} times`]
  })
})

test('any other version', () =>
  over(any, async (_contract, made, share) => {
    const faults: string[] = []
    for (const version of share(['2026-06-12', '2027-01-01', 'latest', '1']))
      faults.push(
        ...faultsOf(
          await send(made, { headers: { 'spindle-version': version } }),
          'version_unknown',
          'Spindle-Version',
        ),
      )
    return faults
  }))

test('an unusable request id is replaced', () =>
  over(any, async (_contract, made, share) => {
    const faults: string[] = []
    for (const given of share(['short', 'x'.repeat(65), 'with space', '<script>alert</script>'])) {
      const { headers } = await send(made, { headers: { 'x-request-id': given, 'spindle-version': 'none' } })
      const id = headers.get('x-request-id') ?? ''
      if (!/^req_[0-9a-f]{32}$/.test(id)) faults.push(`${given} becomes ${id}`)
    }
    return faults
  }))

test('an unknown query parameter', () =>
  over(any, async (_contract, made) =>
    faultsOf(await send(made, { query: 'unexpected=1' }), 'parameter_unknown', 'unexpected'),
  ))

const noLimits = '0 101 -1 1.5 abc NaN Infinity 1&limit=2 1e1 0x10 %205 +5'.split(' ').concat('')
const noTimes = [
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:00',
  '2026-02-30T00:00:00Z',
  '2026-13-01',
  '2026-01-01T00:00:00',
  'yesterday',
  '1',
]

test('a limit that is not 1 to 100, and a time that is none, of every list', () =>
  over(
    ({ query }) => fieldsOf(query).some(({ name }) => name === 'cursor'),
    async ({ query }, made, share) => {
      const time = fieldsOf(query).find(({ name }) => name.endsWith('_at.gte'))!.name
      const cases = [
        ...noLimits.map((value) => ['limit', value] as const),
        ...noTimes.map((value) => [time, value] as const),
      ]
      const faults: string[] = []
      for (const [name, value] of share(cases)) {
        const answer = await send(made, { query: `${name}=${value}` })
        faults.push(...faultsOf(answer, 'parameter_invalid', name).map((one) => `${name}=${value}: ${one}`))
      }
      return faults
    },
  ))

test('a missing credential, and one in another form', () =>
  over(any, async (contract, made, share) => {
    const token = made.headers.authorization!.replace('Bearer ', '')
    const cases: [authorization: string | undefined, code: string][] = [
      [undefined, 'credential_missing'],
      ['', 'credential_missing'],
      ['Bearer', 'credential_malformed'],
      ['Basic YTpi', 'credential_malformed'],
      ['Bearer two words', 'credential_malformed'],
      [token, 'credential_malformed'],
    ]
    const taken = declaredOf(contract.access, (kind) => kind)
    const others = declaredKinds.filter(([, { scheme }]) => taken.every((kind) => kind.scheme !== scheme))
    const wrong: (readonly [token: string, code: string])[] = [
      ...taken[0]!.samples().impossible,
      ...others.map(([, kind]) => [kind.samples().possible, 'credential_not_accepted'] as const),
      ...(contract.access.api_key ? [] : [['sk_sbx_garbage', 'credential_not_accepted'] as const]),
    ]
    expect(wrong.length).toBeGreaterThan(1)
    const faults: string[] = []
    for (const [authorization, code] of share(cases)) {
      const answer = await send(made, { headers: { authorization } })
      faults.push(...faultsOf(answer, code))
      if (answer.headers.get('www-authenticate') !== 'Bearer') faults.push(`${code} without WWW-Authenticate`)
    }
    for (const [bearer, code] of share(wrong)) {
      const answer = await send(made, { headers: { authorization: `Bearer ${bearer}` } })
      faults.push(...faultsOf(answer, code))
      const nouns = new Set((Object.keys(contract.access) as BearerName[]).map((name) => bearers[name].noun))
      const takes = `This operation takes ${[...nouns].join(' or ')}.`
      if (code === 'credential_not_accepted' && !answer.text.includes(takes))
        faults.push('does not say what it takes')
      if (code === 'environment_mismatch' && !answer.text.includes(' https://live.spindle.test.'))
        faults.push('does not say where the key belongs')
    }
    return faults
  }))

const bodies: [what: string, body: () => string, code: string][] = [
  ['nothing', () => '', 'body_malformed'],
  ['no JSON', () => '{"a":', 'body_malformed'],
  ['two JSON texts', () => '{} {}', 'body_malformed'],
  ['JSON with a comment', () => '{/* */}', 'body_malformed'],
  ['64 KiB and more', () => JSON.stringify({ a: 'x'.repeat(65_536) }), 'body_too_large'],
  ['64 KiB and more in two bytes each', () => JSON.stringify({ a: 'é'.repeat(33_000) }), 'body_too_large'],
  ['65 arrays', () => `{"a":${'['.repeat(65)}${']'.repeat(65)}}`, 'body_malformed'],
  ['10,000 arrays', () => '['.repeat(10_000) + ']'.repeat(10_000), 'body_malformed'],
  ['a list', () => '[]', 'parameter_invalid'],
  ['a text', () => '"x"', 'parameter_invalid'],
  ['null', () => 'null', 'parameter_invalid'],
]

const longer = (contract: Contract) => contract.bodyKiBMax !== undefined

test('a body that is longer than its operation takes', () =>
  over(longer, async ({ bodyKiBMax }, made) => {
    const body = JSON.stringify({ content: 'x'.repeat(bodyKiBMax! * 1_024) })
    const answer = await send(made, { body })
    const isTold = answer.text.includes(`larger than ${bodyKiBMax} KiB`)
    return [...faultsOf(answer, 'body_too_large', null), ...(isTold ? [] : ['does not say how long'])]
  }))

test('a body that is no JSON object', () =>
  over(withBody, async (contract, made, share) => {
    const faults: string[] = []
    const fitting = bodies.filter(([, , code]) => code !== 'body_too_large' || !longer(contract))
    for (const [what, body, code] of share(fitting))
      faults.push(...faultsOf(await send(made, { body: body() }), code, null).map((one) => `${what}: ${one}`))
    const bytes = new TextEncoder().encode(JSON.stringify({ a: 'é'.repeat(33_000) }))
    if (longer(contract)) return faults
    const stream = ReadableStream.from([bytes.slice(0, 7), bytes.slice(7, 40_000), bytes.slice(40_000)])
    return [...faults, ...faultsOf(await send(made, { body: stream }), 'body_too_large', null)]
  }))

test('another media type', () =>
  over(withBody, async (_contract, made, share) => {
    const faults: string[] = []
    const types = [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']
    for (const type of share(types))
      faults.push(
        ...faultsOf(
          await send(made, { headers: { 'content-type': type } }),
          'content_type_unsupported',
          null,
        ),
      )
    await send(made, { headers: { 'content-type': 'Application/JSON; charset=utf-8' } })
    return asked.length > 0 ? faults : [...faults, 'refuses JSON with a charset']
  }))

test('a field that does not exist, is missing, or has another type', () =>
  over(withBody, async (contract, made) => {
    const faults: string[] = []
    for (const name of ['unexpected', '__proto__', 'constructor']) {
      const begun = made.body!.slice(0, -1)
      const body = `${begun}${begun === '{' ? '' : ','}${JSON.stringify(name)}:1}`
      faults.push(...faultsOf(await send(made, { body }), 'parameter_unknown', name))
    }
    for (const { name, required, flag } of fieldsOf(contract.body)) {
      const { [name]: _, ...others } = made.fields
      if (required)
        faults.push(
          ...faultsOf(await send(made, { body: JSON.stringify(others) }), 'parameter_missing', name),
        )
      for (const value of [flag ? 'yes' : true, []]) {
        const answer = await send(made, { body: JSON.stringify({ ...made.fields, [name]: value }) })
        if (Array.isArray(value) && asked.length > 0) continue // a list may be empty where it is one
        faults.push(...faultsOf(answer, 'parameter_invalid', name).map((one) => `${name}: ${one}`))
      }
    }
    return faults
  }))

test('a field where the body has none', () =>
  over(
    ({ body, upload, method }) => !body && !upload && method !== 'GET',
    async (_contract, made, share) => {
      const headers = { 'content-type': 'application/json' }
      const faults = [
        ...faultsOf(
          await send(made, { headers, body: '{"unexpected":1}' }),
          'parameter_unknown',
          'unexpected',
        ),
        ...faultsOf(await send(made, { headers, body: '{"a":' }), 'body_malformed'),
      ]
      for (const body of share(['null', '[]', '1', '"x"']))
        faults.push(...faultsOf(await send(made, { headers, body }), 'parameter_invalid', null))
      await send(made, { headers, body: '{}' })
      return asked.length > 0 ? faults : [...faults, 'refuses an empty object']
    },
  ))

test('no Idempotency-Key where it is required', () =>
  over(
    ({ idempotency }) => idempotency === 'required',
    async (_contract, made) =>
      faultsOf(
        await send(made, { headers: { 'idempotency-key': undefined } }),
        'idempotency_key_missing',
        'Idempotency-Key',
      ),
  ))

test('an Idempotency-Key of less than 8 or more than 255 characters', () =>
  over(
    ({ idempotency }) => idempotency !== 'none',
    async (_contract, made, share) => {
      const faults: string[] = []
      for (const key of share(['', '1234567', 'é'.repeat(7), 'x'.repeat(256)])) {
        const answer = await send(made, { headers: { 'idempotency-key': key } })
        faults.push(...faultsOf(answer, 'idempotency_key_invalid', 'Idempotency-Key'))
      }
      for (const key of share(['8 chars.', 'k'.repeat(255)])) {
        await send(made, { headers: { 'idempotency-key': key } })
        if (asked.length === 0) faults.push(`refuses a key of ${key.length} characters`)
      }
      return faults
    },
  ))

test('an If-Match that names no version, and any where nothing has one', () =>
  over(
    ({ method }) => method !== 'GET',
    async (contract, made, share) => {
      const faults: string[] = []
      const malformed = ['1', 'w/"1"', '*', '""', '"0"', '"01"', '"1", "2"', '"1.5"', '"1e1"', '"9999999999"']
      for (const named of changesVersion(contract) ? share(malformed) : ['"1"', '*'])
        faults.push(
          ...faultsOf(await send(made, { headers: { 'if-match': named } }), 'if_match_invalid', 'If-Match'),
        )
      return faults
    },
  ))

test('no proof, or one that is none, where one is required', () =>
  over(
    ({ access }) => access.session?.stepUp !== undefined,
    async (_contract, made) => {
      const name = 'x-sp-step-up-token'
      return [
        ...faultsOf(await send(made, { headers: { [name]: undefined } }), 'step_up_missing', name),
        ...faultsOf(await send(made, { headers: { [name]: 'short' } }), 'step_up_malformed', name),
        ...faultsOf(await send(made, { headers: { [name]: 'x'.repeat(4097) } }), 'step_up_malformed', name),
      ]
    },
  ))

test('an id of another form gets the answer of one that does not exist', () =>
  over(
    ({ params }) => params !== undefined,
    async (contract, made) => {
      const faults: string[] = []
      for (const id of ['not-a-uuid', '%00', `${uuidv7(Date.now())}x`]) {
        const path = made.path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, id)
        const answer = await send({ ...made, path })
        // Some paths name a resource by a text that is no UUID.
        if (asked.length === 0) faults.push(...faultsOf(answer, contract.notFound!, null))
      }
      return faults
    },
  ))

test('another method', () =>
  over(any, async ({ path }, made) => {
    const allowed = operations
      .filter(({ contract }) => contract.path === path)
      .map(({ contract }) => contract.method as string)
    const faults: string[] = []
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']) {
      if (allowed.includes(method)) continue
      const answer = await send({ ...made, headers: {} }, { method, body: null })
      faults.push(...faultsOf(answer, 'method_not_allowed', null))
      const said = answer.headers.get('allow')?.split(', ').sort().join()
      if (said !== [...allowed].sort().join()) faults.push(`allows ${said}`)
    }
    return faults
  }))

test.each([
  '/v1',
  '/v1/payment-link',
  '/v1/payment-links/',
  '/v2/payment-links',
  '/v1/payment-links/x/y',
  '/v1/api-keys//rotate',
  '/.env',
  '/v1/%2e%2e/x',
])('%s is no address', async (path) => {
  expect(faultsOf(await send({ method: 'GET', path, headers: {} }), 'route_not_found', null)).toEqual([])
})
