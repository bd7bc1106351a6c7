import { checkoutSessions } from '../../../drizzle/schema/checkout-sessions.ts'
import { others } from '../../../src/http/access/kinds.ts'
import { Problem } from '../../../src/http/problems.ts'
import { onFreshRows, publishPlan } from '../../../src/http/publishing.ts'
import type { Services } from '../../../src/http/services.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { adjust as adjustBy } from '../../../src/kernel/plan.ts'
import { underCurrentPolicy } from '../../money/payment-policy/api.ts'
import { currentSchedule } from '../../money/payments/api.ts'
import { discountsNamed, stockLeft } from '../../order/lines/api.ts'
import { type Adjust, type Adjustment, codeIn, takenBy, type Unchanged } from '../../order/lines/api-pure.ts'
import { reading } from '../../page/hosted-payment/api.ts'
import { adjustment } from './contract.ts'
import { planAdjust } from './plan-adjust.ts'
import { type SessionRow, sessions } from './store.ts'

/** As often as a merchant's own change is tried. */
const triesMax = 40

/**
 * Changes what a buyer orders, under the current payment policy. Two trips and a publish; a code that is typed is counted
 * by a publish before it is looked at, so that a crowd of guesses is bounded too.
 */
export const adjust: Adjust = (services, publicId, asked, { requestId, now }) =>
  onFreshRows(triesMax, async (tries) => {
    const credential = others.public_id(publicId)
    const { settings } = services
    const typed = asked.code ? codeIn(asked.code) : undefined
    if (typed === null) return { problem: 'code.unknown' }
    const wanted = { ...asked, ...(typed ? { code: typed } : {}) }
    const found = await reading(services, () =>
      services.db.read(adjustment.id, credential, [sessions.at(publicId), sessions.policyAt(publicId)]),
    )
    const [[session] = [], [current] = []] = found?.rows ?? []
    if (!session || !current) throw new Problem('route_not_found')
    const publishing = { operation: adjustment.id, credential, requestId, now }
    if (typed && session.takesCodes && tries === 1) {
      const counted = await countTry(services, publishing, session)
      if (counted) return counted
    }
    const read = await readFor(services, session, wanted)
    const governing = underCurrentPolicy(services, now, current)
    const schedule = currentSchedule(settings, now, session.currency)
    const selling = { ...clockOf(now), linkBaseUrl: settings.linkBaseUrl, ...governing, schedule }
    const planned = planAdjust(session, wanted, read, selling)
    if (planned === null || 'problem' in planned) return planned
    try {
      await publishPlan(services, publishing, planned)
      return null
    } catch (error) {
      if (error instanceof Problem && error.code === 'checkout_session_terms_frozen')
        return { problem: 'order.closed' }
      throw error
    }
  })

/** The database refuses a try beyond those that a session has. */
async function countTry(
  services: Services,
  publishing: Parameters<typeof publishPlan>[1],
  { id }: SessionRow,
): Promise<Unchanged | null> {
  const writes = [adjustBy(checkoutSessions, id, { codeTries: 1 })]
  try {
    await publishPlan(services, publishing, { writes, events: [], reply: {}, subjectId: id })
    return null
  } catch (error) {
    if (error instanceof Problem && error.code === 'discount_code_tries_exceeded')
      return { problem: 'code.too_many' }
    throw error
  }
}

async function readFor(services: Services, session: SessionRow, { code }: Adjustment) {
  const ids = session.discounts.map(({ discount_id }) => discount_id)
  const items = takenBy(session.lines).map(({ item_id }) => item_id)
  const credential = others.public_id(session.publicId)
  const { rows } = await services.db.read(adjustment.id, credential, [
    discountsNamed({ ids, codes: code ? [code] : [], customerId: session.customerId }),
    stockLeft({ items, locationId: session.locationId }),
  ])
  const [found, levels] = rows
  const available = levels.map(({ itemId, onHand, reserved }) => [itemId, onHand - reserved] as const)
  // What is counted and has no level here: none is left.
  return { found, left: new Map([...items.map((id) => [id, 0] as const), ...available]) }
}
