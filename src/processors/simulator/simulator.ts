import type { Settings } from '../../env/settings.ts'
import type { Method } from '../../kernel/payment-methods.ts'
import type { Charge, Processor, ProcessorState } from '../port.ts'
import { simulatedBank } from './bank.ts'
import { describeCard, simulatedCards, termsOfBin } from './card.ts'
import { simulatedDisputes } from './disputes.ts'
import { simulatedFraudWarnings } from './fraud-warnings.ts'
import { simulatorMethods } from './methods.ts'
import { simulatedOxxo } from './oxxo.ts'
import { type ChargeRail, refused, type SimulatorCall } from './rail.ts'
import { simulatedRefunds } from './refunds.ts'
import { simulatedDeposits, simulatedSpei } from './spei.ts'

/** The sandbox's processor: deterministic by token, one charge per reference, reachable only through its own schema. */
export function simulator({ baseUrl }: Settings, call: SimulatorCall): Processor {
  const cards = simulatedCards(baseUrl, call)
  const rails = [cards, simulatedOxxo(call), simulatedSpei(call)] as readonly ChargeRail<never>[]
  return {
    name: 'simulator',
    methods: simulatorMethods,
    describe: async (token) => describeCard(token),
    termsOfBin,
    createAttempt: (charge: Charge) => {
      const rail = rails.find(({ methods }) => methods.includes(charge.method)) as ChargeRail | undefined
      return rail ? unknownOnFailure(rail.create(charge)) : Promise.resolve(refused)
    },
    fetchAttempt: (reference) =>
      unknownOnFailure(answerOf(call, rails, 'simulator.fetch_any(uuid)', reference)),
    cancel: (reference) => unknownOnFailure(answerOf(call, rails, 'simulator.cancel_any(uuid)', reference)),
    capture: (reference, amountMinor) => unknownOnFailure(cards.capture(reference, amountMinor)),
    bank: simulatedBank(call),
    inPerson: {
      hasTerms: true,
      needsRegistration: false,
      present: (charge) => unknownOnFailure(cards.present(charge)),
      forward: (charge) => unknownOnFailure(cards.forward(charge)),
      register: async (order) => (await import('./reader.ts')).simulatedReader(order),
      show: async () => ({ state: 'shown' }),
      ask: async (question) => (await import('./reader.ts')).simulatedAnswers(question),
    },
    refunds: simulatedRefunds(call),
    deposits: simulatedDeposits(call),
    disputes: simulatedDisputes(call),
    fraudWarnings: simulatedFraudWarnings(call),
  }
}

/** The answer of the rail that has the reference, in one call like a real processor's. */
async function answerOf(
  call: SimulatorCall,
  rails: readonly ChargeRail<never>[],
  what: 'simulator.fetch_any(uuid)' | 'simulator.cancel_any(uuid)',
  reference: string,
): Promise<ProcessorState> {
  const answer = await call(what, [reference])
  if (answer === null) return { state: 'not_found' }
  const { method, stored } = JSON.parse(answer) as { method: Method; stored: object }
  return rails.find(({ methods }) => methods.includes(method))!.read(stored)
}

const unknownOnFailure = (work: Promise<ProcessorState>): Promise<ProcessorState> =>
  work.catch(() => ({ state: 'unknown' as const }))
