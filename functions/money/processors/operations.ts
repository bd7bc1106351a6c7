import type { Operation } from '../../../src/http/operation.ts'
import { operation } from '../../../src/http/operation.ts'
import { Problem } from '../../../src/http/problems.ts'
import type { Services } from '../../../src/http/services.ts'
import type { Environment } from '../../../src/kernel/api-key.ts'
import { isStripeKey } from '../../../src/kernel/stripe-keys.ts'
import { encryptSecret } from '../../../src/platform/encryption.ts'
import { secretContext, stripeAccountFacts, stripeKeyPair } from '../payments/api.ts'
import * as contracts from './contract.ts'
import { type AccountSecrets, accountAmong, planUpdate } from './plan.ts'
import { presentCredential } from './present.ts'
import { credentials } from './store.ts'

const encrypt = async (
  { settings }: Services,
  accountId: string,
  { secretKey, webhookSecret }: AccountSecrets,
): Promise<AccountSecrets> => ({
  secretKey: await encryptSecret(settings.secretsKeys, secretContext(accountId, 'secret_key'), secretKey),
  webhookSecret: await encryptSecret(
    settings.secretsKeys,
    secretContext(accountId, 'webhook_secret'),
    webhookSecret,
  ),
})

/** @throws Problem when the processor does not answer: nothing was changed, and the request may be repeated */
const answered = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((cause: unknown) => {
    throw new Problem('outcome_unknown', {}, { cause })
  })

const roles = { secret_key: 'secret', publishable_key: 'publishable', webhook_secret: 'signing' } as const
type Keys = Readonly<Record<keyof typeof roles, string>>

/** The first key that is not one of this environment's mode. */
const keyOfOtherMode = (environment: Environment, keys: Keys) =>
  Object.keys(roles).find((name) => {
    const field = name as keyof Keys
    return !isStripeKey(keys[field], roles[field], environment)
  })

type Facts = Exclude<Awaited<ReturnType<typeof stripeAccountFacts>>, 'refused'>
type Refusal = readonly [code: (typeof contracts.update)['errors'][number], param: keyof Keys]

/** What the account of these keys may do, or why they are not taken; null where there is no processor to ask. */
async function accountOf({ settings }: Services, keys: Keys): Promise<{ facts: Facts } | Refusal> {
  const { secret_key: secretKey, publishable_key: publishableKey } = keys
  const facts = await answered(stripeAccountFacts(settings, secretKey))
  if (facts === null) return { facts }
  if (facts === 'refused') return ['processor_keys_refused', 'secret_key']
  if (!facts.livemode) return ['processor_keys_of_other_mode', 'secret_key']
  if (!facts.chargesEnabled || (facts.country ?? 'MX') !== 'MX')
    return ['processor_account_unfit', 'secret_key']
  switch (await answered(stripeKeyPair(settings, { secretKey, publishableKey }))) {
    case 'secret_refused':
      return ['processor_keys_refused', 'secret_key']
    case 'publishable_refused':
      return ['processor_keys_refused', 'publishable_key']
    case 'two_accounts':
      return ['processor_keys_of_two_accounts', 'publishable_key']
    default:
      return { facts }
  }
}

const updateCredentials = operation(
  contracts.update,
  async ({ body, settings, services, read, publish, fail, now, newId }) => {
    const rows = await read(credentials({}))
    if (settings.environment === 'live' && !settings.stripe?.merchantAccounts)
      return fail('processor_account_unavailable')
    const { tenant_id: tenantId, secret_key: secretKey, webhook_secret: webhookSecret } = body
    const wrong = keyOfOtherMode(settings.environment, body)
    if (wrong) return fail('processor_keys_of_other_mode', { param: wrong })
    const found = await accountOf(services, body)
    if ('length' in found) return fail(found[0], { param: found[1] })
    const { facts } = found
    const account = accountAmong(rows, body.processor, facts?.accountRef ?? null, newId)
    const keys = {
      ...(await encrypt(services, account.id, { secretKey, webhookSecret })),
      processor: body.processor,
      methods: facts?.methods ?? null,
      secretKeyLast4: secretKey.slice(-4),
      publishableKey: body.publishable_key,
    }
    return publish(planUpdate(account, keys, { tenantId, baseUrl: settings.baseUrl, now, newId }))
  },
  ({ body: { processor, secret_key, webhook_secret, publishable_key } }) => ({
    processor,
    secret_key,
    webhook_secret,
    publishable_key,
  }),
)

const listCredentials = operation(contracts.list, async ({ settings, read }) => ({
  object: 'list' as const,
  data: (await read(credentials({}))).map((row) => presentCredential(row, settings.baseUrl)),
  has_more: false as const,
  next_cursor: '' as const,
}))

export const operations: readonly Operation[] = [updateCredentials, listCredentials]
