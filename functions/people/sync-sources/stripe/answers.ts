import type { Answer } from '../../../../src/processors/stripe/index.ts'
import { SliceFailed } from '../kinds.ts'

const refusals = {
  key: ['stripe_key_refused', 'Stripe does not know the key: it was deleted, has expired or was mistyped.'],
  right: ['stripe_right_missing', 'The key may not read both customers and events at Stripe.'],
} as const

/** What Stripe answered. @throws SliceFailed when it did not */
export function readOf<Read>(answer: Answer<Read>): Read {
  if (answer.state === 'read') return answer
  if (answer.state === 'refused') {
    const [code, message] = refusals[answer.reason]
    throw new SliceFailed(code, message, { isFinal: true })
  }
  const retryAfterMs = answer.state === 'silent' ? answer.retryAfterMs : 0
  throw new SliceFailed('sync_source_unanswered', 'Stripe does not answer.', { retryAfterMs })
}
