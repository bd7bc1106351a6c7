import type { Declaration } from '../../../src/http/declaration.ts'
import { outcome, schedule, sync } from './contract.ts'
import { errors } from './errors.ts'
import { payoutLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'
import { eachWayMax } from './plan.ts'

export const area: Declaration = {
  routes: [
    {
      at: [
        '/v1/payment-operations/balance-activity',
        '/v1/payment-operations/payout-settings',
        '/v1/payment-operations/payouts',
      ],
      by: 'operations.ts#operations',
    },
  ],
  tags: [
    {
      at: 100,
      name: 'Payouts',
      description:
        'Your available balance on its way to your own bank, with every movement that it is made of. `pending` and `in_transit` are debited; `paid` has arrived, with the trace that your statement shows. What is `failed`, `returned` (your bank sent it back after it was paid) or `canceled` is available again, once, and goes into the next payout. So does what a refund or a dispute took below zero: the next payout is smaller by it. Where your payments go to your own account at a processor, it pays you out: its payouts are listed here as it tells them, with what each is made of, and are made and changed there.',
    },
  ],
  nouns: { payouts: 'payout', 'payout-settings': 'payout settings' },
  publishes: [outcome, schedule, sync],
  jobs: {
    payouts: { at: 40, runs: 'send.ts#resolvePayouts', table: 'payouts' },
    payout_settings: {
      // After funds and reserves, so that payouts include what became available today.
      at: 120,
      runs: 'send.ts#runPayoutSchedules',
      table: 'payout_settings',
      // A payout waits until all of its merchant's due funds are released, also those that were put off, while its
      // workspace is suspended, while a refund waits for the balance, and until its account is verified and cool.
      due: `d.next_payout_on <= $2
        and not door.awaits_release(d.tenant_id, d.currency, d.next_payout_on)
        and not exists (select from public.tenants t where t.tenant_id = d.tenant_id and t.status = 'suspended')
        and not exists (select from public.refunds r
          where r.tenant_id = d.tenant_id and r.status = 'pending' and r.currency = d.currency)
        and exists (select from public.bank_accounts b
          where b.tenant_id = d.tenant_id and b.id = d.bank_account_id and b.status = 'verified'
            and (b.cool_down_ends_at is null or b.cool_down_ends_at <= $1))`,
      firstBy: 'next_payout_on',
    },
  },
  appendOnly: ['payout_entries'],
  lookedUp: ['payout_settings', 'payouts'],
  deadlines: [
    { table: 'payout_settings', columns: ['next_payout_on'] },
    { table: 'payouts', columns: ['next_check_at'] },
    { table: 'payouts', columns: ['arrives_on'], while: `status in ('pending', 'in_transit')` },
  ],
  lifecycles: [payoutLifecycle],
  events: {
    payout_settings: {
      scopes: ['reporting:read'],
      shownBy: 'payout_settings.update',
      types: {
        updated: 'The payout settings of a currency were changed.',
        destination_changed:
          'Payouts go to another account once its cool-down is over. If it was not you, disable that account.',
      },
    },
    payout: {
      scopes: ['reporting:read'],
      shownBy: 'payouts.get',
      types: {
        created: 'A payout was made of your available balance.',
        in_transit: 'A payout is on its way to your bank.',
        paid: 'A payout has arrived.',
        failed: 'A payout failed; the money is available again.',
        returned: 'Your bank sent a payout back; the money is available again.',
        canceled: 'A payout was canceled.',
        updated:
          'A processor reported more about a payout that it made: its day, its trace, or all of its entries.',
      },
    },
  },
  mails,
  errors,
  limits: {
    payout_movements: {
      most: eachWayMax,
      unit: 'count',
      says: 'The movements each way that a payout takes; the next one takes the rest.',
    },
  },
  constraints: {
    payout_settings_one: 'stale',
    payouts_account_cooled: 'stale',
    payouts_by_processor: { code: 'paid_out_by_processor' },
    payout_settings_funds_released: 'stale',
    payout_entries_activity_open: 'stale',
    payout_entries_once: 'stale',
    payout_entries_processor_ref: 'stale',
    payouts_processor_ref: 'stale',
  },
  samples: {
    'payout_settings.update': { other: { amount_min: '20000' } },
    'payouts.create': { other: { currency: 'usd' } },
  },
}
