import type { Settings } from '../../env.ts'
import type { Charge, Processor, ProcessorState } from '../port.ts'
import { simulatedBank } from './bank.ts'
import { describeCard, simulatedCards } from './card.ts'
import { simulatedDisputes } from './disputes.ts'
import { simulatedOxxo } from './oxxo.ts'
import type { ChargeRail, SimulatorCall } from './rail.ts'
import { simulatedRefunds } from './refunds.ts'
import { simulatedDeposits, simulatedSpei } from './spei.ts'

/** The sandbox's processor: deterministic by token, one charge per reference, reachable only through its own schema. */
export function simulator({ baseUrl }: Settings, call: SimulatorCall): Processor {
  const cards = simulatedCards(baseUrl, call)
  const rails = [cards, simulatedOxxo(call), simulatedSpei(call)] as readonly ChargeRail<never>[]
  return {
    name: 'simulator',
    methods: rails.flatMap(({ methods }) => methods),
    describe: async (token) => describeCard(token),
    createAttempt: (charge: Charge) => {
      const rail = rails.find(({ methods }) => methods.includes(charge.method)) as ChargeRail | undefined
      return rail
        ? unknownOnFailure(rail.create(charge))
        : Promise.resolve({ state: 'declined', code: 'processing_error', category: 'hard', card: null })
    },
    fetchAttempt: (reference) => unknownOnFailure(known(rails, (rail) => rail.fetch(reference))),
    // Cards come last: they close a reference that no rail knows.
    cancel: (reference) => unknownOnFailure(known([...rails].reverse(), (rail) => rail.cancel(reference))),
    capture: (reference, amountMinor) => unknownOnFailure(cards.capture(reference, amountMinor)),
    bank: simulatedBank(call),
    refunds: simulatedRefunds(call),
    deposits: simulatedDeposits(call),
    disputes: simulatedDisputes(call),
  }
}

/** The answer of the rail that has the reference. */
async function known(
  rails: readonly ChargeRail<never>[],
  ask: (rail: ChargeRail<never>) => Promise<ProcessorState>,
): Promise<ProcessorState> {
  let answer: ProcessorState = { state: 'not_found' }
  for (const rail of rails) {
    answer = await ask(rail)
    if (answer.state !== 'not_found') break
  }
  return answer
}

const unknownOnFailure = (work: Promise<ProcessorState>): Promise<ProcessorState> =>
  work.catch(() => ({ state: 'unknown' as const }))
