import { type HookCall, hooks } from '../../../src/http/hooks.ts'
import { Problem } from '../../../src/http/problems.ts'
import type { Services } from '../../../src/http/services.ts'
import type { BackgroundWork, JobRun } from '../../../src/http/system-call.ts'
import { logFailure } from '../../../src/platform/log.ts'
import type { Notification } from '../../../src/processors/port.ts'
import { readStripeNotification } from '../../../src/processors/stripe/index.ts'
import { type PaymentOrigins, stripeEndpoints } from '../payments/api.ts'
import { handleNotification } from './handle.ts'

const signatureForm = /^(?=.*\bt=\d+)(?=.*\bv1=[0-9a-f]{64}\b)/

/** Postgres takes no text with a NUL. */
const isAccount = /^[\w-]+$/

/** The stored part of a notification: enough to read at the processor, nothing of its content. */
interface Kept extends Notification {
  readonly processor: string
  readonly account: string
}

/**
 * Where Stripe posts its events: the environment's own account, or with a workspace's id any account that the merchant
 * has or had. The reply follows once the hint is stored; a scheduled job processes hints that a crashed Worker left
 * behind.
 */
export const stripeRoutes = (origins: PaymentOrigins) =>
  hooks(
    ...['/v1/processors/stripe/notifications', '/v1/processors/stripe/notifications/:account'].map(
      (path) => ({
        path,
        handle: (call: HookCall) => receive(call, origins),
      }),
    ),
  )

/** @throws Problem when the signature does not match, or the workspace has no account here */
async function receive(call: HookCall, origins: PaymentOrigins): Promise<void> {
  const { services, rawBody, account, header, later } = call
  if (!services.settings.stripe) throw new Problem('route_not_found')
  // Finding the secret costs a trip where merchants have their own accounts: skip it for a request without a signature.
  if (!signatureForm.test(header('stripe-signature'))) throw new Problem('notification_signature_invalid')
  if (account !== null) {
    if (!isAccount.test(account)) throw new Problem('route_not_found')
    await call.limitStranger()
  }
  const endpoints = await stripeEndpoints(services, account)
  if (endpoints.length === 0) throw new Problem('route_not_found')
  const read = await readStripeNotification(rawBody, header('stripe-signature'), endpoints)
  if (!read.signed) throw new Problem('notification_signature_invalid')
  call.makeKnown()
  if (!read.hint) return
  const kept: Kept = { ...read.hint, processor: 'stripe', account: read.accountId ?? '' }
  if (!(await keep(services, kept))) return
  later(handleKept(call, origins, kept))
}

/** False for a notification stored before. */
async function keep(
  services: Services,
  { processor, account, eventId, kind, reference }: Kept,
): Promise<boolean> {
  const values = [processor, account, eventId, kind, reference]
  return (await services.db.call('door.keep_notification(text,text,text,text,text)', values)) === 'true'
}

/** Reads at the processor, then marks the notification done. A failed one is due again. */
async function handleKept(work: BackgroundWork, origins: PaymentOrigins, kept: Kept): Promise<void> {
  const { processor, account, eventId } = kept
  await handleNotification(work, origins, kept)
    .then(() =>
      work.services.db.call('door.finish_notification(text,text,text)', [processor, account, eventId]),
    )
    .catch(logFailure('notifications', work, eventId))
}

const batch = 100

/** Scheduled: processes stored notifications that are still due. */
export async function handleWaiting(run: JobRun, origins: PaymentOrigins): Promise<boolean> {
  const { db, settings } = run.services
  if (!settings.stripe) return false
  const found = await db.call('door.waiting_notifications(timestamptz,int)', [run.now.toISOString(), batch])
  const waiting = JSON.parse(found ?? '[]') as Kept[]
  for (const kept of waiting) await handleKept(run, origins, kept)
  return waiting.length > 0
}
