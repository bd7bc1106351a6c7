import { describe, expect, test } from 'vitest'
import type { SpendLimit } from '../../../functions/money/bank-orders/api-pure.ts'
import { transferLifecycle } from '../../../functions/money/transfers/lifecycle.ts'
import {
  type Asked,
  approvedOf,
  drawTransfer,
  planApprove,
  planCreate,
  planReject,
  type Sender,
} from '../../../functions/money/transfers/plan.ts'
import {
  planNextPoll,
  planOutcome,
  type TransferStatus,
} from '../../../functions/money/transfers/plan-outcome.ts'
import type { TransferRow } from '../../../functions/money/transfers/store.ts'
import { clabeWithCheckDigit } from '../../../src/kernel/clabe.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { isRefusal, type Plan } from '../../../src/kernel/plan.ts'

const now = new Date('2026-06-13T12:00:00Z')
let ids = 0
const clock = { now, newId: () => `id-${++ids}` }
const clabe = clabeWithCheckDigit('64618000000000001')

const asked = (changes: Partial<Asked> = {}): Asked => ({
  amountMinor: 1_000n,
  currency: 'mxn',
  destination: { type: 'clabe', clabe, holder: 'Ana Ruiz' },
  concept: 'Factura 12',
  metadata: {},
  ...changes,
})
/** The key's limit for today, and what it has sent. */
const spendLimit = (limitMinor: bigint, sentMinor = 0n, day = '2026-06-13'): SpendLimit => ({
  kid: 'kid',
  kind: 'transfers',
  limitMinor,
  sums: [
    { currency: 'usd', day, sumMinor: 999n },
    { currency: 'mxn', day, sumMinor: sentMinor },
  ] as never,
})
const sender = (changes: Partial<Sender> = {}): Sender => ({
  tenantId: 'tn_a',
  apiKeyId: 'key',
  spendLimit: spendLimit(1_000n),
  currencySupported: true,
  destinationKnown: true,
  processor: 'simulator',
  ...changes,
})
const drawn = (changes: Partial<Asked> = {}, from: Partial<Sender> = {}): TransferRow => {
  const transfer = drawTransfer(asked(changes), sender(from), clock)
  if (isRefusal(transfer)) throw new Error(transfer.refused)
  return transfer
}
const at = (status: TransferRow['status'], changes: Partial<TransferRow> = {}): TransferRow => ({
  ...drawn(),
  status,
  ...changes,
})

/** The effect of a plan: the status it gives, its journals, its events. */
function told(plan: Plan<object> | null): string {
  if (plan === null) return 'nothing'
  const { status } = plan.reply as { status: string }
  const journals = plan.writes.flatMap((write) => (write.kind === 'post' ? [write.entryKind] : []))
  return [status, ...journals, ...plan.events.map(({ type }) => type)].join(' ')
}

/** What a plan adds to the day's sum. */
const counted = (plan: Plan<object>) =>
  plan.writes
    .flatMap((write) => (write.kind === 'insert' ? write.rows : []))
    .filter((row) => 'sumMinor' in row)
    .map((row) => {
      const { kid, day, sumMinor } = row as Record<string, unknown>
      return { kid, day, sumMinor }
    })

describe("the effect of the bank's answer on a transfer", () => {
  const standings = {
    processing: { state: 'processing' },
    paid: { state: 'paid', claveRastreo: 'SBX1' },
    arrived: { state: 'arrived' },
    failed: { state: 'failed', code: 'account_closed' },
    gone: { state: 'failed', code: 'destination_unknown' },
    returned: { state: 'returned', code: 'account_closed', claveRastreo: 'SBX1', returnClaveRastreo: 'DEV1' },
    canceled: { state: 'canceled' },
    not_found: { state: 'not_found' },
    unknown: { state: 'unknown' },
  } as const satisfies Record<string, TransferStatus>
  type Name = keyof typeof standings

  const paid = 'paid transfer_paid transfer.paid'
  const failed = 'failed transfer_reversed transfer.failed'
  const canceled = 'canceled transfer_reversed transfer.canceled'
  /** Statuses that are not listed change nothing. */
  const table: Record<TransferRow['status'], Partial<Record<Name, string>>> = {
    // Never debited, never sent: only a cancellation, without a journal.
    pending_approval: { canceled: 'canceled transfer.canceled' },
    pending: {
      processing: 'processing transfer.processing',
      paid,
      arrived: paid,
      failed,
      gone: failed,
      canceled,
      returned: paid,
    },
    processing: { paid, arrived: paid, failed, gone: failed, canceled, returned: paid },
    paid: { returned: 'returned transfer_returned transfer.returned' },
    failed: {},
    returned: {},
    canceled: {},
  }
  const cells = statusesOf(transferLifecycle).flatMap((status) =>
    (Object.keys(standings) as Name[]).map((name): [TransferRow['status'], Name, string] => [
      status,
      name,
      table[status][name] ?? 'nothing',
    ]),
  )
  test.each(cells)('%s, %s: %s', (status, name, expected) => {
    expect(told(planOutcome(at(status), standings[name], clock))).toBe(expected)
  })

  test('a transfer returned before we learned that it was paid is looked at again at once', () => {
    const plan = planOutcome(at('processing'), standings.returned, clock)!
    expect(plan.writes[0]).toMatchObject({ set: { status: 'paid', claveRastreo: 'SBX1', nextCheckAt: now } })
    const back = planOutcome(at('paid'), standings.returned, clock)!
    expect(back.writes[0]).toMatchObject({ set: { status: 'returned', returnClaveRastreo: 'DEV1' } })
  })

  test('a transfer that a bank paid is watched, one that arrived in a workspace is not', () => {
    const watched = (name: Name) => planOutcome(at('pending'), standings[name], clock)!.writes[0]
    expect(watched('paid')).toMatchObject({ set: { nextCheckAt: new Date('2026-06-14T12:00:00Z') } })
    expect(watched('arrived')).toMatchObject({ set: { nextCheckAt: null } })
  })

  const looks: [what: string, status: TransferRow['status'], checks: number, seconds: number | null][] = [
    ['at first', 'pending', 0, 3],
    ['then later', 'processing', 1, 6],
    ['and later', 'processing', 5, 96],
    ['at most an hour', 'processing', 40, 3_600],
    ['paid: every day', 'paid', 0, 86_400],
    ['paid: five times', 'paid', 3, 86_400],
    ['paid: and then nothing', 'paid', 4, null],
  ]
  test.each(looks)('the next look, %s', (_what, status, checksCount, seconds) => {
    const plan = planNextPoll(at(status, { checksCount, nextCheckAt: now }), standings.paid, now)!
    const next = seconds === null ? null : new Date(now.getTime() + seconds * 1_000)
    expect(plan.writes[0]).toMatchObject({ set: { nextCheckAt: next, checksCount: checksCount + 1 } })
    expect(planNextPoll(at(status, { nextCheckAt: null }), standings.paid, now)).toBeNull()
  })

  test('a look at a paid transfer without an answer does not count among the five: again in an hour', () => {
    const plan = planNextPoll(at('paid', { checksCount: 4, nextCheckAt: now }), standings.unknown, now)!
    const inAnHour = new Date(now.getTime() + 3_600_000)
    expect(plan.writes[0]).toMatchObject({ set: { nextCheckAt: inAnHour, checksCount: 4 } })
  })
})

describe('what is asked for', () => {
  const tenant = (tenant_id: string) => ({ type: 'tenant', tenant_id }) as const
  const wrongDigit = `${clabe.slice(0, 17)}${(Number(clabe[17]) + 1) % 10}`
  const refused: [what: string, Partial<Asked>, Partial<Sender>, code: string, param: string][] = [
    ['nothing', { amountMinor: 0n }, {}, 'transfer_amount_not_positive', 'amount'],
    ['less than nothing', { amountMinor: -1n }, {}, 'transfer_amount_not_positive', 'amount'],
    ['no currency of ours', {}, { currencySupported: false }, 'currency_unsupported', 'currency'],
    ['dollars to a CLABE', { currency: 'usd' }, {}, 'currency_unsupported', 'currency'],
    [
      'a wrong check digit',
      { destination: { type: 'clabe', clabe: wrongDigit, holder: 'Ana' } },
      {},
      'clabe_invalid',
      'destination.clabe',
    ],
    ['to itself', { destination: tenant('tn_a') }, {}, 'transfer_destination_own', 'destination.tenant_id'],
    [
      'to an unknown workspace',
      { destination: tenant('tn_b') },
      { destinationKnown: false },
      'transfer_destination_unknown',
      'destination.tenant_id',
    ],
  ]
  test.each(refused)('%s', (_what, changes, from, code, param) => {
    expect(drawTransfer(asked(changes), sender(from), clock)).toMatchObject({ refused: code, param })
  })

  const limits: [amount: bigint, SpendLimit, waits: boolean][] = [
    [1_000n, spendLimit(1_000n), false],
    [1_001n, spendLimit(1_000n), true],
    [1n, spendLimit(0n), true],
    [999_999_999_999_999_999n, spendLimit(999_999_999_999_999_999n), false],
    [400n, spendLimit(1_000n, 600n), false],
    [401n, spendLimit(1_000n, 600n), true],
    // The limit was lowered since.
    [1n, spendLimit(500n, 600n), true],
    // A sum of yesterday; a day that has begun at another Worker.
    [1_000n, spendLimit(1_000n, 600n, '2026-06-12'), false],
    [401n, spendLimit(1_000n, 600n, '2026-06-14'), true],
  ]
  test.each(limits)('%d of %o', (amountMinor, allowed, waits) => {
    const transfer = drawn({ amountMinor }, { spendLimit: allowed })
    expect([transfer.status, transfer.nextCheckAt === null]).toEqual([
      waits ? 'pending_approval' : 'pending',
      waits,
    ])
    const plan = planCreate(transfer, allowed, clock)
    expect(counted(plan)).toEqual(waits ? [] : [{ kid: 'kid', day: '2026-06-13', sumMinor: amountMinor }])
    expect(told(plan)).toBe(
      waits ? 'pending_approval transfer.pending_approval' : 'pending transfer transfer.created',
    )
  })

  test('a transfer to a workspace needs no bank', () => {
    expect(drawn({ destination: tenant('tn_b') })).toMatchObject({
      processor: 'spindle',
      destinationTenantId: 'tn_b',
      destinationClabe: null,
      destinationHolder: null,
    })
  })
})

describe('what waits for approval', () => {
  const seen = { amount: '1000', currency: 'mxn' }
  const waiting = () => at('pending_approval', { nextCheckAt: null })

  test('approved: debited as it was seen', () => {
    const transfer = waiting()
    const plan = planApprove(transfer, seen, 'ana', clock) as Plan<object>
    expect(told(plan)).toBe('pending transfer transfer.approved')
    // The row as the publish leaves it is what is sent.
    const approved = approvedOf(transfer, 'ana', now)
    expect(approved).toMatchObject({
      status: 'pending',
      approvedByUserId: 'ana',
      version: transfer.version + 1,
    })
    expect(approved.nextCheckAt).not.toBeNull()
  })

  const unseen: [string, string, param: string][] = [
    ['1001', 'mxn', 'amount'],
    ['-1000', 'mxn', 'amount'],
    ['1000', 'usd', 'currency'],
  ]
  test.each(unseen)('not as %s %s', (amount, currency, param) => {
    expect(planApprove(waiting(), { amount, currency }, 'ana', clock)).toMatchObject({
      refused: 'transfer_terms_mismatch',
      param,
    })
  })

  test('rejected: nothing was debited', () => {
    expect(told(planReject(waiting(), clock) as Plan<object>)).toBe('canceled transfer.canceled')
  })

  const others = statusesOf(transferLifecycle).filter((status) => status !== 'pending_approval')
  test.each(others)('%s: neither approved nor rejected', (status) => {
    const refused = { refused: 'transfer_not_pending_approval' }
    expect(planApprove(at(status), seen, 'ana', clock)).toMatchObject(refused)
    expect(planReject(at(status), clock)).toMatchObject(refused)
  })
})
