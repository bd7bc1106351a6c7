import { operation } from '../../../src/http/operation.ts'
import { getOperation } from '../../../src/http/reads.ts'
import * as contracts from './contract-stripe.ts'
import { planConnect } from './plan-stripe.ts'
import { presentConnection } from './present-stripe.ts'
import { openRunOf, sourceById } from './store.ts'
import { keyMisfit } from './stripe/key.ts'
import { beginning } from './stripe/kind.ts'
import { encryptOf } from './stripe/secrets.ts'
import { connectionById } from './stripe/store.ts'

const setConnection = operation(contracts.set, async (call) => {
  const { params, body, settings, services } = call
  const { id } = params
  const { api_key: apiKey, webhook_secret: webhookSecret } = body
  const [[source], [connection], [open]] = await call.readAll(
    sourceById({ id }),
    connectionById({ id }),
    openRunOf({ sourceId: id }),
  )
  if (!source) return call.fail('sync_source_not_found')
  const misfit = apiKey === undefined ? null : keyMisfit(apiKey, settings.environment)
  if (misfit) return call.fail(misfit, { param: 'api_key' })
  const encrypted = {
    ...(apiKey === undefined ? {} : { apiKey: await encryptOf(services, id, 'api_key', apiKey) }),
    ...(webhookSecret === undefined
      ? {}
      : { webhookSecret: await encryptOf(services, id, 'webhook_secret', webhookSecret) }),
  }
  const { now, newId } = call
  return call.publish(
    planConnect({ source, connection, open }, body, encrypted, {
      baseUrl: settings.baseUrl,
      beginning,
      now,
      newId,
    }),
  )
})

const getConnection = getOperation(
  contracts.get,
  ({ id }) => connectionById({ id }),
  (row, { baseUrl }) => presentConnection(row, baseUrl),
)

export const stripeOperations = [setConnection, getConnection]
