import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import type { CardCharge, PushCharge } from '../../../src/processors/port.ts'
import { accountFacts, keyPair, readEvents, stripe } from '../../../src/processors/stripe/index.ts'
import { fileFields } from '../../support/stripe-files.ts'
import { presentedCharge, readerOrder } from '../../support/stripe-orders.ts'
import { otherEntry } from '../../support/stripe-payouts.ts'
import { publishableKey, StripeServer, secretKey } from '../../support/stripe-server.ts'
import { allowed } from '../../support/stripe-shapes.ts'
import { deviationsOf, type Typed, typedEvent, typedExchange } from '../../support/stripe-typed.ts'

const server = new StripeServer()
let account = { name: 'types-test', id: null, tenantId: null, secretKey, apiBase: '', timeoutMs: 2_000 }
beforeAll(async () => {
  account = { ...account, apiBase: await server.start() }
})
afterAll(() => server.stop())

/** What deviates and may: a part of what TypeScript says of it, and why. */
const known: readonly (readonly [part: string, reason: string])[] = [
  [
    'POST /v1/customers/cus_0/funding_instructions -> 200: Type \'"mx_bank_transfer"\'',
    'The library lists two of the types; https://docs.stripe.com/payments/customer-balance/funding-instructions names this one.',
  ],
]

const base = { amountMinor: 120_000n, currency: 'mxn', merchantName: 'Café de Olla', accountId: null }
const back = 'https://pay.spindle.example/back'
const card = (token: string, more: Partial<CardCharge> = {}): CardCharge => ({
  ...base,
  method: 'card',
  reference: uuidv7(Date.now()),
  buyer: {},
  token,
  installmentMonths: 1,
  capture: 'automatic',
  threeDs: 'automatic',
  returnUrl: back,
  ...more,
})
const push = (method: 'oxxo' | 'spei'): PushCharge => ({
  ...base,
  method,
  reference: uuidv7(Date.now()),
  buyer: { name: 'Ana Prueba', email: 'ana@example.com' },
  expiresAt: new Date(Date.now() + 3 * 86_400_000),
  returnUrl: back,
})

/** Every request that the adapter sends, in the states that each can meet. */
async function everything(): Promise<void> {
  const { refunds, deposits, disputes, fraudWarnings, ...processor } = stripe(async () => account)
  const sale = { amountMinor: 120_000n, currency: 'mxn', installments: true, publicId: 'splink_1' }
  const known = (reference: string) => ({ processorRef: server.intentFor(reference)!.id, accountId: null })
  const taken = async (charge: CardCharge | PushCharge) => {
    await processor.createAttempt(charge)
    const order = {
      ...base,
      reason: 'duplicate' as const,
      reference: uuidv7(Date.now()),
      attemptReference: charge.reference,
    }
    return { reference: charge.reference, order: { ...order, ...known(charge.reference) } }
  }
  const { name, apiBase, timeoutMs } = account
  await accountFacts({ name, secretKey, apiBase, timeoutMs })
  await accountFacts({ name, secretKey: 'sk_live_of-nobody', apiBase, timeoutMs })
  server.pages.set('pk_live_other', 'acct_other')
  for (const key of [publishableKey, 'pk_live_other', 'pk_live_of-nobody'])
    await keyPair({ name, secretKey, apiBase, timeoutMs }, key)

  for (const token of ['pm_msi', 'pm_approve', 'ctoken_approve', 'pm_unknown', 'ctoken_unknown'])
    for (const installments of [true, false]) await processor.describe(token, { ...sale, installments })
  await taken(card('pm_msi', { installmentMonths: 6 }))
  for (const token of ['ctoken_approve', 'pm_funds', 'pm_stolen'])
    await processor.createAttempt(card(token, { threeDs: 'required' }))
  await processor.createAttempt(card('pm_unknown'))
  await processor.createAttempt(card('pm_approve', { amountMinor: 100n }))
  await processor.createAttempt(card('pm_approve', { amountMinor: 100_000_000n }))
  for (const capture of [true, false]) {
    const { reference } = await taken(card('pm_approve', { capture: 'manual' }))
    if (capture) await processor.capture!(reference, 70_000n, known(reference))
    else await processor.cancel(reference, known(reference))
    await processor.fetchAttempt(reference, known(reference))
  }
  await processor.cancel(uuidv7(Date.now()), { processorRef: null, accountId: null })
  const challenged = await taken(card('pm_challenge'))
  await processor.fetchAttempt(challenged.reference, { processorRef: null, accountId: null })
  const error = { code: 'payment_intent_authentication_failure' }
  server.move(known(challenged.reference).processorRef, { status: 'requires_payment_method', error })
  await processor.fetchAttempt(challenged.reference, known(challenged.reference))

  const { order } = await taken(card('pm_approve'))
  for (const [amountMinor, status] of [
    [20_000n, 'succeeded'],
    [20_000n, 'pending'],
    [20_000n, 'failed'],
    [90_000n, 'succeeded'],
    [80_000n, 'succeeded'],
    [1n, 'succeeded'],
  ] as const) {
    server.refundStatus = status
    await refunds!.refund({ ...order, amountMinor, reference: uuidv7(Date.now()) })
  }
  await refunds!.fetchExternalRefund(server.refunds.keys().next().value!)
  server.failNext(/POST \/v1\/refunds/, '402')
  await refunds!.refund((await taken(card('pm_approve'))).order)

  const { order: reported } = await taken(card('pm_approve'))
  const warning = server.warn(reported.processorRef).id
  server.dispute(reported.processorRef, 'needs_response')
  for (const id of [warning, 'issfr_none']) await fraudWarnings!.fetchFraudWarning(id)

  for (const status of ['needs_response', 'warning_needs_response'] as const) {
    const { id } = server.dispute(order.processorRef, status)
    const bytes = new TextEncoder().encode('%PDF-1.7')
    const file = { id: uuidv7(Date.now()), contentType: 'application/pdf', bytes } as const
    const { fileRef } = (await disputes!.uploadFile(id, file)) as { fileRef: string }
    await disputes!.uploadFile(id, { ...file, bytes: new TextEncoder().encode('GIF89a') })
    await disputes!.submitEvidence(id, {}, { receipt: 'file_none' })
    const named = Object.fromEntries(fileFields.map((field) => [field, fileRef]))
    await disputes!.submitEvidence(id, { product_description: 'Coffee', waybill: 'W-1' }, named)
    await disputes!.submitEvidence(id, { product_description: 'Coffee' })
    server.moveDispute(id, status === 'needs_response' ? 'won' : 'warning_closed')
    server.moveDispute(id, status)
    await disputes!.draftEvidence(id, { product_description: 'Coffee' })
    await disputes!.draftEvidence(id, { access_activity_log: 'x'.repeat(200_000) })
    for (const _ of [1, 2]) await disputes!.acceptDispute(id)
    await disputes!.fetchDispute(id)
  }

  for (const order of [
    readerOrder(server),
    readerOrder(server, { code: 'none' }),
    readerOrder(server, { place: { ...readerOrder(server).place, placeRef: 'tml_none' } }),
  ])
    await processor.inPerson!.register(order)
  const [reader = ''] = server.readers.keys()
  const waiting = async (capture: 'automatic' | 'manual' = 'automatic') => {
    const charge = presentedCharge(reader, { capture })
    await processor.inPerson!.present(charge)
    return charge.reference
  }
  for (const answer of ['offline', 'busy', 'late'] as const) {
    server.next = answer
    await waiting()
  }
  for (const token of ['pm_approve', 'pm_funds']) {
    const reference = await waiting(token === 'pm_funds' ? 'automatic' : 'manual')
    await processor.fetchAttempt(reference, known(reference))
    server.presentCard(reader, token)
    await processor.fetchAttempt(reference, known(reference))
  }
  const { place } = readerOrder(server)
  for (const placeRef of [null, 'tml_none']) {
    const order = { reference: uuidv7(Date.now()), place: { ...place, placeRef }, accountId: null }
    await processor.inPerson!.connect!(order)
  }
  const canceled = await waiting()
  await processor.cancel(canceled, known(canceled))
  await waiting()
  server.giveUp(reader)
  await processor.inPerson!.present(presentedCharge('tmr_none'))
  const line = { name: 'Café', quantity: 2, amount_total: '11600' }
  const cart = { line_items: [line], amount: '12600', amount_tip: '1000', currency: 'mxn' }
  const screen = { reference: uuidv7(Date.now()), readerRef: reader, cart, accountId: null }
  await processor.inPerson!.show!(screen)
  for (const more of [{ cart: null }, { readerRef: 'tmr_none' }])
    await processor.inPerson!.show!({ ...screen, reference: uuidv7(Date.now()), ...more })
  const asked = { reference: uuidv7(Date.now()), readerRef: reader, accountId: null }
  const tip = {
    type: 'selection',
    title: 'Propina',
    description: 'Para quien le atendió',
    required: true,
  } as const
  const choices = [{ id: '0', text: '$50.00' }]
  const typed = { title: 'Dato', description: null, required: false, choices: null }
  const types = ['email', 'phone', 'numeric', 'text'] as const
  const inputs = [{ ...tip, choices }, ...types.map((type) => ({ ...typed, type }))]
  await processor.inPerson!.ask!({ ...asked, inputs })
  server.fill(reader, '0', 'ana@example.com', '+525512345678', '1024', null)
  await processor.inPerson!.answerTo!(asked)
  for (const title of ['x'.repeat(41), 'Propina'])
    await processor.inPerson!.ask!({
      ...asked,
      reference: uuidv7(Date.now()),
      inputs: [{ ...tip, title, choices }],
    })
  server.giveUp(reader)
  server.forgetKeys()
  const { location } = server.readers.get(reader)!
  for (const code of ['none', 'quick-brown-0'])
    await processor.inPerson!.register(
      readerOrder(server, { code, place: { ...place, placeRef: location as string } }),
    )
  server.deletePlace(location as string)
  await waiting()

  const own = { id: uuidv7(Date.now()), tenantId: 'tn_own' }
  const atOwn = stripe(async () => ({ ...account, ...own }))
  const made = [order.processorRef, reported.processorRef].map((id) => `txn_ch${id.slice(3)}`)
  const entries = [
    ...made.map((id) => server.lookup(id) as Stripe.BalanceTransaction),
    otherEntry('fee', -500, { type: 'stripe_fee', reporting_category: 'fee', description: 'Radar' }),
  ]
  const po = server.payOut('acct_environment', entries).id
  server.movePayout(po, { status: 'paid', reconciliation_status: 'completed' })
  const byHand = server.payOut('acct_environment', [], { automatic: false, amount: 100 }).id
  server.movePayout(byHand, { status: 'canceled' })
  const failed = {
    status: 'failed',
    failure_code: 'account_closed',
    failure_message: 'The account is closed',
  }
  server.movePayout(server.payOut('acct_environment', []).id, failed)
  for (const id of [po, byHand, 'po_none']) {
    await atOwn.payouts!.fetchPayout(`${id}@${own.id}`)
    await atOwn.payouts!.entriesOf(`${id}@${own.id}`, null)
  }

  const voucher = await taken(push('oxxo'))
  server.move(known(voucher.reference).processorRef, { status: 'succeeded' })
  await processor.fetchAttempt(voucher.reference, known(voucher.reference))
  await processor.createAttempt({ ...push('oxxo'), buyer: { name: 'Ana', email: 'ana@example.com' } })
  const transfer = await taken(push('spei'))
  const customer = server.intentFor(transfer.reference)!.customer!
  for (const [at, amount] of [50_000, 90_000].entries()) {
    server.deposit(customer, `ccsbtxn_${at}`, amount)
    await processor.fetchAttempt(transfer.reference, known(transfer.reference))
  }
  server.refundStatus = 'requires_action'
  await refunds!.refund(transfer.order)
  for (const { id, status } of server.refunds.values())
    if (status === 'requires_action') server.moveRefund(id, 'canceled')
  server.cash(customer, 'funding_reversed', 1_000)
  server.cash(customer, 'transferred_to_balance', 1_000, 'txn_1')
  server.cash(customer, 'adjusted_for_overdraft', 500, 'ccsbtxn_0')
  const partly = await taken(push('spei'))
  server.deposit(server.intentFor(partly.reference)!.customer!, 'ccsbtxn_2', 100)
  await processor.cancel(partly.reference, known(partly.reference))
  await deposits!.fetchDeposit(`${customer}/ccsbtxn_0`)
  await deposits!.fetchDeposit(`${customer}/ccsbtxn_none`)
  await deposits!.depositsOf!(transfer.reference, known(transfer.reference))
  await readEvents({ name, secretKey, apiBase }, null)
}

test('every request and reply is of the types of Stripe’s library, with its enums closed', async () => {
  await everything()
  expect(server.complaints).toEqual([])
  const exchanges = [...server.recorded.values()]
  const isSeen = ({ method, pattern }: (typeof allowed)[number]) =>
    exchanges.some((each) => each.method === method && pattern.test(each.path))
  expect(allowed.filter((each) => !isSeen(each)).map(({ pattern }) => pattern)).toEqual([])

  const entries: Typed[] = [...server.intents.values()].flatMap(({ id, charged }) => {
    const [charge, entry] = [`ch_${id.slice(3)}`, `txn_ch${id.slice(3)}`]
    if (charged === 'no') return []
    return [
      { name: 'charge', value: server.lookup(charge), type: 'Stripe.Charge' },
      { name: 'entry', value: server.lookup(entry), type: 'Stripe.BalanceTransaction' },
    ]
  })
  const values = [
    ...exchanges.flatMap(typedExchange),
    ...server.events.all.map(({ event }) => typedEvent(event)),
    ...entries,
  ]
  const wrong: Typed[] = [
    { name: 'a missing field', value: { object: 'cash_balance' }, type: 'Stripe.CashBalance' },
    { name: 'an invented field', value: { limit: 1, x: 1 }, type: 'Stripe.RefundListParams' },
    { name: 'an open enum', value: { cancellation_reason: 'x' }, type: 'Stripe.PaymentIntentCancelParams' },
    { name: 'an unknown code', value: 'x', type: 'Stripe.PaymentIntent.LastPaymentError.Code' },
  ]
  const told = (await deviationsOf([...values, ...wrong])).map((each) => each.replaceAll(/\d+x\d+/g, '0'))
  for (const { name } of wrong) expect(told.filter((each) => each.startsWith(`${name}: `))).not.toEqual([])
  const isKnown = (text: string) => known.some(([part]) => text.includes(part))
  const deviations = told.filter((each) => !isKnown(each) && !wrong.some(({ name }) => each.startsWith(name)))
  expect([...new Set(deviations)]).toEqual([])
  for (const [part] of known) expect(told.some((each) => each.includes(part))).toBe(true)
}, 120_000)
