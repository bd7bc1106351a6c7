import { describe, expect, test } from 'vitest'
import { newCode, newDevice } from '../../support/devices.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { call, newMerchant } from '../../support/merchant.ts'
import {
  forwards,
  listOffline,
  newOfflineCounter,
  newSigningKey,
  outcomes,
  pairSigning,
  stores,
} from '../../support/offline.ts'
import { adminSql } from '../../support/stack.ts'
import { refusal } from '../../support/terminal.ts'

const sql = adminSql('sandbox')
const refused = (reply: Awaited<ReturnType<typeof forwards>>) => `${reply.status} ${reply.body.error?.code}`

describe('the database itself', () => {
  const insert = (counter: Awaited<ReturnType<typeof newOfflineCounter>>, amount: number) =>
    sql(
      `insert into offline_payments (tenant_id, id, device_id, location_id, allowance_id, device_payment_id, sequence, status,
         amount_minor, currency, tip_minor, taken_at, policy_version, in_person_payment_id, payment_id, created_at, updated_at)
       select o.tenant_id, gen_random_uuid(), o.device_id, o.location_id, o.allowance_id, 'another-one', 999, 'forwarding',
         $2, 'mxn', 0, now(), o.policy_version, o.in_person_payment_id, o.payment_id, now(), now()
       from offline_payments o where o.tenant_id = $1`,
      [counter.merchant.tenantId, amount],
    )

  test('takes no amount above what the reader was allowed, each and in all, and no other sale', async () => {
    const counter = await newOfflineCounter()
    await forwards(counter, [await stores(counter)], { has_more: true })
    await expect(insert(counter, 50_001)).rejects.toMatchObject({ constraint: 'offline_payments_allowed' })
    await expect(insert(counter, 12_000)).rejects.toMatchObject({
      constraint: expect.stringMatching(/^offline_payments_of_/),
    })
    writtenByHand(counter.merchant.tenantId)
    await sql('update offline_allowances set stored_minor = stored_amount_max_minor where id = $1', [
      counter.allowance.id,
    ])
    await expect(insert(counter, 1)).rejects.toMatchObject({ constraint: 'offline_allowances_kept' })
  })

  test.each([
    'update offline_payments set amount_minor = 1 where tenant_id = $1',
    'update offline_allowances set stored_amount_max_minor = 999999 where tenant_id = $1',
    'update offline_allowances set stored_minor = 0 where tenant_id = $1',
  ])('keeps what was forwarded, and what was allowed: %s', async (statement) => {
    const counter = await newOfflineCounter()
    await forwards(counter, [await stores(counter)])
    await expect(sql(statement, [counter.merchant.tenantId])).rejects.toMatchObject({ code: 'SP460' })
  })

  test('keeps no card longer than until the processor has answered', async () => {
    const counter = await newOfflineCounter()
    const batch = [await stores(counter), await stores(counter, { answer: 'late' })]
    await forwards(counter, batch)
    const cards = await sql<{ status: string; kept: boolean }>(
      `select status, stored_card is not null kept from payment_attempts where tenant_id = $1 order by status`,
      [counter.merchant.tenantId],
    )
    expect(cards).toEqual([
      { status: 'captured', kept: false },
      { status: 'unknown', kept: true },
    ])
  })
})

describe('a batch', () => {
  test.each([
    ['payments', { payments: [] }],
    ['payments.0.id', { id: 'short' }],
    ['payments.0.id', { id: '4242424242424242' }],
    ['payments.0.amount', { amount: '0' }],
    ['payments.0.sequence', { sequence: 0 }],
    ['payments.0.card.token', { card: { token: '4242424242424242', presented_as: 'tap' } }],
    ['payments.0.signature', { signature: 'x' }],
    ['payments.0.taken_at', { taken_at: 'yesterday' }],
  ])('is refused whole with the field at fault: %s', async (param, fields) => {
    const counter = await newOfflineCounter()
    const stored = { ...(await stores(counter)), ...fields }
    const payments = 'payments' in fields ? fields.payments : [stored]
    const reply = await forwards(counter, payments)
    expect([reply.status, reply.body.error?.param]).toEqual([422, param])
    expect(await listOffline(counter.merchant)).toEqual([])
  })

  test('names each payment once, and is of a reader alone', async () => {
    const counter = await newOfflineCounter()
    const stored = await stores(counter)
    expect((await forwards(counter, [stored, stored])).body.error?.param).toBe('payments')
    const path = '/v1/device/offline-payments'
    const byKey = await call('POST', path, { bearer: counter.merchant.apiKey, body: { payments: [stored] } })
    expect(byKey.status).toBe(401)
    const stranger = await newOfflineCounter()
    expect(outcomes(await forwards(stranger, [stored]))).toEqual(['refused allowance_not_found'])
  })

  test('takes a key of P-256 alone', async () => {
    const merchant = await newMerchant()
    const pair = async (publicKey: string) =>
      pairSigning(await newCode(merchant, await newDevice(merchant)), { publicKey })
    for (const publicKey of ['A'.repeat(87), 'x'])
      expect(refusal((await pair(publicKey)) as never)).toBe('422 parameter_invalid signing_key')
    expect((await pair((await newSigningKey()).publicKey)).status).toBe(200)
  })

  test('of a workspace that may take no payments is refused, and may be sent again', async () => {
    const counter = await newOfflineCounter()
    const stored = await stores(counter)
    await sql(`update tenants set status = 'suspended' where tenant_id = $1`, [counter.merchant.tenantId])
    expect(refused(await forwards(counter, [stored]))).toMatch(/^4\d\d workspace_/)
    await sql(`update tenants set status = 'active' where tenant_id = $1`, [counter.merchant.tenantId])
    expect(outcomes(await forwards(counter, [stored]))).toEqual(['succeeded'])
  })
})
