import { expect, test } from 'vitest'
import { asked, type Customer, newCustomer } from '../../support/customers.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

const pairs = 25
type Pair = readonly [ana: string, eva: string]
type Answer = Awaited<ReturnType<typeof asked<Customer>>>

const merge = (merchant: Merchant, [from, into]: Pair) =>
  asked(merchant, 'POST', `/customers/${from}/merge`, { into })
const answerOf = ({ status, body }: Answer) => `${status} ${body.error?.code ?? ''}`.trim()

/** Fifty requests at once, two for each pair of customers. */
async function race(
  { merged }: { merged: boolean },
  both: (merchant: Merchant, pair: Pair) => readonly [Promise<Answer>, Promise<Answer>],
) {
  const merchant = await newMerchant()
  const made = await Promise.all(
    Array.from({ length: pairs }, async (): Promise<Pair> => {
      const pair = [
        (await newCustomer(merchant, { name: 'Ana', phone: '5512345678' })).id,
        (await newCustomer(merchant, { name: 'Eva' })).id,
      ] as const
      if (merged) await merge(merchant, pair)
      return pair
    }),
  )
  const rounds = await Promise.all(
    made.map(async (pair) => (await Promise.all(both(merchant, pair))).map(answerOf)),
  )
  const rows = await adminSql('sandbox')<{
    id: string
    status: string
    name: string
    merged_into: string | null
  }>('select id, status, name, merged_into from customers where tenant_id = $1', [merchant.tenantId])
  const rowOf = (id: string) => rows.find((row) => row.id === id)!
  return rounds.map((answers, at) => ({ answers, ana: rowOf(made[at]![0]), eva: rowOf(made[at]![1]) }))
}

test('two merges in opposite directions: one happens, the other finds its customer merged', async () => {
  const rounds = await race({ merged: false }, (merchant, pair) => [
    merge(merchant, pair),
    merge(merchant, [pair[1], pair[0]]),
  ])
  for (const { answers, ana, eva } of rounds) {
    expect([...answers].sort()).toEqual(['200', '409 customer_merged'])
    const [gone, kept] = answers[0] === '200' ? [ana, eva] : [eva, ana]
    expect([gone.status, gone.merged_into, kept.status]).toEqual(['merged', kept.id, 'active'])
  }
})

test('a merge and a change of the customer: the change is of the survivor too, or is refused', async () => {
  const rounds = await race({ merged: false }, (merchant, pair) => [
    merge(merchant, pair),
    asked(merchant, 'PATCH', `/customers/${pair[0]}`, { name: 'Zoe' }),
  ])
  for (const { answers, ana, eva } of rounds) {
    expect(answers[0]).toBe('200')
    expect(['200', '409 customer_merged']).toContain(answers[1])
    expect([ana.status, ana.name]).toEqual(['merged', answers[1] === '200' ? 'Zoe' : 'Ana'])
    expect(eva.name).toBe(answers[1] === '200' ? 'Zoe' : 'Eva')
  }
})

test('undoing a merge while the survivor is merged in turn: the chain or the pair, never a dead end', async () => {
  const rounds = await race({ merged: true }, (merchant, pair) => [
    asked(merchant, 'POST', `/customers/${pair[0]}/unmerge`),
    newCustomer(merchant, { name: 'Bea' }).then(({ id }) => merge(merchant, [pair[1], id])),
  ])
  for (const { answers, ana, eva } of rounds) {
    expect(answers[1]).toBe('200')
    expect(eva.status).toBe('merged')
    expect([answers[0], ana.status]).toEqual(
      answers[0] === '200' ? ['200', 'active'] : ['409 customer_survivor_merged', 'merged'],
    )
  }
})
