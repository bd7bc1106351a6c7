import type { Method } from '../../kernel/payment-methods.ts'
import type { Charge, ProcessorState } from '../port.ts'

/** One call of a function of the simulator's own schema: the HTTP call that a real processor would be. */
export type SimulatorCall = (
  signature: `simulator.${string}(${string})`,
  values: readonly (string | number | boolean | null)[],
) => Promise<string | null>

/** The simulated processor's part for one kind of payment. It keeps its own references. */
export interface ChargeRail<C extends Charge = Charge> {
  readonly methods: readonly Method[]
  readonly create: (charge: C) => Promise<ProcessorState>
  readonly read: (stored: object) => ProcessorState
}
