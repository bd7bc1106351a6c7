import { platformLevel } from '../../../functions/money/payment-policy/platform.ts'
import type { PolicySettings } from '../../../functions/money/payment-policy/policy.ts'
import type { Settings } from '../../../src/env/settings.ts'
import type { Method } from '../../../src/kernel/payment-methods.ts'
import { schedule } from '../payments/samples.ts'

/** The platform's level under a configuration, where the processor offers these methods at the samples' schedule. */
export const policyOf = (methods: readonly Method[], configured: object = {}): PolicySettings =>
  platformLevel({ paymentPolicy: JSON.stringify(configured) } as Settings, methods, [schedule])
