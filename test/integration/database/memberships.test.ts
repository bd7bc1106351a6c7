import { expect, test } from 'vitest'
import { newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

/* Addresses are not confirmed: no call of the door adds a member to a workspace that has one. */

const sql = adminSql('sandbox')

const quoted = (text: string) => `'${text}'`

/** Runs as the door's owner, with the workspace pinned. */
const asDoor = (tenantId: string, statement: string) =>
  sql(
    `select set_config('spindle.tenant', ${quoted(tenantId)}, true), set_config('role', 'spindle_door', true); ${statement}`,
  )

const added = (tenantId: string, role: string, userId: string) =>
  `insert into memberships (tenant_id, user_id, email, role, status, created_at, updated_at)
   values (${quoted(tenantId)}, ${quoted(userId)}, 'ana@example.com', ${quoted(role)}, 'active', now(), now())`

async function ownWorkspace(): Promise<string> {
  const { tenantId } = await newMerchant()
  await sql(added(tenantId, 'owner', 'ana'))
  return tenantId
}

test.each(['owner', 'admin', 'member'])('no member is added as %s', async (role) => {
  const tenantId = await ownWorkspace()
  const refused = asDoor(tenantId, added(tenantId, role, 'eve'))
  await expect(refused).rejects.toMatchObject({ constraint: 'memberships_come_with_workspace' })
})

test.each(['user_id', 'email'])('no membership passes to another %s', async (column) => {
  const tenantId = await ownWorkspace()
  const refused = asDoor(tenantId, `update memberships set ${column} = 'mallory'`)
  await expect(refused).rejects.toMatchObject({ constraint: 'memberships_come_with_workspace' })
})

test('only opening a workspace makes a membership', async () => {
  expect(await sql(`select id, access from door_operations where 'memberships' = any (tables)`)).toEqual([
    { id: 'workspaces.create', access: { customer: {} } },
  ])
})
