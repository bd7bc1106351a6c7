import type { Charge, Method, ProcessorState } from '../port.ts'

/** One SQL call to the simulator's own schema: the HTTP call that a real processor would be. */
export type SimulatorCall = (text: string, values: readonly unknown[]) => Promise<string | null>

/** The part of the simulated processor that one kind of payment goes through. It keeps its references by itself. */
export interface ChargeRail<C extends Charge = Charge> {
  readonly methods: readonly Method[]
  readonly create: (charge: C) => Promise<ProcessorState>
  /** SQL for this rail's record of the reference in $1; null when it is not of this rail. */
  readonly fetchSql: string
  /** The same, ended. The card rail closes what nobody knows. */
  readonly cancelSql: string
  readonly read: (stored: object) => ProcessorState
}
