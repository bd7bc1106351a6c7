import type * as z from 'zod'
import { workspaceInvitations } from '../../../drizzle/schema/members.ts'
import { memberships } from '../../../drizzle/schema/tenants.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Owned, type Plan, type Row, refuse } from '../../../src/kernel/plan.ts'
import { mailTo, noticeToOwners } from '../mails/api-pure.ts'
import type * as contracts from './contract-invitations.ts'
import { ownersOnly } from './plan.ts'
import { presentInvitation, presentMember, withoutAddress } from './present.ts'
import type { InvitationRow, MemberRow } from './store.ts'

export const lifeMs = 7 * 24 * 3_600_000
/** As `due` of the job `invitations` says. */
const forgetMs = 30 * 24 * 3_600_000
export const sendsMax = 5
const factorMs = 10 * 60_000

/** A signed-in customer. */
export interface Customer {
  readonly userId: string
  readonly email: string
  readonly emailVerified: boolean
  readonly factorVerifiedAt: Date | null
}

type Moment = Clock & {
  /** The version of AUTH_SECRETS that derives the token of the link. */
  readonly secretVersion: string
}

const about = ({ id }: InvitationRow) => ({ type: 'invitation', id })

const mailOf = (invitation: InvitationRow, { now, newId, secretVersion }: Moment) =>
  mailTo(
    {
      id: newId(),
      kind: 'workspace_invitation',
      recipient: invitation.email!,
      locale: invitation.locale,
      data: {
        role: invitation.role,
        inviter: invitation.invitedByEmail,
        expires_at: invitation.expiresAt.toISOString(),
        link_id: invitation.id,
        secret_version: secretVersion,
      },
    },
    now,
  )

interface Inviting {
  /** Members, and former ones, with the invited address. */
  readonly sameAddress: readonly MemberRow[]
  readonly inviter: Customer
  readonly owners: readonly MemberRow[]
}

export function planInvite(
  { email, role, locale, tenant_id: tenantId }: z.output<NonNullable<typeof contracts.create.body>>,
  { sameAddress, inviter, owners }: Inviting,
  moment: Moment,
) {
  const { now, newId } = moment
  if (role === 'owner' && !owners.some(({ userId }) => userId === inviter.userId))
    return ownersOnly('Only an owner invites an owner.')
  if (!inviter.emailVerified) return refuse('email_not_confirmed')
  if (sameAddress.some(({ status }) => status === 'active'))
    return refuse('already_member', { param: 'email' })
  const row: InvitationRow = {
    tenantId,
    id: newId(),
    email,
    role,
    locale,
    status: 'pending',
    invitedBy: inviter.userId,
    invitedByEmail: inviter.email,
    acceptedBy: null,
    sendsCount: 1,
    expiresAt: new Date(now.getTime() + lifeMs),
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const reply = presentInvitation(row)
  const founder = owners.find(({ userId, emailUnconfirmed }) => userId === inviter.userId && emailUnconfirmed)
  return {
    writes: [
      ...(founder ? [change(memberships, founder, { emailUnconfirmed: false, updatedAt: now })] : []),
      insert(workspaceInvitations, row),
      mailOf(row, moment),
    ],
    events: [event(newId(), 'invitation.created', about(row), withoutAddress(reply))],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}

export const planRevoke = (invitation: InvitationRow, clock: Clock) =>
  isOpen(invitation, clock.now)
    ? planMove(invitation, { status: 'revoked' }, clock)
    : refuse('invitation_not_pending')

/** As `refuse_joining` says it. */
const mayInvite = (inviter: MemberRow | undefined, role: InvitationRow['role']) =>
  inviter?.status === 'active' && (inviter.role === 'owner' || (inviter.role === 'admin' && role !== 'owner'))

/** Another member does not stand in for an inviter who is gone: inviting takes a step-up, and this does not. */
export function planResend(invitation: InvitationRow, inviter: MemberRow | undefined, moment: Moment) {
  const { now, newId } = moment
  if (!isOpen(invitation, now)) return refuse('invitation_not_pending')
  if (!mayInvite(inviter, invitation.role))
    return refuse('invitation_not_pending', {
      message: 'Who sent it may no longer invite: revoke it, and invite again.',
    })
  if (invitation.sendsCount >= sendsMax) return refuse('invitation_sent_too_often')
  const set = {
    sendsCount: invitation.sendsCount + 1,
    expiresAt: new Date(now.getTime() + lifeMs),
    updatedAt: now,
  }
  const after = { ...invitation, ...set }
  const reply = presentInvitation(after)
  return {
    writes: [change(workspaceInvitations, invitation, set), mailOf(after, moment)],
    events: [
      event(
        newId(),
        'invitation.resent',
        about(invitation),
        withoutAddress(reply),
        withoutAddress(presentInvitation(invitation)),
      ),
    ],
    reply,
    subjectId: invitation.id,
  } satisfies Plan<unknown>
}

const isOpen = ({ status, expiresAt }: InvitationRow, now: Date) => status === 'pending' && expiresAt > now

/** The invited customer joins, or joins again. The database has found the invitation by their address. */
export function planAccept(
  invitation: InvitationRow,
  former: MemberRow | undefined,
  customer: Customer,
  clock: Clock,
) {
  const { now, newId } = clock
  if (!customer.emailVerified) return refuse('email_not_confirmed')
  if (invitation.status === 'accepted') return refuse('invitation_already_accepted')
  if (invitation.status === 'revoked') return refuse('invitation_revoked')
  if (!isOpen(invitation, now)) return refuse('invitation_expired')
  const shownAt = customer.factorVerifiedAt?.getTime() ?? 0
  if (shownAt <= now.getTime() - factorMs) return refuse('second_factor_needed')
  if (former?.status === 'active') return refuse('already_member')
  const { userId, email } = customer
  const joined = {
    role: invitation.role,
    status: 'active',
    invitationId: invitation.id,
    updatedAt: now,
  } as const
  const member: Owned<Row<typeof memberships>> = {
    ...(former ?? {
      tenantId: invitation.tenantId,
      id: newId(),
      userId,
      email,
      emailUnconfirmed: false,
      version: 1,
      createdAt: now,
    }),
    ...joined,
  }
  const accepted = planMove(invitation, { status: 'accepted', acceptedBy: userId }, clock)
  const reply = presentMember(member)
  const eventId = newId()
  const data = { member: email, role: invitation.role, by: invitation.invitedByEmail, at: now.toISOString() }
  return {
    writes: [
      ...accepted.writes,
      former ? change(memberships, former, joined) : insert(memberships, member),
      noticeToOwners(eventId, 'member_joined', data, now),
    ],
    events: [
      event(eventId, 'member.joined', { type: 'member', id: member.id }, withoutAddress(reply)),
      ...accepted.events,
    ],
    reply,
    subjectId: member.id,
  } satisfies Plan<unknown>
}

/** What is due for an invitation: it expires, or its address is forgotten. Null where it was sent again meanwhile. */
export function planDue(invitation: InvitationRow, clock: Clock): Plan<unknown> | null {
  const { status, expiresAt, updatedAt } = invitation
  if (status === 'pending')
    return expiresAt > clock.now ? null : planMove(invitation, { status: 'expired' }, clock)
  if (updatedAt.getTime() > clock.now.getTime() - forgetMs) return null
  const forgotten = { email: null, updatedAt: clock.now }
  return {
    writes: [change(workspaceInvitations, invitation, forgotten)],
    events: [],
    reply: null,
    subjectId: invitation.id,
  }
}

type Move =
  | { readonly status: 'accepted'; readonly acceptedBy: string }
  | { readonly status: 'revoked' | 'expired' }

function planMove(invitation: InvitationRow, move: Move, { now, newId }: Clock) {
  const set = { ...move, updatedAt: now }
  const reply = presentInvitation({ ...invitation, ...set })
  return {
    writes: [change(workspaceInvitations, invitation, set)],
    events: [
      event(
        newId(),
        `invitation.${move.status}`,
        about(invitation),
        withoutAddress(reply),
        withoutAddress(presentInvitation(invitation)),
      ),
    ],
    reply,
    subjectId: invitation.id,
  } satisfies Plan<unknown>
}
