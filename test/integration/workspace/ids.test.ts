import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Customer } from '../../support/customer.ts'
import { newPerson, workspaceOf } from '../../support/members.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { keyOf } from '../../support/postgres.ts'
import { endow, transfer } from '../../support/transfers.ts'

// Rows name a workspace by the 16 bytes of its id. Outside it has one spelling, which alone names it.

type Refused = { readonly error?: { readonly code: string } }

const capitals = (id: string) => `tn_${id.slice(3).toUpperCase()}`

let owner: Customer
let owned: string
let sender: Merchant
let receiver: Merchant
beforeAll(async () => {
  owner = await newPerson()
  owned = (await workspaceOf([owner], ['owner'])).tenantId
  ;[sender, receiver] = [await newMerchant(), await newMerchant()]
  await endow(sender, 5_000n)
})

test.each<readonly [string, (id: string) => string]>([
  ['its key', keyOf],
  ['its key behind tn_', (id) => `tn_${keyOf(id)}`],
  ['its digits alone', (id) => id.slice(3)],
  ['its digits in capitals', capitals],
  ['a digit less', (id) => id.slice(0, -1)],
  ['a digit more', (id) => `${id}0`],
])('%s names no workspace', async (_, spelled) => {
  const members = await call<Refused>('GET', `/v1/workspace/members?tenant_id=${spelled(owned)}`, {
    bearer: owner.token,
  })
  expect([members.status, members.body.error?.code]).toEqual([404, 'workspace_not_found'])

  const opened = await call<Refused>('POST', '/v1/workspaces', {
    bearer: owner.token,
    environment: 'live',
    headers: { 'idempotency-key': randomUUID() },
    body: { name: 'Café Azul', tenant_id: spelled(owned) },
  })
  expect([opened.status, opened.body.error?.code]).toEqual([422, 'parameter_invalid'])

  for (const { tenantId } of [receiver, sender]) {
    const sent = await transfer(sender, { destination: { type: 'tenant', tenant_id: spelled(tenantId) } })
    expect(sent).toMatchObject({ status: 422, body: { error: { code: 'transfer_destination_unknown' } } })
  }
})
