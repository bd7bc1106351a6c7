import type { Declaration } from '../../../src/http/declaration.ts'
import { expire } from './contract-invitations.ts'
import { errors } from './errors.ts'
import { invitationLifecycle, membershipLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'
import { sendsMax } from './plan-invitations.ts'

const unmade = 'a member does that, signed in'

export const area: Declaration = {
  routes: [
    {
      at: [
        '/v1/workspace/invitations',
        '/v1/workspace/leave',
        '/v1/workspace/members',
        '/v1/workspace-invitations',
      ],
      by: 'operations.ts#operations',
    },
  ],
  tags: [
    {
      at: 22,
      name: 'Members',
      description:
        'Who may act for a workspace, with which role, and who is invited. A `member` reads, an `admin` also decides and invites, an `owner` also decides who is an owner; a workspace keeps at least one. Members change roles and invite with their session, mostly with a step-up proof; an API key only reads.',
    },
  ],
  nouns: { members: 'member', invitations: 'invitation', 'workspace-invitations': 'invitation' },
  publishes: [expire],
  jobs: {
    invitations: {
      at: 188,
      runs: 'operations-invitations.ts#expireInvitations',
      table: 'workspace_invitations',
      due: `d.status = 'pending' and d.expires_at <= $1
        or d.status <> 'pending' and d.email is not null and d.updated_at <= $1 - interval '30 days'`,
      firstBy: 'updated_at',
    },
  },
  lookedUp: ['workspace_invitations'],
  deadlines: [{ table: 'workspace_invitations', columns: ['expires_at'], while: `status = 'pending'` }],
  lifecycles: [membershipLifecycle, invitationLifecycle],
  events: {
    member: {
      scopes: ['workspace:read'],
      shownBy: 'members.get',
      types: {
        joined: { says: 'A person accepted an invitation and is a member.', unmade },
        role_changed: { says: 'A member has another role from now on.', unmade },
        removed: { says: 'A member was removed, or left.', unmade },
      },
    },
    invitation: {
      scopes: ['workspace:read'],
      shownBy: 'invitations.get',
      types: {
        created: { says: 'A person was invited to the workspace.', unmade },
        resent: { says: 'An invitation was mailed again and lasts longer.', unmade },
        accepted: { says: 'An invitation was accepted.', unmade },
        revoked: { says: 'An invitation was revoked.', unmade },
        expired: { says: 'An invitation was not accepted in time.', unmade },
      },
    },
  },
  mails,
  errors,
  limits: {
    invitation_sends: { most: sendsMax, unit: 'count', says: 'How often an invitation is sent.' },
  },
  constraints: {
    memberships_keep_an_owner: { code: 'last_owner' },
    memberships_pkey: { code: 'already_member' },
    memberships_come_with_invitation: { code: 'invitation_revoked' },
    workspace_invitations_one_pending: { code: 'invitation_exists', param: 'email' },
    workspace_invitations_limit: { code: 'invitation_limit_reached' },
  },
  samples: {
    'invitations.create': { unique: ['email'], other: { role: 'member' } },
    'members.change_role': { other: { role: 'owner' } },
  },
}
