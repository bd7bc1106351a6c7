import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Customer } from '../../support/customer.ts'
import { issueKey } from '../../support/keys.ts'
import {
  addMember,
  changeRole,
  leave,
  memberIdOf,
  membersOf,
  newPerson,
  type Role,
  remove,
  workspaceOf,
} from '../../support/members.ts'
import { call } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

const sql = adminSql('sandbox')

let people: [Customer, Customer]
beforeAll(async () => {
  people = [await newPerson(), await newPerson()]
})

const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  body.error?.code ?? status

type Case = { by: Role; of: Role; to: Role | 'removed'; result: 200 | string }
test.each<Case>([
  { by: 'owner', of: 'member', to: 'owner', result: 200 },
  { by: 'owner', of: 'owner', to: 'member', result: 200 },
  { by: 'owner', of: 'owner', to: 'removed', result: 200 },
  { by: 'owner', of: 'admin', to: 'removed', result: 200 },
  { by: 'admin', of: 'member', to: 'admin', result: 200 },
  { by: 'admin', of: 'admin', to: 'member', result: 200 },
  { by: 'admin', of: 'admin', to: 'removed', result: 200 },
  { by: 'admin', of: 'member', to: 'owner', result: 'insufficient_role' },
  { by: 'admin', of: 'owner', to: 'member', result: 'insufficient_role' },
  { by: 'admin', of: 'owner', to: 'owner', result: 'insufficient_role' },
  { by: 'admin', of: 'owner', to: 'removed', result: 'insufficient_role' },
  { by: 'member', of: 'member', to: 'admin', result: 'insufficient_role' },
  { by: 'member', of: 'member', to: 'removed', result: 'insufficient_role' },
])('$by: $of becomes $to, $result', async ({ by, of, to, result }) => {
  const workspace = await workspaceOf(people, [by, of])
  await addMember(workspace, 'owner')
  const [decider, other] = people
  const id = await memberIdOf(other, workspace)
  const reply = await (to === 'removed'
    ? remove(decider, workspace, id)
    : changeRole(decider, workspace, id, to))
  expect(codeOf(reply)).toBe(result)
  const [after] = (await membersOf(workspace.tenantId)).filter((each) => each.id === id)
  const expected = to === 'removed' ? { role: of, status: 'removed' } : { role: to, status: 'active' }
  expect(after).toMatchObject(result === 200 ? expected : { role: of, status: 'active' })
})

test('what a member became counts from the next request on, here and in no other workspace', async () => {
  const [owner, person] = people
  const [here, elsewhere] = [
    await workspaceOf(people, ['owner', 'admin']),
    await workspaceOf(people, ['owner', 'admin']),
  ]
  const target = await addMember(here)
  const id = await memberIdOf(person, here)
  const statuses = async () => [
    codeOf(await remove(person, here, randomUUID())),
    codeOf(await call('GET', `/v1/workspace/members?tenant_id=${here.tenantId}`, { bearer: person.token })),
    codeOf(await remove(person, elsewhere, randomUUID())),
  ]
  expect(await statuses()).toEqual(['member_not_found', 200, 'member_not_found'])
  expect((await changeRole(owner, here, id, 'member')).status).toBe(200)
  expect(await statuses()).toEqual(['insufficient_role', 200, 'member_not_found'])
  expect((await remove(owner, here, id)).status).toBe(200)
  expect(await statuses()).toEqual(['workspace_not_found', 'workspace_not_found', 'member_not_found'])
  expect(codeOf(await remove(person, here, target))).toBe('workspace_not_found')
  const listed = await call<{ data: { tenant_id: string }[] }>('GET', '/v1/workspaces', {
    bearer: person.token,
  })
  const own = listed.body.data.map(({ tenant_id }) => tenant_id)
  expect([own.includes(here.tenantId), own.includes(elsewhere.tenantId)]).toEqual([false, true])
  expect(codeOf(await leave(person, elsewhere))).toBe(200)
})

test('the keys of a removed member stay, and say who made them', async () => {
  const [owner, person] = people
  const workspace = await workspaceOf(people, ['owner', 'admin'])
  const { apiKey, id } = await issueKey({ ...person, tenantId: workspace.tenantId, environment: 'sandbox' })
  expect((await remove(owner, workspace, await memberIdOf(person, workspace))).status).toBe(200)
  expect((await call('GET', '/v1/payment-links', { bearer: apiKey })).status).toBe(200)
  const key = await call('GET', `/v1/api-keys/${id}?tenant_id=${workspace.tenantId}`, { bearer: owner.token })
  expect(key.body.created_by_email).toBe(person.email)
})

test('the only owner cannot leave, step down or be removed; leaving again finds its reply', async () => {
  const [owner, person] = people
  const workspace = await workspaceOf(people, ['owner', 'member'])
  const id = await memberIdOf(owner, workspace)
  expect(codeOf(await leave(owner, workspace))).toBe('last_owner')
  expect(codeOf(await changeRole(owner, workspace, id, 'admin'))).toBe('last_owner')
  expect(codeOf(await remove(owner, workspace, id))).toBe('last_owner')
  const key = randomUUID()
  const left = await leave(person, workspace, key)
  expect(left.body).toMatchObject({ role: 'member', status: 'removed', email: person.email })
  const again = await leave(person, workspace, key)
  expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', left.text])
  expect(codeOf(await leave(person, workspace))).toBe('workspace_not_found')
})

test('two members who leave under one key leave both, each with their own reply', async () => {
  const workspace = await workspaceOf(people, ['member', 'member'])
  const key = randomUUID()
  for (const replayed of [null, 'true'])
    for (const person of people) {
      const left = await leave(person, workspace, key)
      expect(left.body).toMatchObject({ user_id: person.userId, status: 'removed' })
      expect(left.headers.get('idempotent-replayed')).toBe(replayed)
    }
  expect((await membersOf(workspace.tenantId)).filter(({ status }) => status === 'active')).toHaveLength(1)
})

test('events and the audit trail name no address', async () => {
  const [owner, person] = people
  const workspace = await workspaceOf(people, ['owner', 'member'])
  const id = await memberIdOf(person, workspace)
  await changeRole(owner, workspace, id, 'admin')
  await remove(owner, workspace, id)
  const events = await sql<{ type: string; resource_id: string; text: string }>(
    'select type, resource_id, e::text as text from events e where tenant_id = $1 order by type desc',
    [workspace.tenantId],
  )
  expect(events.map(({ type, resource_id }) => [type, resource_id])).toEqual([
    ['member.role_changed', id],
    ['member.removed', id],
  ])
  const trail = await sql<{ operation: string; actor_id: string; text: string }>(
    'select operation, actor_id, a::text as text from audit_events a where tenant_id = $1 order by sequence',
    [workspace.tenantId],
  )
  const ofMembers = trail.filter(({ operation }) => operation.startsWith('members.'))
  expect(ofMembers.map(({ operation, actor_id }) => [operation, actor_id])).toEqual([
    ['members.change_role', owner.userId],
    ['members.remove', owner.userId],
  ])
  for (const { text } of [...events, ...trail])
    for (const { email } of people) expect(text).not.toContain(email)
})
