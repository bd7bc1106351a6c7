import type { ProcessorState } from '../port.ts'
import { parsed, pushRail, type SimulatorCall } from './rail.ts'

interface StoredVoucher {
  readonly method: 'oxxo'
  readonly reference: string
  /** What the till scans. */
  readonly number: string
  readonly state: 'pending' | 'paid' | 'canceled'
  readonly amountMinor: string
  readonly currency: string
  readonly expiresAt: string
}

function stateOf(voucher: StoredVoucher): ProcessorState {
  const { state, reference, number, amountMinor, currency, expiresAt } = voucher
  if (state === 'canceled') return { state }
  if (state === 'paid')
    return {
      state: 'captured',
      amountMinor: BigInt(amountMinor),
      currency,
      card: null,
      processorRef: reference,
    }
  return {
    state: 'pending_customer',
    action: { type: 'voucher', reference: number, expiresAt: new Date(expiresAt) },
    processorRef: reference,
  }
}

/** OXXO in the sandbox: vouchers wait until the merchant pays them through the sandbox's operations. */
export const simulatedOxxo = (call: SimulatorCall) =>
  pushRail(call, {
    method: 'oxxo',
    issue: 'simulator.issue_voucher(jsonb)',
    buyers: {
      /** The processor issues it and does not answer in time. */
      timeout_then_issued: 'silent',
      /** The processor reports one cent more than was asked for. */
      amount_mismatch: 'mismatch',
      /** The processor refuses to issue one. */
      voucher_refused: 'refused',
    },
    stateOf,
  })

/** A till takes the cash; `late` also after the voucher expired or was canceled. Null when there is no such voucher. */
export const payVoucher = async (call: SimulatorCall, number: string, late: boolean) =>
  parsed<StoredVoucher>(await call('simulator.pay_voucher(text,boolean)', [number, late]))

/** The processor gives the voucher up, unless it was paid. Null when there is no such voucher. */
export const expireVoucher = async (call: SimulatorCall, number: string) =>
  parsed<StoredVoucher>(await call('simulator.expire_voucher(text)', [number]))
