import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newMerchant } from '../../support/merchant.ts'
import { Client, keyOf } from '../../support/postgres.ts'
import { adminSql, proofOf, stack } from '../../support/stack.ts'
import { insertLink } from './door.ts'

// A credential of no workspace pins none, not even the one that its connection was opened with.

const sql = adminSql('sandbox')

/** What a call says over a connection of the Worker's role that was opened with a workspace's pin. */
async function asked(tenantId: string, call: string, ...values: readonly unknown[]): Promise<string> {
  const options = `-c spindle.tenant=${keyOf(tenantId)}`
  const client = new Client({ connectionString: stack.databases.sandbox.workerUrl, options })
  await client.connect()
  try {
    const text = `select ${call} as said`
    const { rows } = await client.query<{ said: unknown }>(
      text,
      values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    )
    return JSON.stringify(rows[0]!.said)
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.end()
  }
}

const byWorker = { proof: proofOf('sandbox') }

test.each(['', 'tn_none'])('a publish for "%s" writes into no workspace', async (named) => {
  const { tenantId } = await newMerchant()
  const said = await asked(tenantId, 'door.publish($1::jsonb)', {
    operation: 'payment_links.sweep',
    credential: { ...byWorker, kind: 'system', tenantId: named },
    publishId: randomUUID(),
    requestId: 'req_pin',
    now: new Date().toISOString(),
    writes: [insertLink({ policy_version: 1 })],
    events: [],
  })
  expect(said).not.toContain('system')
  expect(await sql('select id from payment_links where tenant_id = $1', [tenantId])).toEqual([])
  expect(await sql('select id from audit_events where tenant_id = $1', [tenantId])).toEqual([])
})

test('who names no workspace finds no replay of another', async () => {
  const { tenantId } = await newMerchant()
  const key = randomUUID().replaceAll('-', '').repeat(2)
  await sql(
    `insert into idempotency_claims (tenant_id, operation, key, fingerprint, reply_status, reply_body, publish_id,
       created_at, expires_at)
     values ($1, 'workspaces.create', $2, 'print', 201, '{}', gen_random_uuid(), now(), now() + interval '1 day')`,
    [tenantId, key],
  )
  const said = await asked(
    tenantId,
    'door.enter($1::jsonb, $2, $3::jsonb)',
    { ...byWorker, kind: 'customer', userId: randomUUID(), tenantId: '' },
    'workspaces.create',
    { keys: [key], fingerprint: 'print' },
  )
  expect(JSON.parse(said)).toMatchObject({ kind: 'customer', tenantId: null })
})
