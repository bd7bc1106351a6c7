import type { ProcessorState, PushCharge } from '../port.ts'
import type { ChargeRail, SimulatorCall } from './rail.ts'

export interface StoredVoucher {
  readonly method: 'oxxo'
  readonly reference: string
  /** What the till scans. */
  readonly number: string
  readonly state: 'pending' | 'paid' | 'canceled'
  readonly amountMinor: string
  readonly currency: string
  readonly expiresAt: string
}

/** A voucher's outcome by the buyer's e-mail address, before its @; any other one waits to be paid. */
export const voucherBuyers = {
  /** The processor issues it and does not answer in time. */
  timeout_then_issued: 'silent',
  /** The processor reports one cent more than was asked for. */
  amount_mismatch: 'mismatch',
  /** The processor refuses to issue one. */
  voucher_refused: 'refused',
} as const

function stateOf(voucher: StoredVoucher | null): ProcessorState {
  if (!voucher) return { state: 'not_found' }
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
export const simulatedOxxo = (call: SimulatorCall): ChargeRail<PushCharge> => ({
  methods: ['oxxo'],
  async create({ reference, amountMinor, currency, merchantName, expiresAt, buyer }) {
    const trick = voucherBuyers[buyer.email.split('@')[0] as keyof typeof voucherBuyers]
    if (trick === 'refused')
      return { state: 'declined', code: 'processing_error', category: 'hard', card: null }
    const voucher = {
      reference,
      amountMinor: amountMinor.toString(),
      reportedMinor: (trick === 'mismatch' ? amountMinor + 1n : amountMinor).toString(),
      currency,
      merchantName,
      expiresAt: expiresAt.toISOString(),
    }
    const stored = await call('simulator.issue_voucher(jsonb)', [JSON.stringify(voucher)])
    return trick === 'silent' ? { state: 'unknown' } : stateOf(parsed(stored))
  },
  read: (stored) => stateOf(stored as StoredVoucher),
})

const parsed = (stored: string | null): StoredVoucher | null => (stored === null ? null : JSON.parse(stored))

/** A till takes the cash; `late` also after the voucher expired or was canceled. Null when there is no such voucher. */
export const payVoucher = async (call: SimulatorCall, number: string, late: boolean) =>
  parsed(await call('simulator.pay_voucher(text,boolean)', [number, late]))

/** The processor gives the voucher up, unless it was paid. Null when there is no such voucher. */
export const expireVoucher = async (call: SimulatorCall, number: string) =>
  parsed(await call('simulator.expire_voucher(text)', [number]))
