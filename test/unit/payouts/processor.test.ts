import { expect, test } from 'vitest'
import { planEntries, planFacts, planFirst } from '../../../functions/money/payouts/plan-processor.ts'
import type { EntryRow, PayoutRow } from '../../../functions/money/payouts/store.ts'
import type { PayoutEntriesPage, PayoutEntryFacts, PayoutFacts } from '../../../src/processors/payouts.ts'

const [now, later] = [new Date('2026-11-25T12:00:00Z'), new Date('2026-11-25T13:00:00Z')]
let ids = 0
const clock = { now, newId: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '0')}` }

const facts: PayoutFacts = {
  payoutRef: 'po_1@account',
  accountId: 'account',
  tenantId: 'tn_1',
  state: 'pending',
  failureCode: null,
  amountMinor: 1_000n,
  currency: 'mxn',
  destination: { last4: '9719', bankName: 'BBVA' },
  claveRastreo: null,
  arrivesOn: '2026-11-27',
  entries: 'awaited',
}

/** The row that the writes of a plan make of `before`. */
type Planned = ReturnType<typeof planFirst> | null
const writesOf = (plan: Planned) => (plan?.writes ?? []) as unknown as Record<string, unknown>[]
const rowsOf = (plan: Planned) =>
  writesOf(plan).flatMap((write) => (write.rows ?? []) as Partial<PayoutRow & EntryRow>[])
const setOf = (plan: Planned) => writesOf(plan).flatMap((write) => (write.set ?? []) as Partial<PayoutRow>)[0]
const typesOf = (plan: Planned) => plan?.events.map(({ type }) => type) ?? null

const row = (changes: Partial<PayoutRow> = {}): PayoutRow => ({
  ...(rowsOf(planFirst('stripe', facts, clock))[0] as PayoutRow),
  ...changes,
})

test('a payout that was not known begins as pending, whatever became of it, and books nothing', () => {
  const plan = planFirst('stripe', { ...facts, state: 'paid', amountMinor: -5n }, clock)
  expect(plan.writes).toHaveLength(1)
  expect(typesOf(plan)).toEqual(['payout.created'])
  expect(plan.reply).toMatchObject({
    status: 'pending',
    amount: '-5',
    amount_gross: '0',
    amount_fee: '0',
    entries_count: 0,
    destination: { clabe_last4: '9719', bank_name: 'BBVA' },
    reconciliation: 'pending',
    processor_ref: 'po_1',
    cep: null,
  })
})

test.each<[PayoutRow['status'], PayoutFacts['state'], string | null]>([
  ['pending', 'pending', null],
  ['pending', 'in_transit', 'in_transit'],
  ['pending', 'paid', 'paid'],
  ['pending', 'failed', 'failed'],
  ['pending', 'canceled', 'canceled'],
  ['in_transit', 'pending', null],
  ['in_transit', 'paid', 'paid'],
  ['in_transit', 'failed', 'failed'],
  ['paid', 'in_transit', null],
  ['paid', 'paid', null],
  // Stripe: some payouts that fail are paid at first.
  ['paid', 'failed', 'returned'],
  ['failed', 'paid', null],
  ['returned', 'failed', null],
  ['canceled', 'paid', null],
])('%s, and the processor says %s: %s', (status, state, becomes) => {
  const failureCode = state === 'failed' ? 'account_closed' : null
  const plan = planFacts(row({ status }), { ...facts, state, failureCode }, { ...clock, now: later })
  expect(typesOf(plan)).toEqual(becomes && [`payout.${becomes}`])
  if (!becomes) return
  expect(setOf(plan)).toMatchObject({ status: becomes, failureCode })
  const isOver = becomes !== 'in_transit'
  expect(setOf(plan)?.resolvedAt ?? null).toEqual(isOver ? later : null)
  expect(setOf(plan)?.nextCheckAt === null).toBe(isOver && becomes !== 'paid')
})

test.each<[Partial<PayoutFacts>, object]>([
  [{ claveRastreo: '0859' }, { clave_rastreo: '0859' }],
  [{ arrivesOn: '2026-11-30' }, { arrives_on: '2026-11-30' }],
  [{ destination: null }, { destination: { clabe_last4: '', bank_name: null } }],
  [{ entries: 'never' }, { reconciliation: 'unavailable' }],
])('what it tells of %o is an update', (told, shown) => {
  const plan = planFacts(row(), { ...facts, ...told }, clock)
  expect(typesOf(plan)).toEqual(['payout.updated'])
  expect(plan?.reply).toMatchObject(shown)
})

const entry = (n: number, netMinor: bigint, more: Partial<PayoutEntryFacts> = {}): PayoutEntryFacts => ({
  entryRef: `txn_${n}`,
  kind: 'payment',
  sourceRefs: [`pi_${n}`, `pi_${n}@account`],
  type: 'charge',
  description: null,
  grossMinor: netMinor + 40n,
  feeMinor: 40n,
  netMinor,
  currency: 'mxn',
  ...more,
})
const page = (entries: PayoutEntryFacts[], readOnFrom: string | null = null): PayoutEntriesPage => ({
  entries,
  readOnFrom,
})
const links = new Map([
  ['pi_1', { type: 'payment', id: 'payment' }],
  ['re_2@account', { type: 'refund', id: 'refund' }],
] as const)

test('entries are linked by either reference; what is not ours is an entry too, in the words of the processor', () => {
  const fee = { kind: 'other', sourceRefs: [], type: 'stripe_fee', description: 'Radar' } as const
  const plan = planEntries(
    row(),
    page([
      entry(1, 1_250n, { description: 'Café de Olla' }),
      entry(2, -200n, { kind: 'refund', sourceRefs: ['re_2', 're_2@account'], type: 'refund' }),
      entry(3, -150n, { ...fee, grossMinor: -150n, feeMinor: 0n }),
      entry(4, 100n, { description: 'Card 4242 4242 4242 4242' }),
    ]),
    links,
    clock,
  )
  const entries = rowsOf(plan)
  expect(
    entries.map(({ kind, sourceType, sourceId, processorRef }) => [kind, sourceType, sourceId, processorRef]),
  ).toEqual([
    ['payment', 'payment', 'payment', 'txn_1'],
    ['refund', 'refund', 'refund', 'txn_2'],
    ['other', null, null, 'txn_3'],
    ['other', null, null, 'txn_4'],
  ])
  expect(entries.map(({ description }) => description)).toEqual([null, null, 'Radar', null])
  expect(entries[2]).toMatchObject({ processorType: 'stripe_fee', activityId: null })
  expect(typesOf(plan)).toEqual(['payout.updated'])
  expect(plan.reply).toMatchObject({
    reconciliation: 'complete',
    amount_gross: '1120',
    amount_fee: '120',
    amount: '1000',
    entries_count: 4,
  })
})

test('a page with more behind it is recorded with its place, and tells nobody', () => {
  const plan = planEntries(row(), page([entry(1, 1_000n)], 'txn_1'), links, clock)
  expect([plan.events, setOf(plan)]).toMatchObject([[], { entriesReadTo: 'txn_1', entriesCount: 1 }])
  expect(plan.reply.reconciliation).toBe('pending')
  const half = row({ grossMinor: 640n, feeMinor: 40n, entriesCount: 1, entriesReadTo: 'txn_1' })
  const last = planEntries(half, page([entry(2, 400n)]), links, clock)
  expect(last.reply).toMatchObject({
    reconciliation: 'complete',
    entries_count: 2,
    amount_gross: '1080',
    amount_fee: '80',
  })
  expect(setOf(last)).toMatchObject({ entriesReadTo: null })
})

test.each([
  ['a cent less', [entry(1, 999n)]],
  ['a cent more', [entry(1, 1_001n)]],
  ['nothing', []],
])('entries that sum to %s are no reconciliation', (_what, entries) => {
  const plan = planEntries(row(), page(entries), links, clock)
  expect([plan.reply.reconciliation, plan.reply.entries_count]).toEqual(['mismatched', entries.length])
})
