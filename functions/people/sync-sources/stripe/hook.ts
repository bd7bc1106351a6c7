import { type HookCall, hooks } from '../../../../src/http/hooks.ts'
import { Problem } from '../../../../src/http/problems.ts'
import { uuid } from '../../../../src/http/schemas.ts'
import { systemCall } from '../../../../src/http/system-call.ts'
import { decryptSecret } from '../../../../src/platform/encryption.ts'
import { logFailure } from '../../../../src/platform/log.ts'
import { isSignedByStripe } from '../../../../src/processors/stripe/index.ts'
import { follow } from './follow.ts'
import { connectionContext, encryptedOf } from './secrets.ts'

/**
 * Where Stripe posts a source's events. A post starts a reading of Stripe's list of events and its body is not used: a
 * repeated, late or lost one makes no difference.
 */
export const stripeEventRoutes = () =>
  hooks({ path: '/v1/customer-hub/stripe-events/:account', handle: receive })

const signatureForm = /^(?=.*\bt=\d+)(?=.*\bv1=[0-9a-f]{64}\b)/

/** @throws Problem when the signature is not by the source's own secret, or the source has none */
async function receive(call: HookCall): Promise<void> {
  const { services, rawBody, header, later } = call
  const id = call.account!
  if (!signatureForm.test(header('stripe-signature'))) throw new Problem('notification_signature_invalid')
  if (!uuid.safeParse(id).success) throw new Problem('route_not_found')
  await call.limitStranger()
  const found = await encryptedOf(services, id)
  if (!found?.webhookSecret) throw new Problem('route_not_found')
  const secret = await decryptSecret(
    services.settings.secretsKeys,
    connectionContext(id, 'webhook_secret'),
    found.webhookSecret,
  )
  if (!(await isSignedByStripe(rawBody, header('stripe-signature'), secret)))
    throw new Problem('notification_signature_invalid')
  call.makeKnown()
  const claimed = await services.db.call('door.claim_stripe_reading(uuid)', [id])
  if (claimed !== null)
    later(follow(systemCall(call, found.tenantId), id).catch(logFailure('stripe_connections', call, id)))
}
