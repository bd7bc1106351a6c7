import { fraudWarnings } from '../../../drizzle/schema/fraud-warnings.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan } from '../../../src/kernel/plan.ts'
import type { FraudWarningFacts } from '../../../src/processors/claims.ts'
import { type FraudWarningReply, presentFraudWarning } from './present-fraud.ts'
import type { DisputedPayment, FraudWarningRow } from './store.ts'

export interface FraudWarningContext {
  readonly payment: DisputedPayment
  readonly warning: FraudWarningRow | null
}

/** The changes for the processor's facts, however often they arrive; null when there are none. */
export function planFraudWarning(
  processor: string,
  { payment, warning }: FraudWarningContext,
  { warningRef, fraudType, isActionable: actionable }: FraudWarningFacts,
  { now, newId }: Clock,
): Plan<FraudWarningReply> | null {
  if (warning?.fraudType === fraudType && warning.actionable === actionable) return null
  const reported = { fraudType, actionable, updatedAt: now }
  const row: FraudWarningRow = warning
    ? { ...warning, ...reported }
    : {
        id: newId(),
        paymentId: payment.id,
        attemptId: payment.attemptId,
        processor,
        processorRef: warningRef,
        version: 1,
        createdAt: now,
        ...reported,
      }
  const about = { type: 'fraud_warning', id: row.id }
  const object = presentFraudWarning(row)
  return {
    writes: [warning ? change(fraudWarnings, warning, reported) : insert(fraudWarnings, row)],
    events: [
      warning
        ? event(newId(), 'fraud_warning.updated', about, object, presentFraudWarning(warning))
        : event(newId(), 'fraud_warning.created', about, object),
    ],
    reply: object,
  }
}
