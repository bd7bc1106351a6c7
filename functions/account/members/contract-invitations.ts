import * as z from 'zod'
import { workspaceInvitations } from '../../../drizzle/schema/members.ts'
import { contract, decides } from '../../../src/http/contract.ts'
import { email, one, paged, tenantId, timestamp, uuid } from '../../../src/http/schemas.ts'
import { exampleMember, inWorkspace, Member, ofWorkspace, readsWorkspace, role } from './contract.ts'

const locale = z.enum(workspaceInvitations.locale.enumValues).describe('The language of its mails.')
const status = z.enum(workspaceInvitations.status.enumValues)

export const Invitation = z
  .strictObject({
    id: uuid,
    object: z.literal('invitation'),
    email: z
      .email()
      .nullable()
      .describe('The address that is invited; null in events, and thirty days after the invitation is over.'),
    role,
    locale,
    status: status.describe('Only what is `pending` can be accepted, revoked or sent again.'),
    invited_by: z.string().describe('The customer who sent it, as audit events name them.'),
    accepted_by: z.string().nullable().describe('The customer who accepted it.'),
    sends_count: z.int().min(1).describe('How often it was mailed: at most five times.'),
    expires_at: timestamp.describe(
      'Expires at this time, seven days after it was last sent: it can then no longer be accepted.',
    ),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'WorkspaceInvitation' })

const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000053',
  object: 'invitation',
  email: 'luis@cafeazul.example',
  role: 'admin',
  locale: 'es-MX',
  status: 'pending',
  invited_by: exampleMember.user_id,
  accepted_by: null,
  sends_count: 1,
  expires_at: '2026-06-20T12:00:00.000Z',
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const invitation = one(Invitation, example, 'invitation_not_found')

export const create = contract({
  ...decides,
  id: 'invitations.create',
  path: '/v1/workspace/invitations',
  location: '/v1/workspace/invitations/:id?tenant_id=:tenant_id',
  tag: 'Members',
  summary: 'Invite a person',
  description:
    'Mails a link to the address; the person accepts within seven days, signed in with an account of that address. Takes a member whose own address is confirmed; only an owner invites an owner. The step-up proof has the action `invitation.create` and the scope `workspace:write`; its params_hash is over {email: in lower case, role}.',
  access: { session: { role: 'admin', stepUp: { action: 'invitation.create', scope: 'workspace:write' } } },
  tables: ['memberships', 'workspace_invitations', 'outgoing_mails'],
  body: z.strictObject({
    tenant_id: tenantId,
    email: email.toLowerCase().describe('The address that is invited.'),
    role,
    locale: locale.default('es-MX'),
  }),
  reply: { status: 201, schema: Invitation },
  errors: [
    'workspace_not_found',
    'insufficient_role',
    'email_not_confirmed',
    'already_member',
    'invitation_exists',
    'invitation_limit_reached',
  ],
  example: { body: { tenant_id: 'tn_demo', email: example.email, role: 'admin' }, reply: example },
})

export const list = contract({
  ...readsWorkspace,
  id: 'invitations.list',
  path: '/v1/workspace/invitations',
  summary: 'List invitations',
  ...paged(Invitation, example, { ...ofWorkspace, status: status.optional() }),
})

export const get = contract({
  ...readsWorkspace,
  ...invitation,
  id: 'invitations.get',
  path: '/v1/workspace/invitations/:id',
  summary: 'Get an invitation',
  query: z.strictObject(ofWorkspace),
})

const changing = {
  ...decides,
  ...invitation,
  tag: 'Members',
  access: { session: { role: 'admin' } },
  body: inWorkspace,
} as const
const errors = [
  ...invitation.errors,
  'workspace_not_found',
  'insufficient_role',
  'invitation_not_pending',
] as const

export const revoke = contract({
  ...changing,
  id: 'invitations.revoke',
  path: '/v1/workspace/invitations/:id/revoke',
  summary: 'Revoke an invitation',
  tables: ['workspace_invitations'],
  errors,
  example: { body: { tenant_id: 'tn_demo' }, reply: { ...example, status: 'revoked' } },
})

export const resend = contract({
  ...changing,
  id: 'invitations.resend',
  path: '/v1/workspace/invitations/:id/resend',
  summary: 'Send an invitation again',
  description:
    'With the same link, which works for seven days from now on. At most five mails in all. One whose inviter may no longer invite is refused: revoke it, and invite again.',
  tables: ['workspace_invitations', 'outgoing_mails'],
  errors: [...errors, 'invitation_sent_too_often'],
  example: { body: { tenant_id: 'tn_demo' }, reply: { ...example, sends_count: 2 } },
})

export const accept = contract({
  ...decides,
  id: 'invitations.accept',
  path: '/v1/workspace-invitations/:id/accept',
  tag: 'Members',
  summary: 'Accept an invitation',
  description:
    'With the token of the link in the mail: its last part, which begins with the id. Takes a customer whose confirmed address is the invited one, and who has shown a second factor within ten minutes: a mailbox may be read by others. To every other customer there is no such invitation.',
  access: { invitee: {} },
  tables: ['workspace_invitations', 'memberships', 'mail_notices'],
  params: z.strictObject({ id: uuid }),
  notFound: 'invitation_not_found',
  body: z.strictObject({
    token: z.string().min(1).max(128).describe('The last part of the link in the mail.'),
  }),
  reply: { status: 200, schema: Member },
  errors: [
    'invitation_not_found',
    'email_not_confirmed',
    'second_factor_needed',
    'already_member',
    'invitation_already_accepted',
    'invitation_revoked',
    'invitation_expired',
  ],
  example: {
    body: { token: `${example.id}.${'0123456789abcdef'.repeat(4)}` },
    reply: exampleMember,
  },
})

/** An invitation expires; thirty days after it is over its address is emptied. */
export const expire = {
  id: 'invitations.expire',
  access: { system: {} },
  tables: ['workspace_invitations'],
} as const
