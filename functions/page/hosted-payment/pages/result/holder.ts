import { isPush } from '../../../../../src/kernel/payment-methods.ts'
import type { Closed, Visit } from '../../checkout-flow.ts'
import type { Ctx } from '../frame/frame.ts'
import { isPayerHere } from './payment-cookie.ts'

/**
 * All that is left is held, some of it by the voucher or CLABE of this browser: what that holds passes over to the payment
 * in its place, in the publish that ends it, so that the sale is not closed to this buyer.
 */
export const isHolder = async (c: Ctx, { own }: Pick<Visit, 'own'>, why: Closed | null): Promise<boolean> =>
  why?.own?.isHeld === true &&
  own?.status === 'requires_action' &&
  isPush(own) &&
  (await isPayerHere(c, own.publicId))
