import { onFreshRows } from '../../../src/http/publishing.ts'
import { repeatUnconfirmed } from '../../../src/http/scheduled.ts'
import {
  type BackgroundWork,
  type JobRun,
  type SystemCall,
  systemCall,
} from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import type { FraudWarningFacts } from '../../../src/processors/claims.ts'
import { type Offering, offers } from '../../../src/processors/offering.ts'
import type { Processor } from '../../../src/processors/port.ts'
import { processorsOf, tenantOfAttempt } from '../payments/api.ts'
import { fraudOutcome } from './contract-fraud.ts'
import { planFraudWarning } from './plan-fraud.ts'
import { disputedPayment, fraudWarningByRef } from './store.ts'

const plansMax = 10

type Rail = Offering<'fraudWarnings'>

/** The processor notified us about a fraud warning: read it there. */
export async function handleFraudWarning(
  work: BackgroundWork,
  processor: Processor,
  warningRef: string,
): Promise<void> {
  if (!offers(processor, 'fraudWarnings')) return
  const facts = await fetchFacts(processor, warningRef)
  if (!facts) return
  const tenantId = await tenantOfAttempt(work.services, facts.attemptReference)
  if (!tenantId) throw new Fault('a fraud warning of no workspace')
  const { isActionable } = await record(systemCall(work, tenantId), processor, facts)
  await processor.fraudWarnings.confirm?.(warningRef, isActionable)
}

async function fetchFacts({ fraudWarnings }: Rail, warningRef: string): Promise<FraudWarningFacts | null> {
  const facts = await fraudWarnings.fetchFraudWarning(warningRef)
  if (facts === 'unknown') throw new OutcomeUnknown('the processor did not answer about a fraud warning')
  return facts
}

/**
 * Records a warning on fresh rows. A row changes only by what the processor said after it was read, so that its latest
 * answer wins, however slow a Worker is.
 */
const record = (call: SystemCall, rail: Rail, first: FraudWarningFacts): Promise<FraudWarningFacts> =>
  onFreshRows(plansMax, async () => {
    const { warningRef: processorRef, attemptReference: attemptId } = first
    const [[warning = null], [payment]] = await call.read(
      fraudOutcome,
      fraudWarningByRef({ processor: rail.name, processorRef }),
      disputedPayment({ attemptId }),
    )
    if (!payment) throw new Fault('a fraud warning of no payment')
    const facts = warning ? ((await fetchFacts(rail, processorRef)) ?? first) : first
    const clock = clockOf(new Date())
    const plan = planFraudWarning(rail.name, { payment, warning }, facts, clock)
    if (plan) await call.publish(fraudOutcome, plan, clock)
    return facts
  })

/** Scheduled: repeats notifications that a crashed Worker may not have recorded. */
export const syncFraudWarnings = (run: JobRun): Promise<boolean> =>
  repeatUnconfirmed(run, 'fraud_warning_notifications', processorsOf(run.services), {
    railOf: ({ fraudWarnings }) => fraudWarnings,
    handle: (processor, warningRef) => handleFraudWarning(run, processor, warningRef),
  })
