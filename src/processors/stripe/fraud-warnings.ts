import type Stripe from 'stripe'
import type { FraudWarningFacts } from '../claims.ts'
import { isMissing, ofMode, readTimeoutMs } from './client.ts'
import { attemptKey } from './params.ts'

/** https://docs.stripe.com/api/radar/early_fraud_warnings/object */
export async function fetchFraudWarning(
  stripe: Stripe,
  warningRef: string,
): Promise<FraudWarningFacts | null> {
  try {
    const warning = ofMode(
      stripe,
      await stripe.radar.earlyFraudWarnings.retrieve(
        warningRef,
        { expand: ['payment_intent'] },
        { timeout: readTimeoutMs },
      ),
    )
    const { id, payment_intent: intent, fraud_type: fraudType, actionable: isActionable } = warning
    const attemptReference = typeof intent === 'object' ? intent?.metadata[attemptKey] : undefined
    return attemptReference ? { warningRef: id, attemptReference, fraudType, isActionable } : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
