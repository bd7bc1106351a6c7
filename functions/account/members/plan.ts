import { memberships } from '../../../drizzle/schema/tenants.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, expect, type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import { noticeToOwners } from '../mails/api-pure.ts'
import { presentMember, withoutAddress } from './present.ts'
import type { MemberRow } from './store.ts'

export type Role = MemberRow['role']

/** The member who decides: the owners as they were read, and the customer's id. */
export interface Decider {
  readonly userId: string
  readonly owners: readonly MemberRow[]
}

const asOwner = ({ userId, owners }: Decider) => owners.find((owner) => owner.userId === userId)

export const ownersOnly = (message: string) => refuse('insufficient_role', { message })

/** Who may decide about owners must still be one when it is published; rows are locked in the order of their ids. */
function byOwner(member: MemberRow, decider: Decider, write: Write): readonly Write[] {
  const owner = asOwner(decider)
  if (!owner || owner.id === member.id) return [write]
  const stillOwner = expect(memberships, owner.id, { role: 'owner', status: 'active' })
  return owner.id < member.id ? [stillOwner, write] : [write, stillOwner]
}

export function planRole(member: MemberRow, role: Role, decider: Decider, clock: Clock) {
  if (member.status !== 'active') return refuse('member_not_found')
  const isAboutOwner = role === 'owner' || member.role === 'owner'
  if (isAboutOwner && !asOwner(decider)) return ownersOnly('Only an owner decides who is an owner.')
  if (member.role === role)
    return { writes: [], events: [], reply: presentMember(member), subjectId: member.id }
  if (member.role === 'owner' && decider.owners.length === 1) return refuse('last_owner')
  return planChange(member, { role }, isAboutOwner ? decider : null, clock)
}

/** `by`: the address of the member who decides; their own where they leave. */
export function planRemove(member: MemberRow, decider: Decider & { readonly by: string }, clock: Clock) {
  if (member.status !== 'active') return refuse('member_not_found')
  if (member.role === 'owner') {
    // Who leaves needs no other right: the owners are read a moment later, perhaps already without them.
    if (member.userId !== decider.userId && !asOwner(decider))
      return ownersOnly('Only an owner removes an owner.')
    if (decider.owners.every(({ id }) => id === member.id)) return refuse('last_owner')
  }
  const plan = planChange(member, { status: 'removed' }, member.role === 'owner' ? decider : null, clock)
  const data = { member: member.email, role: member.role, by: decider.by, at: clock.now.toISOString() }
  const notice = noticeToOwners(plan.events[0]!.id, 'member_removed', data, clock.now)
  return { ...plan, writes: [...plan.writes, notice] }
}

function planChange(
  member: MemberRow,
  set: { readonly role: Role } | { readonly status: 'removed' },
  decider: Decider | null,
  { now, newId }: Clock,
) {
  const after = presentMember({ ...member, ...set, updatedAt: now })
  const type = 'role' in set ? 'member.role_changed' : 'member.removed'
  const write = change(memberships, member, { ...set, updatedAt: now })
  return {
    writes: decider ? byOwner(member, decider, write) : [write],
    events: [
      event(
        newId(),
        type,
        { type: 'member', id: member.id },
        withoutAddress(after),
        withoutAddress(presentMember(member)),
      ),
    ],
    reply: after,
    subjectId: member.id,
  } satisfies Plan<unknown>
}
