import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { balancesOf, brokenRules } from '../../support/books.ts'
import { asked, newCustomer } from '../../support/customers.ts'
import { call, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { newGoverned, setPolicy } from '../../support/policy.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { paid } from '../payments/story.ts'

const advance = (bearer: string, duration: unknown, key: string = randomUUID()) =>
  call('POST', '/v1/sandbox/clock', {
    bearer,
    headers: { 'idempotency-key': key },
    body: { advance: duration },
  })

const availableIn = async (tenantId: string) =>
  (
    await adminSql('sandbox')<{ days: number }>(
      `select available_on - (now() at time zone 'America/Mexico_City')::date as days from payments where tenant_id = $1`,
      [tenantId],
    )
  ).map(({ days }) => days)

describe('the sandbox clock', () => {
  test('funds become available without waiting for their bank day; other tenants keep theirs', async () => {
    const [merchant, other] = [await newMerchant(), await newMerchant()]
    for (const each of [merchant, other]) await paid(await newLink(each), 'tok_sbx_approve')
    const [days] = await availableIn(other.tenantId)
    expect(days).toBeGreaterThan(0)
    const moved = await advance(merchant.apiKey, 'P10D')
    expect(moved.status, moved.text).toBe(200)
    expect(moved.body).toMatchObject({ object: 'sandbox_clock', advanced_seconds: '864000' })
    await trigger('sandbox')
    expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(114_989n)
    expect((await balancesOf(other.tenantId))['mxn/merchant_available']).toBeUndefined()
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('hours add up to days; reading shows the clock; a repeated call moves it once', async () => {
    const merchant = await newMerchant()
    await paid(await newLink(merchant), 'tok_sbx_approve')
    const [days] = await availableIn(merchant.tenantId)
    const key = randomUUID()
    await advance(merchant.apiKey, 'PT12H', key)
    const again = await advance(merchant.apiKey, 'PT12H', key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await availableIn(merchant.tenantId)).toEqual([days])
    await advance(merchant.apiKey, 'PT12H')
    expect(await availableIn(merchant.tenantId)).toEqual([days! - 1])
    const read = await call('GET', '/v1/sandbox/clock', { bearer: merchant.apiKey })
    expect(read.body).toMatchObject({ advanced_seconds: '86400' })
  })

  test('an active link expires', async () => {
    const merchant = await newMerchant()
    const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString()
    const link = await newLink(merchant, { expires_at: expiresAt })
    await advance(merchant.apiKey, 'P4D')
    await trigger('sandbox')
    const path = `/v1/payment-links/${link.id}`
    expect((await call('GET', path, { bearer: merchant.apiKey })).body).toMatchObject({ status: 'active' })
    await advance(merchant.apiKey, 'P1DT1M')
    await trigger('sandbox')
    expect((await call('GET', path, { bearer: merchant.apiKey })).body).toMatchObject({ status: 'inactive' })
  })

  test.each([
    ['nothing', 'P0D'],
    ['too far', 'P401D'],
    ['further', 'P99999999D'],
    ['backwards', '-P1D'],
    ['months', 'P1M'],
    ['a number', 3],
    ['no part', 'P'],
    ['an empty time', 'P1DT'],
  ])('%s is refused, naming the field', async (_what, duration) => {
    const merchant = await newMerchant()
    const { status, body } = await advance(merchant.apiKey, duration)
    expect([status, body]).toMatchObject([422, { error: { code: 'parameter_invalid', param: 'advance' } }])
  })

  test('an unanswered challenge ends, and its link is free again', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const form = await openLink(link.public_id)
    expect((await pay(link.public_id, form, 'tok_sbx_3ds_challenge')).status).toBe(303)
    const path = `/v1/payment-links/${link.id}/payments`
    const statuses = async () => {
      const { body } = await call<{ data: { status: string }[] }>('GET', path, { bearer: merchant.apiKey })
      return body.data.map(({ status }) => status)
    }
    expect(await statuses()).toEqual(['requires_action'])
    await advance(merchant.apiKey, 'PT31M')
    await trigger('sandbox')
    expect(await statuses()).toEqual(['requires_payment_method'])
    await openLink(link.public_id)
  })

  test('what a rule counts from is older too: the refund window closes, a merge is not undone any more', async () => {
    const { merchant, admin } = await newGoverned()
    await setPolicy({ merchant, admin }, { refunds: { window_days: 1 } })
    const link = await newLink(merchant)
    await paid(link, 'tok_sbx_approve')
    const { body } = await call<{ data: { id: string }[] }>('GET', `/v1/payment-links/${link.id}/payments`, {
      bearer: merchant.apiKey,
    })
    const refunded = () =>
      call<{ error?: { code: string } }>('POST', '/v1/refunds', {
        bearer: merchant.apiKey,
        body: { payment_id: body.data[0]!.id, amount: '100', reason: 'requested_by_customer' },
      })
    const [ana, eva] = [await newCustomer(merchant), await newCustomer(merchant)]
    await asked(merchant, 'POST', `/customers/${ana.id}/merge`, { into: eva.id })
    expect((await refunded()).status).toBe(201)
    await advance(merchant.apiKey, 'P10D')
    expect((await refunded()).body.error?.code).toBe('refund_window_closed')
    await advance(merchant.apiKey, 'P21D')
    const undone = await asked(merchant, 'POST', `/customers/${ana.id}/unmerge`)
    expect(undone.body.error?.code).toBe('customer_unmerge_too_late')
  })

  test('50 at once: each counts once', async () => {
    const merchant = await newMerchant()
    const replies = await Promise.all(Array.from({ length: 50 }, () => advance(merchant.apiKey, 'PT1H')))
    const done = replies.filter(({ status }) => status === 200).length
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const read = await call('GET', '/v1/sandbox/clock', { bearer: merchant.apiKey })
    expect(read.body).toMatchObject({ advanced_seconds: String(done * 3600) })
  })

  test('in live this address does not exist', async () => {
    const { apiKey } = await newMerchant({ environment: 'live' })
    const { status, body } = await call('GET', '/v1/sandbox/clock', { bearer: apiKey, environment: 'live' })
    expect([status, body]).toMatchObject([404, { error: { code: 'route_not_found' } }])
  })
})
