import { describe, expect, test } from 'vitest'
import { entryKinds } from '../../../drizzle/schema/payouts.ts'
import { newAccount } from '../../../functions/money/bank-accounts/plan.ts'
import type { BankAccountRow } from '../../../functions/money/bank-accounts/store.ts'
import { payoutLifecycle } from '../../../functions/money/payouts/lifecycle.ts'
import { drawPayout, eachWayMax, planScheduled, takeActivity } from '../../../functions/money/payouts/plan.ts'
import { planNextPoll, planOutcome } from '../../../functions/money/payouts/plan-outcome.ts'
import { planSettings, type Wanted } from '../../../functions/money/payouts/plan-settings.ts'
import { kindOf } from '../../../functions/money/payouts/present.ts'
import type { OpenActivity, PayoutRow, SettingsRow } from '../../../functions/money/payouts/store.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { isRefusal, type Journal, type Plan, type Write } from '../../../src/kernel/plan.ts'
import {
  disputeFeeJournal,
  disputeLostJournal,
  movementJournal,
  movements,
  releaseJournal,
} from '../../../src/ledger/journals.ts'
import type { BankState } from '../../../src/processors/port.ts'

const now = new Date('2026-06-15T18:00:00.000Z')
const clock = clockOf(now)

const activity = (amountMinor: bigint, more: Partial<OpenActivity> = {}): OpenActivity => ({
  tenantId: 'tn_1',
  id: clock.newId(),
  currency: 'mxn',
  sourceType: amountMinor < 0n ? 'refund' : 'payment',
  sourceId: clock.newId(),
  entryKind: amountMinor < 0n ? 'refund' : 'release',
  amountMinor,
  payoutId: null,
  createdAt: now,
  feeProcessingMinor: null,
  feeInstallmentsMinor: null,
  feeIvaMinor: null,
  ...more,
})

const accountId = '0190a6d2-7c3e-7b1a-9f00-000000000045'

const settings = (more: Partial<SettingsRow> = {}): SettingsRow => ({
  tenantId: 'tn_1',
  id: clock.newId(),
  currency: 'mxn',
  interval: 'daily',
  anchorDay: null,
  amountMinorMin: 0n,
  bankAccountId: accountId,
  clabe: '032180000118359719',
  holder: 'Café Azul',
  accountStatus: 'verified',
  coolDownEndsAt: null,
  nextPayoutOn: '2026-06-15',
  version: 3,
  createdAt: now,
  updatedAt: now,
  ...more,
})

const balance = (incoming: OpenActivity[], outgoing: OpenActivity[] = []) => ({
  incoming,
  outgoing,
  availableMinor: [...incoming, ...outgoing].reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
})

const draw = (open: ReturnType<typeof balance>, more: Partial<SettingsRow> = {}) =>
  drawPayout(settings(more), open, 'simulator', clock)

function drawn(open: ReturnType<typeof balance>) {
  const made = draw(open)
  if (isRefusal(made)) throw new Error(made.refused)
  return made
}

describe('entries', () => {
  test('a payment brings its fees: gross is what was captured less the reserve', () => {
    const fees = { feeProcessingMinor: 400n, feeInstallmentsMinor: 60n, feeIvaMinor: 74n }
    // Captured 10,000, fees 534, reserve 466.
    const { entries, payout } = drawn(balance([activity(9_000n, fees)], [activity(-1_000n)]))
    expect(
      entries.map(({ kind, grossMinor, feeMinor, netMinor }) => [kind, grossMinor, feeMinor, netMinor]),
    ).toEqual([
      ['payment', 9_534n, 534n, 9_000n],
      ['refund', -1_000n, 0n, -1_000n],
    ])
    expect([payout.grossMinor, payout.feeMinor, payout.amountMinor, payout.entriesCount]).toEqual([
      8_534n,
      534n,
      8_000n,
      2,
    ])
  })

  test('the fee for a dispute is nothing but fee; given back it makes the fees of the payout less', () => {
    const booked = (entryKind: string) => ({ sourceType: 'dispute' as const, entryKind })
    const { entries, payout } = drawn(
      balance([activity(9_000n), activity(174n, booked('fee_returned'))], [activity(-348n, booked('fee'))]),
    )
    expect(
      entries.map(({ kind, grossMinor, feeMinor, netMinor }) => [kind, grossMinor, feeMinor, netMinor]),
    ).toEqual([
      ['payment', 9_000n, 0n, 9_000n],
      ['dispute_fee_returned', 0n, -174n, 174n],
      ['dispute_fee', 0n, 348n, -348n],
    ])
    expect([payout.grossMinor, payout.feeMinor, payout.amountMinor]).toEqual([9_000n, 174n, 8_826n])
  })

  test.each([
    ['nothing', balance([]), 0n, 'payout_nothing_available'],
    ['as much out as in', balance([activity(5n)], [activity(-5n)]), 0n, 'payout_nothing_available'],
    ['below zero', balance([activity(5n)], [activity(-6n)]), 0n, 'payout_nothing_available'],
    ['below the minimum', balance([activity(99n)]), 100n, 'payout_below_minimum'],
    ['the minimum', balance([activity(100n)]), 100n, null],
  ] as const)('%s', (_what, open, amountMinorMin, refused) => {
    const made = draw(open as never, { amountMinorMin })
    expect(isRefusal(made) ? made.refused : null).toBe(refused)
  })

  test('every journal that moves the available balance has a kind in the interface', () => {
    const source = { id: 's', currency: 'mxn', netMinor: 10n, reserveMinor: 4n }
    const moves = movementJournal as (...args: unknown[]) => Journal
    const made = [
      ...Object.keys(movements).map((each) => moves(each, source, 10n, clock, 'merchant_available')),
      releaseJournal(source, clock),
      disputeLostJournal(source, 10n, 4n, clock),
      ...(['fee', 'fee_returned'] as const).map((kind) =>
        disputeFeeJournal(kind, source, { feeMinor: 10n, ivaMinor: 2n }, clock),
      ),
    ]
    const moving = made.filter(
      ({ entryKind, postings }) =>
        entryKind !== 'payout' && postings.some(({ account }) => account === 'merchant_available'),
    )
    expect(moving.length).toBeGreaterThan(10)
    for (const each of moving) expect(entryKinds).toContain(kindOf(each))
  })
})

describe('more movements than one payout carries', () => {
  const many = (n: number, amount: bigint) => Array.from({ length: n }, () => activity(amount))

  test.each([
    ['many small that came in', many(eachWayMax + 500, 10n), [] as OpenActivity[]],
    ['the rest goes out', many(eachWayMax + 500, 10n), many(eachWayMax + 200, -9n)],
    ['a fair that was called off, and good days', many(eachWayMax, 1_000n), many(eachWayMax * 2, -100n)],
    ['one large that went', many(eachWayMax * 2, 10n), [activity(-30_000n)]],
  ])('%s: something is paid, and never more than the balance', (_what, incoming, outgoing) => {
    const open = balance(incoming, outgoing)
    const cut = {
      ...open,
      incoming: incoming.slice(0, eachWayMax + 1),
      outgoing: outgoing.slice(0, eachWayMax + 1),
    }
    const { taken, more } = takeActivity(cut)
    const sum = taken.reduce((total, { amountMinor }) => total + amountMinor, 0n)
    expect(more).toBe(true)
    expect(open.availableMinor).toBeGreaterThan(0n)
    expect(sum > 0n && sum <= open.availableMinor).toBe(true)
  })

  test('one credit and more debits than fit with it: it waits', () => {
    const [incoming, outgoing] = [[activity(10_000_000n)], many(eachWayMax * 2, -100n)]
    const open = { ...balance(incoming, outgoing), outgoing: outgoing.slice(0, eachWayMax + 1) }
    expect(isRefusal(draw(open))).toBe(true)
  })
})

describe('a balance that shrinks under its draws', () => {
  const open = balance([100n, 200n, 300n, 400n].map((amount) => activity(amount)))
  test.each([
    [1, 1_000n, false],
    [2, 1_000n, false],
    [3, 600n, true],
    [4, 600n, true],
    [5, 300n, true],
  ])('draw %s takes %s', (draw, sumMinor, more) => {
    const made = takeActivity(open, draw)
    expect([made.taken.reduce((sum, { amountMinor }) => sum + amountMinor, 0n), made.more]).toEqual([
      sumMinor,
      more,
    ])
  })

  test.each([
    [1n, 600n],
    [450n, 300n],
    [950n, 0n],
  ])('%s that refunds wait for stays, and %s is taken', (waitingMinor, sumMinor) => {
    const { taken } = takeActivity({ ...open, waitingMinor })
    expect(taken.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)).toBe(sumMinor)
    const single = { ...balance([activity(500n)]), waitingMinor }
    expect(takeActivity(single, 5).taken).toEqual([])
  })

  test('a single movement is taken whole; so is everything when a draw would take less than the minimum', () => {
    expect(takeActivity(balance([activity(500n)]), 5)).toMatchObject({ taken: [{ amountMinor: 500n }] })
    const made = drawPayout(settings({ amountMinorMin: 900n }), open, 'simulator', clock, 5)
    expect(isRefusal(made) ? made : made.payout.amountMinor).toBe(1_000n)
  })
})

describe('the schedule', () => {
  const written = (plan: Plan<object> | null) =>
    plan?.writes.map((write) => ('set' in write ? write.set : write.kind))
  const next = { nextPayoutOn: '2026-06-16', updatedAt: now }

  test('a payout sets the next date with it; with nothing to pay only the date is set', () => {
    const due = settings()
    expect(written(planScheduled(due, drawn(balance([activity(5n)])), clock))).toEqual([
      'insert',
      'insert',
      'post',
      next,
    ])
    expect(written(planScheduled(due, { refused: 'payout_nothing_available' }, clock))).toEqual([next])
  })

  test('while there is more than one payout carries the date stays', () => {
    const more = { ...drawn(balance([activity(5n)])), more: true }
    expect(written(planScheduled(settings(), more, clock))).toEqual(['insert', 'insert', 'post'])
  })

  test.each([['2026-06-16'], [null]])('not before its day: %s', (nextPayoutOn) => {
    expect(
      planScheduled(settings({ nextPayoutOn }), { refused: 'payout_nothing_available' }, clock),
    ).toBeNull()
  })
})

describe("the bank's answers", () => {
  const row = (status: PayoutRow['status']): PayoutRow => ({
    ...drawn(balance([activity(5n)])).payout,
    status,
  })
  const standings: Record<string, BankState> = {
    processing: { state: 'processing' },
    paid: { state: 'paid', claveRastreo: 'SBX1' },
    failed: { state: 'failed', code: 'account_closed' },
    returned: { state: 'returned', code: 'account_closed', claveRastreo: 'SBX1', returnClaveRastreo: 'DEV1' },
    canceled: { state: 'canceled' },
    not_found: { state: 'not_found' },
    unknown: { state: 'unknown' },
  }
  const moves: Record<string, Record<string, [string, string?]>> = {
    pending: {
      processing: ['in_transit'],
      paid: ['paid', 'payout_paid'],
      failed: ['failed', 'payout_reversed'],
      canceled: ['canceled', 'payout_reversed'],
      returned: ['paid', 'payout_paid'],
    },
    in_transit: {
      paid: ['paid', 'payout_paid'],
      failed: ['failed', 'payout_reversed'],
      canceled: ['canceled', 'payout_reversed'],
      returned: ['paid', 'payout_paid'],
    },
    paid: { returned: ['returned', 'payout_returned'] },
  }
  const table = statusesOf(payoutLifecycle).flatMap((status) =>
    Object.keys(standings).map((standing) => [status, standing, moves[status]?.[standing] ?? null] as const),
  )
  test.each(table)('%s, and the bank answers %s: %s', (status, standing, expected) => {
    const plan = planOutcome(row(status), standings[standing]!, clock)
    const posted = plan?.writes.find((write: Write) => write.kind === 'post') as Journal | undefined
    expect(plan ? [plan.reply.status, posted?.entryKind] : null).toEqual(
      expected ? [expected[0], expected[1]] : null,
    )
  })

  test('a paid payout is watched for five days', () => {
    const looks = [0, 1, 2, 3, 4].map((checksCount) => {
      const plan = planNextPoll({ ...row('paid'), checksCount }, { state: 'paid', claveRastreo: 'SBX1' }, now)
      return ((plan!.writes[0] as { set: { nextCheckAt: Date | null } }).set.nextCheckAt ?? null) !== null
    })
    expect(looks).toEqual([true, true, true, true, false])
    const silent = planNextPoll({ ...row('paid'), checksCount: 4 }, { state: 'unknown' }, now)
    expect(silent!.writes[0]).toMatchObject({
      set: { checksCount: 4, nextCheckAt: new Date(now.getTime() + 3_600_000) },
    })
  })
})

describe('settings', () => {
  const wanted: Wanted = {
    currency: 'mxn',
    interval: 'weekly',
    anchorDay: 5,
    amountMinorMin: 0n,
    bankAccountId: accountId,
  }
  const account = (more: Partial<BankAccountRow> = {}): BankAccountRow => ({
    ...newAccount(
      {
        tenantId: 'tn_1',
        clabe: '032180000118359719',
        holder: 'Café Azul',
        legalName: null,
        hasBank: true,
      },
      clock,
    ),
    id: accountId,
    status: 'verified',
    ...more,
  })
  test.each<[string, Partial<Wanted>, string | null]>([
    ['as it should be', {}, null],
    ['dollars to a CLABE', { currency: 'usd' }, 'currency'],
    ['weekly without a day', { anchorDay: null }, 'anchor_day'],
    ['weekly on the eighth day', { anchorDay: 8 }, 'anchor_day'],
    ['weekly on day zero', { anchorDay: 0 }, 'anchor_day'],
    ['monthly on the 31st', { interval: 'monthly', anchorDay: 31 }, null],
    ['monthly on the 32nd', { interval: 'monthly', anchorDay: 32 }, 'anchor_day'],
    ['daily with a day', { interval: 'daily' }, 'anchor_day'],
    ['by hand with a day', { interval: 'manual' }, 'anchor_day'],
    ['by hand', { interval: 'manual', anchorDay: null }, null],
  ])('%s', (_what, more, param) => {
    const plan = planSettings(undefined, { ...wanted, ...more }, account(), clock)
    expect(isRefusal(plan) ? plan.param : null).toBe(param)
  })

  test('the event of a change keeps the former settings', () => {
    const plan = planSettings(settings(), wanted, account(), clock)
    if (isRefusal(plan)) throw new Error(plan.refused)
    expect(plan.events[0]!.previousAttributes).toEqual({
      interval: 'daily',
      anchor_day: null,
      next_payout_on: '2026-06-15',
    })
    expect(plan.reply).toMatchObject({ version: 4, next_payout_on: '2026-06-19' })
  })

  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
  const cooled: [
    what: string,
    before: SettingsRow | undefined,
    changes: Partial<Wanted>,
    coolDownEndsAt: Date | null,
    next: string,
  ][] = [
    ['the first account', undefined, { interval: 'daily', anchorDay: null }, inHours(24), '2026-06-16'],
    ['another account', settings({ bankAccountId: clock.newId() }), {}, inHours(24), '2026-06-19'],
    [
      'another account for a week',
      settings({ bankAccountId: clock.newId() }),
      {},
      inHours(168),
      '2026-06-26',
    ],
    ['the same account', settings(), {}, null, '2026-06-19'],
    ['the same account, which is cooling down', settings(), {}, inHours(5), '2026-06-19'],
    ['no cool-down', undefined, {}, null, '2026-06-19'],
  ]
  test.each(cooled)('%s', (_what, before, changes, coolDownEndsAt, next) => {
    const plan = planSettings(before, { ...wanted, ...changes }, account({ coolDownEndsAt }), clock)
    if (isRefusal(plan)) throw new Error(plan.refused)
    expect(plan.reply).toMatchObject({
      cool_down_ends_at: coolDownEndsAt?.toISOString() ?? null,
      next_payout_on: next,
    })
    expect(plan.events.map(({ type }) => type)).toEqual([
      'payout_settings.updated',
      ...(before?.bankAccountId === accountId ? [] : ['payout_settings.destination_changed']),
    ])
  })

  test.each([
    [undefined, 'bank_account_not_found'],
    [account({ status: 'pending_verification' }), 'payout_account_not_verified'],
    [account({ status: 'disabled' }), 'payout_account_not_verified'],
  ])('an account that is none, or not verified, is refused: %#', (named, refused) => {
    expect(planSettings(settings(), wanted, named, clock)).toMatchObject({
      refused,
      param: 'bank_account_id',
    })
  })
})

test('an account that was disabled gets nothing, and its day stays set', () => {
  const gone = settings({ accountStatus: 'disabled', nextPayoutOn: '2026-06-12' })
  const drawn = drawPayout(gone, balance([activity(1_000n)]), 'simulator', clock)
  expect(drawn).toMatchObject({ refused: 'payout_account_not_verified' })
  expect(planScheduled(gone, drawn, clock)).toBeNull()
})

test('an account in its cool-down gets nothing, and its day stays set', () => {
  const coolDownEndsAt = new Date(now.getTime() + 1)
  const cooling = settings({ coolDownEndsAt, nextPayoutOn: '2026-06-12' })
  const drawn = drawPayout(cooling, balance([activity(1_000n)]), 'simulator', clock)
  expect(drawn).toMatchObject({ refused: 'payout_account_cooling_down' })
  expect(planScheduled(cooling, drawn, clock)).toBeNull()
  const over = { ...cooling, coolDownEndsAt: now }
  expect(isRefusal(drawPayout(over, balance([activity(1_000n)]), 'simulator', clock))).toBe(false)
})
