import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { overtaking } from '../../support/gate.ts'
import { newMerchant, pay } from '../../support/merchant.ts'
import { pageOf } from '../../support/pages.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { type Bill, billOf, dish, newBill, tablePay } from '../../support/table-pay.ts'

type Made = Awaited<ReturnType<typeof newBill>>

/** Two open bills of one merchant. */
async function two(into: readonly number[] = [10_000], from: readonly number[] = [6_000, 4_000]) {
  const merchant = await newMerchant()
  return { merchant, into: await billOf(merchant, into), from: await billOf(merchant, from) }
}

const merge = (into: Made, from: Pick<Made, 'id'>) => into.ask('POST', '/merge', { from_id: from.id })

const ordered = ({ line_items }: Bill) => line_items.filter(({ status }) => status === 'ordered')

const led = async (address: string) => {
  const { status, headers } = await fetch(`${stack.sandbox.directUrl}${address}`, { redirect: 'manual' })
  return [status, headers.get('location')]
}

test('the lines and the discount of a bill move to another one, and its table is free', async () => {
  const { merchant, into, from } = await two()
  await from.ask('PUT', '/discount', { amount: '500' })
  await into.ask('PUT', '/discount', { amount: '300' })
  await from.ask('POST', `/lines/${from.lines[1]}/split`, { parts_count: 2 })
  const moved = ordered(await from.now()).map(({ id }) => id)
  const merged = await merge(into, from)
  expect([merged.status, merged.body.amount_discount, merged.body.amount]).toEqual([200, '800', '19200'])
  expect(ordered(merged.body).map(({ id }) => id)).toEqual([...into.lines, ...moved])
  expect(await into.now()).toEqual(merged.body)
  expect(await from.now()).toMatchObject({
    status: 'merged',
    merged_into: into.id,
    amount: '0',
    amount_discount: '0',
    line_items: [{ status: 'split' }],
  })
  expect((await tablePay(merchant, 'POST', `/tables/${from.table.id}/sessions`, {})).status).toBe(201)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a moved line is paid, voided and split as any other', async () => {
  const { merchant, into, from } = await two([10_000], [6_000, 4_000, 3_000])
  await merge(into, from)
  expect((await into.pay(`line=${from.lines[0]}`)).status).toBe(303)
  expect((await into.ask('POST', `/lines/${from.lines[1]}/void`)).status).toBe(200)
  expect((await into.ask('POST', `/lines/${from.lines[2]}/split`, { parts_count: 3 })).status).toBe(200)
  expect((await into.pay('amount=130')).status).toBe(303)
  expect((await into.ask('POST', '/close')).body).toMatchObject({ status: 'closed', amount: '19000' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('guests of a merged bill are led to the other one, by its address and by the code of its table', async () => {
  const { merchant, into, from } = await two()
  const third = await billOf(merchant, [2_000])
  const code = new URL(from.table.url).pathname
  await merge(into, from)
  expect(await led(`/${from.address}?lang=en`)).toEqual([302, `/${into.address}?lang=en`])
  expect(await led(`${code}?lang=en`)).toEqual([302, `/${into.address}?lang=en`])
  await merge(third, into)
  expect(await led(`/${from.address}?lang=en`)).toEqual([302, `/${third.address}?lang=en`])
  expect(await led(`${code}?lang=en`)).toEqual([302, `/${third.address}?lang=en`])
  await tablePay(merchant, 'POST', `/tables/${from.table.id}/sessions`, {})
  expect((await led(`${code}?lang=en`))[1]).not.toContain(third.address)
  await third.ask('PUT', '/discount', { amount: '22000' })
  await third.ask('POST', '/close')
  expect((await pageOf(`${new URL(into.table.url).pathname}?lang=en`)).status).toBe(404)
})

test('a form of a bill that was merged since takes no money', async () => {
  const { into, from } = await two()
  const form = await from.form(`line=${from.lines[0]}`)
  await merge(into, from)
  const refused = await pay(from.address, form, 'tok_sbx_approve')
  expect([refused.status, refused.html.includes('a part of another one')]).toEqual([410, true])
  expect(await into.now()).toMatchObject({ amount_paid: '0', amount_held: '0' })
})

test('a bill of which something is paid moves nowhere, and another one moves into it', async () => {
  const { into, from } = await two()
  await from.pay('amount=50')
  const refused = await merge(into, from)
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    { code: 'table_session_merge_paid', param: 'from_id' },
  ])
  expect((await merge(from, into)).body).toMatchObject({ amount: '20000', amount_paid: '5000' })
})

test.each([
  ['itself', async ({ into }: Awaited<ReturnType<typeof two>>) => into.id, 422, 'parameter_invalid'],
  [
    'one that is void',
    async ({ from }: Awaited<ReturnType<typeof two>>) => {
      await from.ask('POST', '/void')
      return from.id
    },
    409,
    'table_session_not_open',
  ],
  ['another merchant’s', async () => (await newBill(1_000)).id, 404, 'table_session_not_found'],
] as const)('a bill is not merged with %s', async (_, other, status, code) => {
  const made = await two()
  const refused = await merge(made.into, { id: await other(made) })
  expect([refused.status, refused.body.error]).toMatchObject([status, { code, param: 'from_id' }])
})

test('a line changes its bill only where that is merged into the other one', async () => {
  const { into, from } = await two()
  const moved = adminSql('sandbox')('update table_lines set session_id = $1, position = 9 where id = $2', [
    into.id,
    from.lines[0],
  ])
  await expect(moved).rejects.toMatchObject({ code: 'SP460' })
})

test('a merged bill is not reopened, and gets no line', async () => {
  const { into, from } = await two()
  await merge(into, from)
  const reopened = await from.ask('POST', '/reopen')
  expect([reopened.status, reopened.body.error?.code]).toEqual([409, 'table_session_merged'])
  const added = await from.ask('POST', '/lines', { line_items: [dish(100)] })
  expect([added.status, added.body.error?.code]).toEqual([409, 'table_session_not_open'])
})

test('50 merges of one bill into five others at once: one', async () => {
  const merchant = await newMerchant()
  const from = await billOf(merchant, [6_000])
  const others = await Promise.all(Array.from({ length: 5 }, () => billOf(merchant, [1_000])))
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => merge(others[at % 5]!, from)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const sums = await Promise.all(others.map(async ({ now }) => Number((await now()).amount)))
  expect(sums.sort()).toEqual([1_000, 1_000, 1_000, 1_000, 7_000])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 merges of two bills in opposite directions: one', async () => {
  const { merchant, into, from } = await two()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? merge(into, from) : merge(from, into))),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  const [a, b] = [await into.now(), await from.now()]
  expect([a.status, b.status].sort()).toEqual(['merged', 'open'])
  expect(a.status === 'open' ? a.amount : b.amount).toBe('20000')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a merge waits for the one in the other direction, and finds its bill merged', async () => {
  const { merchant, into, from } = await two()
  const [first, next] = await overtaking(
    merchant,
    () => merge(into, from),
    () => merge(from, into),
  )
  expect([first.status, next.status, next.body.error?.code]).toEqual([200, 409, 'table_session_not_open'])
})

test('a guest begins to pay while the bill is merged: it moves, or it is paid', async () => {
  const { merchant, into, from } = await two()
  const form = await from.form(`line=${from.lines[0]}`)
  const [merged, paid] = await overtaking(
    merchant,
    () => merge(into, from),
    () => pay(from.address, form, 'tok_sbx_approve'),
  )
  expect([merged.status, paid.status]).toEqual([200, 410])
  const other = await two()
  const held = await other.from.form(`line=${other.from.lines[0]}`)
  const [took, refused] = await overtaking(
    other.merchant,
    () => pay(other.from.address, held, 'tok_sbx_approve'),
    () => merge(other.into, other.from),
  )
  expect([took.status, refused.status, refused.body.error?.code]).toEqual([
    303,
    409,
    'table_session_merge_paid',
  ])
  for (const { tenantId } of [merchant, other.merchant]) expect(await brokenRules(tenantId)).toEqual([])
})

test.each([
  ['a new line', (from: Made) => from.ask('POST', '/lines', { line_items: [dish(700)] })],
  ['its end', (from: Made) => from.ask('POST', '/void')],
  ['a discount', (from: Made) => from.ask('PUT', '/discount', { amount: '700' })],
])('50 merges of a bill and %s at once: nothing is lost', async (_, change) => {
  const { merchant, into, from } = await two()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => (at % 5 === 0 ? merge(into, from) : change(from))),
  )
  for (const { status } of answers) expect([200, 409]).toContain(status)
  const [a, b] = [await into.now(), await from.now()]
  expect(['merged', 'void']).toContain(b.status)
  const changed = answers.filter(({ status }, at) => at % 5 !== 0 && status === 200).length
  if (b.status === 'merged' && _ === 'a new line') expect(Number(a.amount)).toBe(20_000 + 700 * changed)
  if (b.status === 'merged' && _ === 'a discount') expect(a.amount_discount).toBe(changed > 0 ? '700' : '0')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('25 merges of a bill while 25 guests pay a line of it: it moves unpaid, or it is paid where it is', async () => {
  const { merchant, into, from } = await two()
  const forms = await Promise.all(Array.from({ length: 25 }, () => from.form(`line=${from.lines[0]}`)))
  const [paid, merged] = await Promise.all([
    Promise.all(forms.map((form) => pay(from.address, form, 'tok_sbx_approve'))),
    Promise.all(forms.map(() => merge(into, from))),
  ])
  const counts = [paid.filter(({ status }) => status === 303), merged.filter(({ status }) => status === 200)]
  expect(counts.map(({ length }) => length).sort()).toEqual([0, 1])
  const hasMoved = counts[1]!.length === 1
  expect(await from.now()).toMatchObject({
    status: hasMoved ? 'merged' : 'open',
    amount_held: '0',
    amount_paid: hasMoved ? '0' : '6000',
  })
  expect(await into.now()).toMatchObject({ amount: hasMoved ? '20000' : '10000', amount_paid: '0' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
