import type { BankFailure, BankOrder, BankRail, BankState } from '../port.ts'
import type { SimulatorCall } from './rail.ts'

interface BankBehavior {
  readonly ends: 'processing' | 'paid' | 'failed' | 'returned'
  readonly code?: BankFailure
  /** The bank accepts the order and does not answer in time. */
  readonly silent?: true
}

/**
 * The outcome of an order by the CLABE's account digits (its 7th to 17th), at any bank. Any other account is paid. An
 * order is `processing` when sent; the first look settles it, and the next look finds the returned one returned.
 */
export const bankAccounts: Readonly<Record<string, BankBehavior>> = {
  '00000000011': { ends: 'failed', code: 'account_closed' },
  '00000000012': { ends: 'failed', code: 'account_not_found' },
  '00000000013': { ends: 'failed', code: 'holder_mismatch' },
  '00000000014': { ends: 'failed', code: 'declined_by_bank' },
  '00000000015': { ends: 'paid', silent: true },
  '00000000016': { ends: 'failed', code: 'account_closed', silent: true },
  '00000000017': { ends: 'returned', code: 'account_closed' },
  '00000000018': { ends: 'processing' },
}

const outcomeOf = (clabe: string): BankBehavior => bankAccounts[clabe.slice(6, 17)] ?? { ends: 'paid' }

interface StoredOrder {
  readonly state: 'processing' | 'paid' | 'failed' | 'returned' | 'canceled'
  readonly code: BankFailure
  readonly claveRastreo: string
  readonly returnClaveRastreo: string
}

function stateOf(answer: string | null): BankState {
  if (answer === null) return { state: 'not_found' }
  const { state, code, claveRastreo, returnClaveRastreo } = JSON.parse(answer) as StoredOrder
  if (state === 'paid') return { state, claveRastreo }
  if (state === 'failed') return { state, code }
  if (state === 'returned') return { state, code, claveRastreo, returnClaveRastreo }
  return { state }
}

/** The sandbox's bank: one order per reference, reachable only through its own schema. */
export function simulatedBank(call: SimulatorCall): BankRail {
  const ask = async (...[signature, values]: Parameters<SimulatorCall>): Promise<BankState> =>
    call(signature, values).then(stateOf, () => ({ state: 'unknown' as const }))
  return {
    async send(order: BankOrder) {
      const { silent, ...outcome } = outcomeOf(order.clabe)
      const sent = { ...order, amountMinor: order.amountMinor.toString(), ...outcome }
      const answer = await ask('simulator.bank_send(jsonb)', [JSON.stringify(sent)])
      return silent ? { state: 'unknown' } : answer
    },
    fetchOrder: (reference) => ask('simulator.bank_fetch(uuid)', [reference]),
    cancelOrder: (reference) => ask('simulator.bank_cancel(uuid)', [reference]),
  }
}

/**
 * Makes the sandbox's receiving bank refuse an order that is on its way (`failed`), or send back one that was paid
 * (`returned`). An order in another state stays as it is. Returns the order's state.
 */
export const refuseOrder = async (
  call: SimulatorCall,
  reference: string,
  state: 'failed' | 'returned',
): Promise<BankState> =>
  stateOf(await call('simulator.bank_refuse(uuid,text,text)', [reference, state, 'account_closed']))
