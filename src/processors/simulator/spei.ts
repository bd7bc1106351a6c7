import type { Deposit, DepositRail, ProcessorState } from '../port.ts'
import { pushRail, type SimulatorCall } from './rail.ts'

interface StoredClabe {
  readonly reference: string
  readonly clabe: string
  readonly state: 'open' | 'canceled'
  readonly merchantName: string
  readonly expiresAt: string
}

function stateOf(lent: StoredClabe): ProcessorState {
  if (lent.state === 'canceled') return { state: 'canceled' }
  const { reference, clabe, merchantName, expiresAt } = lent
  return {
    state: 'pending_customer',
    action: {
      type: 'clabe',
      clabe,
      bankName: 'STP',
      beneficiary: merchantName,
      expiresAt: new Date(expiresAt),
    },
    processorRef: reference,
  }
}

/** SPEI in the sandbox: CLABEs take every transfer, also after they expired or were canceled. */
export const simulatedSpei = (call: SimulatorCall) =>
  pushRail(call, {
    method: 'spei',
    issue: 'simulator.lend_clabe(jsonb)',
    buyers: {
      /** The processor lends it and does not answer in time. */
      timeout_then_lent: 'silent',
      /** The processor refuses to lend one. */
      clabe_refused: 'refused',
    },
    stateOf,
  })

type StoredDeposit = Omit<Deposit, 'amountMinor'> & { readonly amountMinor: string }

const depositFrom = (stored: StoredDeposit): Deposit => ({
  ...stored,
  amountMinor: BigInt(stored.amountMinor),
})

/** What arrived at the simulated processor. It repeats its notifications until the Worker confirms them. */
export const simulatedDeposits = (call: SimulatorCall): DepositRail => ({
  holder: 'merchant',
  async fetchDeposit(depositRef) {
    const stored = await call('simulator.spei_deposit(uuid)', [depositRef])
    return stored === null ? null : depositFrom(JSON.parse(stored))
  },
  async depositsOf(reference) {
    const stored = await call('simulator.spei_deposits_of(uuid)', [reference])
    return (JSON.parse(stored!) as StoredDeposit[]).map(depositFrom)
  },
  async unconfirmed(limit) {
    return JSON.parse((await call('simulator.spei_unconfirmed(int)', [limit]))!) as string[]
  },
  async confirm(depositRef) {
    await call('simulator.spei_confirm(uuid)', [depositRef])
  },
})

/** A transfer as the merchant invents it; it counts only for `account`, the merchant. */
export type Transfer = Omit<Deposit, 'currency' | 'attemptReference'> & { readonly account: string }

/** A transfer arrives: one for each `depositRef`, the first. The same one under two is notified twice. */
export async function arrive(call: SimulatorCall, transfer: Transfer): Promise<Deposit> {
  const sent = { ...transfer, amountMinor: transfer.amountMinor.toString() }
  return depositFrom(JSON.parse((await call('simulator.spei_arrive(jsonb)', [JSON.stringify(sent)]))!))
}
