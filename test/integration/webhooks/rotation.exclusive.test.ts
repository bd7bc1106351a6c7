import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Query, reencryptAll } from '../../../local/reencrypt.ts'
import { newLink, newMerchant } from '../../support/merchant.ts'
import {
  type Issued,
  newEndpoint,
  type Received,
  type Receiver,
  startReceiver,
} from '../../support/receiver.ts'
import { adminSql, control, ownerSql } from '../../support/stack.ts'
import { act, arrived, newPath } from './story.ts'

const sql = adminSql('sandbox')
const [keyOne, keyTwo] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const withKeys = (secretsKeys: Record<string, string>) =>
  control.reconfigure('sandbox', { vars: { SECRETS_KEYS: JSON.stringify(secretsKeys) } })

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await control.reconfigure('sandbox')
})

const encryptedUnder = async (tenantIds: readonly string[]) =>
  Object.fromEntries(
    (
      await sql<{ key: string; n: number }>(
        `select split_part(ciphertext, '.', 1) as key, count(*)::int n from webhook_secrets
         where tenant_id = any($1) group by 1`,
        [tenantIds],
      )
    ).map(({ key, n }) => [key, n]),
  )

const verifies = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

test('secrets follow a rotated key, batch by batch; without the old key every one of them still signs', async () => {
  await withKeys({ 1: keyOne })
  const merchants = await Promise.all([newMerchant(), newMerchant(), newMerchant()])
  const endpoints = (
    await Promise.all(
      merchants.map(async (merchant) => {
        const made = []
        for (let n = 0; n < 40; n++) {
          const path = newPath()
          const { id, secret } = await newEndpoint(merchant, receiver.url + path, ['payment_link.created'])
          made.push({ merchant, id, path, secrets: [secret] })
        }
        return made
      }),
    )
  ).flat()
  // One endpoint signs with two secrets, one secret is broken for good, one is over.
  const [doubled, broken] = [endpoints[0]!, endpoints[1]!]
  const rotated = await act<Issued>(doubled.merchant, `endpoints/${doubled.id}/rotate-secret`, {})
  doubled.secrets.push(rotated.body.one_time_value!)
  const gone = await act<Issued>(doubled.merchant, `endpoints/${doubled.id}/rotate-secret`, {
    previous_secret_hours: 24,
  })
  doubled.secrets.push(gone.body.one_time_value!)
  await sql(
    `update webhook_secrets set expires_at = now() - interval '1 hour'
     where endpoint_id = $1 and created_at = (select min(created_at) from webhook_secrets where endpoint_id = $1)`,
    [doubled.id],
  )
  doubled.secrets.shift()
  await sql(`update webhook_secrets set ciphertext = '1.AAAA' where endpoint_id = $1`, [broken.id])
  const tenants = merchants.map(({ tenantId }) => tenantId)
  expect(await encryptedUnder(tenants)).toEqual({ 1: 122 })

  const keys = { 1: keyOne, 2: keyTwo }
  await withKeys(keys)
  let batches = 0
  const cut: Query = async (text, values) => {
    if (text.includes('update webhook_secrets') && ++batches === 2) throw new Error('the connection was lost')
    return ownerSql('sandbox')(text, values)
  }
  const run = (query: Query) => reencryptAll(query, 'SECRETS_KEYS', { current: '2', byVersion: keys })
  await expect(run(cut)).rejects.toThrow('the connection was lost')
  // One that does not decrypt waits for an operator.
  const [{ id: lost } = { id: '' }] = await sql<{ id: string }>(
    'select id from webhook_secrets where endpoint_id = $1',
    [broken.id],
  )
  const said = await run(ownerSql('sandbox'))
  expect(said.find((line) => line.startsWith('webhook_secrets: these rows do not decrypt:'))).toContain(lost)
  expect(await encryptedUnder(tenants)).toEqual({ 1: 1, 2: 121 })

  await withKeys({ 2: keyTwo })
  await Promise.all(merchants.map((merchant) => newLink(merchant)))
  for (const { path, secrets, id } of endpoints) {
    if (id === broken.id) continue
    await arrived(receiver, path)
    const [received] = receiver.at(path)
    expect(String(received!.headers['webhook-signature']).split(' ')).toHaveLength(secrets.length)
    for (const secret of secrets) verifies(secret, received!)
  }
})
