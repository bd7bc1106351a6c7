import * as z from 'zod'
import { memberRoles, memberships } from '../../../drizzle/schema/tenants.ts'
import { contract, decides, reads } from '../../../src/http/contract.ts'
import { one, paged, tenantId, timestamp, uuid } from '../../../src/http/schemas.ts'

export const role = z
  .enum(memberRoles)
  .describe(
    'What a member may do: `member` reads, `admin` also decides and invites, `owner` also decides who is an owner.',
  )

/** A key reads its own workspace, a member the one that `tenant_id` names. */
export const readsWorkspace = {
  ...reads,
  tag: 'Members',
  access: { api_key: { scopes: ['workspace:read'] }, session: { role: 'member' } },
} as const
export const ofWorkspace = {
  tenant_id: tenantId.optional().describe('With a session: the workspace. An API key reads its own.'),
}
export const inWorkspace = z.strictObject({ tenant_id: tenantId })

export const Member = z
  .strictObject({
    id: uuid,
    object: z.literal('member'),
    tenant_id: tenantId,
    user_id: z.string().describe('The customer, as audit events name them.'),
    email: z.email().nullable().describe('The address of their account; null in events.'),
    role,
    status: z
      .enum(memberships.status.enumValues)
      .describe('A member who is `removed` has no access to the workspace.'),
    created_at: timestamp.describe('When they first joined.'),
    updated_at: timestamp,
  })
  .meta({ id: 'WorkspaceMember' })

export const exampleMember = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000051',
  object: 'member',
  tenant_id: 'tn_demo',
  user_id: '0190a6d2-7c3e-7b1a-9f00-000000000052',
  email: 'ana@cafeazul.example',
  role: 'admin',
  status: 'active',
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const member = one(Member, exampleMember, 'member_not_found')
const deciding = {
  ...decides,
  ...member,
  tag: 'Members',
  tables: ['memberships', 'mail_notices'],
  errors: [...member.errors, 'workspace_not_found', 'insufficient_role', 'last_owner'],
} as const

export const list = contract({
  ...readsWorkspace,
  id: 'members.list',
  path: '/v1/workspace/members',
  summary: 'List members',
  description: 'The active members, those who joined last first.',
  ...paged(Member, exampleMember, { ...ofWorkspace, role: role.optional() }),
})

export const get = contract({
  ...readsWorkspace,
  ...member,
  id: 'members.get',
  path: '/v1/workspace/members/:id',
  summary: 'Get a member',
  description: 'Also one who was removed.',
  query: z.strictObject(ofWorkspace),
})

export const changeRole = contract({
  ...deciding,
  id: 'members.change_role',
  path: '/v1/workspace/members/:id/role',
  summary: 'Change the role of a member',
  description:
    'The new role holds from their next request on. Only an owner makes a member an owner, or changes the role of one, and a workspace keeps at least one. The step-up proof has the action `member.role_change` and the scope `workspace:write`; its params_hash is over {member_id: the path id, role}.',
  access: { session: { role: 'admin', stepUp: { action: 'member.role_change', scope: 'workspace:write' } } },
  body: z.strictObject({ tenant_id: tenantId, role }),
  example: { body: { tenant_id: 'tn_demo', role: 'admin' }, reply: exampleMember },
})

const removed = { ...exampleMember, status: 'removed' } as const

export const remove = contract({
  ...deciding,
  id: 'members.remove',
  path: '/v1/workspace/members/:id/remove',
  summary: 'Remove a member',
  description:
    'Their sessions may do nothing in this workspace from their next request on, and the invitations that they sent no longer work. API keys that they created stay: revoke those whose credential they know. Only an owner removes an owner. The step-up proof has the action `member.remove` and the scope `workspace:write`; its params_hash is over {member_id: the path id}.',
  access: { session: { role: 'admin', stepUp: { action: 'member.remove', scope: 'workspace:write' } } },
  body: inWorkspace,
  example: { body: { tenant_id: 'tn_demo' }, reply: removed },
})

export const leave = contract({
  ...decides,
  id: 'members.leave',
  path: '/v1/workspace/leave',
  tag: 'Members',
  summary: 'Leave a workspace',
  description: 'Ends the membership of the signed-in customer. The only owner cannot leave.',
  access: { session: { role: 'member', orRemoved: true } },
  tables: ['memberships', 'mail_notices'],
  body: inWorkspace,
  reply: { status: 200, schema: Member },
  errors: ['workspace_not_found', 'last_owner'],
  example: { body: { tenant_id: 'tn_demo' }, reply: removed },
})
