import type { Hook, HookCall } from '../../src/http/hooks.ts'
import { Problem } from '../../src/http/problems.ts'
import type { Services } from '../../src/http/services.ts'
import { log } from '../../src/platform/log.ts'
import type { Notification } from '../../src/processors/port.ts'
import { readStripeNotification } from '../../src/processors/stripe/index.ts'
import { type PaymentOrigins, stripeEndpoints } from '../payments/api.ts'
import { handleNotification } from './handle.ts'

const processor = 'stripe'
const signatureForm = /^(?=.*\bt=\d+)(?=.*\bv1=[0-9a-f]{64}\b)/

/** The stored part of a notification: enough to read at the processor, nothing of its content. */
interface Kept extends Notification {
  readonly account: string
}

/**
 * Where Stripe posts its events: the environment's own account, or with a workspace's id any account that the merchant
 * has or had. The reply follows once the hint is stored; a scheduled job processes hints that a crashed Worker left
 * behind.
 */
export const stripeHooks = (origins: PaymentOrigins): readonly Hook[] =>
  ['/v1/processors/stripe/notifications', '/v1/processors/stripe/notifications/:account'].map((path) => ({
    path,
    handle: (call) => receive(call, origins),
  }))

/** @throws Problem when the signature does not match, or the workspace has no account here */
async function receive(call: HookCall, origins: PaymentOrigins): Promise<void> {
  const { services, requestId, rawBody, account, header, later } = call
  if (!services.settings.stripe) throw new Problem('route_not_found')
  // Finding the secret costs a trip where merchants have their own accounts: skip it for a request without a signature.
  if (!signatureForm.test(header('stripe-signature'))) throw new Problem('notification_signature_invalid')
  if (account !== null) await call.limitStranger()
  const endpoints = await stripeEndpoints(services, account)
  if (endpoints.length === 0) throw new Problem('route_not_found')
  const told = await readStripeNotification(rawBody, header('stripe-signature'), endpoints)
  if (!told.signed) throw new Problem('notification_signature_invalid')
  call.makeKnown()
  if (!told.hint) return
  const kept: Kept = { ...told.hint, account: told.accountId ?? '' }
  if (!(await keep(services, kept))) return
  later(handleKept(services, origins, kept, requestId))
}

/** False for a notification stored before. */
async function keep(services: Services, { account, eventId, kind, reference }: Kept): Promise<boolean> {
  const values = [processor, account, eventId, kind, reference]
  return (await services.db.call('door.keep_notification(text,text,text,text,text)', values)) === 'true'
}

/** Reads at the processor, then marks the notification done. A failed one is due again. */
async function handleKept(
  services: Services,
  origins: PaymentOrigins,
  kept: Kept,
  requestId: string,
): Promise<void> {
  try {
    await handleNotification(services, origins, kept, requestId)
    await services.db.call('door.finish_notification(text,text,text)', [
      processor,
      kept.account,
      kept.eventId,
    ])
  } catch (error) {
    log('error', { place: 'notifications', requestId, id: kept.eventId }, error)
  }
}

const batch = 100

/** Scheduled: processes stored notifications that are still due. */
export async function handleWaiting(
  services: Services,
  origins: PaymentOrigins,
  requestId: string,
  now: Date,
): Promise<void> {
  if (!services.settings.stripe) return
  const found = await services.db.call('door.waiting_notifications(timestamptz,int)', [
    now.toISOString(),
    batch,
  ])
  for (const kept of JSON.parse(found ?? '[]') as Kept[]) await handleKept(services, origins, kept, requestId)
}
