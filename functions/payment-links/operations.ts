import { operation } from '../../src/http/operation.ts'
import { getOperation, listOperation } from '../../src/http/reads.ts'
import { eachDue } from '../../src/http/scheduled.ts'
import type { JobRun } from '../../src/http/system-call.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import { publicId } from '../../src/kernel/ids.ts'
import { publishUnderPolicy, underCurrentPolicy } from '../payment-policy/api.ts'
import { currentSchedule, ofOrigin, paymentsPage, presentPayment, requireProcessor } from '../payments/api.ts'
import * as contracts from './contract.ts'
import { linkOrigin } from './origin.ts'
import {
  type Making,
  planActivate,
  planArchive,
  planCreate,
  planDeactivate,
  planExpiry,
  planRevoke,
  planUpdate,
} from './plan.ts'
import { presentLink } from './present.ts'
import { linkAt, linkById, linksPage, policyAt } from './store.ts'

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

const createLink = operation(contracts.create, async (call) => {
  requireProcessor(call.services)
  const schedule = currentSchedule(call.settings, call.now, call.body.currency)
  return publishUnderPolicy(call, call.body.location_id, (governing) =>
    planCreate(call.body, publicId(linkOrigin.publicIdPrefix), schedule, { ...makingOf(call), ...governing }),
  )
})

const listLinks = listOperation(contracts.list, linksPage, (link, { linkBaseUrl }) =>
  presentLink(link, linkBaseUrl),
)

const getLink = getOperation(
  contracts.get,
  ({ id }) => linkAt(id),
  (link, { linkBaseUrl }) => presentLink(link, linkBaseUrl),
)

const listLinkPayments = listOperation(contracts.listPayments, paymentsPage, presentPayment, {
  values: ({ params }) => ofOrigin(linkOrigin.kind, params.id),
  within: ({ id }) => ({ query: linkAt(id), missing: 'payment_link_not_found' }),
})

const updateLink = operation(contracts.update, async (call) => {
  const [[link], [current]] = await call.readAll(linkAt(call.params.id), policyAt(call.params.id))
  if (!link) return call.fail('payment_link_not_found')
  const schedule = currentSchedule(call.settings, call.now, link.currency)
  const governing = underCurrentPolicy(call.services, call.now, current!)
  return call.publish(planUpdate(link, call.body, schedule, { ...makingOf(call), ...governing }))
})

const moves = (
  declared: typeof contracts.revoke,
  plan: typeof planActivate | typeof planRevoke | typeof planArchive,
) =>
  operation(declared, async (call) => {
    const [link] = await call.read(linkAt(call.params.id))
    return link ? call.publish(plan(link, makingOf(call))) : call.fail('payment_link_not_found')
  })

const activateLink = moves(contracts.activate, planActivate)
const deactivateLink = moves(contracts.deactivate, planDeactivate)
const revokeLink = moves(contracts.revoke, planRevoke)
const archiveLink = moves(contracts.archive, planArchive)

/** Scheduled: deactivates expired links. A failed one is due again at the next run. */
export const expireLinks = (run: JobRun) =>
  eachDue(run, 'payment_links', async ({ services, read, publish, now }, id) => {
    const [[link]] = await read(contracts.sweep, linkById({ id }))
    const making = makingOf({ ...clockOf(now), settings: services.settings })
    const plan = link && planExpiry(link, making)
    if (plan) await publish(contracts.sweep, plan)
  })

export const operations = [
  createLink,
  listLinks,
  getLink,
  updateLink,
  activateLink,
  deactivateLink,
  revokeLink,
  archiveLink,
  listLinkPayments,
]
