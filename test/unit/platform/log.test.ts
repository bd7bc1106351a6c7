import { globSync, readFileSync } from 'node:fs'
import { NeonDbError } from '@neondatabase/serverless'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Problem } from '../../../src/http/problems.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { type Level, log } from '../../../src/platform/log.ts'
import { Refused } from '../../../src/platform/postgres.ts'

const pan = '4242424242424242'
const written = [pan, '4242 4242 4242 4242', '4242-4242-4242-4242']

afterEach(() => vi.restoreAllMocks())

/** The log line of an error, as text. */
function lineOf(error: unknown, told: { id?: string; what?: string } = {}, level: Level = 'error'): string {
  const console = vi.spyOn(globalThis.console, level).mockImplementation(() => {})
  log(level, { place: 'payments.get', requestId: 'req_test', ...told }, error)
  const { calls } = console.mock
  console.mockRestore()
  expect(calls.length).toBe(1)
  return String(calls[0]![0])
}

const parsed = (...args: Parameters<typeof lineOf>) => JSON.parse(lineOf(...args)) as Record<string, unknown>

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

function neonError(text: string): NeonDbError {
  const error = new NeonDbError(`invalid input syntax for type bigint: "${text}"`)
  return Object.assign(error, { code: '22P02', detail: text, where: text, constraint: undefined })
}

const refusedWith = (text: string) =>
  new Refused({
    sqlState: '23514',
    reason: `new row holds ${text}`,
    detail: { reason: text },
    constraint: 'payments_amounts_ordered',
    retried: false,
  })

/** Errors of every kind that may contain a card number, and what the log shows of them. */
const errors: [what: string, error: (text: string) => unknown, code: string][] = [
  ['a library’s', (text) => thrownBy(() => BigInt(`${text}x`)), 'SyntaxError'],
  ['JSON’s', (text) => thrownBy(() => JSON.parse(`{"a":${text}`)), 'SyntaxError'],
  ['an error of ours', (text) => new Error(`no ${text}`), 'Error'],
  ['Postgres’', neonError, '22P02'],
  ['the door’s', refusedWith, '23514'],
  ['one that caused another', (text) => new Error('failed', { cause: neonError(text) }), '22P02'],
  ['a problem with its cause', (text) => new Problem('internal', {}, { cause: new Error(text) }), 'internal'],
  ['a name', (text) => Object.assign(new Error('x'), { name: text }), 'object'],
  ['a code', (text) => Object.assign(new Error('x'), { code: text }), 'Error'],
  ['a constraint', (text) => Object.assign(new Error('x'), { constraint: text }), 'Error'],
  [
    'fields of its own',
    (text) => Object.assign(new TypeError('x'), { detail: text, body: { text } }),
    'TypeError',
  ],
  ['a message like a frame', (text) => new Error(`x\n    at ${text}.js:1:1`), 'Error'],
  [
    'a stack of its own',
    (text) => Object.assign(new Error('x'), { stack: `x\n    at ${text}.js:1:1` }),
    'Error',
  ],
  ['a text', (text) => text, 'string'],
  ['an object', (text) => ({ message: text }), 'object'],
  ['a list', (text) => [text], 'object'],
  ['an error of errors', (text) => new AggregateError([new Error(text)], text), 'AggregateError'],
  ['a Fault by mistake', (text) => new Fault(`no ${text}`), 'Fault'],
]

describe.each(errors)('%s error', (_what, make, code) => {
  test('is logged by its kind, without what it contains', () => {
    for (const text of written) {
      const line = lineOf(make(text))
      expect(line).not.toContain(text)
      expect(line).not.toContain('bigint')
      expect(JSON.parse(line)).toMatchObject({
        level: 'error',
        place: 'payments.get',
        request_id: 'req_test',
        code,
      })
    }
  })
})

test('an id that holds a card number is left out', () => {
  expect(parsed(new Error('x'), { id: pan })).not.toHaveProperty('id')
  expect(parsed(new Error('x'), { id: 'sim_1' })).toMatchObject({ id: 'sim_1' })
})

test('a fault of ours is logged with its message, and where it was thrown', () => {
  expect(parsed(new Fault('still due after it was done'))).toMatchObject({
    what: 'still due after it was done',
    code: 'Fault',
    at: expect.stringMatching(/^log\.test\.ts:\d+:\d+$/),
  })
})

test('when the database refuses, the constraint is logged', () => {
  expect(parsed(refusedWith('x'))).toMatchObject({ code: '23514', what: 'payments_amounts_ordered' })
})

test('a line has these fields and no others', () => {
  const line = parsed(neonError('x'), { id: 'sim_1' }, 'warn')
  expect(Object.keys(line).sort()).toEqual(['at', 'code', 'id', 'level', 'place', 'request_id'])
  expect(parsed(undefined, { what: 'nothing is left' }, 'info')).toEqual({
    level: 'info',
    place: 'payments.get',
    request_id: 'req_test',
    what: 'nothing is left',
  })
})

test('nothing else in the Worker writes to the console', () => {
  const files = globSync('{src,functions}/**/*.ts').filter((path) => path !== 'src/platform/log.ts')
  expect(files.filter((path) => /\bconsole\b/.test(readFileSync(path, 'utf8')))).toEqual([])
})
