import { expect, test } from 'vitest'
import { uuidv7 } from '../../src/kernel/ids.ts'
import type { PresentedCharge, ReaderOrder, RegisteredReader } from '../../src/processors/in-person.ts'
import type { CardCharge, Processor, PushCharge, RefundOrder } from '../../src/processors/port.ts'

const roma = {
  line1: 'Orizaba 101',
  line2: null,
  neighborhood: 'Roma Norte',
  city: 'Ciudad de México',
  state: 'CDMX',
  postal_code: '06700',
  country: 'MX',
}

/** A processor with its outside world, which a test plays. */
export interface PortWorld {
  readonly processor: Processor
  /** A card's token by what becomes of it. */
  readonly tokens: Readonly<Record<'approved' | 'declined' | 'challenged' | 'unknown', string>>
  /** The next charge is lost on the way there, or its answer on the way back. */
  readonly lose: (what: 'charge' | 'answer') => void
  /** How many charges the processor has under a reference. */
  readonly chargesOf: (reference: string) => number | Promise<number>
  /** The buyer confirms at the bank. */
  readonly confirm: (reference: string) => unknown
  /** A till takes the voucher's cash. */
  readonly payVoucher: (reference: string, voucher: string) => unknown
  /** A transfer arrives at a CLABE; its reference at the processor. */
  readonly transfer: (reference: string, clabe: string, amountMinor: bigint) => string | Promise<string>
  /** The buyer disputes what a card paid; its reference at the processor. */
  readonly dispute: (reference: string) => string | Promise<string>
  /** The bank decides for the merchant. */
  readonly decide: (disputeRef: string) => unknown
  /** Devices, where it has the rail: what a reader shows, and a card that is held to what waits under a reference. */
  readonly devices?: {
    readonly code: () => string
    readonly holdCard: (reference: string, charge: PresentedCharge) => unknown
  }
}

const base = () => ({
  reference: uuidv7(Date.now()),
  amountMinor: 120_000n,
  currency: 'mxn',
  merchantName: 'Café de Olla',
  accountId: null,
  buyer: { name: 'Ana Prueba', email: 'ana@example.com', phone: '+525512345678' },
  returnUrl: 'https://pay.spindle.example/splink_1/spcs_1',
})

const known = { processorRef: null, accountId: null }

/** What the port promises of any processor: each adapter passes all of it. */
export function portSuite(name: string, world: () => PortWorld): void {
  const cardOf = (token: keyof PortWorld['tokens'], more: Partial<CardCharge> = {}): CardCharge => ({
    ...base(),
    method: 'card',
    token: world().tokens[token],
    installmentMonths: 1,
    capture: 'automatic',
    threeDs: 'automatic',
    ...more,
  })
  const pushOf = (method: PushCharge['method']): PushCharge => ({
    ...base(),
    method,
    expiresAt: new Date(Date.now() + 3 * 86_400_000),
  })
  const refs = (answer: { readonly processorRef?: string }) => ({
    ...known,
    processorRef: answer.processorRef ?? null,
  })
  const paid = { state: 'captured', amountMinor: 120_000n, currency: 'mxn' } as const
  const of = (title: string, run: (world: PortWorld) => Promise<void>) =>
    test(`${name}: ${title}`, () => run(world()))

  of('a token is described, with or without its card; another is none', async ({ processor, tokens }) => {
    const sale = { amountMinor: 120_000n, currency: 'mxn', installments: false, publicId: 'splink_1' }
    const facts = await processor.describe(tokens.approved, sale)
    expect(facts).toMatchObject({ installmentMonths: expect.any(Array), accountId: null })
    if (facts?.card) expect(facts.card.last4).toMatch(/^\d{4}$/)
    expect(await processor.describe(tokens.unknown, sale)).toBeNull()
  })

  of('a charge sent twice is one, and is read by our reference', async ({ processor, chargesOf }) => {
    const charge = cardOf('approved')
    const answer = await processor.createAttempt(charge)
    expect(answer).toMatchObject({ ...paid, card: { brand: expect.any(String) } })
    expect(await processor.createAttempt(charge)).toEqual(answer)
    expect(await chargesOf(charge.reference)).toBe(1)
    expect(await processor.fetchAttempt(charge.reference, known)).toMatchObject(paid)
  })

  of('a declined card took nothing', async ({ processor }) => {
    const charge = cardOf('declined')
    const declined = { state: 'declined', category: 'soft' }
    expect(await processor.createAttempt(charge)).toMatchObject(declined)
    expect(['declined', 'canceled']).toContain((await processor.fetchAttempt(charge.reference, known)).state)
  })

  of('an authorization is captured in part, once', async ({ processor }) => {
    const charge = cardOf('approved', { capture: 'manual' })
    const held = await processor.createAttempt(charge)
    expect(held).toMatchObject({ ...paid, state: 'authorized', captureBefore: expect.any(Date) })
    const capture = () => processor.capture!(charge.reference, 70_000n, refs(held as object))
    expect(await capture()).toMatchObject({ ...paid, amountMinor: 70_000n })
    expect(await capture()).toMatchObject({ ...paid, amountMinor: 70_000n })
  })

  of('an authorization that is canceled takes nothing', async ({ processor }) => {
    const charge = cardOf('approved', { capture: 'manual' })
    const held = refs((await processor.createAttempt(charge)) as object)
    expect(await processor.cancel(charge.reference, held)).toEqual({ state: 'canceled' })
    expect(await processor.capture!(charge.reference, 70_000n, held)).toEqual({ state: 'canceled' })
  })

  of('a challenge leads to the bank, and ends there or here', async ({ processor, confirm }) => {
    const [confirmed, abandoned] = [cardOf('challenged'), cardOf('challenged')]
    for (const charge of [confirmed, abandoned])
      expect(await processor.createAttempt(charge)).toMatchObject({
        state: 'pending_customer',
        action: { type: 'redirect', url: expect.stringMatching(/^https?:/) },
      })
    await confirm(confirmed.reference)
    expect(await processor.fetchAttempt(confirmed.reference, known)).toMatchObject(paid)
    expect(await processor.cancel(confirmed.reference, known)).toMatchObject(paid)
    expect(await processor.cancel(abandoned.reference, known)).toEqual({ state: 'canceled' })
  })

  of(
    'without an answer the outcome is unknown, and is found by our reference',
    async ({ processor, lose }) => {
      const charge = cardOf('approved')
      lose('answer')
      expect(await processor.createAttempt(charge)).toEqual({ state: 'unknown' })
      expect(await processor.fetchAttempt(charge.reference, known)).toMatchObject(paid)
    },
  )

  of('a charge that never arrived is closed, or may still arrive for a while', async (it) => {
    const { processor, lose, chargesOf } = it
    const charge = cardOf('approved')
    lose('charge')
    expect(await processor.createAttempt(charge)).toEqual({ state: 'unknown' })
    expect(await processor.fetchAttempt(charge.reference, known)).toEqual({ state: 'not_found' })
    const closed = await processor.cancel(charge.reference, known)
    if (processor.arrivesWithinMs !== undefined) {
      expect(closed).toEqual({ state: 'not_found' })
      expect(await chargesOf(charge.reference)).toBe(0)
      return
    }
    expect(closed).toEqual({ state: 'canceled' })
    // It arrives after all.
    expect((await processor.createAttempt(charge)).state).not.toBe('captured')
    expect((await processor.fetchAttempt(charge.reference, known)).state).not.toBe('captured')
  })

  of('a voucher waits for its till', async ({ processor, payVoucher }) => {
    const charge = pushOf('oxxo')
    const issued = await processor.createAttempt(charge)
    expect(issued).toMatchObject({ state: 'pending_customer', action: { type: 'voucher' } })
    const { action } = issued as Extract<typeof issued, { state: 'pending_customer' }>
    await payVoucher(charge.reference, (action as { reference: string }).reference)
    expect(await processor.fetchAttempt(charge.reference, refs(issued as object))).toMatchObject({
      ...paid,
      card: null,
    })
  })

  of(
    'transfers to a CLABE are read each by itself, and all of an attempt',
    async ({ processor, transfer }) => {
      const charge = pushOf('spei')
      const issued = await processor.createAttempt(charge)
      expect(issued).toMatchObject({
        state: 'pending_customer',
        action: { type: 'clabe', clabe: expect.stringMatching(/^\d{18}$/) },
      })
      const { action } = issued as Extract<typeof issued, { state: 'pending_customer' }>
      const { clabe } = action as { clabe: string }
      const first = await transfer(charge.reference, clabe, 50_000n)
      await transfer(charge.reference, clabe, 70_000n)
      const { fetchDeposit, depositsOf, holder } = processor.deposits!
      expect(await fetchDeposit(first)).toMatchObject({ depositRef: first, clabe, amountMinor: 50_000n })
      const all = await depositsOf!(charge.reference, refs(issued as object))
      expect(all.map(({ amountMinor }) => amountMinor).sort()).toEqual([50_000n, 70_000n])
      // Where the processor holds the money for the buyer, it says itself when it is the merchant's.
      if (holder === 'buyer')
        expect(await processor.fetchAttempt(charge.reference, refs(issued as object))).toMatchObject(paid)
    },
  )

  of('a refund sent twice is one; more than is left fails; an unknown one is not found', async (it) => {
    const { refunds, createAttempt } = it.processor
    const charge = cardOf('approved')
    const taken = refs((await createAttempt(charge)) as object)
    const order = (amountMinor: bigint): RefundOrder => ({
      ...taken,
      reference: uuidv7(Date.now()),
      attemptReference: charge.reference,
      reason: 'requested_by_customer',
      amountMinor,
      currency: 'mxn',
    })
    const part = order(50_000n)
    const answer = await refunds!.refund(part)
    expect(answer).toMatchObject({ state: 'succeeded', amountMinor: 50_000n, currency: 'mxn' })
    expect(await refunds!.refund(part)).toEqual(answer)
    expect(await refunds!.fetchRefund(part.reference, part)).toEqual(answer)
    expect(await refunds!.refund(order(100_000n))).toMatchObject({ state: 'failed' })
    expect(await refunds!.refund(order(70_000n))).toMatchObject({ state: 'succeeded' })
    const none = order(1n)
    expect(await refunds!.fetchRefund(none.reference, none)).toEqual({ state: 'not_found' })
  })

  of('a dispute is read, answered once, and decided by the bank', async ({ processor, dispute, decide }) => {
    const { createAttempt, disputes } = processor
    const charge = cardOf('approved')
    await createAttempt(charge)
    const disputeRef = await dispute(charge.reference)
    const facts = { disputeRef, attemptReference: charge.reference, amountMinor: 120_000n, currency: 'mxn' }
    const open = await disputes!.fetchDispute(disputeRef)
    expect(open).toMatchObject({ ...facts, state: 'needs_response', evidenceDueBy: expect.any(Date) })
    const evidence = { product_description: 'Café de Olla' }
    expect(await disputes!.draftEvidence(disputeRef, evidence)).toMatchObject({ state: 'needs_response' })
    const bytes = new TextEncoder().encode('%PDF-1.7 ')
    const file = { id: uuidv7(Date.now()), contentType: 'application/pdf', bytes } as const
    const { fileRef } = (await disputes!.uploadFile(disputeRef, file)) as { fileRef: string }
    for (const _ of [1, 2])
      expect(await disputes!.submitEvidence(disputeRef, evidence, { receipt: fileRef })).toMatchObject({
        ...facts,
        state: 'under_review',
      })
    await decide(disputeRef)
    expect(await disputes!.fetchDispute(disputeRef)).toMatchObject({ ...facts, state: 'won' })
  })

  of('a dispute that is accepted is lost, now or when its time is over', async ({ processor, dispute }) => {
    const { createAttempt, disputes } = processor
    const charge = cardOf('approved')
    await createAttempt(charge)
    const accepted = await disputes!.acceptDispute(await dispute(charge.reference))
    expect(['lost', 'needs_response']).toContain((accepted as { state: string }).state)
    expect(await disputes!.fetchDispute('dp_none')).toBeNull()
  })

  const atDevice = (title: string, run: (world: PortWorld, counter: Counter) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      const it = world()
      if (!it.devices) return
      const { inPerson } = it.processor
      const order: ReaderOrder = {
        reference: `${uuidv7(Date.now())}:1`,
        code: it.devices.code(),
        name: 'Mostrador',
        place: { id: uuidv7(Date.now()), version: 1, name: 'Roma', address: roma, placeRef: null },
        accountId: null,
      }
      const registered = (await inPerson!.register(order)) as RegisteredReader
      const charge = (more: Partial<PresentedCharge> = {}): PresentedCharge => ({
        reference: uuidv7(Date.now()),
        amountMinor: 120_000n,
        currency: 'mxn',
        accountId: null,
        deviceId: uuidv7(Date.now()),
        readerRef: registered.readerRef,
        installmentMonths: 1,
        capture: 'automatic',
        expiresAt: new Date(Date.now() + 300_000),
        ...more,
      })
      await run(it, { order, registered, charge })
    })
  const waits = { state: 'pending_customer', action: { type: 'present_card' } }

  atDevice('a reader registered twice by one code is one; by another it is none', async (it, counter) => {
    const { register } = it.processor.inPerson!
    const { order, registered } = counter
    expect(registered).toMatchObject({ state: 'registered', readerRef: expect.any(String) })
    expect(await register(order)).toEqual(registered)
    expect(await register({ ...order, code: 'none' })).toEqual({ state: 'code_refused' })
    const nowhere = { ...order.place, address: null }
    expect(await register({ ...order, place: nowhere })).toEqual({ state: 'place_unfit' })
  })

  atDevice('a card at a device waits, pays once, and says how it was read', async (it, counter) => {
    const { inPerson, fetchAttempt, cancel } = it.processor
    const charge = counter.charge()
    for (const _ of [1, 2]) expect(await inPerson!.present(charge)).toMatchObject(waits)
    expect(await fetchAttempt(charge.reference, known)).toMatchObject(waits)
    await it.devices!.holdCard(charge.reference, charge)
    const read = { ...paid, card: { reading: { receipt: expect.any(Object) } } }
    expect(await fetchAttempt(charge.reference, known)).toMatchObject(read)
    expect(await cancel(charge.reference, known)).toMatchObject(paid)
  })

  atDevice('a cancellation wins while no card was read', async (it, { charge }) => {
    const { inPerson, fetchAttempt, cancel } = it.processor
    const canceled = charge()
    await inPerson!.present(canceled)
    expect(await cancel(canceled.reference, known)).toEqual({ state: 'canceled' })
    await it.devices!.holdCard(canceled.reference, canceled)
    expect(await fetchAttempt(canceled.reference, known)).toEqual({ state: 'canceled' })
  })

  atDevice('a card at a device is authorized, and captured in part', async (it, { charge }) => {
    const { inPerson, fetchAttempt, capture } = it.processor
    const held = charge({ capture: 'manual' })
    await inPerson!.present(held)
    await it.devices!.holdCard(held.reference, held)
    expect(await fetchAttempt(held.reference, known)).toMatchObject({ ...paid, state: 'authorized' })
    expect(await capture!(held.reference, 70_000n, known)).toMatchObject({ ...paid, amountMinor: 70_000n })
  })
}

interface Counter {
  readonly order: ReaderOrder
  readonly registered: RegisteredReader
  readonly charge: (more?: Partial<PresentedCharge>) => PresentedCharge
}
