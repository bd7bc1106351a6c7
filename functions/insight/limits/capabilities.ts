import type * as z from 'zod'
import type { MethodStates } from '../../../drizzle/schema/processors.ts'
import { constraints } from '../../../src/generated/errors.ts'
import type { ProblemCode } from '../../../src/http/problems.ts'
import { methods } from '../../../src/kernel/payment-methods.ts'
import type { Processor } from '../../../src/processors/port.ts'
import { missingFor, type PolicyField } from '../../money/payment-policy/api-pure.ts'
import { refusalOfAccount, type SettingsRow } from '../../money/payouts/api-pure.ts'
import type { WorkspaceLimits } from './contract.ts'

type Capability = z.output<typeof WorkspaceLimits>['capabilities'][number]
type Reason = Capability['reasons'][number]

/** The statuses in which the database refuses new rows: a test compares them with its triggers. */
export const refusedWhile = {
  payments: ['pending', 'in_review', 'suspended', 'closed'],
  payouts: ['suspended'],
  transfers: ['suspended'],
} as const

const reason = (code: ProblemCode, source: Reason['source'], until: Date | null = null): Reason => ({
  code,
  source,
  message: null,
  until: until?.toISOString() ?? null,
})

export interface Standing {
  readonly status: string
  /** Whether a processor pays out what it sells. */
  readonly hasOwnAccount: boolean
  readonly processor: Processor | null
  readonly policy: readonly PolicyField[]
  /** What the account that takes the money may take. */
  readonly states: Partial<MethodStates>
  readonly settings: readonly SettingsRow[]
  readonly now: Date
}

/** What the workspace may do now, with the errors that it would meet otherwise. */
export function capabilitiesOf(standing: Standing): Capability[] {
  const { status, hasOwnAccount, processor, policy, states, settings, now } = standing
  const capability = (
    name: Capability['name'],
    reasons: readonly (Reason | false)[],
    of = {},
  ): Capability => {
    const held = (refusedWhile[name] as readonly string[]).includes(status)
    const all = [held && reason(refusalOf(status), 'review'), ...reasons].filter((one) => one !== false)
    return { name, method: null, currency: null, ...of, allowed: all.length === 0, reasons: all }
  }
  const sends = [
    hasOwnAccount && reason('paid_out_by_processor', 'processor_account'),
    !processor?.bank && reason('transfers_not_configured', 'platform'),
  ]
  return [
    ...methods.map((method) => {
      const field = policy.find(({ path }) => path === `methods.${method}.enabled`)
      const isOff = field?.value === false
      const missing = missingFor(method, states)
      return capability(
        'payments',
        [
          !processor && reason('payments_not_configured', 'platform'),
          isOff && reason('payment_method_unavailable', field.level === 'platform' ? 'platform' : 'policy'),
          missing !== null && { ...reason('payment_method_inactive', 'processor_account'), message: missing },
        ],
        { method },
      )
    }),
    ...(settings.length === 0
      ? [capability('payouts', [...sends, reason('payout_settings_missing', 'payout_settings')])]
      : settings.map((row) => {
          const refused = refusalOfAccount(row, now)
          const until = refused === 'payout_account_cooling_down' ? row.coolDownEndsAt : null
          const ofAccount = refused !== null && reason(refused, 'bank_account', until)
          return capability('payouts', [...sends, ofAccount], { currency: row.currency })
        })),
    capability('transfers', sends),
  ]
}

/** What the interface answers where the database refuses a row of a workspace in this status. */
function refusalOf(status: string): ProblemCode {
  const meaning = constraints[`workspace_${status}` as keyof typeof constraints]
  return (meaning as { readonly code: ProblemCode }).code
}
