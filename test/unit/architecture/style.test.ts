import { describe } from 'vitest'
import { importing, importingType, shows } from './sample.ts'
import {
  fewParameters,
  importsNameTheFile,
  methodsStandInTheirTable,
  moneyIsNoNumber,
  noAny,
  noAsNever,
  noBarrels,
  noDrawers,
  noLongFiles,
  nothingLeftOver,
  plainWords,
  plansAskNoClock,
  statusesAreTyped,
  zodAsNamespace,
} from './style.ts'

const app = (text: string) => ({ 'src/app.ts': text })
const plan = (text: string) => ({ 'functions/money/x/plan.ts': text })

describe('noDrawers', () =>
  shows(noDrawers, [
    ['a name that says what', { 'functions/money/x/common-law.ts': '' }, 0],
    ['a utils folder', { 'src/utils/a.ts': '' }, 1],
    ['a helpers file', { 'functions/money/x/helpers.ts': '' }, 1],
  ]))

describe('noBarrels', () =>
  shows(noBarrels, [
    ['an index with something to say', app("export * from './a.ts'\nexport const b = 1"), 0],
    ['a file that only runs', app("import './a.ts'"), 0],
    ['the door of an area', { 'functions/money/x/api.ts': "export { a } from './a.ts'" }, 0],
    ['a barrel', app("export * from './a.ts'\nexport { b } from './b.ts'"), 1],
    ['a barrel in two steps', app("import { a } from './a.ts'\nexport { a }"), 1],
    ['a barrel of types', app("export type { A } from './a.ts'"), 1],
  ]))

const table = ['card', 'oxxo'] as const
describe('methodsStandInTheirTable', () =>
  shows(methodsStandInTheirTable(table, ['card', 'voucher']), [
    [
      'flows, in comparisons, calls and types',
      app(
        "if (flowOf(m) === 'card' || x.flow !== 'card') f(methodsOf('card')); type A = MethodOf<'card' | 'voucher'>",
      ),
      0,
    ],
    [
      'the table, an adapter, an example',
      {
        'src/kernel/payment-methods.ts': "'oxxo'",
        'src/processors/stripe/index.ts': "'oxxo'",
        'functions/money/x/contract.ts': "const a = { method: 'card' }",
        'test/unit/a.test.ts': "f('oxxo')",
      },
      0,
    ],
    ['a comparison, a default, a union', app("if (m === 'card') f(x ?? 'card'); type A = 'oxxo' | 'b'"), 3],
    ['in SQL', app("sql`method = 'oxxo' and 1`"), 1],
    ['a method that is no flow beside a flow', app("flowOf(m) === 'oxxo'"), 1],
    ['the port of the processors', { 'src/processors/port.ts': "type A = 'card'" }, 1],
  ]))

describe('fewParameters', () =>
  shows(fewParameters(2), [
    ['as many as allowed', app('function f(a, b) {}; const g = (a, b) => a'), 0],
    ['a test, a type', { ...app('type F = (a: A, b: B, c: C) => D'), 'test/a.ts': 'f = (a, b, c) => a' }, 0],
    [
      'every kind of function',
      app('function f(a, b, c) {}; g((a, b, c) => a); class D { h(a, b, c) {} }'),
      3,
    ],
  ]))

describe('noAny', () =>
  shows(noAny, [
    ['in words and strings', app("// as any\nconst any = 'any'"), 0],
    ['three ways', app('const a: any = 1; f<any>(b as any)'), 3],
  ]))

describe('noAsNever', () =>
  shows(noAsNever, [
    ['a type that names it', app('f(a as Row)'), 0],
    ['a test gives part of a row', { 'test/unit/a.test.ts': 'f({} as never)' }, 0],
    ['alone and in a list', app('f(a as never, b as never[])'), 2],
  ]))

describe('statusesAreTyped', () =>
  shows(statusesAreTyped, [
    [
      'a literal, an HTTP status',
      app("const a = { status: 'paid' as const }; c.json(b, problem.status as 400)"),
      0,
    ],
    [
      'a column, a variable, either',
      app("f(a.status as 'paid', fundsStatus as B, (x ? 'a' : a.status) as C)"),
      3,
    ],
  ]))

describe('nothingLeftOver', () =>
  shows(nothingLeftOver, [
    ['other words', app('// to do: todo TODOS'), 0],
    ['in code and in SQL', { ...app(`// ${'TO'}DO later\n`), 'drizzle/sql/a.sql': `-- ${'FIX'}ME` }, 2],
  ]))

describe('plainWords', () =>
  shows(plainWords, [
    ['plain sentences', app("// It no longer works: no more than two.\nf('Status. `paid` is final.')"), 0],
    ['a name, a word alone', app("const told = 'told'; f(told, `anew`, /as far as/)"), 0],
    ['a test', { 'test/unit/a.test.ts': '// what it is' }, 0],
    ['in comments', app('/** Sent anew. */\nf() // by whoever\n// asks\n'), 2],
    ['British spelling', app('// Lists the catalogue.'), 1],
    ['over the end of a line', app('/**\n * From then\n * on it is over, as far\n * as we know.\n */'), 2],
    ['in strings', app("f('How far it is.', `The bank is told`, 'https://a.b/ it works no more')"), 3],
    ['in SQL', { 'drizzle/sql/a.sql': "-- Made\n-- anew\nselect 'it works no more', 'told'" }, 2],
    ['in a document', { 'docs/a.md': '# A\n\nIt says what\nit is.\n' }, 1],
  ]))

describe('noLongFiles', () =>
  shows(noLongFiles(3), [
    ['three lines', app('a\n'.repeat(3)), 0],
    ['a style sheet', { 'functions/money/x/pages/assets/a.css': 'a {}\n'.repeat(4) }, 0],
    ['four lines', app('a\n'.repeat(4)), 1],
  ]))

describe('zodAsNamespace', () =>
  shows(zodAsNamespace, [
    ['a namespace', app("import * as z from 'zod'"), 0],
    ['a type', app(importingType('zod')), 0],
    ['by name', app("import { z } from 'zod'"), 1],
    ['by default', app("import z from 'zod'"), 1],
  ]))

describe('importsNameTheFile', () =>
  shows(importsNameTheFile, [
    ['a file', app(importing('./kernel/money.ts')), 0],
    ['a package', app(importing('hono/html')), 0],
    ['no ending', app(importing('./kernel/money')), 1],
  ]))

describe('moneyIsNoNumber', () =>
  shows(moneyIsNoNumber, [
    ['bigints', app('type A = { amountMinor: bigint | null }; const feeMinor = 1n; f({ netMinor: 0n })'), 0],
    ['a bigint column', app("const a = bigint('net_minor', { mode: 'bigint' })"), 0],
    ['no money', app('type A = { months: number; minorVersion: number }'), 0],
    ['on purpose', { 'test/unit/a.ts': 'const amountMinor = 1' }, 0],
    ['fields', app('type A = { amountMinor: number; b?: { netMinor: number | null } }'), 2],
    ['parameters', app('function f(amountMinor: number) {}; const g = (feeMinor?: number) => 1'), 2],
    ['results', app('function totalMinor(): number {}; const feeMinor = (): number => 1'), 2],
    ['numbers put in', app('const amountMinor = 100; f({ feeMinor: Number(b), netMinor: 0 })'), 3],
    ['a schema', app('z.object({ amountMinor: z.number().int().nonnegative() })'), 1],
    ['a column of integers', app("integer('amount_minor').notNull()"), 1],
    ['a column read as numbers', app("bigint('fee_minor', { mode: 'number' }).notNull()"), 1],
  ]))

describe('plansAskNoClock', () =>
  shows(plansAskNoClock, [
    ['a date it was given', plan('const a = new Date(now)'), 0],
    ['operations may', { 'functions/money/x/operations.ts': 'const a = Date.now()' }, 0],
    ['the clock', plan('const a = Date.now(), b = new Date()'), 2],
    ['lots', plan('const a = Math.random(), b = crypto.randomUUID()'), 2],
    ['ids', plan(importing('../../../src/kernel/ids.ts')), 1],
    ['a call out', plan("await fetch('https://example.com')"), 1],
  ]))
