import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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

const choices = [
  { id: '0', text: '10 % · $45.00' },
  { id: 'none', text: 'Sin propina' },
]

async function counter() {
  const { inPerson } = processorAt(apiBase)
  const { readerRef } = (await inPerson!.register(readerOrder(server))) as RegisteredReader
  const asked = { reference: uuidv7(Date.now()), readerRef, accountId: null }
  const asks = (more: Partial<ReaderQuestion> = {}) =>
    inPerson!.ask!({ ...asked, title: 'Propina', choices, ...more })
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
  expect(server.choose(readerRef, null)).toBe(false)
  expect(server.choose(readerRef, 'none')).toBe(true)
  expect(await inPerson.answerTo!(asked)).toEqual({ state: 'answered', id: 'none' })
  expect(server.complaints).toEqual([])
})

test.each<[string, object, (counter: Counter) => unknown]>([
  ['waits', { state: 'asked' }, () => null],
  ['has a choice', { state: 'answered', id: '0' }, (at) => server.choose(at.readerRef, '0')],
  ['was given up', failed('reader_failed'), (at) => server.giveUp(at.readerRef)],
  ['has no choice', failed('reader_failed'), (at) => at.changes({ status: 'succeeded' })],
  [
    'was skipped',
    failed('reader_failed'),
    (at) => {
      server.choose(at.readerRef, '0')
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
      server.choose(readerRef, '0')
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
  if (server.readers.has(at.readerRef)) expect(server.choose(at.readerRef, '0')).toBe(state === unknown)
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
  server.choose(readerRef, '0')
  expect(hint()).toEqual({ eventId: 'evt_1', kind: 'asked', reference: asked.reference })
  const { collect_inputs } = server.readers.get(readerRef)!.action!
  for (const metadata of [null, {}, { action_id: 'x' }]) {
    changes({ collect_inputs: { ...collect_inputs, metadata } })
    expect(hint()).toBeNull()
  }
})
