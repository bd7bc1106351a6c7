import { expect, test } from 'vitest'
import { planRemove } from '../../../functions/account/members/plan.ts'
import { planDue } from '../../../functions/account/members/plan-invitations.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'

const now = new Date('2026-06-13T12:00:00.000Z')
const clock = { now, newId: () => '0190a6d2-7c3e-7b1a-9f00-000000000009' }
const ownerOf = (letter: string) => ({
  tenantId: 'tn_1',
  id: `0190a6d2-7c3e-7b1a-9f00-00000000000${letter}`,
  userId: letter,
  email: `${letter}@example.com`,
  role: 'owner' as const,
  status: 'active' as const,
  invitationId: null,
  emailUnconfirmed: false,
  version: 1,
  createdAt: now,
  updatedAt: now,
})
const [a, b] = [ownerOf('a'), ownerOf('b')]

test.each([
  ['leaves beside another', a, a, [a, b], null],
  ['leaves as the last one', a, a, [a], 'last_owner'],
  // The members' rows are read one after the other: the publish finds that the first has changed.
  ['leaves, and is no longer among the owners that are read next', a, a, [b], null],
  ['is removed by another', a, b, [a, b], null],
  ['is removed by a member who is no owner any more', a, b, [a], 'insufficient_role'],
] as const)('an owner who %s', (_, member, by, owners, code) => {
  const plan = planRemove(member, { userId: by.userId, by: by.email, owners }, clock)
  expect(isRefusal(plan) ? plan.refused : null).toBe(code)
})

const days = (count: number) => new Date(now.getTime() + count * 24 * 3_600_000)
const invitation = {
  tenantId: 'tn_1',
  id: '0190a6d2-7c3e-7b1a-9f00-000000000001',
  email: 'ana@example.com',
  role: 'member' as const,
  locale: 'en' as const,
  invitedBy: 'a',
  invitedByEmail: 'a@example.com',
  acceptedBy: null,
  sendsCount: 1,
  version: 1,
  createdAt: now,
}

test.each([
  ['expires when its time is over', 'pending', days(0), days(-7), { status: 'expired', updatedAt: now }],
  ['stays when it was sent again meanwhile', 'pending', days(7), days(0), null],
  [
    'forgets its address thirty days after its end',
    'revoked',
    days(-23),
    days(-30),
    { email: null, updatedAt: now },
  ],
  ['keeps it until then', 'revoked', days(-22), days(-29), null],
] as const)('an invitation that is found due %s', (_, status, expiresAt, updatedAt, set) => {
  const plan = planDue({ ...invitation, status, expiresAt, updatedAt }, clock)
  expect(plan && plan.writes).toEqual(set && [expect.objectContaining({ set })])
})
