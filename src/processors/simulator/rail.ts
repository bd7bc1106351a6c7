import type { Method, PushMethod } from '../../kernel/payment-methods.ts'
import type { Charge, ProcessorState, PushCharge } from '../port.ts'

/** The processor refuses, for good. */
export const refused = {
  state: 'declined',
  code: 'processing_error',
  category: 'hard',
  card: null,
} as const satisfies ProcessorState

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

interface PushRail<Stored> {
  readonly method: PushMethod
  /** The simulator's function that issues a voucher or lends a CLABE. */
  readonly issue: `simulator.${string}(jsonb)`
  /** The outcome by the buyer's e-mail address, before its @; any other one waits to be paid. */
  readonly buyers: Readonly<Record<string, 'silent' | 'mismatch' | 'refused'>>
  readonly stateOf: (stored: Stored) => ProcessorState
}

/** What the buyer pays later: a voucher or a CLABE. */
export const pushRail = <Stored extends object>(
  call: SimulatorCall,
  { method, issue, buyers, stateOf }: PushRail<Stored>,
): ChargeRail<PushCharge> => ({
  methods: [method],
  async create({ reference, amountMinor, currency, merchantName, expiresAt, buyer }) {
    const trick = buyers[buyer.email.split('@')[0]!]
    if (trick === 'refused') return refused
    const wanted = {
      reference,
      amountMinor: amountMinor.toString(),
      reportedMinor: (trick === 'mismatch' ? amountMinor + 1n : amountMinor).toString(),
      currency,
      merchantName,
      expiresAt: expiresAt.toISOString(),
    }
    const stored = parsed<Stored>(await call(issue, [JSON.stringify(wanted)]))
    if (trick === 'silent') return { state: 'unknown' }
    return stored ? stateOf(stored) : { state: 'not_found' }
  },
  read: (stored) => stateOf(stored as Stored),
})

export const parsed = <Stored>(answer: string | null): Stored | null =>
  answer === null ? null : JSON.parse(answer)
