import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { eachDueApart } from '../../../src/http/scheduled.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { publicIdsOf } from '../../../src/kernel/folio.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { publishUnderPolicy, underCurrentPolicy } from '../../money/payment-policy/api.ts'
import { currentSchedule, requireConfigured } from '../../money/payments/api.ts'
import { discountsOf, itemsOf } from '../../order/lines/api.ts'
import * as contracts from './contract.ts'
import * as settings from './contract-settings.ts'
import { discountOperations } from './operations-discounts.ts'
import { type Making, planCreate, planExpire, planLapse, planSettings, planUpdate } from './plan.ts'
import { presentSession, presentSettings } from './present.ts'
import { sessions, sessionsPage, settingsOfCheckout } from './store.ts'

interface Makes {
  readonly now: Date
  readonly newId: () => string
  readonly settings: { readonly linkBaseUrl: string }
}

const makingOf = ({ now, newId, settings }: Makes): Making => ({
  now,
  newId,
  linkBaseUrl: settings.linkBaseUrl,
})

const createSession = operation(contracts.create, async (call) => {
  requireConfigured(call.settings)
  const { body, settings, now } = call
  const schedule = currentSchedule(settings, now, body.currency)
  const items = await itemsOf(call.read, body.line_items ?? [], { now, locationId: body.location_id })
  const found = await discountsOf(call.read, body.discounts, body.customer_id)
  const made = { publicId: publicId('spcs'), items, found, catalogPublicId: null }
  return publishUnderPolicy(call, body.location_id, (governing) =>
    planCreate(body, made, { ...makingOf(call), ...governing, schedule }),
  )
})

const updateSession = operation(contracts.update, async (call) => {
  const { body, settings, now, params } = call
  const [[session], [current]] = await call.readAll(sessions.at(params.id), sessions.policyAt(params.id))
  if (!session) return call.fail('checkout_session_not_found')
  const { currency } = session
  const items = await itemsOf(call.read, body.line_items ?? [], { now, locationId: session.locationId })
  const had = session.discounts.map(({ discount_id }) => discount_id)
  const customerId = body.customer_id === undefined ? session.customerId : body.customer_id
  const found = await discountsOf(call.read, body.discounts ?? [], customerId, had)
  const governing = underCurrentPolicy(call.services, now, current!)
  const selling = { ...makingOf(call), ...governing, schedule: currentSchedule(settings, now, currency) }
  return call.publish(planUpdate(session, body, { items, found }, selling))
})

const expireSession = operation(contracts.expire, async (call) => {
  const [session] = await call.read(sessions.at(call.params.id))
  return session ? call.publish(planExpire(session, makingOf(call))) : call.fail('checkout_session_not_found')
})

const getSettings = operation(settings.getSettings, async (call) => {
  const [settings] = await call.read(settingsOfCheckout())
  return presentSettings(settings)
})

const putSettings = operation(settings.putSettings, async (call) => {
  const [before] = await call.read(settingsOfCheckout())
  const locals = call.settings.environment === 'sandbox'
  return call.publish(planSettings(before, call.body.return_origins, locals, call))
})

/** Scheduled: ends sessions at their time. */
export const expireSessions = (run: JobRun) =>
  eachDueApart(run, 'checkout_sessions', async ({ services, read, publish, now }, id) => {
    const [[session]] = await read(contracts.expiry, sessions.byId(id))
    const plan = session && planLapse(session, makingOf({ ...clockOf(now), settings: services.settings }))
    if (plan) await publish(contracts.expiry, plan)
  })

export const operations = [
  createSession,
  listOperation(contracts.list, sessionsPage, (row, { linkBaseUrl }) => presentSession(row, linkBaseUrl), {
    values: ({ query }) => {
      const [receiptFrom, receiptTo] = publicIdsOf(query.folio ?? '')
      return { receiptFrom, receiptTo }
    },
  }),
  getOperation(
    contracts.get,
    ({ id }) => sessions.at(id),
    (row, { linkBaseUrl }) => presentSession(row, linkBaseUrl),
  ),
  updateSession,
  expireSession,
  getSettings,
  putSettings,
  ...discountOperations,
]
