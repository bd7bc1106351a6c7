import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Input } from '../../../drizzle/schema/in-person.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import type { ReaderQuestion, RegisteredReader } from '../../../src/processors/in-person.ts'
import { hintOf } from '../../../src/processors/stripe/notifications.ts'
import { eventOf } from '../../support/stripe-events.ts'
import { presentedCharge, processorAt, readerOrder } from '../../support/stripe-orders.ts'
import { StripeServer } from '../../support/stripe-server.ts'

// What a reader of Stripe's asks its buyer.

const server = new StripeServer()
let apiBase = ''
beforeAll(async () => {
  apiBase = await server.start()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

const tip = {
  type: 'selection',
  title: 'Propina',
  description: null,
  required: true,
  choices: [
    { id: '0', text: '10 % · $45.00' },
    { id: 'none', text: 'Sin propina' },
  ],
} as const
const typed = (type: 'email' | 'phone' | 'numeric' | 'text', more: Partial<Input> = {}): Input => ({
  ...tip,
  type,
  choices: null,
  required: false,
  ...more,
})

async function counter() {
  const { inPerson } = processorAt(apiBase)
  const { readerRef } = (await inPerson!.register(readerOrder(server))) as RegisteredReader
  const asked = { reference: uuidv7(Date.now()), readerRef, accountId: null }
  const asks = (more: Partial<ReaderQuestion> = {}) => inPerson!.ask!({ ...asked, inputs: [tip], ...more })
  const changes = (change: object) => {
    const reader = server.readers.get(readerRef)!
    server.readers.set(readerRef, { ...reader, action: { ...reader.action!, ...change } })
  }
  return { inPerson: inPerson!, readerRef, asked, asks, changes }
}
type Counter = Awaited<ReturnType<typeof counter>>

const unknown = { state: 'unknown' }
const failed = (deviceFailure: string) => ({ state: 'failed', deviceFailure })

test('a reader asks under our action, and the choice is read there', async () => {
  const { inPerson, readerRef, asked, asks } = await counter()
  expect(await asks()).toEqual({ state: 'asked' })
  expect(server.asked(readerRef)).toEqual(['Propina', '10 % · $45.00', 'Sin propina'])
  const { key, fields } = server.seen.at(-1)!
  expect(key).toBe(`${asked.reference}:ask`)
  expect(fields).toMatchObject({ 'metadata[action_id]': asked.reference, 'inputs[0][required]': 'true' })
  expect(server.fill(readerRef, null)).toBe(false)
  expect(server.fill(readerRef, 'none')).toBe(true)
  expect(await inPerson.answerTo!(asked)).toEqual({ state: 'answered', answers: ['none'] })
  expect(server.complaints).toEqual([])
})

test('it asks for each type of input, one after the other, and each answer is read there', async () => {
  const { inPerson, readerRef, asked, asks } = await counter()
  const inputs = [
    typed('email', { title: 'Correo', description: 'Para tu factura', required: true }),
    typed('phone'),
    typed('numeric'),
    typed('text'),
    { ...tip, required: false },
  ]
  expect(await asks({ inputs })).toEqual({ state: 'asked' })
  const { fields } = server.seen.at(-1)!
  expect(fields).toMatchObject({
    'inputs[0][type]': 'email',
    'inputs[0][custom_text][title]': 'Correo',
    'inputs[0][custom_text][description]': 'Para tu factura',
    'inputs[1][required]': 'false',
  })
  expect(fields).not.toHaveProperty('inputs[1][custom_text][description]')
  expect(fields).not.toHaveProperty('inputs[1][selection][choices][0][id]')
  expect(server.fill(readerRef, null)).toBe(false)
  const answers = ['ana@example.com', '+525512345678', '1024', null, '0']
  expect(server.fill(readerRef, ...answers)).toBe(true)
  expect(await inPerson.answerTo!(asked)).toEqual({ state: 'answered', answers })
  expect(server.complaints).toEqual([])
})

test.each<[string, Input]>([
  ['a longer title', typed('text', { title: 'a'.repeat(41) })],
  ['a longer choice', { ...tip, choices: [{ id: '0', text: 'a'.repeat(31) }] }],
])('a question with %s than Stripe publishes is refused there', async (_, input) => {
  const { asks } = await counter()
  expect(await asks({ inputs: [input] })).toEqual(failed('reader_failed'))
})

test.each<[string, object, (counter: Counter) => unknown]>([
  ['waits', { state: 'asked' }, () => null],
  ['has a choice', { state: 'answered', answers: ['0'] }, (at) => server.fill(at.readerRef, '0')],
  ['was given up', failed('reader_failed'), (at) => server.giveUp(at.readerRef)],
  ['has no choice', { state: 'answered', answers: [null] }, (at) => at.changes({ status: 'succeeded' })],
  [
    'was skipped',
    { state: 'answered', answers: [null] },
    (at) => {
      server.fill(at.readerRef, '0')
      const { collect_inputs: was } = server.readers.get(at.readerRef)!.action!
      at.changes({ collect_inputs: { ...was, inputs: [{ ...was!.inputs[0]!, skipped: true }] } })
    },
  ],
  ['was canceled there', unknown, ({ inPerson, asked }) => inPerson.withdraw!(asked)],
  [
    'made way for a payment',
    unknown,
    ({ inPerson, readerRef }) => inPerson.present(presentedCharge(readerRef)),
  ],
  [
    'made way for another question',
    unknown,
    async ({ asks, readerRef }) => {
      await asks({ reference: uuidv7(Date.now()) })
      server.fill(readerRef, '0')
    },
  ],
  [
    'is of a reader that is gone',
    failed('reader_not_registered'),
    (at) => server.readers.delete(at.readerRef),
  ],
  ['gets no answer', unknown, () => server.failNext(/GET .*readers/, 'cut')],
])('a question that %s', async (_, state, happens) => {
  const at = await counter()
  await at.asks()
  await happens(at)
  expect(await at.inPerson.answerTo!(at.asked)).toEqual(state)
})

test.each<[string, object, (counter: Counter) => unknown]>([
  ['is offline', failed('reader_offline'), () => (server.next = 'offline')],
  ['is busy', failed('reader_busy'), () => (server.next = 'busy')],
  ['answers too late', unknown, () => (server.next = 'late')],
  ['does not answer', unknown, () => server.failNext(/collect_inputs/, 'cut_after')],
  ['is refused it', failed('reader_failed'), () => server.failNext(/collect_inputs/, '400')],
  ['is gone', failed('reader_not_registered'), (at) => server.readers.delete(at.readerRef)],
  [
    'waits for a card',
    failed('reader_busy'),
    ({ inPerson, readerRef }) => inPerson.present(presentedCharge(readerRef)),
  ],
])('a reader that %s is asked', async (_, state, happens) => {
  const at = await counter()
  await happens(at)
  expect(await at.asks()).toEqual(state)
  if (server.readers.has(at.readerRef)) expect(server.fill(at.readerRef, '0')).toBe(state === unknown)
})

test('a question is taken off the screen, and nothing else is', async () => {
  const { inPerson, readerRef, asked, asks } = await counter()
  await asks()
  await inPerson.withdraw!({ ...asked, reference: uuidv7(Date.now()) })
  expect(server.asked(readerRef)).toBeDefined()
  server.failNext(/cancel_action/, '500')
  await inPerson.withdraw!(asked)
  expect(server.asked(readerRef)).toBeDefined()
  await inPerson.withdraw!(asked)
  expect(server.asked(readerRef)).toBeUndefined()
  await inPerson.present(presentedCharge(readerRef))
  await inPerson.withdraw!(asked)
  expect(server.presentCard(readerRef)).toBe(true)
})

test('what a reader tells of a question names our action, and nothing where it names none', async () => {
  const { readerRef, asked, asks, changes } = await counter()
  const hint = () => {
    const event = eventOf('terminal.reader.action_succeeded', server.readers.get(readerRef)!, { id: 'evt_1' })
    return hintOf(event, { accountId: 'own' })
  }
  await asks()
  server.fill(readerRef, '0')
  expect(hint()).toEqual({ eventId: 'evt_1', kind: 'asked', reference: asked.reference })
  const { collect_inputs } = server.readers.get(readerRef)!.action!
  for (const metadata of [null, {}, { action_id: 'x' }]) {
    changes({ collect_inputs: { ...collect_inputs, metadata } })
    expect(hint()).toBeNull()
  }
})
