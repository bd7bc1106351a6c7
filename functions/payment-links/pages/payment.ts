import type { CardDetails } from '../../../drizzle/schema/payments.ts'
import type { DeclineCode } from '../../../src/processors/port.ts'
import { closedBecause, findPayment, type PaymentOnPage, termOf } from '../buyer.ts'
import { baseOf, type Ctx, localeOf, ownPath, page, statePageOf as state } from './frame.ts'
import { resultPage } from './result.ts'
import type { ResultView } from './view.ts'

/** What became of a payment, by its public reference. */
export async function showPayment(c: Ctx) {
  const services = c.get('services')
  const locale = localeOf(c)
  const found = await findPayment(services, c.req.param('publicId')!, c.req.param('reference')!)
  if (!found) return state(c, { state: 'not_found' }, locale)
  const { link, payment } = found
  const base = {
    ...baseOf(c, locale),
    path: `/${link.publicId}/${payment.publicId}`,
    merchantName: link.merchantName,
    reference: payment.publicId,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
  }
  const payable = closedBecause(services, link, new Date()) === null
  return page(
    c,
    resultPage({ ...base, ...resultOf(c, found, payable ? `/${link.publicId}` : null) } as ResultView),
  )
}

function resultOf(c: Ctx, { link, payment, attempt }: PaymentOnPage, linkPath: string | null): object {
  const { brand = '', last4 = '' } = (payment.methodDetails ?? {}) as Partial<CardDetails>
  switch (payment.status) {
    case 'succeeded':
      return {
        state: 'succeeded',
        paidAt: payment.succeededAt,
        card: { brand, last4 },
        description: payment.description,
        installments:
          payment.installmentMonths > 1
            ? {
                ...termOf(payment.amountMinor, payment.installmentMonths),
                interestFree: link.feeAllocation === 'absorb',
              }
            : null,
      }
    case 'requires_payment_method':
      return {
        state: 'declined',
        code: payment.declineCode as DeclineCode,
        retryPath: linkPath && `${linkPath}?retry=${payment.publicId}`,
      }
    case 'requires_action':
      return {
        state: 'requires_action',
        actionUrl: ownPath(attempt.nextAction?.url ?? '', c.get('services').settings.baseUrl, localeOf(c)),
      }
    case 'processing':
      return { state: attempt.status === 'integrity_failure' ? 'under_review' : 'processing' }
    default:
      return { state: payment.status === 'expired' ? 'expired' : 'canceled', retryPath: linkPath }
  }
}
