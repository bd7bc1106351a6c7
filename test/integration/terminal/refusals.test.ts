import { describe, expect, test } from 'vitest'
import { overtaking } from '../../support/gate.ts'
import {
  answerOf,
  ask,
  asksFor,
  asksTip,
  booksOf,
  type Counter,
  newCounter,
  newPhoneCounter,
  present,
  process,
} from '../../support/terminal.ts'

const moves = ({ merchant, reader }: Counter, to: 'archive' | 'restore') =>
  ask(merchant, 'POST', `/v1/workspace/locations/${reader.location_id}/${to}`)

describe('at an archived location', () => {
  test('a reader does nothing that it is asked, and again once the location is restored', async () => {
    const counter = await newCounter()
    const { in_person_payment_id } = (await process(counter)).body
    await present(counter)
    await moves(counter, 'archive')
    const line_items = [{ name: 'Café', unit_amount: '5800' }]
    for (const asked of [
      process(counter),
      asksTip(counter),
      asksFor(counter, 'display', { line_items }),
      asksFor(counter, 'print', { in_person_payment_id }),
      asksFor(counter, 'ping'),
    ])
      expect(answerOf(await asked)).toBe('409 location_archived')
    await moves(counter, 'restore')
    expect(answerOf(await process(counter))).toBe('201 in_progress')
  })

  test('what a reader was asked before goes on', async () => {
    const counter = await newCounter()
    await process(counter)
    await moves(counter, 'archive')
    expect(answerOf(await present(counter))).toBe('200 succeeded')
  })

  test.each([
    ['a payment', newCounter, process],
    ['a ping', newCounter, (counter: Counter) => asksFor(counter, 'ping')],
    ['a tip at a phone', newPhoneCounter, asksTip],
  ] as const)('%s is refused also where it was archived meanwhile', async (_, newOne, asked) => {
    const counter = await newOne()
    const [archived, made] = await overtaking(
      counter.merchant,
      () => moves(counter, 'archive'),
      () => asked(counter),
    )
    expect([archived.status, answerOf(made)]).toEqual([200, '409 location_archived'])
    expect(await booksOf(counter.merchant)).toEqual([])
  })
})
