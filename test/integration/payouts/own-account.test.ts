import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { join, newCustomer, newProof } from '../../support/customer.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { availableOf, funded, payOut, payoutsOf, settingsFor, settlesAs } from '../../support/payouts.ts'
import { bring } from '../../support/processor-accounts.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { allWaits, approve, approverOf, toTenant, transfer, transferOf } from '../../support/transfers.ts'

// A bank is behind the port, and the payments of a workspace go to its own account, which its processor pays out.

const sql = adminSql('sandbox')
const refusal = [409, { error: { code: 'paid_out_by_processor' } }]

const dueToday = ({ tenantId }: Merchant) =>
  sql(
    `update payout_settings set interval = 'daily', next_payout_on = (now() at time zone 'America/Mexico_City')::date
     where tenant_id = $1`,
    [tenantId],
  )

const dayOf = async ({ tenantId }: Merchant) =>
  (
    await sql<{ waits: boolean }>(
      `select next_payout_on <= (now() at time zone 'America/Mexico_City')::date as waits
       from payout_settings where tenant_id = $1`,
      [tenantId],
    )
  )[0]!.waits

describe.each(['active', 'superseded'])('with an %s account of its own', (status) => {
  test('nothing is paid out on request, nor on its day, which passes', async () => {
    const { merchant } = await funded()
    const before = await availableOf(merchant)
    await bring(merchant, 'acct_own', status)
    const reply = await payOut(merchant)
    expect([reply.status, reply.body]).toMatchObject(refusal)
    const limits = await call<{ capabilities: { name: string; reasons: object[] }[] }>(
      'GET',
      '/v1/workspace/limits',
      {
        bearer: merchant.apiKey,
      },
    )
    const sends = limits.body.capabilities.filter(({ name }) => name === 'payouts' || name === 'transfers')
    expect(sends.map(({ reasons }) => reasons)).toMatchObject(
      sends.map(() => [{ code: 'paid_out_by_processor', source: 'processor_account' }]),
    )
    await dueToday(merchant)
    await trigger('sandbox')
    expect([await payoutsOf(merchant), await dayOf(merchant)]).toEqual([[], false])
    expect(await availableOf(merchant)).toBe(before)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('no transfer sends its money, nor does the approval of one that waited', async () => {
    const { merchant } = await funded()
    await allWaits(merchant)
    const { body } = await transfer(merchant)
    await bring(merchant, 'acct_own', status)
    const refused = await transfer(merchant)
    expect([refused.status, refused.body]).toMatchObject(refusal)
    const approved = await approve(await approverOf(merchant), merchant, body)
    expect([approved.status, approved.body]).toMatchObject(refusal)
    expect((await transferOf(merchant, body.id)).status).toBe('pending_approval')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('no money is sent to it, which could never leave it, nor by the approval of what waited', async () => {
  const { merchant } = await funded()
  const receiver = await newMerchant()
  await allWaits(merchant)
  const waiting = (await transfer(merchant, { destination: toTenant(receiver) })).body
  await bring(receiver, 'acct_own')
  const refused = await transfer(merchant, { destination: toTenant(receiver) })
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { error: { code: 'transfer_destination_unknown', param: 'destination.tenant_id' } },
  ])
  const approved = await approve(await approverOf(merchant), merchant, waiting)
  expect([approved.status, approved.body.error?.code]).toEqual([422, 'transfer_destination_unknown'])
  expect((await transferOf(merchant, waiting.id)).status).toBe('pending_approval')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('no day is set for payouts that the processor makes', async () => {
  const { merchant } = await funded()
  const customer = await newCustomer()
  await join(customer, merchant)
  const [account] = await sql<{ id: string }>('select id from bank_accounts where tenant_id = $1', [
    merchant.tenantId,
  ])
  await bring(merchant, 'acct_own')
  const settings = {
    currency: 'mxn',
    interval: 'daily',
    anchor_day: null,
    amount_min: '0',
    bank_account_id: account!.id,
  }
  const key = randomUUID()
  const proof = await newProof(customer, merchant, {
    action: 'payout_settings.update',
    scope: 'transfers:write',
    key,
    params: settings,
  })
  const reply = await call('POST', '/v1/payment-operations/payout-settings', {
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { tenant_id: merchant.tenantId, ...settings },
  })
  expect([reply.status, reply.body]).toMatchObject(refusal)
})

test('what was paid out before the account was linked ends as ever', async () => {
  const { merchant } = await funded()
  const { body } = await payOut(merchant)
  await bring(merchant, 'acct_own')
  await settlesAs(merchant, body.id, 'paid')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('keys that no processor knows, as in the sandbox, change nothing', async () => {
  const { merchant } = await funded()
  await bring(merchant, null)
  expect((await payOut(merchant)).status).toBe(201)
})

test('the schema refuses what was planned before the account was linked', async () => {
  const { merchant } = await funded()
  await settingsFor(merchant)
  await bring(merchant, 'acct_own')
  const written = sql(
    `insert into payouts (tenant_id, id, status, amount_minor, currency, gross_minor, fee_minor, entries_count,
       destination_clabe, destination_holder, processor, created_at, updated_at)
     select s.tenant_id, gen_random_uuid(), 'pending', 100, 'mxn', 100, 0, 1, b.clabe, b.holder, 'simulator', now(), now()
     from payout_settings s join bank_accounts b on b.tenant_id = s.tenant_id and b.id = s.bank_account_id
     where s.tenant_id = $1`,
    [merchant.tenantId],
  )
  await expect(written).rejects.toMatchObject({ constraint: 'payouts_by_processor' })
})
