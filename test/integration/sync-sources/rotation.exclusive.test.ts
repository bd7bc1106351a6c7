import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { reencrypt, tablesUnder } from '../../../local/reencrypt.ts'
import { newMerchant } from '../../support/merchant.ts'
import { adminSql, control, ownerSql } from '../../support/stack.ts'
import {
  connectedSource,
  followed,
  peopleOf,
  postSigned,
  pulled,
  setConnection,
  stripeAccount,
} from '../../support/stripe-sync.ts'

const sql = adminSql('sandbox')
const [keyOne, keyTwo] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const withKeys = (secretsKeys: Record<string, string>) =>
  control.reconfigure('sandbox', { vars: { SECRETS_KEYS: JSON.stringify(secretsKeys) } })
const ids: string[] = []

afterAll(async () => {
  // Nothing is left under keys that no other file has.
  await sql('update stripe_connections set api_key = null, webhook_secret = null where id = any ($1)', [ids])
  await control.reconfigure('sandbox')
})

const versionsOf = (sources: readonly string[]) =>
  sql(
    `select split_part(api_key, '.', 1) as key, split_part(webhook_secret, '.', 1) as secret
     from stripe_connections where id = any ($1) order by id`,
    [sources],
  )

test('the secrets of Stripe accounts follow a rotated key; without the old key they still open and verify', async () => {
  await withKeys({ 1: keyOne })
  const [merchant, account, other] = [await newMerchant(), stripeAccount(), stripeAccount()]
  const [ana] = await account.save([{ name: 'Ana' }])
  await other.save([{ name: 'Berta' }])
  for (const { key } of [account, other]) ids.push(await connectedSource(merchant, key))
  const [id, second] = ids as [string, string]
  const secret = 'whsec_of_letters_alone'
  await setConnection(merchant, id, { webhook_secret: secret })
  await pulled(id)
  expect(await versionsOf(ids)).toEqual([
    { key: '1', secret: '1' },
    { key: '1', secret: null },
  ])

  const keys = { 1: keyOne, 2: keyTwo }
  await withKeys(keys)
  const table = tablesUnder.SECRETS_KEYS.find(({ name }) => name === 'stripe_connections')!
  const done = await reencrypt(ownerSql('sandbox'), table, { current: '2', byVersion: keys })
  expect([done.changed, done.undecryptable.filter((row) => ids.includes(row))]).toEqual([2, []])
  expect(await versionsOf(ids)).toEqual([
    { key: '2', secret: '2' },
    { key: '2', secret: null },
  ])

  await withKeys({ 2: keyTwo })
  await pulled(second)
  await account.save([{ id: ana!, name: 'Ana Torres' }])
  await sql(`update stripe_connections set next_check_at = now() + interval '10 minutes' where id = $1`, [id])
  await postSigned(id, secret)
  const names = async () => (await peopleOf(merchant)).map(({ name }) => name).toSorted()
  await expect.poll(names).toEqual(['Ana Torres', 'Berta'])
  await account.save([{ name: 'Carla' }])
  await followed(id)
  expect(await names()).toEqual(['Ana Torres', 'Berta', 'Carla'])
})
