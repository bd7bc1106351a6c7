import { Hono } from 'hono'
import { sweep as sweepApiKeys } from '../functions/api-keys/contract.ts'
import { apiKeyOperations } from '../functions/api-keys/index.ts'
import { type IdentityAccess, identityAccess } from '../functions/auth/access.ts'
import { authArea } from '../functions/auth/index.ts'
import { stepUpOperations } from '../functions/auth/operations.ts'
import { sessionFromBearer } from '../functions/auth/session.ts'
import { outcome as disputeOutcome } from '../functions/disputes/contract.ts'
import { disputeOperations } from '../functions/disputes/index.ts'
import { stripeHooks } from '../functions/notifications/stripe.ts'
import { submit, sweep as sweepLinks, view } from '../functions/payment-links/contract.ts'
import { paymentLinkOperations } from '../functions/payment-links/index.ts'
import { buyerPages } from '../functions/payment-links/pages/routes.ts'
import { linkSurface } from '../functions/payment-links/surface.ts'
import { deposit, outcome, settle } from '../functions/payments/contract.ts'
import { paymentOperations } from '../functions/payments/index.ts'
import type { Surfaces } from '../functions/payments/published.ts'
import { schedule as payOut, outcome as payoutOutcome } from '../functions/payouts/contract.ts'
import { payoutOperations } from '../functions/payouts/index.ts'
import { reseal as resealCredentials } from '../functions/processors/contract.ts'
import { processorOperations } from '../functions/processors/index.ts'
import { outcome as refundOutcome } from '../functions/refunds/contract.ts'
import { refundOperations } from '../functions/refunds/index.ts'
import { sandboxOperations } from '../functions/sandbox/index.ts'
import { simulatorPages } from '../functions/simulator/pages/routes.ts'
import { receive as receiveTransfer, outcome as transferOutcome } from '../functions/transfers/contract.ts'
import { transferOperations } from '../functions/transfers/index.ts'
import { unappliedFundsOperations } from '../functions/unapplied-funds/index.ts'
import {
  record as recordWebhooks,
  recoverySteps,
  reseal as resealSecrets,
} from '../functions/webhooks/contract.ts'
import { webhookOperations } from '../functions/webhooks/index.ts'
import { workspaceOperations } from '../functions/workspace/operations.ts'
import { type Bindings, readSettings, type Settings } from './env.ts'
import type { Publishing } from './http/contract.ts'
import { accept } from './http/envelope.ts'
import { file } from './http/files.ts'
import { hooks } from './http/hooks.ts'
import { area, type Env } from './http/mount.ts'
import type { Services } from './http/services.ts'
import { database, identitySql } from './platform/postgres.ts'
import { memory } from './platform/redis.ts'
import { waker } from './platform/wake.ts'

const built = new WeakMap<Bindings, Services>()
const identities = new WeakMap<Settings, IdentityAccess>()

type InBackground = (work: Promise<unknown>) => void

/** What this isolate keeps, made with its first request. `inBackground` keeps an invocation alive beyond its answer. */
export function servicesOf(env: Bindings, inBackground: InBackground = () => {}): Services {
  let services = built.get(env)
  if (!services) {
    const settings = readSettings(env)
    const identity = identityOf(settings)
    services = {
      settings,
      db: database(settings),
      memory: memory(settings),
      wake: waker(env.WEBHOOKS, inBackground),
      sessionOf: (bearer) => sessionFromBearer(identity.sql, settings.authSecret, bearer),
    }
    built.set(env, services)
  }
  return services
}

/** The way to the identity database that both environments share. */
export function identityOf(settings: unknown): IdentityAccess {
  const known = settings as Settings
  let identity = identities.get(known)
  if (!identity) {
    identity = identityAccess(known, identitySql(known))
    identities.set(known, identity)
  }
  return identity
}

/** Every operation of the interface. Mounting, rights in the database, OpenAPI and the test matrix read this list. */
export const operations = [
  ...apiKeyOperations,
  ...stepUpOperations(identityOf),
  ...workspaceOperations((settings) => identityOf(settings).sql),
  ...paymentLinkOperations,
  ...paymentOperations((services) => surfacesOf(services)),
  ...refundOperations,
  ...disputeOperations,
  ...transferOperations,
  ...payoutOperations,
  ...processorOperations,
  ...unappliedFundsOperations((services) => surfacesOf(services)),
  ...webhookOperations,
  ...sandboxOperations((services) => surfacesOf(services)),
]

/** What is published without being an operation of the interface: buyers' pages and scheduled work. */
export const inner: readonly Publishing[] = [
  view,
  submit,
  outcome,
  deposit,
  settle,
  refundOutcome,
  disputeOutcome,
  transferOutcome,
  payoutOutcome,
  payOut,
  receiveTransfer,
  resealCredentials,
  sweepApiKeys,
  sweepLinks,
  recordWebhooks,
  recoverySteps,
  resealSecrets,
]

/** The surfaces that sell, for whoever hears that a payment succeeded. */
export const surfacesOf = ({ settings }: Services): Surfaces =>
  ({ payment_link: linkSurface(settings) }) as Surfaces

/** The table of areas. The pages have an app of their own: their patterns would cost the interface Hono's fast router. */
export function createApp(inBackground?: InBackground): Pick<Hono<Env>, 'fetch'> {
  const services = (env: Bindings) => servicesOf(env, inBackground)
  const api = accept(new Hono<Env>(), services, operations)
  api.route('/', area(...operations))
  api.route(
    '/',
    authArea({ access: (c) => identityOf(services(c.env).settings), log: console.error }) as never,
  )
  api.route('/', hooks(...stripeHooks(surfacesOf)))
  const pages = accept(new Hono<Env>(), services, operations)
  pages.route('/', buyerPages())
  pages.route(
    '/',
    simulatorPages((c) => surfacesOf(c.get('services'))),
  )
  for (const path of ['/assets/*', '/docs', '/docs/*', '/openapi.json']) pages.get(path, file)
  return { fetch: (request, ...more) => (isOfInterface(request.url) ? api : pages).fetch(request, ...more) }
}

const isOfInterface = (url: string) => url.startsWith('/v1/', url.indexOf('/', 'https://'.length))
