import { areaLimits } from '../../src/generated/limits.ts'
import { operation } from '../../src/http/operation.ts'
import { keyByKid } from '../api-keys/api.ts'
import { dailySpendOf } from '../bank-orders/api.ts'
import { currentPolicy, fieldsNow, statesNow } from '../payment-policy/api.ts'
import { currentSchedules, processorOf } from '../payments/api.ts'
import { settingsOf } from '../payouts/api.ts'
import { ownAccountOf } from '../processors/api.ts'
import { endpointIds } from '../webhooks/api.ts'
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
