import { describe, expect, test } from 'vitest'
import { newPaired } from '../../support/devices.ts'
import { overtaking } from '../../support/gate.ts'
import { newGoverned, setPolicy } from '../../support/policy.ts'
import {
  answerOf,
  ask,
  asksFor,
  asksTip,
  booksOf,
  type Counter,
  newCounter,
  newPhoneCounter,
  opensSession,
  present,
  process,
  refusal,
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

test.each(['reader', 'phone'] as const)('a %s takes what the payment policy allows', async (kind) => {
  const governed = await newGoverned()
  const { merchant } = governed
  const counter = { merchant, reader: await newPaired(merchant, kind) }
  if (kind === 'phone') await opensSession(merchant, counter.reader)
  await setPolicy(governed, {
    msi: { terms: [3], fee_allocations: ['pass_to_buyer'] },
    capture: { manual_allowed: false },
  })
  expect(refusal(await process(counter, { capture_method: 'manual' }))).toBe(
    '422 manual_capture_not_allowed capture_method',
  )
  expect(refusal(await process(counter, { installment_months: 3 }))).toBe(
    '422 fee_allocation_not_allowed installment_months',
  )
  expect(answerOf(await process(counter))).toBe('201 in_progress')
})
