import { afterEach, expect, test, vi } from 'vitest'
import type { Publishing } from '../../../src/http/contract.ts'
import { Problem } from '../../../src/http/problems.ts'
import type { Services } from '../../../src/http/services.ts'
import { isOutcomeUnknown, isRefusedBy, systemCall } from '../../../src/http/system-call.ts'
import { logFailure } from '../../../src/platform/log.ts'
import { OutcomeUnknown, Refused } from '../../../src/platform/postgres.ts'

const operation: Publishing = { id: 'things.outcome', access: { system: {} }, tables: [] }
const plan = { writes: [], events: [], reply: { id: 'th_1' } }
const now = new Date('2026-08-03T10:00:00Z')

function callWith(publish: (publication: object) => Promise<unknown>) {
  const services = {
    db: { publish },
    settings: {},
    wake: () => {},
    bucket: undefined,
    sendMails: () => {},
  } as unknown as Services
  return systemCall({ services, requestId: 'req_1', now }, 'tn_1')
}

const failing = (error: unknown) =>
  callWith(() => Promise.reject(error))
    .publish(operation, plan)
    .catch((caught: unknown) => caught)

afterEach(() => vi.restoreAllMocks())

test('a publish carries the tenant, the request and the time of its plan, and answers its reply', async () => {
  const published: object[] = []
  const call = callWith(async (publication) => {
    published.push(publication)
    return { expected: [], tenantId: 'tn_1' }
  })
  const later = new Date('2026-08-03T10:00:05Z')
  expect(await call.publish(operation, plan)).toEqual({ id: 'th_1' })
  await call.publish(operation, plan, { now: later })
  const common = {
    operation: 'things.outcome',
    credential: { kind: 'system', tenantId: 'tn_1' },
    requestId: 'req_1',
  }
  expect(published).toMatchObject([
    { ...common, now },
    { ...common, now: later },
  ])
})

test('a refusal is recognized by its constraint, whatever code callers see', async () => {
  const error = await failing(
    new Refused({
      sqlState: '23505',
      reason: '',
      detail: {},
      constraint: 'incoming_transfers_once',
      retried: false,
    }),
  )
  expect((error as Problem).code).toBe('conflict')
  expect(isRefusedBy('incoming_transfers_once', error)).toBe(true)
  expect(isRefusedBy('incoming_transfers_tenant', error)).toBe(false)
  expect(isRefusedBy('incoming_transfers_once', new Problem('conflict'))).toBe(false)
})

test('an unknown outcome is recognized by its cause', async () => {
  expect(isOutcomeUnknown(await failing(new OutcomeUnknown('no answer')))).toBe(true)
  expect(isOutcomeUnknown(new OutcomeUnknown('the processor does not tell'))).toBe(true)
  expect(isOutcomeUnknown(new Problem('conflict'))).toBe(false)
})

test('a failure is logged with its place, request and resource', () => {
  const lines = vi.spyOn(console, 'error').mockReturnValue()
  logFailure('send_refunds', { requestId: 'req_1' }, 're_1')(new TypeError('a value'))
  const [line] = lines.mock.calls.map(([text]) => JSON.parse(text as string) as object)
  expect(line).toMatchObject({
    level: 'error',
    place: 'send_refunds',
    request_id: 'req_1',
    id: 're_1',
    code: 'TypeError',
  })
})
