import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import type { PresentedCharge, RegisteredReader } from '../../../src/processors/in-person.ts'
import { readStripeNotification, stripe } from '../../../src/processors/stripe/index.ts'
import { presentedCharge, processorAt, readerOrder } from '../../support/stripe-orders.ts'
import { StripeServer, secretKey, webhookSecret } from '../../support/stripe-server.ts'

const server = new StripeServer()
let apiBase = ''
beforeAll(async () => {
  apiBase = await server.start()
})
afterAll(() => server.stop())
beforeEach(() => {
  server.reset()
  server.tokens = 0
})

/** A processor with a reader. */
async function counter() {
  const processor = processorAt(apiBase)
  const { readerRef } = (await processor.inPerson!.register(readerOrder(server))) as RegisteredReader
  const asks = async (more: Partial<PresentedCharge> = {}) => {
    const charge = presentedCharge(readerRef, more)
    return { ...charge, answer: await processor.inPerson!.present(charge) }
  }
  return { processor, readerRef, asks }
}

const sentTo = (path: RegExp) => server.seen.filter((each) => path.test(`${each.method} ${each.path}`))
const waits = { state: 'pending_customer', action: { type: 'present_card', expiresAt: expect.any(Date) } }

describe('a charge at a reader', () => {
  test('waits for a card without a tip of Stripe’s, and is paid once it was held there', async () => {
    const { processor, readerRef, asks } = await counter()
    const { reference, answer } = await asks()
    expect(answer).toMatchObject(waits)
    expect(sentTo(/process_payment_intent/)[0]!.fields).toMatchObject({
      'process_config[skip_tipping]': 'true',
    })
    expect(await processor.fetchAttempt(reference)).toMatchObject(waits)
    server.presentCard(readerRef)
    expect(await processor.fetchAttempt(reference)).toEqual({
      state: 'captured',
      amountMinor: 120_000n,
      currency: 'mxn',
      card: {
        brand: 'visa',
        last4: '4242',
        bin6: '',
        funding: 'credit',
        reading: {
          entry_mode: 'contactless_emv',
          cardholder_verification: 'none',
          receipt: expect.objectContaining({ authorization_code: '123456' }),
        },
      },
      processorRef: server.intentFor(reference)!.id,
      settledOn: expect.any(String),
    })
    expect(server.complaints).toEqual([])
  })

  test('sent twice is one', async () => {
    const { processor, readerRef } = await counter()
    const charge = presentedCharge(readerRef)
    const answers = await Promise.all([1, 2].map(() => processor.inPerson!.present(charge)))
    expect(answers).toMatchObject([waits, waits])
    expect(server.intents.size).toBe(1)
  })

  test('is authorized where it is captured later, and captured in part', async () => {
    const { processor, readerRef, asks } = await counter()
    const { reference } = await asks({ capture: 'manual' })
    server.presentCard(readerRef)
    const { id } = server.intentFor(reference)!
    expect(await processor.fetchAttempt(reference, id)).toMatchObject({
      state: 'authorized',
      captureBefore: new Date('2030-01-02T05:59:59.000Z'),
    })
    expect(await processor.capture(reference, 70_000n, id)).toMatchObject({
      state: 'captured',
      amountMinor: 70_000n,
    })
  })

  test('that is declined can be paid by no other card', async () => {
    const { processor, readerRef, asks } = await counter()
    const { reference } = await asks()
    server.presentCard(readerRef, 'pm_funds')
    expect(await processor.fetchAttempt(reference)).toMatchObject({
      state: 'declined',
      code: 'insufficient_funds',
      card: { last4: '9995' },
    })
    expect(server.intentFor(reference)!.status).toBe('canceled')
  })

  test('is canceled while no card was read, and the reader is free', async () => {
    const { processor, readerRef, asks } = await counter()
    const { reference } = await asks()
    expect(await processor.cancel(reference)).toEqual({ state: 'canceled' })
    expect(server.readers.get(readerRef)!.action).toBeNull()
    expect(await processor.cancel(reference)).toEqual({ state: 'canceled' })
  })

  test('is canceled though its reader does not answer: the card that comes then charges nothing', async () => {
    const { processor, readerRef, asks } = await counter()
    const { reference } = await asks()
    server.next = 'offline'
    server.failNext(/cancel_action/, '500')
    expect(await processor.cancel(reference)).toEqual({ state: 'canceled' })
    expect(server.presentCard(readerRef)).toBe(false)
    expect(await processor.fetchAttempt(reference)).toEqual({ state: 'canceled' })
  })

  test('is not canceled once a card was read', async () => {
    const { processor, readerRef, asks } = await counter()
    const { reference } = await asks()
    server.presentCard(readerRef)
    expect(await processor.cancel(reference)).toMatchObject({ state: 'captured' })
  })

  test('that is approved while its reader is asked about is let go by no look', async () => {
    const { processor, readerRef, asks } = await counter()
    const { reference } = await asks({ capture: 'manual' })
    server.meanwhile = () => server.presentCard(readerRef)
    expect(await processor.fetchAttempt(reference)).toMatchObject({ state: 'authorized' })
    expect(server.intentFor(reference)!.status).toBe('requires_capture')
  })

  test('that is declined while its reader is asked about is closed at Stripe too', async () => {
    const { processor, readerRef, asks } = await counter()
    const { reference } = await asks()
    server.meanwhile = () => server.presentCard(readerRef, 'pm_funds')
    expect(await processor.fetchAttempt(reference)).toMatchObject({ state: 'declined' })
    expect(server.intentFor(reference)!.status).toBe('canceled')
  })

  test.each(['offline', 'busy'] as const)('that its reader does not take (%s) is ended', async (next) => {
    const { processor, readerRef, asks } = await counter()
    server.next = next
    const { reference, answer } = await asks()
    expect(answer).toEqual({ state: 'canceled', deviceFailure: `reader_${next}` })
    expect(await processor.fetchAttempt(reference)).toEqual({ state: 'canceled' })
    expect(server.readers.get(readerRef)!.action).toBeNull()
  })

  test.each(['reader', 'location'] as const)('at a %s that Stripe no longer has is ended', async (what) => {
    const { readerRef, asks } = await counter()
    if (what === 'reader') server.readers.delete(readerRef)
    else server.deletePlace(server.readers.get(readerRef)!.location as string)
    const { reference, answer } = await asks()
    expect(answer).toEqual({ state: 'canceled', deviceFailure: 'reader_not_registered' })
    expect(server.intentFor(reference)!.status).toBe('canceled')
  })

  test('that is canceled late leaves the screen to the reader’s next payment', async () => {
    const { processor, readerRef, asks } = await counter()
    const [first, second] = [await asks(), await asks()]
    expect(await processor.cancel(first.reference)).toEqual({ state: 'canceled' })
    expect(sentTo(/cancel_action/)).toEqual([])
    expect(server.awaiting(readerRef)!.id).toBe(server.intentFor(second.reference)!.id)
  })

  test.each(['lost', 'late'])(
    'is unknown where the reader’s answer is %s, and then waits at it',
    async (how) => {
      const { processor, asks } = await counter()
      if (how === 'late') server.next = 'late'
      else server.failNext(/process_payment_intent/, 'cut_after')
      const { reference, answer } = await asks()
      const { id } = server.intentFor(reference)!
      expect(answer).toEqual({ state: 'unknown', processorRef: id })
      server.searchable = false
      expect(await processor.fetchAttempt(reference, id)).toMatchObject(waits)
    },
  )

  test('is unknown, with its id, where neither the reader nor its cancellation is answered', async () => {
    const { asks } = await counter()
    server.next = 'busy'
    server.failNext(/\/cancel$/, 'cut')
    const { reference, answer } = await asks()
    expect(answer).toEqual({ state: 'unknown', processorRef: server.intentFor(reference)!.id })
  })

  test.each(['cut', 'never sent', 'given up'] as const)(
    'that no reader works on (%s) is ended',
    async (how) => {
      const { processor, readerRef, asks } = await counter()
      if (how === 'cut') server.failNext(/process_payment_intent/, 'cut')
      const { reference } = await asks()
      if (how === 'never sent') server.readers.delete(readerRef)
      if (how === 'given up') server.giveUp(readerRef)
      expect(await processor.fetchAttempt(reference)).toEqual({ state: 'canceled' })
    },
  )

  test('waits on while its reader cannot be asked about', async () => {
    const { processor, asks } = await counter()
    const { reference } = await asks()
    server.failNext(/GET \/v1\/terminal/, '500')
    expect(await processor.fetchAttempt(reference)).toMatchObject(waits)
  })

  test('that another takes the place of is ended, and the other waits', async () => {
    const { processor, asks } = await counter()
    const [first, second] = [await asks(), await asks()]
    expect(await processor.fetchAttempt(first.reference)).toEqual({ state: 'canceled' })
    expect(await processor.fetchAttempt(second.reference)).toMatchObject(waits)
  })

  test.each([
    ['in dollars', { currency: 'usd' }],
    ['below the least amount', { amountMinor: 100n }],
    ['in installments', { installmentMonths: 3 }],
  ])('%s takes nothing', async (_, more) => {
    const { asks } = await counter()
    expect((await asks(more)).answer).toMatchObject({ state: 'declined', code: 'processing_error' })
    expect(server.intents.size).toBe(0)
  })

  test('without Stripe’s answer is unknown, and closed where it never arrived', async () => {
    const { processor, asks } = await counter()
    server.failNext(/POST \/v1\/payment_intents$/, 'cut')
    const { reference, answer } = await asks()
    expect(answer).toEqual({ state: 'unknown' })
    expect(await processor.fetchAttempt(reference)).toEqual({ state: 'not_found' })
    expect(await processor.cancel(reference)).toEqual({ state: 'canceled' })
  })
})

describe('a phone', () => {
  const connection = (more: object = {}) => ({
    reference: uuidv7(Date.now()),
    place: readerOrder(server).place,
    accountId: null,
    ...more,
  })

  test('connects at its place: asked twice, it is one secret', async () => {
    const { inPerson } = processorAt(apiBase)
    const order = connection()
    const connected = await inPerson!.connect!(order)
    expect(connected).toEqual({
      state: 'connected',
      secret: expect.stringMatching(/^pst_live_/),
      placeRef: expect.stringMatching(/^tml_/),
    })
    expect(await inPerson!.connect!(order)).toEqual(connected)
    expect([server.tokens, server.complaints]).toEqual([1, []])
  })

  test.each([
    ['cut_after', 'unknown'],
    ['403', 'refused'],
  ] as const)('after %s is %s', async (fault, state) => {
    server.failNext(/connection_tokens/, fault)
    expect(await processorAt(apiBase).inPerson!.connect!(connection())).toEqual({ state })
  })

  test('charges with a secret while it waits for a card, and no longer', async () => {
    const { processor, asks } = await counter()
    const { reference, answer } = await asks({ readerRef: null })
    expect(answer).toMatchObject(waits)
    const known = { processorRef: server.intentFor(reference)!.id, accountId: null }
    const secret = await processor.inPerson!.secretOf!(reference, known)
    expect(server.tap(secret!)).toBe(true)
    expect(await processor.fetchAttempt(reference)).toMatchObject({
      state: 'captured',
      card: { reading: { entry_mode: 'contactless_emv' } },
    })
    expect(await processor.inPerson!.secretOf!(reference, known)).toBeNull()
    expect(sentTo(/process_payment_intent/)).toEqual([])
  })

  test('has no secret of what was declined', async () => {
    const { processor, asks } = await counter()
    const { reference } = await asks({ readerRef: null })
    const known = { processorRef: server.intentFor(reference)!.id, accountId: null }
    server.tap((await processor.inPerson!.secretOf!(reference, known))!, 'pm_funds')
    expect(await processor.inPerson!.secretOf!(reference, known)).toBeNull()
  })

  test('has no secret of what a reader waits for', async () => {
    const { processor, asks } = await counter()
    const { reference } = await asks()
    const known = { processorRef: null, accountId: null }
    expect(await processor.inPerson!.secretOf!(reference, known)).toBeNull()
    expect(await processor.inPerson!.secretOf!(uuidv7(Date.now()), known)).toBeNull()
  })
})

describe('what a reader tells', () => {
  const told = async (reader: string, type: string) => {
    const { event } = server.events.all.find((each) => each.event.type === type)!
    const { body, signature } = await server.signed(event)
    const read = await readStripeNotification(body, signature, [{ accountId: null, webhookSecret }])
    expect(event.data.object).toMatchObject({ id: reader })
    return read.signed ? read.hint : null
  }

  test.each(['succeeded', 'failed'] as const)('that it has %s names our attempt', async (outcome) => {
    const { processor, readerRef, asks } = await counter()
    const { reference } = await asks()
    if (outcome === 'failed') server.giveUp(readerRef)
    else server.presentCard(readerRef)
    const hint = await told(readerRef, `terminal.reader.action_${outcome}`)
    expect(hint).toMatchObject({ kind: 'presented', reference: server.intentFor(reference)!.id })
    expect(await processor.inPerson!.attemptBehind!(hint!.reference)).toBe(reference)
  })

  test('of another program’s is none of ours', async () => {
    const { processor, readerRef, asks } = await counter()
    const { reference } = await asks({ reference: `${uuidv7(Date.now())}` })
    const intended = server.intentFor(reference)!
    server.intents.set(intended.id, { ...intended, metadata: {} })
    server.giveUp(readerRef)
    const hint = await told(readerRef, 'terminal.reader.action_failed')
    expect(await processor.inPerson!.attemptBehind!(hint!.reference)).toBeNull()
    expect(await processor.inPerson!.attemptBehind!('pi_none')).toBeNull()
  })

  test('at an account that the attempt did not go to is not believed', async () => {
    const base = { secretKey, tenantId: null, apiBase, timeoutMs: 2_000 }
    const rail = (taker: string | null) =>
      stripe(async ({ kind }) => ({
        ...base,
        name: `believed-${taker}`,
        id: kind === 'attempt' ? taker : 'own',
      })).inPerson!
    const { asks } = await counter()
    const { reference } = await asks()
    const told = `${server.intentFor(reference)!.id}@own`
    expect(await rail('own').attemptBehind!(told)).toBe(reference)
    for (const taker of [null, 'other']) expect(await rail(taker).attemptBehind!(told)).toBeNull()
  })
})
