import { expect, test } from 'vitest'
import { isSameHolder } from '../../../functions/money/bank-accounts/holder.ts'
import {
  newAccount,
  planCreate,
  planDeposit,
  planDisable,
  planNextPoll,
  planVerdict,
  type Verdict,
  verdictOf,
} from '../../../functions/money/bank-accounts/plan.ts'
import type { BankAccountRow } from '../../../functions/money/bank-accounts/store.ts'
import { bankOf } from '../../../src/kernel/banks.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'
import type { BankState } from '../../../src/processors/port.ts'

const now = new Date('2026-06-15T12:00:00Z')
const clock = clockOf(now)
const asked = {
  tenantId: 'tn_1',
  clabe: '032180000118359719',
  holder: 'Café Azul SA de CV',
  legalName: 'CAFE AZUL',
  hasBank: true,
}
const account = (more: Partial<BankAccountRow> = {}): BankAccountRow => ({
  ...newAccount(asked, clock),
  ...more,
})
const by = { email: 'ana@example.com', environment: 'sandbox' }

test.each<[holder: string, legalName: string, same: boolean]>([
  ['Café Azul SA de CV', 'CAFE AZUL', true],
  ['CAFE AZUL, S.A. DE C.V.', 'Café Azul', true],
  ['Café Azul S de RL de CV', 'CAFE AZUL', true],
  ['ESCUELA KEMPER URGATE', 'ESCUELA KEMPER URGATE', true],
  ['Ana María Ñandú', 'ANA MARIA ÑANDU', true],
  ['COMERCIALIZADORA DE PRODUCTOS DEL NORTE Y', 'COMERCIALIZADORA DE PRODUCTOS DEL NORTE Y SUR', false],
  ['COMERCIALIZADORA DE PRODUCTOS DEL NORTEE', 'COMERCIALIZADORA DE PRODUCTOS DEL NORTEE Y SUR', true],
  ['Café Rojo SA de CV', 'CAFE AZUL', false],
  ['CAFE', 'CAFE AZUL', false],
])('%s against %s: %s', (holder, legalName, same) => {
  expect(isSameHolder(holder, legalName)).toBe(same)
})

test('a new account shows its last digits and nothing more, and waits for its deposit', () => {
  const plan = planCreate(account(), by, clock)
  if (isRefusal(plan)) throw new Error(plan.refused)
  expect(plan.reply).toMatchObject({
    status: 'pending_verification',
    clabe_last4: '9719',
    bank_name: 'Banorte (Ixe)',
    holder_matches_legal_name: true,
    verification: 'deposit',
  })
  const [, notice] = plan.writes
  const mailed = notice?.kind === 'insert' ? notice.rows : null
  expect(mailed).toHaveLength(1)
  expect(JSON.stringify([plan.reply, plan.events, mailed])).not.toContain('118359719')
  const inReview = account({ ...newAccount({ ...asked, hasBank: false, legalName: null }, clock) })
  expect(inReview).toMatchObject({ verification: 'review', nextCheckAt: null, holderMatches: null })
})

test('a CLABE of no bank is refused', () => {
  expect(bankOf('999180000118359719')).toBeNull()
  expect(planCreate(account({ clabe: '999180000118359719' }), by, clock)).toMatchObject({
    refused: 'clabe_bank_unknown',
  })
})

test.each<[state: BankState, verdict: Verdict | null]>([
  [{ state: 'paid', claveRastreo: 'SBX1' }, 'verified'],
  [{ state: 'failed', code: 'holder_mismatch' }, 'holder_mismatch'],
  [
    { state: 'returned', code: 'account_closed', claveRastreo: 'SBX1', returnClaveRastreo: 'DEV1' },
    'account_closed',
  ],
  [{ state: 'processing' }, null],
  [{ state: 'canceled' }, null],
  [{ state: 'not_found' }, null],
  [{ state: 'unknown' }, null],
])('the deposit %o says %s', (state, verdict) => {
  expect(verdictOf(state)).toBe(verdict)
})

test.each<[status: BankAccountRow['status'], verdict: Verdict, becomes: string | null]>([
  ['pending_verification', 'verified', 'verified'],
  ['pending_verification', 'holder_mismatch', 'rejected'],
  ['verified', 'holder_mismatch', null],
  ['rejected', 'verified', null],
  ['disabled', 'verified', null],
])('%s, judged %s: %s', (status, verdict, becomes) => {
  const plan = planVerdict(account({ status }), verdict, 24, clock)
  expect(plan?.reply.status ?? null).toBe(becomes)
  if (becomes === 'verified')
    expect(plan?.reply.cool_down_ends_at).toBe(new Date(now.getTime() + 24 * 3_600_000).toISOString())
  if (becomes === 'rejected') expect(plan?.reply.rejection_code).toBe(verdict)
})

const returned: BankState = {
  state: 'returned',
  code: 'account_closed',
  claveRastreo: 'SBX1',
  returnClaveRastreo: 'DEV1',
}

test.each<[status: BankAccountRow['status'], state: BankState, becomes: string | null]>([
  ['pending_verification', returned, 'rejected'],
  ['verified', returned, 'rejected'],
  ['verified', { state: 'failed', code: 'account_closed' }, null],
  ['verified', { state: 'paid', claveRastreo: 'SBX1' }, null],
  ['rejected', returned, null],
  ['disabled', returned, null],
])('the deposit of a %s account, %o: %s', (status, state, becomes) => {
  const plan = planDeposit(account({ status }), state, 24, clock)
  expect(plan?.reply.status ?? null).toBe(becomes)
  expect(plan?.reply.rejection_code ?? null).toBe(becomes && 'account_closed')
})

test('the bank is asked once a day for five days whether it sent the deposit back; a review has none', () => {
  const setOf = (plan: object | null) =>
    (plan as { writes: { set: Partial<BankAccountRow> }[] } | null)?.writes[0]?.set
  const dayMs = 24 * 3_600_000
  const tomorrow = new Date(now.getTime() + dayMs)
  const polled = account({ checksCount: 4 })
  expect(setOf(planVerdict(polled, 'verified', 24, clock))).toMatchObject({
    nextCheckAt: tomorrow,
    checksCount: 0,
  })
  const reviewed = account({ ...newAccount({ ...asked, hasBank: false }, clock) })
  expect(setOf(planVerdict(reviewed, 'verified', 24, clock))).toMatchObject({ nextCheckAt: null })
  const watched = (checksCount: number) => account({ status: 'verified', nextCheckAt: now, checksCount })
  const paid: BankState = { state: 'paid', claveRastreo: 'SBX1' }
  expect(setOf(planNextPoll(watched(0), paid, now))).toEqual({ checksCount: 1, nextCheckAt: tomorrow })
  expect(setOf(planNextPoll(watched(4), paid, now))).toEqual({ checksCount: 5, nextCheckAt: null })
  expect(setOf(planNextPoll(watched(4), { state: 'unknown' }, now))).toMatchObject({ checksCount: 4 })
})

test.each<[status: BankAccountRow['status'], isDisabled: boolean]>([
  ['pending_verification', true],
  ['verified', true],
  ['rejected', false],
  ['disabled', false],
])('a %s account is disabled: %s', (status, isDisabled) => {
  expect(isRefusal(planDisable(account({ status }), clock))).toBe(!isDisabled)
})
