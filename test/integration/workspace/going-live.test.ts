import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decide, judge } from '../../../local/workspace.ts'
import { accountOf, addAccount } from '../../support/bank-accounts.ts'
import { type Customer, join, newCustomer, newProof } from '../../support/customer.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { publish } from '../database/door.ts'

const live = { environment: 'live' } as const
let owner: Customer
const client = new pg.Client({ connectionString: stack.databases.live.ownerUrl })
beforeAll(async () => {
  owner = await newCustomer()
  await client.connect()
})
afterAll(() => client.end())

interface Workspace {
  readonly status: string
  readonly status_reason: string | null
  readonly version: number
  readonly onboarding: { readonly status: string; readonly requirements: readonly object[] }
  readonly error?: { readonly code: string; readonly message: string }
}

/** A workspace of the owner that is not live yet. */
async function pending(role: 'owner' | 'admin' = 'owner'): Promise<Merchant> {
  const merchant = await newMerchant(live)
  await adminSql('live')(`update tenants set status = 'pending' where tenant_id = $1`, [merchant.tenantId])
  await join(owner, merchant, role)
  return merchant
}

const shown = async ({ apiKey }: Merchant): Promise<Workspace> =>
  (await call<Workspace>('GET', '/v1/workspace', { ...live, bearer: apiKey })).body

const filled = {
  support_phone: '+525512345678',
  fiscal_profile: {
    rfc: 'EKU9003173C9',
    legal_name: 'ESCUELA KEMPER URGATE',
    tax_regime: '601',
    postal_code: '42501',
  },
}
const fill = ({ apiKey }: Merchant) =>
  call('PATCH', '/v1/workspace', { ...live, bearer: apiKey, body: filled })

const confirm = (isConfirmed = true) =>
  adminSql('identity')('update users set email_verified = $2 where id = $1', [owner.userId, isConfirmed])

async function goLive(merchant: Merchant) {
  const key = randomUUID()
  const { tenantId: tenant_id } = merchant
  const proof = await newProof(owner, merchant, {
    action: 'workspace.go_live',
    scope: 'workspace:write',
    key,
    params: { tenant_id },
  })
  return call<Workspace>('POST', '/v1/workspace/go-live', {
    ...live,
    bearer: owner.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { tenant_id },
  })
}

const by = ({ tenantId }: Merchant) => ({ client, tenantId, by: 'ana.ruiz' })

test('a new workspace takes payments at once in sandbox, and is pending in live', async () => {
  const opened = await call<{ tenant_id: string; status: string }>('POST', '/v1/workspaces', {
    bearer: owner.token,
    body: { name: 'Café Azul' },
  })
  expect(opened.body.status).toBe('active')
  const { tenant_id } = opened.body
  const inLive = { ...live, bearer: owner.token, body: { name: 'Café Azul', tenant_id } }
  expect((await call('POST', '/v1/workspaces', inLive)).body).toMatchObject({ tenant_id, status: 'pending' })
})

test('a workspace goes live: requirements, review, declined, reviewed again, approved', async () => {
  const merchant = await pending()
  await confirm(false)
  expect(await shown(merchant)).toMatchObject({
    status: 'pending',
    onboarding: {
      status: 'incomplete',
      requirements: [
        { code: 'support_contact', satisfied: false },
        { code: 'fiscal_profile', satisfied: false },
        { code: 'bank_account', satisfied: false },
      ],
    },
  })
  const unconfirmed = await goLive(merchant)
  expect([unconfirmed.status, unconfirmed.body.error?.code]).toEqual([422, 'email_not_confirmed'])
  await confirm()
  const unmet = await goLive(merchant)
  expect([unmet.status, unmet.body.error]).toEqual([
    422,
    expect.objectContaining({
      code: 'workspace_requirements_unmet',
      message: 'These requirements are not met: support_contact, fiscal_profile, bank_account.',
    }),
  ])
  await fill(merchant)
  // No bank is connected in live: a person verifies the account.
  const added = await addAccount(owner, merchant, { clabe: accountOf('99'), holder: 'ESCUELA KEMPER URGATE' })
  expect(added.body).toMatchObject({ status: 'pending_verification', verification: 'review' })
  const { onboarding, version } = await shown(merchant)
  expect(onboarding.status).toBe('incomplete')
  const operator = { client, tenantId: merchant.tenantId, by: 'ana.ruiz' }
  await judge(operator, { accountId: added.body.id, verdict: 'verified', coolDownHours: 24 })
  // The account is no part of the version.
  const headers = { 'if-none-match': `"${version}"` }
  const ready = await call<Workspace>('GET', '/v1/workspace', { ...live, bearer: merchant.apiKey, headers })
  expect([ready.status, ready.body]).toMatchObject([200, { version, onboarding: { status: 'ready' } }])
  const asked = await goLive(merchant)
  expect(asked.body).toMatchObject({ status: 'in_review', onboarding: { status: 'in_review' } })
  expect((await goLive(merchant)).body.error?.code).toBe('workspace_not_pending')

  await decide(by(merchant), 'decline', 'El RFC no es el de la constancia.')
  expect(await shown(merchant)).toMatchObject({
    status: 'pending',
    status_reason: 'El RFC no es el de la constancia.',
  })
  expect((await goLive(merchant)).body).toMatchObject({ status: 'in_review', status_reason: null })
  await decide(by(merchant), 'approve', null)
  expect(await shown(merchant)).toMatchObject({ status: 'active', onboarding: { status: 'complete' } })

  const events = await adminSql('live')(
    `select type from events where tenant_id = $1 and resource_type = 'workspace' order by sequence`,
    [merchant.tenantId],
  )
  expect(events.map(({ type }) => type)).toEqual([
    'workspace.updated',
    'workspace.review_requested',
    'workspace.review_declined',
    'workspace.review_requested',
    'workspace.activated',
  ])
})

test('an operator suspends, reinstates and closes: audited by name, mailed to owners, each once', async () => {
  const merchant = await newMerchant(live)
  const operator = by(merchant)
  await expect(decide(operator, 'reinstate', null)).rejects.toThrow('active allows no reinstate')
  await decide(operator, 'suspend', 'Contracargos por encima de lo permitido.')
  await expect(decide(operator, 'suspend', 'Otra vez.')).rejects.toThrow('suspended allows no suspend')
  await decide(operator, 'reinstate', null)
  await decide(operator, 'close', 'A petición del titular.')
  for (const decision of ['suspend', 'reinstate', 'approve', 'close'] as const)
    await expect(decide(operator, decision, null)).rejects.toThrow('closed allows no')

  const audited = await adminSql('live')(
    'select operation, actor_type, actor_id from audit_events where tenant_id = $1 order by sequence',
    [merchant.tenantId],
  )
  expect(audited).toEqual(
    ['workspace.suspend', 'workspace.reinstate', 'workspace.close'].map((operation) => ({
      operation,
      actor_type: 'operator',
      actor_id: 'ana.ruiz',
    })),
  )
  const notices = await adminSql('live')(
    `select kind from mail_notices where tenant_id = $1 order by created_at`,
    [merchant.tenantId],
  )
  expect(notices).toEqual(Array(3).fill({ kind: 'workspace_decided' }))
})

test('only an owner asks to go live', async () => {
  const merchant = await pending('admin')
  expect((await goLive(merchant)).body.error?.code).toBe('insufficient_role')
})

const change = (tenant: Record<string, unknown>, set: object) => ({
  kind: 'change',
  table: 'tenants',
  id: tenant.id,
  version: tenant.version,
  fromStatus: tenant.status,
  set,
})

test.each([
  ['active', { status: 'suspended' }],
  ['suspended', { status: 'active' }],
  ['in_review', { status: 'active' }],
  ['active', { status: 'closed' }],
] as const)('a Worker changes no %s workspace to %o', async (status, set) => {
  const { tenantId, ownerId } = await newMerchant()
  const [tenant] = await adminSql('sandbox')(
    'update tenants set status = $2 where tenant_id = $1 returning id, version, status',
    [tenantId, status],
  )
  const asked = { operation: 'workspace.suspend', writes: [change(tenant!, set)] }
  await expect(
    publish({ ...asked, credential: { kind: 'operator', tenantId, name: 'worker' } }),
  ).rejects.toMatchObject({ message: 'credential_not_accepted' })
  // With the rights of an operation that may write the table.
  await expect(
    publish({
      operation: 'workspaces.create',
      credential: { kind: 'customer', tenantId, userId: ownerId },
      writes: [change(tenant!, set)],
    }),
  ).rejects.toMatchObject({ constraint: 'tenants_status_by_operator' })
})
