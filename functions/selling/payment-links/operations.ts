import type * as z from 'zod'
import { type Call, operation } from '../../../src/http/operation.ts'
import { listOperation } from '../../../src/http/reads.ts'
import { eachDue, eachDueApart } from '../../../src/http/scheduled.ts'
import { uuid } from '../../../src/http/schemas.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { hashPassword } from '../../../src/platform/passwords.ts'
import { underCurrentPolicy } from '../../money/payment-policy/api.ts'
import { currentSchedule, ofOrigin, paymentsPage, presentPayment } from '../../money/payments/api.ts'
import { discountsOf, itemsOf } from '../../order/lines/api.ts'
import { detailsPage } from '../../order/sales/api.ts'
import { presentDetails } from '../../order/sales/api-pure.ts'
import { problemOfMost } from './catalog-item.ts'
import * as contracts from './contract.ts'
import { listCollected } from './contract-collected.ts'
import { makeLink, makingOf, pricedNow } from './making.ts'
import { getLink, listLinks } from './operations-read.ts'
import { shareOperations } from './operations-share.ts'
import { templateOperations } from './operations-templates.ts'
import { linkOrigin } from './origin.ts'
import { planActivate, planArchive, planDeactivate, planExpiry, planRevoke, planUpdate } from './plan.ts'
import { planUsedUp } from './plan-used-up.ts'
import { type LinkRow, links, usesById } from './store.ts'

type LinkChange = z.output<NonNullable<typeof contracts.update.body>>

const createLink = operation(contracts.create, (call) => makeLink(call, call.body, null))

const listLinkPayments = listOperation(contracts.listPayments, paymentsPage, presentPayment, {
  values: ({ params }) => ofOrigin(linkOrigin.kind, params.id),
  within: ({ id }) => ({ query: links.at(id), missing: 'payment_link_not_found' }),
})

const listLinkCollected = listOperation(listCollected, detailsPage, presentDetails, {
  values: ({ params }) => ofOrigin(linkOrigin.kind, params.id),
  within: ({ id }) => ({ query: links.at(id), missing: 'payment_link_not_found' }),
})

const updateLink = operation(contracts.update, async (call) => {
  const [[link], [current]] = await call.readAll(links.at(call.params.id), links.policyAt(call.params.id))
  if (!link) return call.fail('payment_link_not_found')
  const tooMany = await problemOfBuyersMost(call, link)
  if (tooMany) return call.publish(tooMany)
  const schedule = currentSchedule(call.settings, call.now, link.currency)
  const governing = underCurrentPolicy(call.services, call.now, current!)
  const { password, line_items, ...asked } = call.body
  const priced =
    line_items &&
    (await pricedNow(call.read, line_items, link.currency, {
      now: call.now,
      locationId: link.locationId,
    }))
  if (priced && 'refused' in priced) return call.publish(priced)
  const hashed =
    password === undefined ? {} : { passwordHash: password === null ? null : await hashPassword(password) }
  const selling = { ...makingOf(call), ...governing }
  const found = await discountsFor(call, link)
  const lines = priced ? { lines: priced.lines } : {}
  return call.publish(planUpdate(link, { ...asked, ...hashed, ...lines, found }, schedule, selling))
})

/** The discounts that a change names; where it sets lines alone, those that the link has. */
function discountsFor(
  { read, body }: Pick<Call<unknown, unknown, LinkChange, unknown>, 'read' | 'body'>,
  link: LinkRow,
) {
  const { discounts, line_items, customer_id: customerId = link.customerId } = body
  const had = line_items && !discounts ? link.discounts.map(({ discount_id }) => discount_id) : []
  return discountsOf(read, discounts ?? [], customerId, had)
}

/** Only where a request says how many a buyer may take: of an item of a catalog, its limits are read. */
async function problemOfBuyersMost(
  { read, body, now }: Pick<Call<unknown, unknown, LinkChange, unknown>, 'read' | 'body' | 'now'>,
  { catalogLineItemSnapshot: item, locationId }: LinkRow,
) {
  const most = body.adjustable_quantity?.max
  if (most === undefined || !item || !uuid.safeParse(item.item_id).success) return null
  return problemOfMost(item.item_id, most, await itemsOf(read, [item], { now, locationId }))
}

const moves = (
  declared: typeof contracts.revoke,
  plan: typeof planActivate | typeof planRevoke | typeof planArchive,
) =>
  operation(declared, async (call) => {
    const [link] = await call.read(links.at(call.params.id))
    return link ? call.publish(plan(link, makingOf(call))) : call.fail('payment_link_not_found')
  })

const activateLink = moves(contracts.activate, planActivate)
const deactivateLink = moves(contracts.deactivate, planDeactivate)
const revokeLink = moves(contracts.revoke, planRevoke)
const archiveLink = moves(contracts.archive, planArchive)

/** Scheduled: deactivates expired links. A failed one is due again at the next run. */
export const expireLinks = (run: JobRun) =>
  eachDueApart(run, 'payment_links', async ({ services, read, publish, now }, id) => {
    const [[link]] = await read(contracts.sweep, links.byId(id))
    const making = makingOf({ ...clockOf(now), settings: services.settings })
    const plan = link && planExpiry(link, making)
    if (plan) await publish(contracts.sweep, plan)
  })

/** Scheduled: deactivates limited links whose last use is paid, once each. */
export const closeUsedUp = (run: JobRun) =>
  eachDue(run, 'payment_link_uses', async ({ services, read, publish, now }, id) => {
    const [[link], [uses]] = await read(contracts.sweep, links.byId(id), usesById({ id }))
    const making = makingOf({ ...clockOf(now), settings: services.settings })
    const plan = link && uses && planUsedUp(link, uses, making)
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
  listLinkCollected,
  ...shareOperations,
  ...templateOperations,
]
