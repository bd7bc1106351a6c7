import type { Charge, Method, ProcessorState } from '../port.ts'

/** One SQL call to the simulator's own schema: the HTTP call that a real processor would be. */
export type SimulatorCall = (text: string, values: readonly unknown[]) => Promise<string | null>

/** The part of the simulated processor that one kind of payment goes through. It keeps its references by itself. */
export interface ChargeRail<C extends Charge = Charge> {
  readonly methods: readonly Method[]
  readonly create: (charge: C) => Promise<ProcessorState>
  /** `not_found` when the reference is not of this rail. */
  readonly fetch: (reference: string) => Promise<ProcessorState>
  /** `not_found` when the reference is not of this rail; the card rail closes what nobody knows. */
  readonly cancel: (reference: string) => Promise<ProcessorState>
}
