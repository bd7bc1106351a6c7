import { randomUUID } from 'node:crypto'
import { sandboxText } from '../../src/attestation/sandbox.ts'
import { uuidv7 } from '../../src/kernel/ids.ts'
import { base64UrlOf, type Keys, newKeys, pointOf, signed } from './attestation.ts'
import { type Customer, newProof } from './customer.ts'
import { asks, type newPaired } from './devices.ts'
import { call, type Merchant, type Reply } from './merchant.ts'
import { adminSql } from './stack.ts'

export type Paired = Awaited<ReturnType<typeof newPaired>>
export type Attestation = {
  id: string
  status: string
  failure: string | null
  provider: string
  app: string
  environment: string | null
  verified_at: string | null
  expires_at: string | null
  error?: { code: string; param?: string; message: string }
}
export type Challenge = { challenge: string; expires_at: string; error?: { code: string } }
export type PhoneApp = {
  id: string
  status: string
  app: string
  version: number
  error?: { code: string; param?: string }
}

export const app = 'com.example.pos'
export const iosApp = 'TEAM123456.com.example.pos'
const settings = '/v1/tap-to-pay/attestation-settings'
const apps = '/v1/tap-to-pay/apps'

/** A change by a signed-in admin, with a proof for exactly it. */
async function decides<Body>(
  customer: Customer,
  merchant: Merchant,
  {
    method = 'POST',
    path,
    action,
    params,
    body,
  }: { method?: 'POST' | 'PUT'; path: string; action: string; params: object; body: object },
): Promise<Reply<Body>> {
  const key = randomUUID()
  const proof = await newProof(customer, merchant, {
    action,
    scope: 'workspace:write',
    key,
    params: params as never,
  })
  return call<Body>(method, path, {
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { tenant_id: merchant.tenantId, ...body } as never,
  })
}

export const requires = (customer: Customer, merchant: Merchant, required: boolean) =>
  decides<{ required: boolean }>(customer, merchant, {
    ...{ method: 'PUT', path: settings, action: 'attestation_settings.set' },
    ...{ params: { required }, body: { required } },
  })

export const setsApp = (customer: Customer, merchant: Merchant, body: object) =>
  decides<PhoneApp>(customer, merchant, {
    ...{ path: apps, action: 'phone_app.set', body },
    params: { certificate_digests: [], decryption_key: null, verification_key: null, ...body },
  })

export const removesApp = (customer: Customer, merchant: Merchant, id: string) =>
  decides<PhoneApp>(customer, merchant, {
    ...{ path: `${apps}/${id}/remove`, action: 'phone_app.remove' },
    ...{ params: { phone_app_id: id }, body: {} },
  })

/** An app that counts, as it stands in the database. */
export async function newPhoneApp({ tenantId }: Merchant): Promise<{ id: string }> {
  const id = uuidv7(Date.now())
  await adminSql('sandbox')(
    `insert into phone_apps (tenant_id, id, status, platform, app, certificate_digests, created_at, updated_at)
     values ($1, $2, 'active', 'ios', $3, '{}', date_trunc('milliseconds', clock_timestamp()), now())`,
    [tenantId, id, `TEAM123456.com.example.a${randomUUID()}`],
  )
  return { id }
}

export const challengeOf = async ({ credential }: Pick<Paired, 'credential'>) =>
  (await asks<Challenge>(credential, 'POST', '/v1/device/attestation-challenges')).body

export const sends = ({ credential }: Pick<Paired, 'credential'>, body: object) =>
  asks<Attestation>(credential, 'POST', '/v1/device/attestations', body)

/** What a phone of the sandbox sends: a key of its own, its challenge and its signature. */
export async function sandboxBody(challenge: string, more: { outcome?: string; keys?: Keys } = {}) {
  const keys = more.keys ?? (await newKeys())
  const said = { challenge, app, outcome: (more.outcome ?? 'genuine') as 'genuine' }
  return {
    ...said,
    provider: 'sandbox',
    key: base64UrlOf(await pointOf(keys)),
    statement: await signed(keys, sandboxText(said)),
  }
}

/** A phone of the sandbox asks for a challenge and attests itself. */
export const attests = async (
  phone: Pick<Paired, 'credential'>,
  more: { outcome?: string; keys?: Keys } = {},
) => sends(phone, await sandboxBody((await challengeOf(phone)).challenge, more))
