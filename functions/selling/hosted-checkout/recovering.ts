import { others } from '../../../src/http/access/kinds.ts'
import { Problem } from '../../../src/http/problems.ts'
import { onFreshRows, publishPlan, Stale } from '../../../src/http/publishing.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import type { Services } from '../../../src/http/services.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { itemsForSale } from '../../goods/digital-catalogs/api.ts'
import { underCurrentPolicy } from '../../money/payment-policy/api.ts'
import { currentSchedule } from '../../money/payments/api.ts'
import { discountsNamed } from '../../order/lines/api.ts'
import { partsOf } from '../../order/lines/api-pure.ts'
import { type Recovering, reading } from '../../page/hosted-payment/api.ts'
import { consent, recover, recoveryMail } from './contract.ts'
import { isRecoverable, planConsent, planMail, planRecover } from './plan-recovery.ts'
import { recoveryById, recoveryOf, type SessionRow, sessions } from './store.ts'

/** The buyer consents to a mail, or withdraws: one read and a publish. */
const ask: Recovering['ask'] = (services, ref, { email, locale }, { requestId, now }) =>
  onFreshRows(40, async () => {
    const credential = others.public_id(ref)
    const found = await reading(services, () =>
      services.db.read(consent.id, credential, [sessions.at(ref), recoveryOf({ publicId: ref })]),
    )
    const [[session] = [], [before] = []] = found?.rows ?? []
    if (!session?.recovery) throw new Problem('route_not_found')
    if (session.status !== 'open' || session.expiresAt <= now) return
    const plan = planConsent(session, before, { email, locale }, clockOf(now))
    if (plan) await publishPlan(services, { operation: consent.id, credential, requestId, now }, plan)
  })

/** What the address in a mail leads to: a session that it opened, one that it may open, or nothing any more. */
const find: Recovering['find'] = async (services, ref, id, now) => {
  const found = await reading(services, () =>
    services.db.read(recover.id, others.public_id(ref), [sessions.at(ref), recoveryById({ id })]),
  )
  const [[session] = [], [recovery] = []] = found?.rows ?? []
  if (!session || recovery?.sessionId !== session.id) return null
  if (recovery.recoveredRef !== null) return { opened: recovery.recoveredRef }
  return { opened: null, isOpen: isRecoverable(recovery, session, now) }
}

/** Opens the fresh session, once for each mail. Two reads, one more for bundles, and a publish. */
const open: Recovering['open'] = (services, ref, id, { requestId, now }) =>
  onFreshRows(40, async () => {
    const credential = others.public_id(ref)
    const { settings } = services
    const read = await reading(services, () =>
      services.db.read(recover.id, credential, [
        sessions.at(ref),
        recoveryById({ id }),
        sessions.policyAt(ref),
      ]),
    )
    const [[session] = [], [recovery] = [], [current] = []] = read?.rows ?? []
    if (!session || !current || recovery?.sessionId !== session.id) throw new Problem('route_not_found')
    if (recovery.recoveredRef !== null) return recovery.recoveredRef
    if (!isRecoverable(recovery, session, now)) return null
    const { items, found } = await readFor(services, session, now)
    const governing = underCurrentPolicy(services, now, current)
    const schedule = currentSchedule(settings, now, session.currency)
    const selling = { ...clockOf(now), linkBaseUrl: settings.linkBaseUrl, ...governing, schedule }
    const fresh = { items, found, publicId: publicId('spcs') }
    const plan = planRecover(recovery, session, fresh, selling)
    try {
      const publishing = { operation: recover.id, credential, requestId, now }
      return (await publishPlan<{ public_id: string }>(services, publishing, plan)).reply.public_id
    } catch (error) {
      // What is not for sale any more, or to this customer: the buyer reads that the address is over.
      if (error instanceof Problem && !(error instanceof Stale) && error.code !== 'outcome_unknown')
        return null
      throw error
    }
  })

async function readFor(services: Services, session: SessionRow, now: Date) {
  const credential = others.public_id(session.publicId)
  const soldAt = session.locationId === null ? {} : { location: session.locationId }
  const itemsOf = async (ids: readonly string[]) =>
    ids.length === 0
      ? []
      : (await services.db.read(recover.id, credential, [itemsForSale(ids, now, soldAt)])).rows[0]
  const items = await itemsOf(session.lines.flatMap(({ item_id }) => item_id ?? []))
  const parts = await itemsOf(partsOf(items))
  const ids = session.discounts.map(({ discount_id }) => discount_id)
  const { customerId } = session
  const found =
    ids.length === 0
      ? []
      : (await services.db.read(recover.id, credential, [discountsNamed({ ids, codes: [], customerId })]))
          .rows[0]
  return { items: [...items, ...parts], found }
}

export const recovering: Recovering = { ask, find, open }

/** Scheduled: mails the buyers of sessions that ended unpaid, who consented to it. */
export const mailRecoveries = (run: JobRun) =>
  eachDue(run, 'checkout_recoveries', async ({ services, read, publish, now }, id) => {
    const [[recovery]] = await read(recoveryMail, recoveryById({ id }))
    if (!recovery) return
    const [[session]] = await read(recoveryMail, sessions.byId(recovery.sessionId))
    const making = { ...clockOf(now), linkBaseUrl: services.settings.linkBaseUrl }
    const plan = session && planMail(recovery, session, making)
    if (plan) await publish(recoveryMail, plan)
  })
