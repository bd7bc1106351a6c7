import type { Operation } from '../../src/http/operation.ts'
import { operation } from '../../src/http/operation.ts'
import { Problem } from '../../src/http/problems.ts'
import type { Services } from '../../src/http/services.ts'
import type { Environment } from '../../src/kernel/api-key.ts'
import { encryptSecret } from '../../src/platform/encryption.ts'
import { secretContext, stripeAccountFacts } from '../payments/api.ts'
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
const whoseKeys = (services: Services, secretKey: string) =>
  stripeAccountFacts(services.settings, secretKey).catch((cause: unknown) => {
    throw new Problem('outcome_unknown', {}, { cause })
  })

/** The first key whose form is not one of this environment's mode: https://docs.stripe.com/keys. */
function keyOfOtherMode(environment: Environment, keys: Readonly<Record<keyof typeof forms.live, string>>) {
  return Object.entries(forms[environment]).find(
    ([name, form]) => !form.test(keys[name as keyof typeof keys]),
  )?.[0]
}

const forms = {
  live: { secret_key: /^[sr]k_live_/, publishable_key: /^pk_live_/, webhook_secret: /^whsec_/ },
  sandbox: { secret_key: /^[sr]k_test_/, publishable_key: /^pk_test_/, webhook_secret: /^whsec_/ },
} as const

const updateCredentials = operation(
  contracts.update,
  async ({ body, settings, services, read, publish, fail, now, newId }) => {
    if (settings.environment === 'live' && !settings.stripe?.merchantAccounts)
      return fail('processor_account_unavailable')
    const { tenant_id: tenantId, secret_key: secretKey, webhook_secret: webhookSecret } = body
    const wrong = keyOfOtherMode(settings.environment, body)
    if (wrong) return fail('processor_keys_of_other_mode', { param: wrong })
    const rows = await read(credentials({}))
    const facts = await whoseKeys(services, secretKey)
    if (facts === 'refused') return fail('processor_keys_refused', { param: 'secret_key' })
    if (facts && !facts.livemode) return fail('processor_keys_of_other_mode', { param: 'secret_key' })
    if (facts && (!facts.chargesEnabled || (facts.country ?? 'MX') !== 'MX'))
      return fail('processor_account_unfit', { param: 'secret_key' })
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
