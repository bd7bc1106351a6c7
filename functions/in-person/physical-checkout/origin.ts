import { registerOrders } from '../../../drizzle/schema/physical-checkout.ts'
import { expect } from '../../../src/kernel/plan.ts'
import { leftFrom } from '../../goods/inventory/api-pure.ts'
import { isShort, soldAs, tipped } from '../../order/lines/api-pure.ts'
import type { HostedOrigin, Sale } from '../../page/hosted-payment/api.ts'
import { registerOrder } from './facts.ts'
import { planPaid } from './plan-orders.ts'
import { boughtOf } from './present.ts'
import { orderForSale, orders, type ShownOrder } from './store.ts'
import { states, words } from './words.ts'

/** What the order pays for, and the tips that its buyer may add to it. */
function soldOf(order: ShownOrder): Pick<Sale, 'order' | 'taxes' | 'inChoice' | 'adjustable'> {
  const sold = soldAs(boughtOf(order))
  const { tipOptions: tips, currency } = order
  const { taxes, order: bought = null } = sold
  const paid = { taxes, order: bought }
  if (tips === null) return paid
  const inChoice: Sale['inChoice'] = (asked) => tipped(sold, tips, asked, currency)
  const chosen = tipped(sold, tips, {}, currency)
  return 'adjustable' in chosen && chosen.adjustable
    ? { ...paid, inChoice, adjustable: chosen.adjustable }
    : { ...paid, inChoice }
}

/** An order at a register as an origin: it is paid once, whichever code its buyer scanned. */
export const registerOrderOrigin: HostedOrigin<ShownOrder> = {
  ...registerOrder,
  ...orders.origin,
  loadForSale: (publicId) => orderForSale({ publicId }),
  condition: ({ originId }) => expect(registerOrders, originId, { status: 'open' }, 'expiresAt'),
  sale: (order) => ({
    originId: order.id,
    publicId: order.publicId,
    termsVersion: order.termsVersion,
    asksVersion: order.asksVersion,
    policyVersion: order.policyVersion,
    locationId: order.locationId,
    description: order.description,
    ...soldOf(order),
    amount: order.amountMinor,
    currency: order.currency,
    methods: order.paymentMethodTypes,
    captureMethod: order.captureMethod,
    installmentMonths: order.installmentMonths,
    installmentPlanMonths: order.installmentPlanMonths,
    feeAllocation: order.feeAllocation,
    merchantMarkupBps: order.merchantMarkupBps,
    exclusive: true,
    expiresAt: order.expiresAt,
    isOutlivedByPush: true,
  }),
  closedBecause({ status, expiresAt, lines, left }, isPaid, now) {
    if (status === 'paid' || isPaid) return 'already_paid'
    if (status === 'canceled') return 'canceled'
    if (status === 'expired' || expiresAt <= now) return 'expired'
    return isShort(lines, leftFrom(left)) ? 'sold_out' : null
  },
  spent: ['stock_insufficient'],
  leadsTo: ({ leadsTo = null }) => leadsTo,
  states,
  words,
  onSuccess: (order, payment, { now, newId }, { linkBaseUrl }) =>
    planPaid(order, payment, { now, newId, linkBaseUrl }),
}
