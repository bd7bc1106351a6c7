import type { Declaration } from '../../../src/http/declaration.ts'
import { discountsMax, linesMax } from '../../order/lines/api-pure.ts'
import { adjustment, completion, consent, expiry, recover, recoveryMail } from './contract.ts'
import { returnOriginsMax } from './contract-settings.ts'
import { errors } from './errors.ts'
import { recoveryLifecycle, sessionLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/hosted-checkout'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 51,
      name: 'Hosted checkout',
      description:
        'A page that one buyer pays at, made by your backend for one purchase. A session is `open` until it is paid; `complete` means paid, whatever the method, so fulfil on `checkout_session.completed`. Vouchers and CLABEs that were issued in time may be paid after the session’s own end.',
    },
  ],
  nouns: { sessions: 'checkout session', discounts: 'discount' },
  publishes: [adjustment, completion, consent, expiry, recover, recoveryMail],
  jobs: {
    checkout_sessions: {
      at: 141,
      runs: 'operations.ts#expireSessions',
      table: 'checkout_sessions',
      due: `d.status = 'open' and d.expires_at <= $1 and not door.is_being_paid(d.tenant_id, 'checkout_session', d.id)`,
      firstBy: 'expires_at',
    },
    checkout_recoveries: {
      at: 142,
      runs: 'recovering.ts#mailRecoveries',
      table: 'checkout_recoveries',
      due: 'd.mail_at <= $1',
      firstBy: 'mail_at',
    },
  },
  counters: { checkout_sessions: ['code_tries'] },
  personalData: {
    checkout_recoveries: {
      whose: `t.email = any (p_emails) or t.session_id in (select s.id from public.checkout_sessions s
        where s.tenant_id = p_tenant and s.customer_id = any (p_customers))`,
      shownAs: 'checkout_recoveries',
      while: `t.status = 'waiting'`,
      erasure: { set: `status = 'withdrawn', email = null, mail_at = null` },
      columns: [
        {
          names: ['email'],
          fate: 'emptied',
          why: 'a mail that waits for the end of a checkout, to one of the customer’s addresses or of a session of the customer, is given up',
        },
      ],
      impersonal: 'recovered_ref',
    },
    checkout_sessions: {
      whose: 't.customer_email = any (p_emails) or t.customer_id = any (p_customers)',
      shownAs: 'checkout_sessions',
      while: 't.customer_email is not null',
      erasure: { set: 'customer_email = null, customer_name = null' },
      columns: [
        {
          names: ['customer_email', 'customer_name'],
          fate: 'emptied',
          why: 'they fill in the page of a session for the customer, or for one of its addresses',
        },
      ],
      impersonal:
        'public_id lines stock delivers discounts shipping_options tip_options payment_method_types collects description success_url cancel_url metadata client_reference_id catalog_public_id receipt_ref recovery',
    },
  },
  lookedUp: ['checkout_sessions', 'checkout_recoveries'],
  kinds: {
    checkout_session: {
      table: 'checkout_sessions',
      hasPublicIds: true,
      hasMetadata: true,
      holds: ['discounts', 'stock'],
      freezes: true,
      origin: 'origin.ts#sessionOrigin',
      facts: 'facts.ts#session',
    },
  },
  deadlines: [
    { table: 'checkout_sessions', columns: ['expires_at'], while: `status = 'open'` },
    { table: 'checkout_recoveries', columns: ['mail_at', 'valid_until'] },
    { table: 'discounts', columns: ['starts_at', 'ends_at'] },
  ],
  lifecycles: [sessionLifecycle, recoveryLifecycle],
  events: {
    checkout_session: {
      scopes: ['hosted_checkout:read'],
      shownBy: 'checkout_sessions.get',
      // Personal: read it by the session.
      leaveOut: ['collected', 'customer_email', 'customer_name'],
      types: {
        created: { says: 'A checkout session was created.', trigger: 'checkout_sessions.create' },
        updated: { says: 'A checkout session was changed.', trigger: 'checkout_sessions.update' },
        completed: 'A checkout session was paid, or completed at no cost: fulfil it.',
        recovery_mailed:
          'The buyer of a checkout session that ended unpaid was mailed an address to go on with it.',
        expired: {
          says: 'The time of a checkout session has passed, or you ended it.',
          trigger: 'checkout_sessions.expire',
        },
      },
    },
    discount: {
      scopes: ['hosted_checkout:read'],
      shownBy: 'discounts.get',
      types: {
        created: { says: 'A discount code was created.', trigger: 'discounts.create' },
        updated: { says: 'A discount code was changed.', trigger: 'discounts.update' },
      },
    },
    checkout_settings: {
      scopes: ['hosted_checkout:read'],
      shownBy: 'checkout_settings.get',
      types: {
        updated: { says: 'The settings of checkouts were set.', trigger: 'checkout_settings.put' },
      },
    },
  },
  mails,
  errors,
  limits: {
    checkout_line_items: { most: linesMax, unit: 'count', says: 'How many lines a checkout session has.' },
    checkout_discounts: {
      most: discountsMax,
      unit: 'count',
      says: 'How many discounts of yours a checkout session has; the buyer may add one.',
    },
    checkout_return_origins: {
      most: returnOriginsMax,
      unit: 'count',
      says: 'How many origins buyers may be sent back to.',
    },
  },
  samples: {
    'checkout_sessions.create': { other: { description: 'Otra compra' } },
    'checkout_sessions.update': { other: { description: 'Otra compra' } },
    'discounts.create': { unique: ['code'], other: { code: 'HOTSALE' } },
    'discounts.update': { other: { active: true } },
    'checkout_settings.put': { other: { return_origins: [] } },
  },
  constraints: {
    checkout_sessions_terms_frozen: { code: 'checkout_session_terms_frozen' },
    checkout_sessions_free_open: { code: 'checkout_session_closed' },
    checkout_sessions_customer_fixed: { code: 'checkout_session_customer_fixed', param: 'customer_id' },
    checkout_sessions_being_paid: { code: 'checkout_session_being_paid' },
    checkout_sessions_success_origin: { code: 'return_origin_not_allowed', param: 'success_url' },
    checkout_sessions_cancel_origin: { code: 'return_origin_not_allowed', param: 'cancel_url' },
    checkout_sessions_embedding_origin: { code: 'embedding_origin_missing', param: 'ui_mode' },
    checkout_sessions_grants_bounded: { code: 'parameter_invalid', param: 'line_items' },
    checkout_sessions_stock_bounded: { code: 'parameter_invalid', param: 'line_items' },
    checkout_sessions_location: { code: 'location_not_found', param: 'location_id' },
    checkout_sessions_customer: { code: 'customer_not_found', param: 'customer_id' },
    checkout_settings_one: 'stale',
    checkout_recoveries_one: 'stale',
    checkout_recoveries_offered: 'stale',
    checkout_sessions_recovered_once: 'stale',
    checkout_sessions_code_tries: { code: 'discount_code_tries_exceeded' },
    catalog_items_for_sale: { code: 'catalog_item_not_for_sale' },
    discounts_code: { code: 'discount_code_taken', param: 'code' },
    discounts_uses_counted: { code: 'discount_used_up', param: 'uses_max' },
    discounts_uses_bounded: { code: 'discount_used_up' },
    discounts_customer_bounded: { code: 'discount_used_up' },
    discounts_apply_now: { code: 'discount_not_applicable' },
  },
}
