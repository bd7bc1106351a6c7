import { Problem } from '../../../src/http/problems.ts'
import type { Services } from '../../../src/http/services.ts'
import type { Processor } from '../../../src/processors/port.ts'
import { simulator } from '../../../src/processors/simulator/simulator.ts'
import { stripeOf } from './stripe.ts'

/** The environment's processors: the first takes new payments, and each finishes what it took. */
export function processorsOf(services: Services): readonly Processor[] {
  const { settings, db } = services
  if (settings.environment !== 'live') return [simulator(settings, db.call)]
  const live = stripeOf(services)
  return live ? [live] : []
}

/** The one that takes new payments; null where none is configured. Sandbox has the simulator and nothing else. */
export const processorOf = (services: Services): Processor | null => processorsOf(services)[0] ?? null

/**
 * The processor that took an attempt, made a refund, reported a dispute. No other is asked about it: one that
 * does not know an attempt would close it.
 * @throws Problem where it is no longer configured
 */
export function takerOf(services: Services, { processor: name }: { readonly processor: string }): Processor {
  const taker = processorsOf(services).find((each) => each.name === name)
  if (!taker) throw new Problem('payments_not_configured')
  return taker
}

export function requireProcessor(services: Services): Processor {
  const processor = processorOf(services)
  if (!processor) throw new Problem('payments_not_configured')
  return processor
}
