import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import { newProof } from '../../support/customer.ts'
import { call, type Merchant, newApiKey, newMerchant } from '../../support/merchant.ts'
import { eventsOf } from '../../support/refunds.ts'
import {
  allWaits,
  approve,
  approverOf,
  cancelTransfer,
  endow,
  incomingOf,
  isNow,
  newFunded,
  proveApproval,
  reject,
  sendApproval,
  settleTransfers,
  toClabe,
  toTenant,
  transfer,
  transferOf,
} from '../../support/transfers.ts'

type Limit = { amount: string; source: string; currency: string; error?: { code: string; param: string } }

async function setLimit(merchant: Merchant, keyId: string, currency: string, amount: string | null) {
  const customer = await approverOf(merchant)
  const key = randomUUID()
  const proof = await newProof(customer, merchant, {
    action: 'api_key.transfer_limit',
    key,
    params: { key_ref_id: keyId, currency, amount },
  })
  return call<Limit>('POST', `/v1/api-keys/${keyId}/transfer-limit`, {
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { tenant_id: merchant.tenantId, currency, amount },
  })
}

const waiting = async (): Promise<{
  merchant: Merchant
  id: string
  seen: Parameters<typeof approve>[2]
}> => {
  const merchant = await newMerchant()
  await allWaits(merchant)
  const { body, status, text } = await transfer(merchant)
  expect([status, body.status], text).toEqual([201, 'pending_approval'])
  return { merchant, id: body.id, seen: body }
}

describe('above the limit of the key', () => {
  test("50,000.00 by default: nothing is debited until an owner approves with a proof, then it's sent", async () => {
    const merchant = await newFunded()
    const small = await transfer(merchant, { amount: '5000000' })
    expect(small.body.error).toMatchObject({ code: 'insufficient_funds', param: 'amount' })
    const { body } = await transfer(merchant, { amount: '5000001' })
    expect(body.status).toBe('pending_approval')
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, release: 1 })
    const customer = await approverOf(merchant)
    const uncovered = await approve(customer, merchant, body)
    expect([uncovered.status, uncovered.body.error?.code, uncovered.body.error?.param]).toEqual([
      409,
      'insufficient_funds',
      'amount',
    ])
    expect((await transferOf(merchant, body.id)).status).toBe('pending_approval')
    expect(await brokenRules(merchant.tenantId)).toEqual([])

    await endow(merchant, 5_000_000n)
    const approved = await approve(customer, merchant, body)
    expect(approved.status, approved.text).toBe(200)
    expect(approved.body).toMatchObject({ status: 'pending', approved_at: expect.any(String) })
    await settleTransfers(merchant.tenantId)
    expect((await transferOf(merchant, body.id)).status).toBe('paid')
    expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(114_988n)
    const told = await eventsOf(merchant.tenantId, body.id)
    expect(told.map(({ type }) => type).filter((type) => type !== 'transfer.processing')).toEqual([
      'transfer.pending_approval',
      'transfer.approved',
      'transfer.paid',
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('the limit is per day: what no longer fits waits, what is refused or approved does not count', async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()]
    const refused = await transfer(merchant, { amount: '5000000' })
    expect(refused.body.error?.code).toBe('insufficient_funds')
    await endow(merchant, 20_000_000n)
    const statusOf = async (amount: string, fields = {}) =>
      (await transfer(merchant, { amount, ...fields })).body.status
    expect(await statusOf('3000000')).toBe('pending')
    expect(await statusOf('2000001')).toBe('pending_approval')
    expect(await statusOf('2000001', { destination: toTenant(other) })).toBe('pending_approval')
    const { body } = await transfer(merchant, { amount: '4000000' })
    expect((await approve(await approverOf(merchant), merchant, body)).body.status).toBe('pending')
    expect(await statusOf('2000000', { destination: toTenant(other) })).toBe('pending')
    expect(await statusOf('1')).toBe('pending_approval')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('money sent counts against the day even if the transfer is canceled', async () => {
    const merchant = await newMerchant()
    await endow(merchant, 10_000_000n)
    const { body } = await transfer(merchant, { amount: '5000000', destination: toClabe('18') })
    await isNow(merchant, body.id, 'processing')
    expect((await cancelTransfer(merchant, body.id)).body.status).toBe('canceled')
    expect((await transfer(merchant, { amount: '1' })).body.status).toBe('pending_approval')
  })

  test('each key has a limit of its own, and each day begins at zero', async () => {
    const merchant = await newMerchant()
    await endow(merchant, 100_000_000n)
    const another = await newApiKey(merchant)
    const amount = '5000000'
    const statusOf = async (from: Parameters<typeof transfer>[0]) =>
      (await transfer(from, { amount })).body.status
    for (const status of ['pending', 'pending_approval']) {
      expect(await statusOf(merchant)).toBe(status)
      expect(await statusOf({ ...merchant, apiKey: another.apiKey })).toBe(status)
    }
    await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: 'P1D' } })
    for (const status of ['pending', 'pending_approval']) expect(await statusOf(merchant)).toBe(status)
  })

  test('to another workspace: it arrives once it is approved', async () => {
    const [{ merchant }, other] = [await waiting(), await newMerchant()]
    await endow(merchant, 1_000n)
    const { body } = await transfer(merchant, { destination: toTenant(other) })
    expect(await incomingOf(other)).toEqual([])
    expect((await approve(await approverOf(merchant), merchant, body)).status).toBe(200)
    await isNow(merchant, body.id, 'paid')
    expect(await incomingOf(other)).toHaveLength(1)
    for (const { tenantId } of [merchant, other]) expect(await brokenRules(tenantId)).toEqual([])
  })

  test('only the transfer as seen is approved: another amount or currency is named', async () => {
    const { merchant, seen } = await waiting()
    await endow(merchant, 5_000n)
    const customer = await approverOf(merchant)
    for (const [changes, param] of [
      [{ amount: '1001' }, 'amount'],
      [{ currency: 'usd' }, 'currency'],
    ] as const) {
      const { status, body } = await approve(customer, merchant, { ...seen, ...changes })
      expect([status, body.error?.code, body.error?.param]).toEqual([422, 'transfer_terms_mismatch', param])
    }
    expect(await journalsOf(merchant.tenantId)).toEqual({ incoming: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a proof over another transfer, amount or currency opens nothing', async () => {
    const { merchant, seen } = await waiting()
    await endow(merchant, 5_000n)
    const customer = await approverOf(merchant)
    for (const proved of [{ amount: '1' }, { currency: 'usd' }, { transfer_id: randomUUID() }]) {
      const key = randomUUID()
      const proof = await proveApproval(customer, merchant, seen, key, proved)
      const { status, body } = await sendApproval(customer, merchant, seen, key, proof)
      expect([status, body.error?.code]).toEqual([401, 'step_up_params_mismatch'])
    }
    expect((await transferOf(merchant, seen.id)).status).toBe('pending_approval')
  })

  test('a proof that met too low a balance may be used again, and once used for no other transfer', async () => {
    const { merchant, seen } = await waiting()
    const customer = await approverOf(merchant)
    const key = randomUUID()
    const proof = await proveApproval(customer, merchant, seen, key)
    const send = () => sendApproval(customer, merchant, seen, key, proof)
    expect((await send()).body.error?.code).toBe('insufficient_funds')
    await endow(merchant, 2_000n)
    const approved = await send()
    expect(approved.status, approved.text).toBe(200)
    const replayed = await send()
    expect([replayed.text, replayed.headers.get('idempotent-replayed')]).toEqual([approved.text, 'true'])
    const other = await transfer(merchant)
    const again = await sendApproval(customer, merchant, other.body, randomUUID(), proof)
    expect([again.status, again.body.error?.code]).toEqual([401, 'step_up_already_used'])
    await settleTransfers(merchant.tenantId)
    expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(1_000n)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('neither an API key nor a member can approve', async () => {
    const { merchant, id, seen } = await waiting()
    const body = { tenant_id: merchant.tenantId, amount: seen.amount, currency: seen.currency }
    const byKey = await call('POST', `/v1/payment-operations/transfers/${id}/approve`, {
      bearer: merchant.apiKey,
      body,
    })
    expect(byKey.body.error).toMatchObject({ code: 'credential_not_accepted' })
    const member = await approverOf(merchant, 'member')
    expect((await approve(member, merchant, seen)).body.error?.code).toBe('insufficient_role')
    expect((await reject(member, merchant, id)).body.error?.code).toBe('insufficient_role')
  })

  test('rejected: over, and nothing was debited; it can no longer be approved', async () => {
    const { merchant, id, seen } = await waiting()
    const customer = await approverOf(merchant)
    const rejected = await reject(customer, merchant, id)
    expect([rejected.status, rejected.body.status]).toEqual([200, 'canceled'])
    for (const reply of [await approve(customer, merchant, seen), await reject(customer, merchant, id)])
      expect([reply.status, reply.body.error?.code]).toEqual([409, 'transfer_not_pending_approval'])
    expect(await journalsOf(merchant.tenantId)).toEqual({})
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test("another workspace's transfer cannot be approved or rejected", async () => {
    const [{ seen }, own] = [await waiting(), await newMerchant()]
    const customer = await approverOf(own)
    for (const reply of [await approve(customer, own, seen), await reject(customer, own, seen.id)])
      expect([reply.status, reply.body.error?.code]).toEqual([404, 'transfer_not_found'])
  })
})

describe('the limit of a key', () => {
  test('is its own, per currency, and survives a rotation', async () => {
    const merchant = await newMerchant()
    await endow(merchant, 10_000n)
    const set = await setLimit(merchant, merchant.keyId, 'mxn', '1000')
    expect(set.status, set.text).toBe(200)
    expect(set.body).toMatchObject({ currency: 'mxn', amount: '1000', source: 'key' })
    const other = await newApiKey(merchant)
    const statusBy = async (apiKey: string, amount: string) =>
      (await transfer({ apiKey, environment: 'sandbox' }, { amount })).body.status
    expect(await statusBy(merchant.apiKey, '1000')).toBe('pending')
    expect(await statusBy(merchant.apiKey, '1001')).toBe('pending_approval')
    expect(await statusBy(other.apiKey, '1001')).toBe('pending')

    const customer = await approverOf(await newMerchant())
    const key = randomUUID()
    const proof = await newProof(customer, merchant, {
      action: 'api_key.rotate',
      key,
      params: { key_ref_id: merchant.keyId },
    })
    const rotated = await call<{ one_time_value: string; key: { id: string } }>(
      'POST',
      `/v1/api-keys/${merchant.keyId}/rotate`,
      {
        bearer: customer.token,
        headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
        body: { tenant_id: merchant.tenantId },
      },
    )
    expect(rotated.status, rotated.text).toBe(200)
    expect(await statusBy(rotated.body.one_time_value, '1001')).toBe('pending_approval')
    const listed = await call<{ data: Limit[] }>(
      'GET',
      `/v1/api-keys/${rotated.body.key.id}/transfer-limits?tenant_id=${merchant.tenantId}`,
      { bearer: customer.token },
    )
    expect(listed.body.data.map(({ currency, amount, source }) => [currency, amount, source])).toEqual([
      ['mxn', '1000', 'key'],
      ['usd', '250000', 'default'],
    ])
    await settleTransfers(merchant.tenantId)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('null restores the default; what waits goes on waiting', async () => {
    const { merchant, id } = await waiting()
    const back = await setLimit(merchant, merchant.keyId, 'mxn', null)
    expect(back.body).toMatchObject({ amount: '5000000', source: 'default' })
    expect((await transferOf(merchant, id)).status).toBe('pending_approval')
  })

  test("another workspace's key cannot be set", async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()]
    const reply = await setLimit(merchant, other.keyId, 'mxn', '1')
    expect([reply.status, reply.body.error?.code]).toEqual([404, 'api_key_not_found'])
  })

  const bad: [amount: unknown, currency: unknown, param: string][] = [
    ['-1', 'mxn', 'amount'],
    ['1.5', 'mxn', 'amount'],
    [100, 'mxn', 'amount'],
    ['', 'mxn', 'amount'],
    ['1000000000000000000', 'mxn', 'amount'],
    ['1', 'MXN', 'currency'],
    ['1', 'pesos', 'currency'],
  ]
  test.each(bad)('%j %j is refused: %s', async (amount, currency, param) => {
    const merchant = await newMerchant()
    const reply = await setLimit(merchant, merchant.keyId, currency as string, amount as string)
    expect([reply.status, reply.body.error?.code, reply.body.error?.param]).toEqual([
      422,
      'parameter_invalid',
      param,
    ])
  })
})
