import { type Call, operation } from '../../../src/http/operation.ts'
import type { ProblemCode } from '../../../src/http/problems.ts'
import * as contracts from './contract-receipt.ts'
import { presentReceipt, type Receipt } from './present-receipt.ts'
import { receiptOf, refundsOf } from './store.ts'

type Reads = Pick<
  Call<{ readonly id: string }, unknown, unknown, unknown>,
  'params' | 'readAll' | 'settings'
> & {
  readonly fail: (code: ProblemCode) => never
}

/** One round trip. */
export async function receiptAt({ params, readAll, settings, fail }: Reads): Promise<Receipt> {
  const [[sale], refunds] = await readAll(receiptOf(params), refundsOf(params))
  if (!sale) return fail('in_person_payment_not_found')
  return presentReceipt(sale, refunds, settings.environment) ?? fail('receipt_not_available')
}

export const streamOf = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()

export const operations = [
  operation(contracts.getReceipt, receiptAt),
  operation(contracts.printReceipt, async (call) => {
    const receipt = await receiptAt(call)
    const { printed } = await import('./receipt-escpos.ts')
    const { locale, paper } = call.query
    return streamOf(printed(receipt, locale, contracts.paperColumns[paper]))
  }),
  operation(contracts.drawReceipt, async (call) => {
    const receipt = await receiptAt(call)
    const { drawn } = await import('./receipt-paper.ts')
    return streamOf(await drawn(receipt, call.query.locale))
  }),
]
