import { areaLimits } from '../../../src/generated/limits.ts'
import { operation } from '../../../src/http/operation.ts'
import { keyByKid } from '../../account/api-keys/api.ts'
import { endpointIds } from '../../developer/webhooks/api.ts'
import { dailySpendOf } from '../../money/bank-orders/api.ts'
import { currentPolicy, fieldsNow, statesNow } from '../../money/payment-policy/api.ts'
import { currentSchedules, processorOf } from '../../money/payments/api.ts'
import { settingsOf } from '../../money/payouts/api.ts'
import { ownAccountOf } from '../../money/processors/api.ts'
import { capabilitiesOf } from './capabilities.ts'
import * as contracts from './contract.ts'
import { limitsOf } from './limits.ts'
import { standingOf } from './store.ts'

const getLimits = operation(contracts.get, async ({ kid, readAll, services, settings, now }) => {
  const [[standing], [key], transfers, refunds, payoutSettings, [levels], endpoints, [own]] = await readAll(
    standingOf(),
    keyByKid({ kid }),
    dailySpendOf({ kid, kind: 'transfers' }),
    dailySpendOf({ kid, kind: 'refunds' }),
    settingsOf(),
    currentPolicy(),
    endpointIds({ rows: areaLimits.webhook_endpoints[0] }),
    ownAccountOf(),
  )
  const { status } = standing!
  const policy = fieldsNow(services, now, levels!)
  const processor = processorOf(services)
  const schedules = currentSchedules(settings, now)
  return {
    object: 'workspace_limits' as const,
    status,
    capabilities: capabilitiesOf({
      status,
      hasOwnAccount: own !== undefined,
      processor,
      policy,
      states: statesNow(services, levels!),
      settings: payoutSettings,
      now,
    }),
    limits: limitsOf({
      settings,
      now,
      policy,
      schedules,
      key: key!,
      sums: { transfers, refunds },
      payoutSettings,
      counted: { webhook_endpoints: endpoints.length },
    }),
  }
})

export const operations = [getLimits]
