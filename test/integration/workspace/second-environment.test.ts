import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Customer } from '../../support/customer.ts'
import { accept, addInvitation, addMember, memberIdOf, newPerson, remove } from '../../support/members.ts'
import { call, type Environment } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

interface Opened {
  readonly tenant_id: string
  readonly role: string
  readonly error?: { readonly code: string }
}

const open = (by: Customer, environment: Environment, body: object = {}, key: string = randomUUID()) =>
  call<Opened>('POST', '/v1/workspaces', {
    bearer: by.token,
    environment,
    headers: { 'idempotency-key': key },
    body: { name: 'Café Azul', ...body },
  })

const shown = ({ status, body }: Awaited<ReturnType<typeof open>>) => [status, body.error?.code ?? body.role]

const ownersOf = (environment: Environment, tenantId: string) =>
  adminSql(environment)<{ user_id: string }>(
    `select user_id from memberships where tenant_id = $1 and role = 'owner' and status = 'active'`,
    [tenantId],
  )

let founder: Customer
let owner: Customer
beforeAll(async () => {
  founder = await newPerson()
  owner = await newPerson()
})

/** A workspace of the sandbox that its founder handed over: the other owner has removed them. */
async function handedOver(key: string = randomUUID()): Promise<string> {
  const { tenant_id: tenantId } = (await open(founder, 'sandbox', {}, key)).body
  const workspace = { tenantId, environment: 'sandbox' } as const
  const invitation = await addInvitation(workspace, { email: owner.email, role: 'owner' })
  expect((await accept(owner, invitation)).status).toBe(200)
  expect((await remove(owner, workspace, await memberIdOf(founder, workspace))).status).toBe(200)
  return tenantId
}

test('a removed founder does not open the workspace in live; its owner does', async () => {
  const key = randomUUID()
  const tenant_id = await handedOver(key)
  expect(shown(await open(founder, 'live', { tenant_id }))).toEqual([422, 'parameter_invalid'])
  // Without the id, under the key that once made it: another workspace.
  const other = await open(founder, 'live', {}, key)
  expect(other.body.tenant_id).not.toBe(tenant_id)

  const again = randomUUID()
  expect(shown(await open(owner, 'live', { tenant_id }, again))).toEqual([201, 'owner'])
  expect(await ownersOf('live', tenant_id)).toEqual([{ user_id: owner.userId }])
  // A retry finds its reply, also of a person who owns nothing in the first environment any more.
  await addMember({ tenantId: tenant_id, environment: 'sandbox' }, 'owner')
  await adminSql('sandbox')(`update memberships set role = 'member' where tenant_id = $1 and user_id = $2`, [
    tenant_id,
    owner.userId,
  ])
  expect(shown(await open(owner, 'live', { tenant_id }, again))).toEqual([201, 'owner'])
  expect(shown(await open(owner, 'live', { tenant_id }))).toEqual([409, 'workspace_exists'])
  expect(shown(await open(founder, 'live', { tenant_id }))).toEqual([422, 'parameter_invalid'])
})

test.each(['member', 'admin'] as const)('a %s of the first environment opens nothing', async (role) => {
  const { tenant_id } = (await open(founder, 'sandbox')).body
  const workspace = { tenantId: tenant_id, environment: 'sandbox' } as const
  const invitation = await addInvitation(workspace, { email: owner.email, role })
  expect((await accept(owner, invitation)).status).toBe(200)
  expect(shown(await open(owner, 'live', { tenant_id }))).toEqual([422, 'parameter_invalid'])
  expect(shown(await open(owner, 'live', { tenant_id: 'tn_missing' }))).toEqual([422, 'parameter_invalid'])
})

test('a workspace that began in live is opened in sandbox by its owner', async () => {
  const { tenant_id } = (await open(owner, 'live')).body
  expect(shown(await open(founder, 'sandbox', { tenant_id }))).toEqual([422, 'parameter_invalid'])
  expect(shown(await open(owner, 'sandbox', { tenant_id }))).toEqual([201, 'owner'])
  expect(shown(await open(owner, 'sandbox', { tenant_id }))).toEqual([409, 'workspace_exists'])
})

test('fifty at once by founder and owner: one workspace, of the owner alone', async () => {
  const tenant_id = await handedOver()
  // On a busy machine one may not learn in time what happened: it asks again under its key.
  const answered = async (by: Customer, key = randomUUID()) => {
    for (let tries = 0; tries < 20; tries++) {
      const reply = await open(by, 'live', { tenant_id }, key)
      if (reply.status !== 503) return reply
    }
    throw new Error('no answer but 503')
  }
  const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => answered(at % 2 ? owner : founder)))
  const by = (whose: number) => replies.filter((_, at) => at % 2 === whose).map(shown)
  expect(by(0)).toEqual(Array(25).fill([422, 'parameter_invalid']))
  expect(by(1).filter(([status]) => status === 201)).toEqual([[201, 'owner']])
  expect(by(1).filter(([status]) => status !== 201)).toEqual(Array(24).fill([409, 'workspace_exists']))
  expect(await ownersOf('live', tenant_id)).toEqual([{ user_id: owner.userId }])
})
