import { describe, expect, test } from 'vitest'
import { control } from '../../support/stack.ts'
import {
  answerOf,
  ask,
  booksOf,
  type Counter,
  cancel,
  eventsOf,
  inPerson,
  newCounter,
  newPhoneCounter,
  paymentOf,
  present,
  process,
  read,
  times,
} from '../../support/terminal.ts'

const declined = { card: 'tok_sbx_decline_funds' }
const advance = async ({ merchant }: Counter, by: string) => {
  await ask(merchant, 'POST', '/v1/sandbox/clock', { advance: by })
  await control.trigger('sandbox')
}

/** A card was declined, and nobody has told us. */
async function declinedUnheard(newOne: () => Promise<Counter> = newCounter) {
  const counter = await newOne()
  const { body: action } = await process(counter)
  expect(answerOf(await present(counter, { ...declined, answer: 'lost' }))).toBe('200 in_progress')
  return { counter, action }
}

describe('a cancellation that comes after a decline', () => {
  test.each([
    ['reader', newCounter],
    ['phone', newPhoneCounter],
  ])('of an action at a %s is refused, and the action says why it failed', async (_, newOne) => {
    const { counter, action } = await declinedUnheard(newOne)
    const key = crypto.randomUUID()
    for (const _again of [1, 2])
      expect(answerOf(await cancel(counter, action, key))).toBe('409 reader_action_over')
    expect(await read(counter, action)).toMatchObject({
      status: 'failed',
      failure_code: 'insufficient_funds',
    })
    expect(await paymentOf(counter, action)).toMatchObject({
      status: 'requires_payment_method',
      decline_code: 'insufficient_funds',
    })
    await control.trigger('sandbox')
    expect(await eventsOf(counter.merchant, 'reader_action')).toEqual(['created', 'failed'])
    expect(answerOf(await process(counter))).toBe('201 in_progress')
  })

  test('of the payment in person ends its payment, and is answered as it is read', async () => {
    const { counter, action } = await declinedUnheard()
    const key = crypto.randomUUID()
    const first = await inPerson(counter, action, 'cancel', { key })
    expect([first.status, first.body]).toEqual([200, (await inPerson(counter, action)).body])
    expect(first.body.status).toBe('declined')
    expect((await inPerson(counter, action, 'cancel', { key })).body).toEqual(first.body)
    expect((await read(counter, action)).status).toBe('failed')
    expect(await booksOf(counter.merchant)).toEqual([{ status: 'canceled', captured: '0', journals: 0 }])
  })

  test('of the payment ends it', async () => {
    const { counter, action } = await declinedUnheard()
    const at = `/v1/payments/${action.payment_id}/cancel`
    expect(answerOf(await ask(counter.merchant, 'POST', at))).toBe('200 canceled')
    expect(await read(counter, action)).toMatchObject({ status: 'failed' })
    expect((await inPerson(counter, action)).body.status).toBe('declined')
  })

  test('of 50 at once changes nothing of how the card ended', async () => {
    const { counter, action } = await declinedUnheard()
    const answers = await times<{ status: number }>((at) =>
      at % 2 ? cancel(counter, action) : inPerson(counter, action, 'cancel'),
    )
    for (const { status } of answers) expect([200, 409]).toContain(status)
    await control.trigger('sandbox')
    expect((await read(counter, action)).status).toBe('failed')
    expect((await inPerson(counter, action)).body.status).toBe('declined')
    expect(await eventsOf(counter.merchant, 'reader_action')).toEqual(['created', 'failed'])
  })
})

test('a payment in person that was declined stays so when it is canceled', async () => {
  const counter = await newCounter()
  const { body: action } = await process(counter)
  await present(counter, declined)
  const { body } = await inPerson(counter, action, 'cancel')
  expect(body.status).toBe('declined')
  expect(body).toEqual((await inPerson(counter, action)).body)
  expect((await paymentOf(counter, action)).status).toBe('canceled')
})

test('a cancellation without an answer is resumed after the time of its action, which ends once', async () => {
  const counter = await newCounter()
  const { body: action } = await process(counter)
  await present(counter, { answer: 'late' })
  const key = crypto.randomUUID()
  expect(answerOf(await cancel(counter, action, key))).toBe('200 in_progress')
  await advance(counter, 'PT5M')
  expect((await read(counter, action)).status).toBe('unknown')
  expect(answerOf(await cancel(counter, action, key))).toBe('200 unknown')
  await advance(counter, 'PT1H')
  await expect.poll(async () => (await read(counter, action)).status).toBe('succeeded')
  expect(answerOf(await cancel(counter, action, key))).toBe('409 reader_action_over')
  await control.trigger('sandbox')
  expect(await eventsOf(counter.merchant, 'reader_action')).toEqual(['created', 'unknown', 'succeeded'])
  expect(await booksOf(counter.merchant)).toEqual([{ status: 'succeeded', captured: '120000', journals: 1 }])
})
