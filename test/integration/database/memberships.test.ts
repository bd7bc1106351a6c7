import type pg from 'pg'
import { expect, test } from 'vitest'
import { newEmail } from '../../support/customer.ts'
import { addInvitation, addMember, membersOf, type Role } from '../../support/members.ts'
import { newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, stack } from '../../support/stack.ts'

/* Whatever the Worker asks for: a member joins by an invitation of their own, and a workspace keeps an owner. */

const sql = adminSql('sandbox')

const quoted = (text: string) => `'${text}'`

/** Runs as the door's owner, with the workspace pinned. */
const asDoor = (tenantId: string, statement: string) =>
  sql(
    `select set_config('spindle.tenant', ${quoted(tenantId)}, true), set_config('role', 'spindle_door', true); ${statement}`,
  )

const email = newEmail()
const added = (tenantId: string, role: string, { userId = 'eve', invitation = null as string | null } = {}) =>
  `insert into memberships (tenant_id, user_id, email, role, status, invitation_id, created_at, updated_at)
   values (${quoted(tenantId)}, ${quoted(userId)}, ${quoted(email)}, ${quoted(role)}, 'active',
     ${invitation === null ? 'null' : quoted(invitation)}, now(), now())`

const accepted = (id: string, by = 'eve') =>
  `update workspace_invitations set status = 'accepted', accepted_by = ${quoted(by)} where id = ${quoted(id)};`

test.each(['owner', 'admin', 'member'])('no member is added as %s', async (role) => {
  const { tenantId } = await newMerchant()
  await expect(asDoor(tenantId, added(tenantId, role))).rejects.toMatchObject({
    constraint: 'memberships_come_with_invitation',
  })
})

type Broken = {
  what: string
  role?: Role
  by?: string
  to?: string
  inviter?: string
  times?: number
  open?: true
}
const broken: Broken[] = [
  { what: 'that is still pending', open: true },
  { what: 'that another person accepted', by: 'mallory' },
  { what: 'to another address', to: newEmail() },
  { what: 'with another role', role: 'admin' },
  { what: 'of a member who may invite nobody', inviter: `role = 'member'` },
  { what: 'of a member who was removed', inviter: `status = 'removed'` },
]
test.each(broken)('no member is added by an invitation $what', async (one) => {
  const { tenantId } = await newMerchant()
  await addMember({ tenantId, environment: 'sandbox' }, 'owner')
  const id = await addInvitation({ tenantId, environment: 'sandbox' }, { email: one.to ?? email })
  if (one.inviter)
    await sql(
      `update memberships set ${one.inviter} where tenant_id = $1
         and user_id = (select invited_by from workspace_invitations where id = $2)`,
      [tenantId, id],
    )
  const joining =
    (one.open ? '' : accepted(id, one.by)) + added(tenantId, one.role ?? 'member', { invitation: id })
  await expect(asDoor(tenantId, joining)).rejects.toMatchObject({
    constraint: 'memberships_come_with_invitation',
  })
})

test('an invitation counts once: who was removed does not come back by it, but by another one', async () => {
  const { tenantId } = await newMerchant()
  const workspace = { tenantId, environment: 'sandbox' } as const
  const [first, second] = [await addInvitation(workspace, { email }), await addInvitation(workspace)]
  await asDoor(tenantId, accepted(first) + added(tenantId, 'member', { invitation: first }))
  const ofEve = (set: string) => `update memberships set ${set} where user_id = 'eve'`
  await asDoor(tenantId, ofEve(`status = 'removed'`))
  for (const again of [`status = 'active'`, `status = 'active', invitation_id = ${quoted(first)}`])
    await expect(asDoor(tenantId, ofEve(again))).rejects.toMatchObject({
      constraint: 'memberships_come_with_invitation',
    })
  await sql('update workspace_invitations set email = $2 where id = $1', [second, email])
  await asDoor(tenantId, accepted(second) + ofEve(`status = 'active', invitation_id = ${quoted(second)}`))
  expect((await membersOf(tenantId)).map(({ status }) => status)).toEqual(['active', 'active'])
})

test.each(['user_id', 'email'])('no membership passes to another %s', async (column) => {
  const { tenantId } = await newMerchant()
  const refused = asDoor(tenantId, `update memberships set ${column} = 'mallory'`)
  await expect(refused).rejects.toMatchObject({ constraint: 'memberships_are_of_one_person' })
})

test.each([
  `update memberships set role = 'admin'`,
  `update memberships set status = 'removed'`,
  'delete from memberships',
])('a workspace keeps an owner: %s', async (statement) => {
  const { tenantId } = await newMerchant()
  const refused = sql(`${statement} where tenant_id = ${quoted(tenantId)}`)
  await expect(refused).rejects.toMatchObject({ constraint: 'memberships_keep_an_owner' })
})

/** Commits `first` once `second`, begun beside it, waits for it or has ended. Answers how the second ended. */
async function beside(first: string, second: string): Promise<string | undefined> {
  const clients = [1, 2].map(() => new Client({ connectionString: stack.databases.sandbox.adminUrl }))
  const [one, other] = clients as [pg.Client, pg.Client]
  try {
    for (const client of clients) {
      await client.connect()
      await client.query('begin')
    }
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
    await one.query(first)
    let hasEnded = false
    const ending = other
      .query(second)
      .then(
        () => other.query('commit').then(() => 'done'),
        (error: { constraint?: string }) => error.constraint,
      )
      .finally(() => {
        hasEnded = true
      })
    await expect
      .poll(async () => {
        const waits = await sql(`select where cardinality(pg_blocking_pids($1)) > 0`, [rows[0]!.pid])
        return hasEnded || waits.length > 0
      })
      .toBe(true)
    await one.query('commit')
    return await ending
  } finally {
    for (const client of clients) await client.end()
  }
}

test('an owner stays where two transactions remove one each', async () => {
  const { tenantId, ownerId } = await newMerchant()
  await addMember({ tenantId, environment: 'sandbox' }, 'owner')
  const removing = (which: string) =>
    `update memberships set status = 'removed' where tenant_id = '${tenantId}' and user_id ${which} '${ownerId}'`
  expect(await beside(removing('='), removing('<>'))).toBe('memberships_keep_an_owner')
  expect((await membersOf(tenantId)).filter(({ status }) => status === 'active')).toHaveLength(1)
})

test('few operations write memberships; those of mails note that an address is confirmed', async () => {
  const rows = await sql<{ id: string }>(
    `select id from door_operations where 'memberships' = any (tables) order by 1`,
  )
  expect(rows.map(({ id }) => id)).toEqual([
    'invitations.accept',
    'invitations.create',
    'mails.finish',
    'members.change_role',
    'members.leave',
    'members.remove',
    'payment_links.send',
    'payments.send_receipt',
    'workspaces.create',
  ])
})

test('of 55 invitations at once fifty are made', async () => {
  const workspace = await newMerchant()
  const made = await Promise.allSettled(Array.from({ length: 55 }, () => addInvitation(workspace)))
  expect(made.filter(({ status }) => status === 'rejected')).toHaveLength(5)
})

test('an invitation beside the fiftieth waits for it, and is refused', async () => {
  const workspace = await newMerchant()
  for (let at = 0; at < 49; at++) await addInvitation(workspace)
  const another = () =>
    `insert into workspace_invitations select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(),
       'email', '${newEmail()}', 'token_digest', gen_random_uuid()))).* from workspace_invitations i
     where tenant_id = '${workspace.tenantId}' limit 1`
  expect(await beside(another(), another())).toBe('workspace_invitations_limit')
})
