import type { Call } from '../../../src/http/operation.ts'
import type { AskedDiscount, NamedDiscount } from './discounts.ts'
import { discountsNamed } from './store.ts'

type Reads = Call<unknown, unknown, unknown, unknown>['read']

/** The discounts that a request names and that an order has; no trip where there are none. */
export async function discountsOf(
  read: Reads,
  asked: readonly AskedDiscount[],
  customerId: string | null,
  before: readonly string[] = [],
): Promise<readonly NamedDiscount[]> {
  const ids = [...before, ...asked.flatMap((ask) => ('code' in ask ? [] : [ask.discount_id]))]
  const codes = asked.flatMap((ask) => ('code' in ask ? [ask.code] : []))
  return ids.length + codes.length === 0 ? [] : read(discountsNamed({ ids, codes, customerId }))
}
