import type { PushMethod } from '../../../src/kernel/payment-methods.ts'
import { isRefusedBy } from '../../../src/platform/postgres.ts'
import type { Buyer } from '../../../src/processors/port.ts'
import type { PayContext } from './payment-origin.ts'
import type { Holder } from './plan.ts'
import { byPush, type PushLimits, scarceDays } from './plan-push.ts'
import { type Led, type PayRequest, pay } from './submit.ts'

export interface PushRequest extends PayRequest, PushLimits {
  readonly method: PushMethod
  /** Sent to the processor, kept nowhere. */
  readonly buyer: Buyer
  /** Who holds what is limited until it is paid. */
  readonly holder: Holder
  /** The public id of what is sold; identifies the account that takes the money. */
  readonly publicId: string
}

/**
 * Takes an order that is paid later, at a till or by bank transfer, and issues the voucher or CLABE. See `pay`. Where
 * little is left, the database refuses a long hold: then it is a short one, one trip later.
 */
export async function payByPush(context: PayContext, request: PushRequest): Promise<Led> {
  const accountId = (await context.processor.accountOf?.(request.publicId)) ?? null
  const within = (days: number) => payWithin(context, { ...request, days }, accountId)
  try {
    return await within(request.days)
  } catch (error) {
    if (!isRefusedBy(error, 'unpaid_holds_brief')) throw error
    return within(scarceDays)
  }
}

function payWithin(context: PayContext, request: PushRequest, accountId: string | null): Promise<Led> {
  const { method, buyer, holder, merchantName } = request
  const instrument = { ...byPush(method, request, context.publishing.now, accountId), holder }
  return pay(context, request, instrument, ({ payment, attempt }) => ({
    method,
    buyer,
    merchantName,
    reference: attempt.id,
    accountId: attempt.accountId,
    amountMinor: attempt.amountMinor,
    currency: attempt.currency,
    expiresAt: instrument.expiresAt!,
    returnUrl: request.returnUrl(payment.publicId),
  }))
}

/** As much as may be is held unpaid of what is sold, by all buyers or by this one: a card is still taken. */
export const isHeldUnpaid = (error: unknown): boolean => isRefusedBy(error, 'unpaid_holds_bounded')
