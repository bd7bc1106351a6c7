import { terminalConfigurations } from '../../../drizzle/schema/terminal-configurations.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, named, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { presentedMethod } from '../../../src/kernel/payment-methods.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import type { FeeSchedule } from '../../money/payments/api-pure.ts'
import type * as contracts from './contract.ts'
import { presentConfiguration } from './present.ts'
import type { ConfigurationRow } from './store.ts'

const { created, changed } = changesOf(terminalConfigurations, 'terminal_configuration', presentConfiguration)

type Offline = BodyOf<typeof contracts.create>['offline']

const offlineRow = ({ enabled, currency, amount_max, stored_amount_max, stored_hours_max }: Offline) => ({
  offlineEnabled: enabled,
  currency,
  amountMaxMinor: BigInt(amount_max),
  storedAmountMaxMinor: BigInt(stored_amount_max),
  storedHoursMax: stored_hours_max,
})

/** Whether a processor takes what was stored, and the fees of its currency. */
interface Taken {
  readonly forwards: boolean
  readonly schedule: FeeSchedule | null
}

/** Where nothing takes what was stored, a reader that stores it would lose it. */
function unforwarded(offline: Offline | undefined, { forwards, schedule }: Taken) {
  if (!offline?.enabled) return null
  if (!forwards)
    return refuse('payment_method_unavailable', {
      param: 'offline.enabled',
      message: 'No processor takes here what a reader has stored.',
    })
  return schedule?.[presentedMethod]
    ? null
    : refuse('currency_unsupported', {
        param: 'offline.currency',
        message: `No device takes payments in ${offline.currency}.`,
      })
}

export function planCreate(
  { offline, ...asked }: BodyOf<typeof contracts.create>,
  taken: Taken,
  clock: Clock,
) {
  const refusal = unforwarded(offline, taken)
  if (refusal) return refusal
  const row: ConfigurationRow = { ...newRow(clock), ...asked, ...offlineRow(offline), status: 'active' }
  return created(row, 'terminal_configuration.created', clock)
}

export function planUpdate(
  row: ConfigurationRow,
  { offline, ...asked }: BodyOf<typeof contracts.update>,
  taken: Taken,
  clock: Clock,
) {
  if (row.status === 'archived') return refuse('terminal_configuration_archived')
  const refusal = unforwarded(offline, taken)
  const set = { ...named(asked), ...(offline ? offlineRow(offline) : {}) }
  return refusal ?? changed(row, set, 'terminal_configuration.updated', clock)
}

export const planArchive = (row: ConfigurationRow, clock: Clock) =>
  row.status === 'archived'
    ? refuse('terminal_configuration_archived')
    : changed(row, { status: 'archived' }, 'terminal_configuration.archived', clock)
