import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createApiKey, openAccount, openWorkspace } from '../../local/merchant.ts'
import { migrate } from '../../local/migrate.ts'
import { leftUnderPeppers } from '../../local/reencrypt.ts'
import { newCustomer, newEmail } from '../support/customer.ts'
import { asks, newCode, newDevice, newPaired } from '../support/devices.ts'
import { call, newLink, newMerchant, openLink, pay } from '../support/merchant.ts'
import { adminSql, control, ownerSql, proofOf, stack } from '../support/stack.ts'

/* SIGNING_SECRETS, API_KEY_PEPPERS and DOOR_SECRETS, changed step by step as the README instructs operators. */

afterAll(() => control.reconfigure('sandbox'))

const [old, anew] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const firstPepper = (JSON.parse(stack.sandbox.apiKeyPeppers) as Record<string, string>)['1']!

const give = (step: (first: string) => Record<string, string>) =>
  control.reconfigure('sandbox', {
    vars: { SIGNING_SECRETS: JSON.stringify(step(old)), API_KEY_PEPPERS: JSON.stringify(step(firstPepper)) },
  })
const steps = {
  known: (first: string) => ({ current: '1', 1: first, 2: anew }),
  seals: (first: string) => ({ 1: first, 2: anew }),
  alone: () => ({ 2: anew }),
}

type List = { data: { id: string }[]; next_cursor: string; error?: { code: string } }

test('cursors, open pages, Idempotency-Keys and API keys survive a rotation; without the old versions, new ones work', async () => {
  await give((first) => ({ 1: first }))
  const merchant = await newMerchant()
  const { apiKey: creating } = await newMerchant()
  const links = [await newLink(merchant), await newLink(merchant), await newLink(merchant)]
  const page = (cursor?: string, bearer = merchant.apiKey) =>
    call<List>('GET', `/v1/payment-links?limit=1${cursor ? `&cursor=${cursor}` : ''}`, { bearer })
  const create = async (key: string) => {
    const headers = { 'idempotency-key': key }
    const body = { manual_amount: 120_000, currency: 'mxn' }
    const reply = await call('POST', '/v1/payment-links', { bearer: creating, headers, body })
    return [reply.status, reply.body.id, reply.headers.get('idempotent-replayed')]
  }
  const [, early] = await create('before it')
  const opened = { first: (await page()).body.next_cursor, form: await openLink(links[0]!.public_id) }

  await give(steps.known)
  expect((await page(opened.first)).body.data[0]!.id).toBe(links[1]!.id)
  await give(steps.seals)
  const [, late] = await create('while both are known')
  expect(await create('before it')).toEqual([201, early, 'true'])
  const second = await page(opened.first)
  expect(second.body.data[0]!.id).toBe(links[1]!.id)
  expect((await page(second.body.next_cursor)).body.data[0]!.id).toBe(links[0]!.id)
  expect((await pay(links[0]!.public_id, opened.form, 'tok_sbx_approve')).status).toBe(303)

  const account = await openAccount(stack.sandbox.directUrl, 'Ana', newEmail())
  const tenantId = await openWorkspace(stack.sandbox.directUrl, account, 'Café Azul')
  const order = {
    tenantId,
    environment: 'sandbox' as const,
    description: 'Tour',
    scopes: ['payment_links:read'],
  }
  const apiKey = await createApiKey(stack.sandbox.directUrl, account, order)
  const versions = `select pepper_version as version from api_keys where tenant_id = any($1) order by 1`
  expect(await adminSql('sandbox')(versions, [[merchant.tenantId, tenantId]])).toEqual([
    { version: 1 },
    { version: 2 },
  ])

  await give(steps.alone)
  expect((await page(undefined, apiKey)).status).toBe(200)
  const refused = await page()
  expect([refused.status, refused.body.error?.code]).toEqual([401, 'api_key_invalid'])
  await give((first) => (first === old ? steps.alone() : steps.seals(first)))
  expect((await page(second.body.next_cursor)).status).toBe(200)
  expect(await create('while both are known')).toEqual([201, late, 'true'])
  const tooLate = await page(opened.first)
  expect([tooLate.status, tooLate.body.error?.code]).toEqual([400, 'cursor_invalid'])
})

test('what peppers keep open is counted by version: keys, credentials of paired devices, codes', async () => {
  await give((first) => ({ 1: first }))
  /** What is left under a version, by table: other files of this stack have made some. */
  const counts = async (version: number) => {
    const lines = await leftUnderPeppers(ownerSql('sandbox'))
    const parts = lines
      .find((line) => line.startsWith(`version ${version} of API_KEY_PEPPERS`))
      ?.split(/[:,] /)
    const of = (table: string) =>
      Number(parts?.find((part) => part.endsWith(` of ${table}`))?.split(' ')[0] ?? 0)
    return [of('api_keys'), of('device_credentials'), of('device_pairing_codes')]
  }
  const since = (now: number[], before: number[]) => now.map((count, at) => count - before[at]!)
  const [first, second] = [await counts(1), await counts(2)]
  const merchant = await newMerchant()
  const { credential, id } = await newPaired(merchant)
  expect(since(await counts(1), first)).toEqual([expect.any(Number), 1, 0])
  await newCode(merchant, await newDevice(merchant))
  const [keys] = since(await counts(1), first)
  expect(keys).toBeGreaterThan(0)
  expect(since(await counts(1), first)).toEqual([keys, 1, 1])
  await give(steps.seals)
  const rotated = await asks(credential, 'POST', '/v1/device/rotate-credential', {})
  expect(rotated.status).toBe(200)
  // The old one opens for some more time, then it is not counted any more; nor is anything of a device that is unpaired.
  expect(since(await counts(1), first)).toEqual([keys, 1, 1])
  await adminSql('sandbox')(
    'update device_credentials set ends_at = now() where tenant_id = $1 and ends_at is not null',
    [merchant.tenantId],
  )
  expect(since(await counts(1), first)).toEqual([keys, 0, 1])
  expect(since(await counts(2), second)).toEqual([0, 1, 0])
  expect((await asks(merchant.apiKey, 'POST', `/v1/terminal/readers/${id}/unpair`)).status).toBe(200)
  expect(since(await counts(2), second)).toEqual([0, 0, 0])
})

test('the database accepts the Worker by both secrets while DOOR_SECRETS change, and only by the new one afterwards', async () => {
  const first = proofOf('sandbox')
  const url = stack.databases.sandbox.ownerUrl
  const told = (secrets: Record<string, string>) =>
    migrate({ url, target: 'sandbox', doorSecrets: JSON.stringify(secrets) })
  const has = (secrets: Record<string, string>) =>
    control.reconfigure('sandbox', { vars: { DOOR_SECRETS: JSON.stringify(secrets) } })
  const { token: bearer } = await newCustomer()
  const statuses: number[] = []
  const ask = async () => statuses.push((await call('GET', '/v1/workspaces', { bearer })).status)
  try {
    await told(steps.known(first))
    await has(steps.known(first))
    await ask()
    await has(steps.seals(first))
    await ask()
    await told(steps.alone())
    await ask()
    await has({ 1: first })
    await ask()
  } finally {
    await told({ 1: first })
    await control.reconfigure('sandbox')
  }
  await ask()
  expect(statuses).toEqual([200, 200, 200, 503, 200])
})
