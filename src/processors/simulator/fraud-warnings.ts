import type { FraudWarningFacts, FraudWarningRail } from '../claims.ts'
import type { SimulatorCall } from './rail.ts'

/** The sandbox's fraud warnings, reachable only through the simulator's schema. */
export const simulatedFraudWarnings = (call: SimulatorCall): FraudWarningRail => ({
  fetchFraudWarning: (warningRef) =>
    call('simulator.fetch_fraud_warning(text)', [warningRef]).then(
      (answer) => JSON.parse(answer ?? 'null') as FraudWarningFacts | null,
      () => 'unknown' as const,
    ),
  unconfirmed: async (limit) =>
    JSON.parse((await call('simulator.unconfirmed_fraud_warnings(integer)', [limit])) ?? '[]'),
  confirm: async (warningRef, isActionable) => {
    await call('simulator.confirm_fraud_warning(text,boolean)', [warningRef, isActionable])
  },
})

/** A bank reports a charge as fraud. The same reference again is the same warning. False where no money was taken. */
export const reportFraud = async (
  call: SimulatorCall,
  warning: { warningRef: string; attemptReference: string; fraudType: string },
): Promise<boolean> =>
  (await call('simulator.report_fraud(text,uuid,text)', [
    warning.warningRef,
    warning.attemptReference,
    warning.fraudType,
  ])) !== null
