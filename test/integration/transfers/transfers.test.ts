import { describe, expect, test } from 'vitest'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import { call, newMerchant } from '../../support/merchant.ts'
import { eventsOf } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'
import {
  allWaits,
  cancelTransfer,
  endow,
  incomingOf,
  isNow,
  newFunded,
  paidAtBank,
  pollOnce,
  settleTransfers,
  toClabe,
  toTenant,
  transfer,
  transferOf,
} from '../../support/transfers.ts'

const typesOf = async (tenantId: string, id: string) => (await eventsOf(tenantId, id)).map(({ type }) => type)

const control = (apiKey: string, id: string, name: 'return' | 'fail') =>
  call<{ status?: string; error?: { code: string } }>('POST', `/v1/sandbox/transfers/${id}/${name}`, {
    bearer: apiKey,
  })

describe('to a CLABE', () => {
  test('what a buyer paid is sent on: debited at once, in flight, paid with the trace of the bank', async () => {
    const merchant = await newFunded()
    const sent = await transfer(merchant, { amount: '50000', metadata: { invoice: '12' } })
    expect(sent.status, sent.text).toBe(201)
    expect(sent.body).toMatchObject({ status: 'pending', amount: '50000', clave_rastreo: null })
    expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(64_989n)
    await isNow(merchant, sent.body.id, 'processing')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    await settleTransfers(merchant.tenantId)
    const paid = await transferOf(merchant, sent.body.id)
    expect(paid).toMatchObject({
      status: 'paid',
      clave_rastreo: expect.stringMatching(/^SBX[0-9A-F]{24}$/),
      failure_code: null,
      resolved_at: expect.any(String),
    })
    expect(await paidAtBank(merchant.tenantId)).toBe(50_000n)
    expect(await journalsOf(merchant.tenantId)).toEqual({
      capture: 1,
      release: 1,
      transfer: 1,
      transfer_paid: 1,
    })
    expect(await typesOf(merchant.tenantId, sent.body.id)).toEqual([
      'transfer.created',
      'transfer.processing',
      'transfer.paid',
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  const failures: [account: string, code: string][] = [
    ['11', 'account_closed'],
    ['12', 'account_not_found'],
    ['13', 'holder_mismatch'],
    ['14', 'declined_by_bank'],
    ['16', 'account_closed'],
  ]
  test.each(failures)('account %s fails with %s: the money is back, once', async (account, code) => {
    const merchant = await newMerchant()
    await endow(merchant, 5_000n)
    const { body } = await transfer(merchant, { amount: '5000', destination: toClabe(account) })
    await settleTransfers(merchant.tenantId)
    expect(await transferOf(merchant, body.id)).toMatchObject({ status: 'failed', failure_code: code })
    expect(await journalsOf(merchant.tenantId)).toEqual({ incoming: 1, transfer: 1, transfer_reversed: 1 })
    expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(5_000n)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a bank that does not answer is asked again, and has paid once', async () => {
    const merchant = await newMerchant()
    await endow(merchant, 5_000n)
    const { body } = await transfer(merchant, { destination: toClabe('15') })
    await settleTransfers(merchant.tenantId)
    expect((await transferOf(merchant, body.id)).status).toBe('paid')
    expect(await paidAtBank(merchant.tenantId)).toBe(1_000n)
    expect(await typesOf(merchant.tenantId, body.id)).toEqual(['transfer.created', 'transfer.paid'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('sent back by the bank days later: noticed without a notification, with its own journal', async () => {
    const merchant = await newMerchant()
    await endow(merchant, 5_000n)
    const { body } = await transfer(merchant, { destination: toClabe('17') })
    await settleTransfers(merchant.tenantId)
    const paid = await transferOf(merchant, body.id)
    expect(paid.status).toBe('paid')
    await pollOnce(merchant.tenantId)
    expect(await transferOf(merchant, body.id)).toMatchObject({
      status: 'returned',
      failure_code: 'account_closed',
      clave_rastreo: paid.clave_rastreo,
      return_clave_rastreo: expect.stringMatching(/^DEV/),
    })
    expect(await journalsOf(merchant.tenantId)).toEqual({
      incoming: 1,
      transfer: 1,
      transfer_paid: 1,
      transfer_returned: 1,
    })
    expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(5_000n)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('sent back by the test control: once, however often it is used', async () => {
    const merchant = await newMerchant()
    await endow(merchant, 5_000n)
    const { body } = await transfer(merchant)
    expect((await control(merchant.apiKey, body.id, 'return')).body.error?.code).toBe(
      'bank_order_not_returnable',
    )
    await settleTransfers(merchant.tenantId)
    expect((await control(merchant.apiKey, body.id, 'fail')).body.error?.code).toBe('bank_order_over')
    const pulled = await Promise.all(
      Array.from({ length: 50 }, () => control(merchant.apiKey, body.id, 'return')),
    )
    expect(pulled.map(({ status, body }) => [status, body.status])).toEqual(Array(50).fill([200, 'returned']))
    expect((await transferOf(merchant, body.id)).status).toBe('returned')
    expect((await journalsOf(merchant.tenantId)).transfer_returned).toBe(1)
    expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(5_000n)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('refused by the test control while it is on its way', async () => {
    const merchant = await newMerchant()
    await endow(merchant, 5_000n)
    const { body } = await transfer(merchant, { destination: toClabe('18') })
    await isNow(merchant, body.id, 'processing')
    expect((await control(merchant.apiKey, body.id, 'fail')).body.status).toBe('failed')
    expect((await transferOf(merchant, body.id)).status).toBe('failed')
    expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(5_000n)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a paid transfer is watched for five days, and none of it changes', async () => {
    const merchant = await newMerchant()
    await endow(merchant, 5_000n)
    const { body } = await transfer(merchant)
    await settleTransfers(merchant.tenantId)
    const before = await transferOf(merchant, body.id)
    const watched = async () =>
      adminSql('sandbox')('select id from transfers where tenant_id = $1 and next_check_at > now()', [
        merchant.tenantId,
      ])
    for (let day = 1; day <= 4; day++) await pollOnce(merchant.tenantId)
    expect(await watched()).toHaveLength(1)
    await pollOnce(merchant.tenantId)
    expect(await watched()).toEqual([])
    expect(await transferOf(merchant, body.id)).toEqual(before)
    expect(await typesOf(merchant.tenantId, body.id)).toHaveLength(3)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('to another workspace', () => {
  test('arrives at once and once; both sides read it', async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()]
    await endow(merchant, 5_000n)
    const { body, status, text } = await transfer(merchant, { amount: '3000', destination: toTenant(other) })
    expect(status, text).toBe(201)
    await isNow(merchant, body.id, 'paid')
    expect(await transferOf(merchant, body.id)).toMatchObject({ clave_rastreo: null, failure_code: null })
    expect(await incomingOf(other)).toMatchObject([
      { amount: '3000', source: { tenant_id: merchant.tenantId, transfer_id: body.id } },
    ])
    expect(await incomingOf(merchant)).toHaveLength(1) // only its own endowment
    expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(2_000n)
    expect((await balancesOf(other.tenantId))['mxn/merchant_available']).toBe(3_000n)
    // What arrived can be sent again.
    const back = await transfer(other, { amount: '3000', destination: toTenant(merchant) })
    await isNow(other, back.body.id, 'paid')
    expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(5_000n)
    for (const { tenantId } of [merchant, other]) expect(await brokenRules(tenantId)).toEqual([])
  })

  test('a CLABE receives only pesos; a workspace also receives dollars', async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()]
    await endow(merchant, 5_000n, 'usd')
    const sent = await transfer(merchant, { currency: 'usd', destination: toTenant(other) })
    expect(sent.status, sent.text).toBe(201)
    await isNow(merchant, sent.body.id, 'paid')
    expect(await balancesOf(other.tenantId)).toMatchObject({ 'usd/merchant_available': 1_000n })
    for (const { tenantId } of [merchant, other]) expect(await brokenRules(tenantId)).toEqual([])
  })

  test('cannot be canceled, nor returned by a bank', async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()]
    await endow(merchant, 5_000n)
    const { body } = await transfer(merchant, { destination: toTenant(other) })
    const canceled = await cancelTransfer(merchant, body.id)
    expect([canceled.status, canceled.body.error?.code]).toEqual([409, 'transfer_not_cancelable'])
    await isNow(merchant, body.id, 'paid')
    expect((await control(merchant.apiKey, body.id, 'return')).body.error?.code).toBe(
      'bank_order_not_returnable',
    )
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('a transfer is canceled', () => {
  test('on its way: stopped at the bank, the money is back once; canceled again it stays so', async () => {
    const merchant = await newMerchant()
    await endow(merchant, 5_000n)
    const { body } = await transfer(merchant, { destination: toClabe('18') })
    await isNow(merchant, body.id, 'processing')
    const key = 'cancel-it-once'
    const canceled = await cancelTransfer(merchant, body.id, key)
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled'])
    const replayed = await cancelTransfer(merchant, body.id, key)
    expect([replayed.text, replayed.headers.get('idempotent-replayed')]).toEqual([canceled.text, 'true'])
    const again = await cancelTransfer(merchant, body.id)
    expect([again.status, again.body.status]).toEqual([200, 'canceled'])
    await settleTransfers(merchant.tenantId)
    expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(5_000n)
    expect(await journalsOf(merchant.tenantId)).toEqual({ incoming: 1, transfer: 1, transfer_reversed: 1 })
    expect(await paidAtBank(merchant.tenantId)).toBe(0n)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('while it waits for approval: nothing was debited', async () => {
    const merchant = await newMerchant()
    await allWaits(merchant)
    const { body } = await transfer(merchant)
    expect(body.status).toBe('pending_approval')
    const canceled = await cancelTransfer(merchant, body.id)
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled'])
    expect(await journalsOf(merchant.tenantId)).toEqual({})
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test.each([
    ['paid', '1'],
    ['failed', '11'],
  ])('not when it was %s', async (status, account) => {
    const merchant = await newMerchant()
    await endow(merchant, 5_000n)
    const { body } = await transfer(merchant, { destination: toClabe(account) })
    await settleTransfers(merchant.tenantId)
    const canceled = await cancelTransfer(merchant, body.id)
    expect([canceled.status, canceled.body.error?.code]).toEqual([409, 'transfer_not_cancelable'])
    expect((await transferOf(merchant, body.id)).status).toBe(status)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test("another merchant's transfer is not found, whatever is asked of it", async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  await endow(merchant, 5_000n)
  const { body } = await transfer(merchant, { destination: toClabe('18') })
  for (const id of [body.id, uuidv7(Date.now())]) {
    const of = `/v1/payment-operations/transfers/${id}`
    const sandbox = `/v1/sandbox/transfers/${id}`
    const asked = [
      await call('GET', of, { bearer: other.apiKey }),
      await cancelTransfer(other, id),
      await call('POST', `${sandbox}/return`, { bearer: other.apiKey }),
      await call('POST', `${sandbox}/fail`, { bearer: other.apiKey }),
    ]
    for (const reply of asked)
      expect([reply.status, (reply.body.error as { code: string }).code]).toEqual([404, 'transfer_not_found'])
  }
  expect((await call('GET', '/v1/payment-operations/transfers', { bearer: other.apiKey })).body.data).toEqual(
    [],
  )
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('the list is filtered by status and by where the money went', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  await endow(merchant, 5_000n)
  const [clabe, tenant] = [
    await transfer(merchant, { destination: toClabe('11') }),
    await transfer(merchant, { destination: toTenant(other) }),
  ]
  await settleTransfers(merchant.tenantId)
  await isNow(merchant, tenant.body.id, 'paid')
  const listed = async (query: string) =>
    (
      await call<{ data: { id: string }[] }>('GET', `/v1/payment-operations/transfers?${query}`, {
        bearer: merchant.apiKey,
      })
    ).body.data.map(({ id }) => id)
  expect(await listed('')).toEqual([tenant.body.id, clabe.body.id])
  expect(await listed('status=failed')).toEqual([clabe.body.id])
  expect(await listed('destination_type=tenant')).toEqual([tenant.body.id])
  expect(await listed('status=paid&destination_type=clabe')).toEqual([])
})

test('live, without a bank: 503 by its own name, nothing is stored', async () => {
  const merchant = await newMerchant({ environment: 'live' })
  await endow(merchant, 5_000n)
  const sent = await transfer(merchant, { amount: '1000' })
  expect([sent.status, sent.body.error?.code]).toEqual([503, 'transfers_not_configured'])
  const list = await call('GET', '/v1/payment-operations/transfers', {
    bearer: merchant.apiKey,
    environment: 'live',
  })
  expect([list.status, list.body.data]).toEqual([200, []])
})
