import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { modulesAtStart, modulesReached, workerModules } from '../../../local/bundle.ts'
import { operations } from '../../../local/operations.ts'
import { PROJECT } from '../../../local/project.ts'

const modules = await workerModules()
const atStart = modulesAtStart(modules)
const holding = (word: string) => [...modules].filter(([, text]) => text.includes(word)).map(([name]) => name)

function expectLater(word: string) {
  expect(holding(word), 'in some module').not.toEqual([])
  expect(holding(word).filter((name) => atStart.includes(name))).toEqual([])
}

test.each(operations.map(({ contract }) => contract.id))(
  '%s is compiled when a request needs its area',
  (id) => expectLater(`"${id}"`),
)

test.each([
  ['better-auth', 'Invalid password'],
  ['SimpleWebAuthn', 'Unexpected authentication response origin'],
  ['Stripe', 'Stripe-Account'],
  ["the buyers' pages", 'data-state'],
  ["the simulated bank's page", '/simulator/3ds/'],
  ['scheduled work', 'dispute_notifications'],
  ['the sending of webhooks', 'webhook-signature'],
  ["the areas' errors", 'There is no such refund.'],
])('%s: compiled when used', (_, word) => expectLater(word))

test('the words of mails are loaded by what sends them alone', () => {
  const [words, ...others] = holding('El banco no pudo entregar')
  expect(others).toEqual([])
  expect(modulesReached(modules, () => true)).toContain(words)
  expect(modulesReached(modules, (name) => name !== words)).not.toContain(words)
})

test.each([
  ["Zod's languages", 'oczekiwano'],
  ["Zod's JSON Schema", 'draft-07'],
  ["the Neon driver's Postgres protocol", 'SCRAM-SERVER-FIRST-MESSAGE'],
  ["the Neon driver's own Buffer", 'Attempt to allocate Buffer larger t'],
  ["Zod's search for values that contain themselves", 'Cannot parse a reference cycle'],
  ["Hono's tables of routes", 'RegExpRouter'],
  ['advice about errors', 'list the refunds for their ids'],
  ['commands of Redis that are not sent', 'lpushx'],
  ['transactions of Redis', 'multi-exec'],
  ['types of columns that no table has', 'PgGeometry'],
])('%s are in no module', (_, word) => {
  expect(holding(word)).toEqual([])
})

test('the tables come without their checks', async () => {
  const files = [...globSync('drizzle/schema/*.ts', { cwd: PROJECT }), 'drizzle/identity/schema.ts']
  const exported = await Promise.all(files.map((file) => import(join(PROJECT, file)) as Promise<object>))
  const tables = exported.flatMap((each) => Object.values(each)).filter((each) => is(each, PgTable))
  const checks = tables.flatMap((table) => getTableConfig(table).checks.map(({ name }) => name))
  expect(checks.length).toBeGreaterThan(100)
  const code = globSync('{src,functions}/**/*.ts', { cwd: PROJECT })
    .map((file) => readFileSync(join(PROJECT, file), 'utf8'))
    .join()
  expect(checks.filter((name) => !code.includes(name) && holding(name).length > 0)).toEqual([])
})

test('what every isolate compiles before its first request fits its budget', () => {
  const texts = atStart.map((name) => modules.get(name))
  expect(gzipSync(texts.join('')).byteLength / 1024).toBeLessThan(93)
})

// An area that imports what it does not use shows here. Beside what every isolate has compiled already.
test.each([
  // It sells an amount, an item or several lines, and prices lines as a checkout does, which may be weighed.
  // A payment may be of a processor's reader, or of what a reader stored.
  ['/v1/payment-links', 'load', 63],
  ['/v1/payment-links', 'reads', 33],
  ['/v1/payment-operations/payments', 'load', 48],
  ['/v1/payment-operations/payments', 'reads', 20],
  ['/v1/hosted-checkout', 'load', 47],
  // A payment says what a reader stored of it.
  ['/v1/refunds', 'load', 39],
  ['/v1/customer-hub', 'load', 56],
  ['/v1/payment-operations/transfers', 'load', 25],
  // All that is asked of devices; and what a reader asks all day.
  ['/v1/terminal', 'load', 95],
  ['/v1/terminal', 'reads', 38],
])('what the first request to %s compiles (%s) fits its budget of %d KiB', (path, part, most) => {
  const main = modules.get('worker.js')!
  const [, entry] = new RegExp(`"${path}"[^}]*?\\b${part}:[^}]*?import\\("\\./([^"]+)"\\)`).exec(main)!
  const loaded = modulesReached(modules, (name) => name === entry).filter((name) => !atStart.includes(name))
  expect(gzipSync(loaded.map((name) => modules.get(name)).join('')).byteLength / 1024).toBeLessThan(most)
})
