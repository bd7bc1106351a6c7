import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { control } from '../../support/stack.ts'
import {
  type Action,
  answerOf,
  ask,
  booksOf,
  type Counter,
  cancel,
  eventsOf,
  inPerson,
  newCounter,
  newPhoneCounter,
  present,
  process,
  read,
  reports,
  times,
} from '../../support/terminal.ts'

const advance = async ({ merchant }: Counter, by: string) => {
  await ask(merchant, 'POST', '/v1/sandbox/clock', { advance: by })
  await control.trigger('sandbox')
}

/** A card whose bank answers after the time of its action: the action is unknown, and the bank has decided by now. */
async function answeredLate(newOne: () => Promise<Counter>, card?: string) {
  const counter = await newOne()
  const { body: action } = await process(counter)
  await present(counter, { answer: 'late', ...(card ? { card } : {}) })
  await advance(counter, 'PT5M')
  expect((await read(counter, action)).status).toBe('unknown')
  await ask(counter.merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT1H' })
  return { counter, action }
}

const captured = async ({ merchant }: Counter) =>
  (await booksOf(merchant))
    .filter(({ journals }) => journals > 0)
    .map(({ captured, journals }) => [captured, journals])

test.each([
  ['a reader', newCounter],
  ['a phone', newPhoneCounter],
] as const)(
  'at %s 50 tills ask for the next card while a late approval is found: each is charged once',
  async (_, newOne) => {
    const { counter, action } = await answeredLate(newOne)
    const [answers] = await Promise.all([
      times(() => process(counter, { amount: '50000' })),
      control.trigger('sandbox'),
      reports(counter, action, { outcome: 'failed' }),
    ])
    const next = answers.filter((each) => answerOf(each) === '201 in_progress')
    expect([next.length, answers.filter((each) => answerOf(each) === '409 reader_busy').length]).toEqual([
      1, 49,
    ])
    await expect.poll(async () => (await read(counter, action)).status).toBe('succeeded')
    expect(await captured(counter)).toEqual([['120000', 1]])
    expect(answerOf(await present(counter))).toBe('200 succeeded')
    expect((await read(counter, next[0]!.body)).status).toBe('succeeded')
    expect((await captured(counter)).sort()).toEqual([
      ['120000', 1],
      ['50000', 1],
    ])
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  },
)

test.each<[by: string, giveUp: (counter: Counter, action: Action) => Promise<{ status: number }>]>([
  ['its action', (counter, action) => cancel(counter, action)],
  ['its payment in person', (counter, action) => inPerson(counter, action, 'cancel')],
  [
    'its payment',
    ({ merchant }, { payment_id }) => ask(merchant, 'POST', `/v1/payments/${payment_id}/cancel`),
  ],
])(
  '50 cancel a payment by %s while its late approval is found: the approval stands, and nobody is told otherwise',
  async (_, giveUp) => {
    const { counter, action } = await answeredLate(newCounter)
    const [answers] = await Promise.all([times(() => giveUp(counter, action)), control.trigger('sandbox')])
    // Whoever is answered with success is answered with what the bank says.
    for (const { status } of answers) expect([200, 409]).toContain(status)
    await control.trigger('sandbox')
    await expect.poll(async () => (await read(counter, action)).status).toBe('succeeded')
    expect((await inPerson(counter, action)).body.status).toBe('succeeded')
    expect(await captured(counter)).toEqual([['120000', 1]])
    const told = await eventsOf(counter.merchant, 'reader_action')
    expect(told.filter((type) => type !== 'unknown')).toEqual(['created', 'succeeded'])
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  },
)

test('a late decline is found while 50 tills ask for the next card: it is declined, and the next one is paid', async () => {
  const { counter, action } = await answeredLate(newCounter, 'tok_sbx_decline_funds')
  const [answers] = await Promise.all([times(() => process(counter)), control.trigger('sandbox')])
  expect(answers.filter((each) => answerOf(each) === '201 in_progress')).toHaveLength(1)
  await expect.poll(async () => (await read(counter, action)).status).toBe('failed')
  expect(answerOf(await present(counter))).toBe('200 succeeded')
  expect(await captured(counter)).toEqual([['120000', 1]])
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})
