import { expect, test } from 'vitest'
import type { Input } from '../../../drizzle/schema/in-person.ts'
import {
  newAction,
  planAnswered,
  presetsOf,
  questionOf,
} from '../../../functions/in-person/terminal/plan-actions.ts'
import { problemOfScreen } from '../../../functions/in-person/terminal/plan-inputs.ts'
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
  const [{ choices, required }] = questionOf(offers)
  expect(required).toBe(true)
  expect(choices).toEqual([
    { id: '0', text: '10 % · $45.00' },
    { id: '1', text: '12.75 % · $57.38' },
    { id: '2', text: '$50.00' },
    { id: 'none', text: 'Sin propina' },
  ])
  expect(questionOf({ ...offers, allows_none: false })[0].choices).toEqual(choices.slice(0, 3))
  const most = { bps: 9999, amount: '999999999999' }
  for (const { text } of questionOf({ ...offers, presets: [most] })[0].choices)
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

const answered = (...answers: (string | null)[]) => ({ state: 'answered' as const, answers })
const set = (choice: string | null, seconds = 30, more: Partial<ReaderActionRow> = {}) =>
  planAnswered({ ...action, ...more }, answered(choice), at(seconds))?.writes[0]

test('a choice ends its action as it was offered', () => {
  expect(set('1')).toMatchObject({ set: { status: 'succeeded', chosen: 'preset', tipMinor: 5738n } })
  expect(set('none')).toMatchObject({ set: { status: 'succeeded', chosen: 'none', tipMinor: 0n } })
  for (const strange of ['3', '-1', 'x', '0.5', '', null])
    expect(set(strange)).toMatchObject({ set: { status: 'failed', failureCode: 'reader_failed' } })
})

test('an answer after its time, or to what is over, changes nothing', () => {
  expect(set('1', 31)).toBeUndefined()
  expect(set('1', 29, { status: 'canceled' })).toBeUndefined()
  const failed = { state: 'failed', deviceFailure: 'reader_failed' } as const
  expect(planAnswered(action, failed, at(31))).toBeNull()
})

const input = (type: Input['type'], more: Partial<Input> = {}): Input => ({
  type,
  title: 'Dato',
  description: null,
  required: false,
  choices: type === 'selection' ? [{ id: 'a', text: 'A' }] : null,
  ...more,
})

test.each<[string, Input, string | null, string | null | 'failed']>([
  ['an address, in our form', input('email'), 'Ana@Example.com ', 'ana@example.com'],
  ['a number as E.164 has it', input('phone'), '+525512345678', '+525512345678'],
  ['a number as its reader takes it', input('phone'), '55 1234 5678', '55 1234 5678'],
  ['digits', input('numeric'), '007', '007'],
  ['a text', input('text'), 'Gracias', 'Gracias'],
  ['a choice', input('selection'), 'a', 'a'],
  ['nothing, where it may be skipped', input('text'), null, null],
  ['nothing, where it is required', input('text', { required: true }), null, 'failed'],
  ['blanks, where it may be skipped', input('text'), ' ', null],
  ['blanks, where it is required', input('text', { required: true }), ' ', 'failed'],
  ['a text between blanks', input('text'), ' Gracias ', 'Gracias'],
  ['a NUL', input('text'), 'a\0', 'failed'],
  ['a choice that was not offered', input('selection'), 'b', 'failed'],
  ['a text that is too long', input('text'), 'a'.repeat(501), 'failed'],
  ['a card number', input('numeric'), '4242424242424242', 'failed'],
  ['a card number in a text', input('text'), 'es 4242 4242 4242 4242', 'failed'],
])('what a processor says that a buyer gave: %s', (_, asked, given, kept) => {
  const inputs = [input('text'), asked]
  const asking = { ...newAction('collect_input', device, { session: null, seconds: 30 }, at(0)), inputs }
  const [write] = planAnswered(asking, answered('x', given), at(30))!.writes
  expect(write).toMatchObject({
    set:
      kept === 'failed'
        ? { status: 'failed', failureCode: 'reader_failed' }
        : { status: 'succeeded', answers: ['x', kept], answersUntil: new Date('2026-06-14T12:00:30Z') },
  })
  expect(planAnswered(asking, answered('x'), at(30))!.writes[0]).toMatchObject({ set: { status: 'failed' } })
})

test.each<[string, Partial<Input>, string]>([
  ['title', { title: 'a'.repeat(41) }, 'inputs.1.title'],
  ['choice', { choices: [{ id: 'a', text: 'a'.repeat(31) }] }, 'inputs.1.choices.0.text'],
])('a reader of the processor’s own has no room for a longer %s', (_, more, param) => {
  const fits = input('selection', { title: 'a'.repeat(40), choices: [{ id: 'a', text: 'a'.repeat(30) }] })
  expect(problemOfScreen([fits])).toBeNull()
  expect(problemOfScreen([fits, { ...fits, ...more }])).toMatchObject({ refused: 'parameter_invalid', param })
})
