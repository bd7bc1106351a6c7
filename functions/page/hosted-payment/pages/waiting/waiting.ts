import type { SpeiDetails, VoucherDetails } from '../../../../../drizzle/schema/payments.ts'
import { type Locale, withLocale } from '../../../../../src/kernel/locale.ts'
import { hasFlow } from '../../../../../src/kernel/payment-methods.ts'
import { closedBecause, findPayment, type OnSale, type PaymentOnPage } from '../../checkout-flow.ts'
import type { HostedOrigins } from '../../hosted-origin.ts'
import { type Ctx, page } from '../frame/frame.ts'
import type { Html } from '../frame/view.ts'
import { anotherWay } from '../pay/quantity.ts'
import { challengeOf } from '../result/challenge.ts'
import { outcomeOf } from '../result/outcome.ts'
import { factsOf } from '../result/payment-facts.ts'
import { resultPage } from '../result/result.ts'
import { speiPage } from './spei.ts'
import { voucherPage } from './voucher.ts'

/**
 * The voucher or CLABE that holds the sale, at the sale's own address: any visitor may pay it, and none learns the
 * address of its payment, where the receipt and what was bought will be.
 */
export async function showWaiting(
  c: Ctx,
  origins: HostedOrigins,
  { sale, livePublicId }: OnSale,
  locale: Locale,
) {
  const found = await findPayment(c.get('services'), origins, {
    publicId: sale.publicId,
    reference: livePublicId!,
  })
  const path = `/${sale.publicId}`
  // Paid or over since the sale was read.
  if (found?.payment.status !== 'requires_action') return c.redirect(withLocale(path, locale), 303)
  const base = { ...factsOf(c, found, locale), path }
  return page(
    c,
    waitingPage(base, found, new Date()) ??
      resultPage({ ...base, ...outcomeOf(found, null, () => challengeOf(found)) }),
  )
}

/** The voucher or CLABE of a payment that waits for a till or a transfer; null for any other payment. */
export function waitingPage(base: ReturnType<typeof factsOf>, found: PaymentOnPage, now: Date): Html | null {
  const { onSale, payment, attempt } = found
  const { method } = payment
  if (payment.status !== 'requires_action' || attempt.status !== 'pending_customer') return null
  const expiresAt = attempt.expiresAt ?? now
  const expired = expiresAt <= now
  const view = {
    ...base,
    sharePath: onSale.sale.exclusive ? `/${onSale.sale.publicId}` : base.path,
    description: payment.description,
    now,
    expiresAt,
    expired,
    toldUntil: attempt.graceEndsAt ?? expiresAt,
    otherPath: otherPathOf(found, now, expired),
  }
  if (hasFlow(method, 'voucher'))
    return voucherPage({ ...view, method, number: (payment.methodDetails as VoucherDetails).reference })
  if (!hasFlow(method, 'bank_transfer')) return null
  const { clabe, bank_name: bankName, beneficiary } = payment.methodDetails as SpeiDetails
  return speiPage({ ...view, clabe, bankName, beneficiary, receivedMinor: payment.amountReceivedMinor })
}

/**
 * The page where the buyer chooses another way to pay; a second voucher or CLABE is not offered while this one can be
 * paid.
 */
function otherPathOf({ onSale, payment, isPayers }: PaymentOnPage, now: Date, expired: boolean) {
  const { sale } = onSale
  const why = closedBecause(onSale, now)
  const isOpen = why === null || (isPayers && why.own?.isHeld === true)
  if (!isOpen || (sale.methods.length === 1 && !expired)) return null
  return `/${sale.publicId}?retry=${sale.exclusive ? anotherWay : payment.publicId}`
}
