import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import type { Services } from '../../../src/http/services.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { mintApiKey, obfuscate } from '../../../src/kernel/api-key.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import { hmacHex } from '../../../src/platform/crypto.ts'
import * as contracts from './contract.ts'
import { type Minted, planCreate, planRevoke, planRotate, planSweep, planTransferLimit } from './plan.ts'
import { presentKey, presentLimits } from './present.ts'
import { keyById, keysPage } from './store.ts'

const described = (description: string | undefined) => description?.trim() || contracts.defaultDescription

const createKey = operation(
  contracts.create,
  async ({ body, settings, services, session, publish, fail, newId, now }) => {
    if (body.tenant_environment !== settings.environment) {
      const address = body.tenant_environment === 'live' ? settings.liveBaseUrl : settings.sandboxBaseUrl
      fail('tenant_environment_mismatch', {
        param: 'tenant_environment',
        message: `Keys of the ${body.tenant_environment} environment are made at ${address}.`,
      })
    }
    const [creator, minted] = await Promise.all([session(), mint(services, newId())])
    const key = {
      description: described(body.description),
      environment: settings.environment,
      scopes: body.scopes,
      expiresAt: null,
      rotatedFromId: null,
      transferLimits: {},
    }
    return mailed(services, await publish(planCreate(key, minted, creator, [newId(), newId()], now)))
  },
  ({ body }) => ({
    description: described(body.description),
    environment: body.tenant_environment,
    scopes: [...body.scopes].sort(),
  }),
)

const rotateKey = operation(
  contracts.rotate,
  async ({ params, services, session, read, publish, fail, newId, now }) => {
    const [[key], creator, minted] = await Promise.all([
      read(keyById({ id: params.id })),
      session(),
      mint(services, newId()),
    ])
    if (!key) return fail('api_key_not_found')
    return mailed(services, await publish(planRotate(key, minted, creator, [newId(), newId(), newId()], now)))
  },
  ({ params }) => ({ key_ref_id: params.id }),
)

const revokeKey = operation(
  contracts.revoke,
  async ({ params, services, session, read, publish, fail, newId, now }) => {
    const [[key], revoker] = await Promise.all([read(keyById({ id: params.id })), session()])
    if (!key) return fail('api_key_not_found')
    return mailed(services, await publish(planRevoke(key, revoker, newId(), now)))
  },
  ({ params }) => ({ key_ref_id: params.id }),
)

const listKeys = listOperation(contracts.list, keysPage, presentKey)

const getKey = getOperation(contracts.get, keyById, presentKey)

const setTransferLimit = operation(
  contracts.setTransferLimit,
  async ({ params, body, settings, session, read, publish, fail, newId, now }) => {
    const [[key]] = await Promise.all([read(keyById({ id: params.id })), session()])
    if (!key) return fail('api_key_not_found')
    const { currency, amount } = body
    return publish(planTransferLimit(key, currency, amount, settings.transferLimitPerDayMinor, newId(), now))
  },
  ({ params, body }) => ({ key_ref_id: params.id, currency: body.currency, amount: body.amount }),
)

const listTransferLimits = getOperation(contracts.listTransferLimits, keyById, (key, settings) =>
  presentLimits(key, settings.transferLimitPerDayMinor),
)

/** Has the notice to the owners sent that was published. */
function mailed<Reply>({ sendMails }: Services, reply: Reply): Reply {
  sendMails()
  return reply
}

async function mint({ settings }: Services, id: string): Promise<Minted> {
  const { token, kid } = mintApiKey({ environment: settings.environment })
  const { current, byVersion } = settings.peppers
  const digest = await hmacHex(byVersion[current]!, token)
  return { id, token, kid, digest, pepperVersion: Number(current), obfuscatedValue: obfuscate(token) }
}

/** Scheduled: moves keys that are due. Each key by itself; a failed one is due again at the next run. */
export const sweepKeys = (run: JobRun) =>
  eachDue(run, 'api_keys', async ({ read, publish, now }, id) => {
    const [[key]] = await read(contracts.sweep, keyById({ id }))
    const plan = key && planSweep(key, uuidv7(now.getTime()), now)
    if (plan) await publish(contracts.sweep, plan)
  })

export const operations = [
  createKey,
  rotateKey,
  revokeKey,
  listKeys,
  getKey,
  setTransferLimit,
  listTransferLimits,
]
