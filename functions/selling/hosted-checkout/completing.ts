import { others } from '../../../src/http/access/kinds.ts'
import { Problem } from '../../../src/http/problems.ts'
import { onFreshRows, publishPlan, Replayed, Stale } from '../../../src/http/publishing.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { keyDigests, sha256Hex } from '../../../src/platform/crypto.ts'
import { type CompleteFree, reading } from '../../page/hosted-payment/api.ts'
import { completion } from './contract.ts'
import { planFree } from './plan-free.ts'
import { sessions } from './store.ts'

/** Completes an order that costs nothing: one read and a publish. A repeated form answers the first one's receipt. */
export const completeFree: CompleteFree = async (
  services,
  terms,
  { requestId, now, attemptKey, details, mailTo },
) => {
  const { settings } = services
  const { publicId: ref, originId, termsVersion } = terms
  const credential = others.public_id(ref)
  const claim = {
    keys: await keyDigests(settings.signingSecrets, attemptKey),
    fingerprint: await sha256Hex(canonicalJson({ originId, termsVersion })),
    status: 303,
  }
  let isOver = false
  try {
    const receipt = await onFreshRows(40, async () => {
      const found = await reading(services, () =>
        services.db.read(completion.id, credential, [sessions.at(ref)], claim),
      )
      const [[session] = []] = found?.rows ?? []
      if (!session) throw new Problem('route_not_found')
      const making = { ...clockOf(now), linkBaseUrl: settings.linkBaseUrl }
      const isSame =
        session.termsVersion === termsVersion &&
        session.policyVersion === terms.policyVersion &&
        session.asksVersion === terms.asksVersion
      const sent = { receiptRef: publicId('spcs'), details, mailTo }
      const plan = isSame ? planFree(session, sent, making) : null
      if (!plan) {
        // What was offered is no longer so: no other try makes it so. But a copy of this form may have completed it
        // between the look for its reply and the look at the session, and then its receipt is there.
        if (isOver) return null
        isOver = true
        throw new Stale()
      }
      const publishing = { operation: completion.id, credential, requestId, now, claim }
      return (await publishPlan(services, publishing, plan)).reply.receipt
    })
    if (receipt === null) throw new Stale()
    return receipt
  } catch (error) {
    if (error instanceof Replayed) return (JSON.parse(error.reply.body!) as { receipt: string }).receipt
    throw error
  }
}
