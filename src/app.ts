import type { HostedOrigins } from '../functions/hosted-payment/api.ts'
import { type InBackground, identityOf, servicesOf } from './compose.ts'
import { type Area, publicIds, serve } from './http/areas.ts'
import { files } from './http/files.ts'

/**
 * The areas: their paths, and how each is loaded with its first request. Only `import()` reaches into functions/ from
 * here: a static import would be compiled before the first request of every isolate.
 */
export const areasSelling = (origins: LoadOrigins): readonly Area[] => [
  {
    at: ['/v1/api-keys'],
    load: async () => (await import('../functions/api-keys/index.ts')).apiKeyOperations,
  },
  {
    at: ['/v1/auth/step-up'],
    load: async () => (await import('../functions/auth/operations.ts')).stepUpOperations(identityOf),
  },
  {
    at: ['/v1/workspaces'],
    load: async () =>
      (await import('../functions/workspace/operations.ts')).workspaceOperations(
        (settings) => identityOf(settings).sql,
      ),
  },
  {
    at: ['/v1/payment-links'],
    load: async () => (await import('../functions/payment-links/index.ts')).paymentLinkOperations,
  },
  {
    at: [
      '/v1/payments',
      '/v1/payment-operations/balance',
      '/v1/payment-operations/payments',
      '/v1/payment-operations/spei-deposits',
    ],
    load: async () => (await import('../functions/payments/index.ts')).paymentOperations(await origins()),
  },
  {
    at: ['/v1/refunds'],
    load: async () => (await import('../functions/refunds/index.ts')).refundOperations,
  },
  {
    at: ['/v1/payment-operations/disputes'],
    load: async () => (await import('../functions/disputes/index.ts')).disputeOperations,
  },
  {
    at: ['/v1/payment-operations/incoming-transfers', '/v1/payment-operations/transfers'],
    load: async () => (await import('../functions/transfers/index.ts')).transferOperations,
  },
  {
    at: [
      '/v1/payment-operations/balance-activity',
      '/v1/payment-operations/payout-settings',
      '/v1/payment-operations/payouts',
    ],
    load: async () => (await import('../functions/payouts/index.ts')).payoutOperations,
  },
  {
    at: ['/v1/payment-operations/processor-credentials'],
    load: async () => (await import('../functions/processors/index.ts')).processorOperations,
  },
  {
    at: ['/v1/payment-operations/unapplied-funds'],
    load: async () =>
      (await import('../functions/unapplied-funds/index.ts')).unappliedFundsOperations(await origins()),
  },
  {
    at: ['/v1/webhooks'],
    load: async () => (await import('../functions/webhooks/index.ts')).webhookOperations,
  },
  {
    at: ['/v1/sandbox'],
    load: async () => (await import('../functions/sandbox/index.ts')).sandboxOperations(await origins()),
  },

  // Routes that are not operations of the interface.
  {
    at: ['/v1/auth'],
    load: async () => {
      const { authArea } = await import('../functions/auth/index.ts')
      return authArea({ access: (c) => identityOf(c.get('services').settings) })
    },
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
    at: [publicIds],
    load: async () =>
      (await import('../functions/hosted-payment/pages/routes.ts')).buyerPages(await origins()),
  },
  {
    at: ['/simulator'],
    load: async () => {
      const { simulatorPages } = await import('../functions/simulator/pages/routes.ts')
      return simulatorPages(await origins())
    },
  },
  { at: ['/', '/assets', '/docs', '/openapi.json'], load: async () => files },
]

export type LoadOrigins = () => Promise<HostedOrigins>

export const loadOrigins: LoadOrigins = async () => (await import('./origins.ts')).origins

export const areas = areasSelling(loadOrigins)

const toPeople = async () => (await import('../functions/hosted-payment/pages/frame.ts')).problemPage

/** The Worker's `fetch`. */
export const createApp = (inBackground: InBackground, origins: LoadOrigins) =>
  serve(areasSelling(origins), (env) => servicesOf(env, inBackground), toPeople)
