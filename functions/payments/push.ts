import type { PushMethod } from '../../src/kernel/payment-methods.ts'
import type { Buyer } from '../../src/processors/port.ts'
import type { PayContext } from './payment-origin.ts'
import { byPush, type PushLimits } from './plan-push.ts'
import { type PayRequest, pay } from './submit.ts'

export interface PushRequest extends PayRequest, PushLimits {
  readonly method: PushMethod
  /** Sent to the processor, kept nowhere. */
  readonly buyer: Buyer
  /** The public id of what is sold; identifies the account that takes the money. */
  readonly publicId: string
}

/** Takes an order that is paid later, at a till or by bank transfer, and issues the voucher or CLABE. See `pay`. */
export const payByPush = async (context: PayContext, request: PushRequest): Promise<string> => {
  const { method, buyer, merchantName, publicId } = request
  const accountId = (await context.processor.accountOf?.(publicId)) ?? null
  const instrument = byPush(method, request, context.publishing.now, accountId)
  return pay(context, request, instrument, ({ attempt }) => ({
    method,
    buyer,
    merchantName,
    reference: attempt.id,
    accountId: attempt.accountId,
    amountMinor: attempt.amountMinor,
    currency: attempt.currency,
    expiresAt: instrument.expiresAt!,
  }))
}
