import { describe, expect, test } from 'vitest'
import {
  balancesOf,
  brokenRules,
  journalsOf,
  pageState,
  paymentsOf,
  settleAttempts,
} from '../../support/books.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { call, newLink, newMerchant } from '../../support/merchant.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { paid, statusOf } from './story.ts'

describe('what time makes due', () => {
  test('pending funds become available on their bank day, once', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    await paid(link, 'tok_sbx_approve')
    const [{ available_on }] = (await adminSql('sandbox')(
      'select available_on::text from payments where tenant_id = $1',
      [merchant.tenantId],
    )) as [{ available_on: string }]
    expect(available_on > new Date().toISOString().slice(0, 10)).toBe(true)
    const pending = {
      'mxn/fee_expense': 4_320n,
      'mxn/iva_on_fees': 691n,
      'mxn/merchant_pending': 114_989n,
      'mxn/processor_clearing': -120_000n,
    }
    await trigger('sandbox')
    expect(await balancesOf(merchant.tenantId)).toEqual(pending)
    // Today in Mexico City is their bank day.
    await adminSql('sandbox')(
      `update payments set available_on = (now() at time zone 'America/Mexico_City')::date where tenant_id = $1`,
      [merchant.tenantId],
    )
    await trigger('sandbox')
    await trigger('sandbox')
    const released = { ...pending, 'mxn/merchant_available': 114_989n, 'mxn/merchant_pending': 0n }
    expect(await balancesOf(merchant.tenantId)).toEqual(released)
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, release: 1 })
    const balance = await call('GET', '/v1/payment-operations/balance', { bearer: merchant.apiKey })
    expect(balance.body).toEqual({
      object: 'balance',
      currencies: [
        {
          currency: 'mxn',
          available: '114989',
          pending: '0',
          reserve: '0',
          in_flight: { refunds: '0', transfers: '0', payouts: '0' },
          held: '0',
          unapplied: '0',
          overdrawn: '0',
        },
      ],
    })
    const [payment] = await paymentsOf(merchant.tenantId)
    expect([payment!.status, payment!.funds_status]).toEqual(['succeeded', 'available'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('work that cannot be done delays no other work', async () => {
    const [broken, sound] = [await newMerchant(), await newMerchant()]
    writtenByHand(broken.tenantId)
    for (const merchant of [broken, sound]) {
      const link = await newLink(merchant, { usage: 'multi_use' })
      await paid(link, 'tok_sbx_approve')
      await paid(link, 'tok_sbx_timeout_then_paid')
    }
    const sql = adminSql('sandbox')
    const both = [broken.tenantId, sound.tenantId]
    // A journal over zero is refused; a fee schedule missing from the configuration prices nothing.
    await sql(
      `update payments set net_minor = 0, available_on = '2026-01-01' where tenant_id = $1 and status = 'succeeded'`,
      [broken.tenantId],
    )
    await sql(
      `update payments set fee_schedule_version = 'gone' where tenant_id = $1 and status = 'processing'`,
      [broken.tenantId],
    )
    await sql(
      `update payments set available_on = '2026-01-02' where tenant_id = $1 and status = 'succeeded'`,
      [sound.tenantId],
    )
    await sql(
      `update payment_attempts set next_check_at = now() - case when tenant_id = $1 then 2 else 1 end * interval '1 minute'
       where tenant_id = any($2) and next_check_at is not null`,
      [broken.tenantId, both],
    )
    await trigger('sandbox')
    expect(await journalsOf(sound.tenantId)).toEqual({ capture: 2, release: 1 })
    expect(await journalsOf(broken.tenantId)).toEqual({ capture: 1 })
    // Once repaired, it is done.
    await sql(`update payments set fee_schedule_version = 'mxn-2026-01' where tenant_id = $1`, [
      broken.tenantId,
    ])
    await settleAttempts(broken.tenantId)
    expect(await journalsOf(broken.tenantId)).toEqual({ capture: 2 })
    await sql(`update payments set funds_status = 'none' where tenant_id = $1`, [broken.tenantId])
  })

  test('links whose time has passed become inactive, once, and can be given more time', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    await adminSql('sandbox')(
      `update payment_links set expires_at = now() - interval '1 second' where id = $1`,
      [link.id],
    )
    expect((await pageState(`/${link.public_id}`)).status).toBe(410)
    await trigger('sandbox')
    await trigger('sandbox')
    expect(await statusOf(merchant, link)).toBe('inactive')
    const events = await adminSql('sandbox')(
      'select type from events where tenant_id = $1 order by sequence',
      [merchant.tenantId],
    )
    expect(events).toEqual([{ type: 'payment_link.created' }, { type: 'payment_link.expired' }])
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const bearer = merchant.apiKey
    await call('PATCH', `/v1/payment-links/${link.id}`, { bearer, body: { expires_at: later } })
    await call('POST', `/v1/payment-links/${link.id}/activate`, { bearer })
    await paid(link, 'tok_sbx_approve')
    expect(await statusOf(merchant, link)).toBe('paid')
  })
})
