import type { Call } from '../../../src/http/operation.ts'
import { type Levels, lastRefundDay, levelsOfPayment } from '../payment-policy/api.ts'
import { requireProcessor } from '../payments/api.ts'
import { planCreate, type RefundRequest } from './plan.ts'
import { spendLimitOf } from './plan-limit.ts'
import { overdraftOf } from './send.ts'
import { type AccountRow, accountsOf, type RefundablePayment, refundablePayment } from './store.ts'

/** What a refund of all that is left of a payment is planned from. */
export const ofWholeRefund = (paymentId: string) =>
  [refundablePayment({ id: paymentId }), levelsOfPayment(paymentId), accountsOf()] as const

/**
 * A refund of all that is left of a card payment, to the card: for a publish that does more. Who publishes it sends the
 * row that is `processing`.
 */
export function planWholeRefund(
  { services, now, newId }: Pick<Call<unknown, unknown, unknown, unknown>, 'services' | 'now' | 'newId'>,
  [[payment], [levels], accounts]: readonly [
    readonly RefundablePayment[],
    readonly Levels[],
    readonly AccountRow[],
  ],
  reason: RefundRequest['reason'],
) {
  const paid = payment!
  const bounds = {
    accounts,
    overdraftMinor: overdraftOf(services, { kind: 'payment', payment: paid }),
    // Only refunds to a CLABE are limited.
    spendLimit: spendLimitOf(services.settings, '', paid.currency, []),
    lastDay: lastRefundDay(services, now, levels!, paid.succeededAt ?? paid.createdAt),
  }
  const { name, refunds } = requireProcessor(services)
  const routes = { processor: name, original: refunds !== undefined, transfers: false, spei: false }
  const request = { reason, method: 'original', metadata: {} } as const
  return planCreate(paid, request, routes, bounds, { now, newId })
}
