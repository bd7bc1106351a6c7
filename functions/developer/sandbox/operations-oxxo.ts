import { type Operation, operation } from '../../../src/http/operation.ts'
import type { BackgroundWork } from '../../../src/http/system-call.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import { expireVoucher, payVoucher } from '../../../src/processors/simulator/oxxo.ts'
import type { PaymentOrigins } from '../../money/payments/api.ts'
import * as contracts from './contract-oxxo.ts'
import { type VoucherRow, voucherByReference } from './store.ts'
import { tell } from './tell.ts'

/** Test controls of the simulated tills. Their effects reach us like any notification of a processor. */
export function oxxoOperations(origins: PaymentOrigins): Operation[] {
  const notify = (work: BackgroundWork, { attemptId: reference }: VoucherRow) =>
    tell(work, origins, { kind: 'attempt', reference })

  const pay = operation(contracts.pay, async ({ params, body, now, read, publish, fail, ...call }) => {
    const [voucher] = await read(voucherByReference(params))
    if (!voucher) return fail('voucher_not_found')
    const open = voucher.status === 'paid' || (voucher.status === 'issued' && voucher.expiresAt > now)
    if (!open && !body.late) return fail('voucher_over')
    const paid = await payVoucher(call.services.db.call, voucher.reference, body.late)
    if (paid?.state !== 'paid') return fail('voucher_over')
    await notify(call, voucher)
    return publish({ writes: [], events: [], reply: presentVoucher(voucher, 'paid') })
  })

  const expire = operation(contracts.expire, async ({ params, read, publish, fail, ...call }) => {
    const [voucher] = await read(voucherByReference(params))
    if (!voucher) return fail('voucher_not_found')
    const expired = await expireVoucher(call.services.db.call, voucher.reference)
    if (expired?.state !== 'canceled') return fail('voucher_over')
    await notify(call, voucher)
    return publish({ writes: [], events: [], reply: presentVoucher(voucher, 'expired') })
  })

  return [pay, expire]
}

const presentVoucher = (voucher: VoucherRow, status: 'paid' | 'expired') => ({
  object: 'sandbox_voucher' as const,
  reference: voucher.reference,
  status,
  amount: toMinorString(voucher.amountMinor),
  currency: voucher.currency,
  payment_id: voucher.paymentId,
})
