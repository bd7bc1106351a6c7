import { expect, test } from 'vitest'
import { withDirectImports } from '../../../local/direct-imports.ts'
import { isContract, leanContract } from '../../../local/lean-contracts.ts'

const behind = async () =>
  new Map([
    ['presentPayment', { file: '/p/functions/money/payments/present.ts', name: 'presentPayment' }],
    ['pay', { file: '/p/functions/money/payments/submit.ts', name: 'payByCard' }],
  ])

test.each([
  [
    'a name from where it is declared, under the name that it has here',
    `import { pay as take, presentPayment } from '../payments/api.ts'`,
    `import { payByCard as take } from '../payments/submit.ts';import { presentPayment as presentPayment } from '../payments/present.ts'`,
  ],
  [
    'no types',
    `import { type PaymentRow, presentPayment } from '../payments/api.ts'`,
    `import { presentPayment as presentPayment } from '../payments/present.ts'`,
  ],
  [
    'what an api.ts declares itself',
    `import { mostOf } from '../payments/api.ts'`,
    `import { mostOf as mostOf } from '../payments/api.ts'`,
  ],
  ['nothing else', `import { x } from '../payments/store.ts'`, `import { x } from '../payments/store.ts'`],
])('the build imports %s', async (_, text, direct) => {
  expect(await withDirectImports('/p/functions/money/refunds/plan.ts', text, behind)).toBe(direct)
})

test('a contract keeps what the Worker checks and says, and loses what only openapi.json shows', async () => {
  const lean = await leanContract(`
    import * as z from 'zod'
    import { contract } from '../../src/http/contract.ts'
    import { Other } from '../other/api-pure.ts'
    const Shown = z.strictObject({ id: z.string().describe('Its id.') }).meta({ id: 'Shown' })
    const shared = { errors: ['a_missing'], tables: ['a'], summary: 'Shared' } as const
    export const create = contract({
      ...shared,
      id: 'a.create',
      path: '/v1/a',
      summary: 'Create',
      description: \`Makes \${1} thing.\`,
      body: z.strictObject({ description: z.string().max(5).describe('What it is.') }).meta({ id: 'Create' }),
      reply: { status: 201, schema: z.union([Shown, Other]) },
      example: { body: { description: 'A chair' }, reply: {} },
    })`)
  expect(
    lean
      .replaceAll(/\s*\/\* @__PURE__ \*\/\s*/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).toBe(
    'import * as z from "zod"; import { contract } from "../../src/http/contract.ts"; ' +
      'const Shown = z.strictObject({ id: z.string() }); ' +
      'const shared = { errors: ["a_missing"], tables: ["a"] }; ' +
      'export const create = contract({ ...shared, id: "a.create", path: "/v1/a", ' +
      'body: z.strictObject({ description: z.string().max(5) }), reply: { status: 201 } });',
  )
  expect(lean.match(/const Shown = \/\* @__PURE__ \*\/ z\./)).not.toBeNull()
})

test('a resource and what its contracts say keep what the Worker checks', async () => {
  const lean = await leanContract(`
    import { exampleOf, resource, shown } from '../../src/http/contract-resource.ts'
    const Shown = shown('a', { name }).meta({ id: 'Shown' })
    const things = resource({
      tag: 'Things',
      path: '/v1/a',
      tables: ['a'],
      notFound: 'a_missing',
      schema: Shown,
      example: exampleOf('a', '1', { name: 'A' }),
    })
    export const get = things.get({ id: 'a.get', summary: 'Get', description: 'One.' })
    export const close = things.move('close', { id: 'a.close', summary: 'Close', example: { version: 2 } })`)
  expect(
    lean
      .replaceAll(/\s*\/\* @__PURE__ \*\/\s*/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).toBe(
    'import { resource, shown } from "../../src/http/contract-resource.ts"; const Shown = shown("a", { name }); ' +
      'const things = resource({ tag: "Things", path: "/v1/a", tables: ["a"], notFound: "a_missing" }); ' +
      'export const get = things.get({ id: "a.get" }); ' +
      'export const close = things.move("close", { id: "a.close" });',
  )
})

test.each([
  ['functions/money/refunds/contract.ts', true],
  ['src/http/contract-resource.ts', true],
  ['functions/selling/payment-links/contract-share.ts', true],
  ['functions/account/auth/contract.ts', false],
  ['functions/money/refunds/plan.ts', false],
])('%s is a contract: %s', (path, is) => {
  expect(isContract(`/p/${path}`)).toBe(is)
})
