import { expect, test } from 'vitest'
import { planIssue, planRedeem, planRevoke } from '../../functions/goods/entitlements/plan.ts'
import { presentEntitlement } from '../../functions/goods/entitlements/present.ts'
import type { EntitlementRow } from '../../functions/goods/entitlements/store.ts'
import { planAnnounce, planDecide } from '../../functions/insight/risk/plan-reviews.ts'
import { presentReview } from '../../functions/insight/risk/present.ts'
import type { ReviewRow } from '../../functions/insight/risk/store.ts'
import { planSettings } from '../../functions/money/payouts/plan-settings.ts'
import { presentSettings } from '../../functions/money/payouts/present.ts'
import type { SettingsRow } from '../../functions/money/payouts/store.ts'
import { eventTypeNames } from '../../src/kernel/event-types.ts'
import { type Case, planOf, saysFormerValues } from './former-values.ts'
import { clockAt, idOf, now } from './payments/samples.ts'

const clock = clockAt(new Date(now.getTime() + 3_600_000), 50)

const granted: EntitlementRow = {
  id: idOf(11),
  status: 'active',
  itemId: idOf(12),
  paymentId: idOf(13),
  checkoutSessionId: null,
  kind: 'license_key',
  number: 1,
  revocationPolicy: 'full_refund',
  downloadsMax: null,
  downloadsCount: 0,
  expiresAt: null,
  codeFrom: 'pool',
  codeCiphertext: null,
  codeDigest: null,
  codeLast4: '4821',
  readyAt: now,
  redeemedAt: null,
  revokedAt: null,
  revokedBecause: null,
  announced: 'active',
  announcedRevokedAt: null,
  announcedRevokedBecause: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
}

/** What triggers changed since events have told of it: the row as it was told, and as the job reads it. */
function ofEntitlements(): Case[] {
  const lost = { status: 'revoked', revokedAt: now, revokedBecause: 'refund' } as const
  const told = { announced: 'revoked', announcedRevokedAt: now, announcedRevokedBecause: 'refund' } as const
  const waiting = { status: 'pending', readyAt: null, codeLast4: null } as const
  const moved: [string, EntitlementRow, EntitlementRow][] = [
    ['revoked by a refund', granted, { ...granted, ...lost }],
    ['a refund failed', { ...granted, ...lost, ...told }, { ...granted, ...told }],
    ['a key came', { ...granted, ...waiting, announced: 'pending' }, { ...granted, announced: 'pending' }],
  ]
  return [
    ...moved.map(([what, before, read]): Case => {
      const present = (row: EntitlementRow) => presentEntitlement(row === before ? row : read)
      return [what, planIssue(read, null, clock), { row: before, present }]
    }),
    ['revoked by the merchant', planRevoke(granted, clock), { row: granted, present: presentEntitlement }],
    ['redeemed', planRedeem(granted, clock), { row: granted, present: presentEntitlement }],
  ]
}

function ofPayoutSettings(): Case[] {
  const account = (id: string, clabe: string) => ({
    tenantId: 'tn_1',
    id,
    status: 'verified',
    clabe,
    holder: 'Café Azul',
    coolDownEndsAt: null,
  })
  const wanted = { currency: 'mxn', interval: 'manual', anchorDay: null, amountMinorMin: 0n } as const
  const row: SettingsRow = {
    tenantId: 'tn_1',
    id: idOf(14),
    ...wanted,
    bankAccountId: idOf(15),
    nextPayoutOn: null,
    clabe: '032180000118359719',
    holder: 'Café Azul',
    coolDownEndsAt: null,
    accountStatus: 'verified',
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const other = account(idOf(16), '646180000000000012')
  const moved = { bankAccountId: other.id, clabe: other.clabe }
  const plan = planSettings(row, { ...wanted, bankAccountId: other.id }, other as never, clock)
  const present = (each: SettingsRow) => presentSettings(each === row ? each : { ...each, ...moved })
  return [['paid out elsewhere', plan, { row, present }]]
}

/** A review as it was told, and as it is read after a trigger has changed it. */
function ofReviews(): Case[] {
  const told: ReviewRow = {
    id: idOf(17),
    status: 'open',
    paymentId: idOf(18),
    attemptId: idOf(19),
    amountMinor: 120_000n,
    currency: 'mxn',
    score: 30,
    expiresAt: now,
    note: null,
    decidedByUserId: null,
    decidedByEmail: null,
    endedAt: null,
    announced: 'open',
    announcedExpiresAt: now,
    version: 2,
    createdAt: now,
    updatedAt: now,
  }
  const lapsed: ReviewRow = { ...told, status: 'expired', endedAt: now }
  const captured: ReviewRow = { ...told, expiresAt: null }
  const decision = { note: undefined, author: { userId: 'usr_1', email: 'ana@example.com' } }
  const nothing = { before: [], after: [], events: [] }
  const shown =
    ({ expiresAt, status, endedAt }: ReviewRow) =>
    (row: ReviewRow) => {
      if (row === told) return presentReview(row)
      return presentReview({ ...row, expiresAt, ...(status === 'open' ? {} : { status, endedAt }) })
    }
  const decided = (kind: 'approve' | 'reject', row: ReviewRow) =>
    planDecide(row, { kind, ...decision }, nothing, clock)
  return [
    [
      'an authorization under review lapsed',
      planAnnounce(lapsed, clock),
      { row: told, present: shown(lapsed) },
    ],
    ['captured, then approved', decided('approve', captured), { row: told, present: shown(captured) }],
    ['rejected', decided('reject', told), { row: told, present: shown(told) }],
  ]
}

const cases = [...ofEntitlements(), ...ofPayoutSettings(), ...ofReviews()]

test.each(cases)('what triggers changed is told with its earlier values: %s', (...each) => {
  saysFormerValues(each)
})

test('every event of entitlements, payout settings and reviews that can be about a change is among these', () => {
  const told = new Set(cases.flatMap((each) => planOf(each).events.map(({ type }) => type)))
  const expected = eventTypeNames.filter(
    (type) =>
      /^(entitlement|payout_settings|risk_review)\./.test(type) &&
      !['entitlement.created', 'risk_review.opened'].includes(type),
  )
  expect(expected.filter((type) => !told.has(type))).toEqual([])
})
