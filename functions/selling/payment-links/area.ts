import type { Declaration } from '../../../src/http/declaration.ts'
import { sweep, usesMaxMost } from './contract.ts'
import { errors } from './errors.ts'
import { paymentLinkLifecycle, templateLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'
import { lifeDaysMax } from './plan.ts'

export const area: Declaration = {
  routes: [
    {
      at: ['/v1/payment-links', '/v1/payment-link-templates'],
      by: 'operations.ts#operations',
      reads: 'operations-read.ts#operations',
    },
  ],
  tags: [
    {
      at: 50,
      name: 'Payment links',
      description:
        'An address that a buyer pays at. `active` and `inactive` change into each other; a single-use link becomes `paid` with its first success; `archived` is final. A revoked link is `inactive` for good.',
    },
  ],
  nouns: { 'payment-links': 'payment link', 'payment-link-templates': 'payment link template' },
  publishes: [sweep],
  jobs: {
    payment_links: {
      at: 140,
      runs: 'operations.ts#expireLinks',
      table: 'payment_links',
      due: `d.status = 'active' and d.expires_at <= $1`,
      firstBy: 'expires_at',
    },
    payment_link_uses: {
      at: 142,
      runs: 'operations.ts#closeUsedUp',
      table: 'payment_link_uses',
      due: 'd.used_up_at is not null and d.announced_at is null',
      firstBy: 'used_up_at',
    },
  },
  personalData: {
    payment_links: {
      whose: 't.customer_email = any (p_emails) or t.customer_id = any (p_customers)',
      shownAs: 'payment_links',
      while: 't.customer_email is not null',
      erasure: { set: 'customer_email = null, customer_name = null' },
      columns: [
        {
          names: ['customer_email', 'customer_name'],
          fate: 'emptied',
          why: 'they fill in the page of a link for the customer, or for one of its addresses',
        },
      ],
      impersonal:
        'public_id catalog_line_item_snapshot lines discounts shipping_options tip_options stock delivers description payment_method_types buyer_amount metadata client_reference_id success_url success_message payer_email_domains collects password_hash checkout_session_ref',
    },
  },
  lookedUp: ['payment_links', 'payment_link_uses', 'payment_link_views'],
  kinds: {
    payment_link: {
      table: 'payment_links',
      hasPublicIds: true,
      hasMetadata: true,
      holds: ['discounts', 'payment_link_uses', 'stock'],
      freezes: true,
      origin: 'origin.ts#linkOrigin',
      facts: 'facts.ts#link',
    },
  },
  deadlines: [
    {
      table: 'payment_links',
      columns: ['starts_at', 'expires_at'],
      while: `status in ('active', 'inactive')`,
    },
  ],
  lifecycles: [paymentLinkLifecycle, templateLifecycle],
  events: {
    payment_link: {
      scopes: ['payment_links:read'],
      shownBy: 'payment_links.get',
      // Personal: read it by the link.
      leaveOut: ['collected', 'customer_email', 'customer_name'],
      types: {
        created: { says: 'A payment link was created.', trigger: 'payment_links.create' },
        updated: { says: 'A payment link was changed.', trigger: 'payment_links.update' },
        activated: { says: 'A payment link can be paid again.', trigger: 'payment_links.activate' },
        deactivated: { says: 'A payment link cannot be paid for now.', trigger: 'payment_links.deactivate' },
        expired: 'The time of a payment link has passed.',
        used_up: 'All uses of a limited payment link are paid: it is inactive.',
        paid: 'A single-use payment link was paid.',
        revoked: { says: 'A payment link was revoked, for good.', trigger: 'payment_links.revoke' },
        archived: { says: 'A payment link was archived.', trigger: 'payment_links.archive' },
      },
    },
    payment_link_template: {
      scopes: ['payment_links:read'],
      shownBy: 'payment_link_templates.get',
      types: {
        created: {
          says: 'A template of payment links was created.',
          trigger: 'payment_link_templates.create',
        },
        updated: {
          says: 'A template of payment links was changed.',
          trigger: 'payment_link_templates.update',
        },
        deleted: {
          says: 'A template of payment links was deleted.',
          trigger: 'payment_link_templates.delete',
        },
      },
    },
  },
  mails,
  errors,
  limits: {
    payment_link_life: { most: lifeDaysMax, unit: 'days', says: 'How far ahead a payment link may expire.' },
    payment_link_uses: {
      most: usesMaxMost,
      unit: 'count',
      says: 'How many uses a payment link may be limited to.',
    },
  },
  constraints: {
    payment_links_terms_frozen: { code: 'payment_link_terms_frozen' },
    payment_links_uses_taken: { code: 'payment_link_uses_taken', param: 'uses_max' },
    payment_links_limit_late: { code: 'payment_link_limit_late', param: 'uses_max' },
    payment_links_started: 'stale',
    payment_links_success_origin: { code: 'return_origin_not_allowed', param: 'success_url' },
    payment_links_grants_bounded: { code: 'parameter_invalid', param: 'adjustable_quantity.max' },
    payment_links_stock_bounded: { code: 'parameter_invalid', param: 'adjustable_quantity.max' },
    payment_links_location: { code: 'location_not_found', param: 'location_id' },
    payment_link_templates_name: { code: 'payment_link_template_name_taken', param: 'name' },
  },
  samples: {
    'payment_links.activate': { after: ['payment_links.deactivate'] },
    'payment_link_templates.create': { unique: ['name'] },
    'payment_link_templates.update': { unique: ['name'], other: { settings: {} } },
  },
}
