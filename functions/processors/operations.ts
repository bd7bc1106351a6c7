import { operation } from '../../src/http/operation.ts'
import { publishPlan } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { openSecret, sealSecret } from '../../src/platform/secrets.ts'
import { sealedAbout } from '../payments/published.ts'
import * as contracts from './contract.ts'
import { planReseal, planUpdate, type Sealed } from './plan.ts'
import { presentCredential } from './present.ts'
import { type CredentialRow, credentialById, credentials } from './store.ts'

const seal = async (
  { settings }: Services,
  tenantId: string,
  { secretKey, webhookSecret }: Sealed,
): Promise<Sealed> => ({
  secretKey: await sealSecret(settings, sealedAbout(tenantId, 'secret_key'), secretKey),
  webhookSecret: await sealSecret(settings, sealedAbout(tenantId, 'webhook_secret'), webhookSecret),
})

export const updateCredentials = operation(
  contracts.update,
  async ({ body, settings, services, read, publish, fail, now, newId }) => {
    if (settings.environment === 'live' && !settings.stripe?.merchantAccounts)
      return fail('processor_account_unavailable')
    const { tenant_id: tenantId, secret_key: secretKey, webhook_secret: webhookSecret } = body
    const [rows, sealed] = await Promise.all([
      read(credentials({})),
      seal(services, tenantId, { secretKey, webhookSecret }),
    ])
    const keys = {
      ...sealed,
      processor: body.processor,
      secretKeyLast4: secretKey.slice(-4),
      publishableKey: body.publishable_key,
    }
    const before = rows.find(({ processor }) => processor === body.processor)
    return publish(planUpdate(before, keys, { tenantId, baseUrl: settings.baseUrl, now, newId }))
  },
  ({ body: { processor, secret_key, webhook_secret, publishable_key } }) => ({
    processor,
    secret_key,
    webhook_secret,
    publishable_key,
  }),
)

export const listCredentials = operation(contracts.list, async ({ settings, read }) => ({
  object: 'list' as const,
  data: (await read(credentials({}))).map((row) => presentCredential(row, settings.baseUrl)),
  has_more: false as const,
  next_cursor: '' as const,
}))

const batch = 50

/** Scheduled: brings what is sealed under an older key under the current one, so that the older can be taken away. */
export async function resealCredentials(services: Services, requestId: string, now: Date): Promise<void> {
  const { settings, db } = services
  const { current } = settings.secretsKeys
  const found = await db.call('select door.credentials_to_reseal($1, $2::int)', [current, batch])
  for (const { tenantId, id } of JSON.parse(found ?? '[]') as { tenantId: string; id: string }[]) {
    const credential = { kind: 'system', tenantId } as const
    const { rows } = await db.read(contracts.reseal.id, credential, [credentialById({ id })])
    const kept = await db.call('select door.processor_account($1, $2, $3)', ['stripe', 'tenant', tenantId])
    const row = rows[0]![0] as CredentialRow | undefined
    if (!row || kept === null) continue
    const { secretKey, webhookSecret } = JSON.parse(kept) as Sealed
    const opened = {
      secretKey: await openSecret(settings, sealedAbout(tenantId, 'secret_key'), secretKey),
      webhookSecret: await openSecret(settings, sealedAbout(tenantId, 'webhook_secret'), webhookSecret),
    }
    const plan = planReseal(row, await seal(services, tenantId, opened), now)
    await publishPlan(services, { operation: contracts.reseal.id, credential, requestId, now }, plan)
  }
}
