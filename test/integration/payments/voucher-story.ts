import { expect } from 'vitest'
import { attemptsOf, brokenRules, journalsOf, pageState, paymentsOf } from '../../support/books.ts'
import { type VoucherInHand, vouchersOf } from '../../support/cash.ts'
import { call, type Merchant } from '../../support/merchant.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { statusOf } from './story.ts'

export const till = (merchant: Merchant, reference: string, body: object = {}, key?: string) =>
  call('POST', `/v1/sandbox/oxxo/${reference}/pay`, {
    bearer: merchant.apiKey,
    body,
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  })

export const expire = (merchant: Merchant, reference: string) =>
  call('POST', `/v1/sandbox/oxxo/${reference}/expire`, { bearer: merchant.apiKey })

/** Time passes for a voucher, and the reconciler runs. */
export async function pass(merchant: Merchant, interval: string): Promise<void> {
  const sql = adminSql('sandbox')
  await sql(
    `update payment_attempts set expires_at = expires_at - $2::interval, grace_ends_at = grace_ends_at - $2::interval,
       next_check_at = now() - interval '1 second' where tenant_id = $1 and next_check_at is not null`,
    [merchant.tenantId, interval],
  )
  await sql(
    `update vouchers set expires_at = expires_at - $2::interval, grace_ends_at = grace_ends_at - $2::interval
     where tenant_id = $1`,
    [merchant.tenantId, interval],
  )
  await sql(
    `update simulator.vouchers set expires_at = expires_at - $2::interval
     where reference in (select id from payment_attempts where tenant_id = $1)`,
    [merchant.tenantId, interval],
  )
  await trigger('sandbox')
}

/** The state of everything, as each side sees it. */
export async function stands(
  merchant: Merchant,
  { link, location }: Pick<VoucherInHand, 'link' | 'location'>,
) {
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  return {
    payments: (await paymentsOf(merchant.tenantId)).map(({ status }) => status),
    attempts: (await attemptsOf(merchant.tenantId)).map(({ status }) => status),
    vouchers: (await vouchersOf(merchant.tenantId)).map(({ status }) => status),
    page: (await pageState(location)).state,
    link: await statusOf(merchant, link),
    journals: await journalsOf(merchant.tenantId),
  }
}

export const unappliedOf = (merchant: Merchant) =>
  adminSql('sandbox')<{ reason: string; remaining_minor: string }>(
    'select reason, remaining_minor from unapplied_funds where tenant_id = $1',
    [merchant.tenantId],
  )

export const eventsOf = async (merchant: Merchant) =>
  (
    await adminSql('sandbox')<{ type: string }>(
      `select type from events where tenant_id = $1 and resource_type <> 'payment_link' order by created_at, id`,
      [merchant.tenantId],
    )
  ).map(({ type }) => type)

export const untouched = { attempts: ['pending_customer'], vouchers: ['issued'], journals: {} }
