import type { AuthSurroundings } from '../functions/auth/index.ts'
import type { HostedOrigins } from '../functions/hosted-payment/api.ts'
import { type InBackground, identityOf, servicesOf } from './compose.ts'
import { type Area, publicIds, serve } from './http/areas.ts'
import { files } from './http/files.ts'

/**
 * The areas: their paths, and how each is loaded with its first request, by a line each. Only `import()` reaches into
 * functions/ from here: a static import would be compiled before the first request of every isolate.
 */
export const areasSelling = (origins: LoadOrigins): readonly Area[] => [
  { at: ['/v1/api-keys'], load: () => import('../functions/api-keys/operations.ts') },
  {
    at: ['/v1/auth/step-up'],
    load: async () => (await import('../functions/auth/operations.ts')).stepUpOperations(identityOf),
  },
  { at: ['/v1/workspace/audit-events'], load: () => import('../functions/audit-events/operations.ts') },
  { at: ['/v1/workspace/bank-accounts'], load: () => import('../functions/bank-accounts/operations.ts') },
  { at: ['/v1/workspace/branding'], load: () => import('../functions/branding/operations.ts') },
  { at: ['/v1/workspace/limits'], load: () => import('../functions/limits/operations.ts') },
  {
    at: ['/v1/workspace/mail-suppressions', '/v1/workspace/mails'],
    load: () => import('../functions/mails/operations.ts'),
  },
  { at: ['/v1/workspace/locations'], load: () => import('../functions/locations/operations.ts') },
  {
    at: [
      '/v1/workspace/invitations',
      '/v1/workspace/leave',
      '/v1/workspace/members',
      '/v1/workspace-invitations',
    ],
    load: () => import('../functions/members/operations.ts'),
  },
  {
    at: ['/v1/workspace', '/v1/workspaces'],
    load: () => import('../functions/workspace/operations.ts'),
  },
  {
    at: ['/v1/customer-hub/segments', '/v1/customer-hub/segment-previews'],
    load: () => import('../functions/segments/operations.ts'),
  },
  {
    at: ['/v1/customer-hub/sync-sources', '/v1/customer-hub/sync-runs'],
    load: () => import('../functions/sync-sources/operations.ts'),
  },
  {
    at: ['/v1/customer-hub/stripe-events'],
    load: async () => {
      const [{ hooks }, { stripeEventsHook }] = await Promise.all([
        import('./http/hooks.ts'),
        import('../functions/sync-sources/stripe/hook.ts'),
      ])
      return hooks(stripeEventsHook)
    },
  },
  { at: ['/v1/customer-hub'], load: () => import('../functions/customers/operations.ts') },
  {
    at: ['/v1/inventory'],
    load: () => import('../functions/inventory/operations.ts'),
  },
  {
    at: ['/v1/entitlements', '/v1/delivered-files', '/v1/license-keys', '/v1/redemptions'],
    load: () => import('../functions/entitlements/operations.ts'),
  },
  {
    at: [
      '/v1/digital-catalogs',
      '/v1/catalog-items',
      '/v1/catalog-images',
      '/v1/catalog-prices',
      '/v1/catalog-categories',
    ],
    load: () => import('../functions/digital-catalogs/operations.ts'),
  },
  { at: ['/v1/payment-policy'], load: () => import('../functions/payment-policy/operations.ts') },
  { at: ['/v1/hosted-checkout'], load: () => import('../functions/hosted-checkout/operations.ts') },
  {
    at: ['/v1/payment-links', '/v1/payment-link-templates'],
    load: () => import('../functions/payment-links/operations.ts'),
  },
  {
    at: [
      '/v1/payments',
      '/v1/payment-operations/balance',
      '/v1/payment-operations/payments',
      '/v1/payment-operations/spei-deposits',
    ],
    load: async () => (await import('../functions/payments/operations.ts')).withOrigins(await origins()),
  },
  { at: ['/v1/refunds'], load: () => import('../functions/refunds/operations.ts') },
  {
    at: [
      '/v1/payment-operations/dispute-files',
      '/v1/payment-operations/disputes',
      '/v1/payment-operations/fraud-warnings',
    ],
    load: () => import('../functions/disputes/operations.ts'),
  },
  {
    at: ['/v1/payment-operations/incoming-transfers', '/v1/payment-operations/transfers'],
    load: () => import('../functions/transfers/operations.ts'),
  },
  {
    at: [
      '/v1/payment-operations/balance-activity',
      '/v1/payment-operations/payout-settings',
      '/v1/payment-operations/payouts',
    ],
    load: () => import('../functions/payouts/operations.ts'),
  },
  {
    at: ['/v1/payment-operations/processor-credentials'],
    load: () => import('../functions/processors/operations.ts'),
  },
  {
    at: ['/v1/payment-operations/unapplied-funds'],
    load: async () =>
      (await import('../functions/unapplied-funds/operations.ts')).withOrigins(await origins()),
  },
  { at: ['/v1/webhooks'], load: () => import('../functions/webhooks/operations.ts') },
  {
    at: ['/v1/sandbox'],
    load: async () => (await import('../functions/sandbox/index.ts')).withOrigins(await origins()),
  },

  // Routes that are not operations of the interface.
  {
    at: ['/v1/auth'],
    load: async () => {
      const { authArea } = await import('../functions/auth/index.ts')
      return authArea(accounts)
    },
  },
  {
    at: ['/account'],
    load: async () => (await import('../functions/auth/pages/routes.ts')).accountPages(accounts),
  },
  {
    at: ['/account/invitation'],
    load: async () => (await import('../functions/members/pages/routes.ts')).invitationPages(accounts),
  },
  {
    at: ['/v1/processors'],
    load: async () => {
      const [{ hooks }, { stripeHooks }] = await Promise.all([
        import('./http/hooks.ts'),
        import('../functions/notifications/stripe.ts'),
      ])
      return hooks(...stripeHooks(await origins()))
    },
  },
  {
    at: ['/v1/mails'],
    load: async () => {
      const [{ hooks }, { mailHooks }] = await Promise.all([
        import('./http/hooks.ts'),
        import('../functions/mails/reports.ts'),
      ])
      return hooks(...mailHooks)
    },
  },
  {
    at: ['/reminders'],
    load: async () => (await import('../functions/hosted-payment/pages/reminders.ts')).reminderPages(),
  },
  {
    at: ['/k'],
    load: async () => (await import('../functions/storefront/pages/routes.ts')).storefrontPages(),
  },
  {
    at: [publicIds],
    load: async () =>
      (await import('../functions/hosted-payment/pages/routes.ts')).buyerPages(await origins()),
  },
  {
    at: ['/downloads'],
    load: async () => (await import('../functions/hosted-payment/pages/downloads.ts')).downloadPages(),
  },
  ...['logos', 'catalog-images'].map((folder) => ({
    at: [`/${folder}`],
    load: async () => (await import('./http/public-files.ts')).publicFiles(folder),
  })),
  {
    at: ['/simulator'],
    load: async () => {
      const { simulatorPages } = await import('../functions/simulator/pages/routes.ts')
      return simulatorPages(await origins())
    },
  },
  { at: ['/', '/assets', '/docs', '/favicon.ico', '/openapi.json', '/robots.txt'], load: async () => files },
]

const accounts: AuthSurroundings = {
  access: (c) => identityOf(c.get('services').settings),
  sendMails: (c) => c.get('services').sendMails(),
}

export type LoadOrigins = () => Promise<HostedOrigins>

export const loadOrigins: LoadOrigins = async () => (await import('./generated/origins.ts')).origins

export const areas = areasSelling(loadOrigins)

const toPeople = async () => (await import('../functions/hosted-payment/pages/frame.ts')).problemPage

/** The Worker's `fetch`. */
export const createApp = (inBackground: InBackground, origins: LoadOrigins) =>
  serve(areasSelling(origins), (env) => servicesOf(env, inBackground), toPeople)
