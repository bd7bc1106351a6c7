import { expect, test } from 'vitest'
import {
  newAction,
  planAnswered,
  presetsOf,
  questionOf,
} from '../../../functions/in-person/terminal/plan-actions.ts'
import type { ReaderActionRow } from '../../../functions/in-person/terminal/store.ts'
import { clockOf } from '../../../src/kernel/clock.ts'

const offers = {
  amount: '45000',
  currency: 'mxn',
  presets: [
    { bps: 1000, amount: '4500' },
    { bps: 1275, amount: '5738' },
    { bps: null, amount: '5000' },
  ],
  allows_other: false,
  allows_none: true,
}
const at = (seconds: number) => clockOf(new Date(Date.UTC(2026, 5, 13, 12, 0, seconds)))
const device = { id: '0190a6d2-7c3e-7b1a-9f00-000000000061', kind: 'reader', pairingsCount: 1 } as never
const action = { ...newAction('collect_tip', device, { session: null, seconds: 30 }, at(0)), offers }

test('offers are choices in Spanish, none of them longer than a button', () => {
  const { choices } = questionOf(offers)
  expect(choices).toEqual([
    { id: '0', text: '10 % · $45.00' },
    { id: '1', text: '12.75 % · $57.38' },
    { id: '2', text: '$50.00' },
    { id: 'none', text: 'Sin propina' },
  ])
  expect(questionOf({ ...offers, allows_none: false }).choices).toEqual(choices.slice(0, 3))
  const most = { bps: 9999, amount: '999999999999' }
  for (const { text } of questionOf({ ...offers, presets: [most] }).choices)
    expect(text.length).toBeLessThanOrEqual(30)
})

test('a configuration with another amount offers its presets alone', () => {
  const tips = { presets: [{ bps: 1000 }], allows_other: true, allows_none: false }
  const asked = { amount: '45000', currency: 'mxn', expires_in_seconds: 60 }
  expect(presetsOf(asked, { tips, currency: 'mxn' })).toMatchObject({
    input: { offers: { allows_other: false, allows_none: false } },
  })
  expect(presetsOf(asked, null)).toMatchObject({ refused: 'parameter_invalid', param: 'presets' })
})

const answered = (id: string) => ({ state: 'answered' as const, id })
const set = (choice: string, seconds = 30, more: Partial<ReaderActionRow> = {}) =>
  planAnswered({ ...action, ...more }, answered(choice), at(seconds))?.writes[0]

test('a choice ends its action as it was offered', () => {
  expect(set('1')).toMatchObject({ set: { status: 'succeeded', chosen: 'preset', tipMinor: 5738n } })
  expect(set('none')).toMatchObject({ set: { status: 'succeeded', chosen: 'none', tipMinor: 0n } })
  for (const strange of ['3', '-1', 'x', '0.5'])
    expect(set(strange)).toMatchObject({ set: { status: 'failed', failureCode: 'reader_failed' } })
})

test('an answer after its time, or to what is over, changes nothing', () => {
  expect(set('1', 31)).toBeUndefined()
  expect(set('1', 29, { status: 'canceled' })).toBeUndefined()
  const failed = { state: 'failed', deviceFailure: 'reader_failed' } as const
  expect(planAnswered(action, failed, at(31))).toBeNull()
})
