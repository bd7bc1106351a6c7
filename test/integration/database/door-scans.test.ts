import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { asKey, id, insertLink, journal, proven } from './door.ts'

/*
 * Postgres scans a small table rather than use an index, and a session keeps such a plan for a while after the table
 * has grown. The door is called on every request, and its tables include the row of the busiest account.
 */
test('a publish finds every row by an index, however small the tables are', async () => {
  const merchant = await newMerchant()
  for (const table of ['door_operations', 'ledger_accounts', 'api_keys'])
    await adminSql('sandbox')(`analyze ${table}`)
  const publication = {
    operation: 'payment_links.create',
    credential: asKey(merchant.apiKey),
    publishId: crypto.randomUUID(),
    requestId: 'req_scans',
    now: new Date().toISOString(),
    claim: { keys: [randomBytes(32).toString('hex')], fingerprint: 'f', status: 201, body: '{}' },
    writes: [insertLink()],
    events: [],
  }
  const outcome = {
    ...publication,
    operation: 'payments.outcome',
    credential: proven({ kind: 'system', tenantId: merchant.tenantId }),
    publishId: crypto.randomUUID(),
    claim: undefined,
    writes: [
      journal([
        ['merchant_pending', '100'],
        ['processor_clearing', '-100'],
      ]),
    ],
    events: [
      {
        id: id(),
        type: 'payment.succeeded',
        resourceType: 'payment',
        resourceId: id(),
        object: {},
        previousAttributes: {},
      },
    ],
  }
  const worker = new Client(stack.databases.sandbox.workerUrl)
  await worker.connect()
  try {
    await worker.query('begin')
    for (const each of [publication, outcome])
      await worker.query('select door.publish($1::jsonb)', [JSON.stringify(each)])
    const { rows } = await worker.query(
      // The settings are one row, which is read without a key.
      `select relname, seq_scan, seq_tup_read from pg_stat_xact_user_tables
       where seq_scan > 0 and relname <> 'door_settings'`,
    )
    expect(rows).toEqual([])
  } finally {
    await worker.query('rollback')
    await worker.end()
  }
})

test.each(['repeatable read', 'serializable'])(
  'a publish is refused where a transaction is %s',
  async (level) => {
    const merchant = await newMerchant()
    const worker = new Client(stack.databases.sandbox.workerUrl)
    await worker.connect()
    try {
      await worker.query(`begin isolation level ${level}`)
      const publication = {
        operation: 'payment_links.create',
        credential: asKey(merchant.apiKey),
        publishId: crypto.randomUUID(),
        requestId: 'req_isolated',
        now: new Date().toISOString(),
        writes: [insertLink()],
        events: [],
      }
      // It would wait for a change of what holds for its workspace, and not see the change.
      await expect(
        worker.query('select door.publish($1::jsonb)', [JSON.stringify(publication)]),
      ).rejects.toMatchObject({ code: 'SP460', message: 'isolation_not_allowed' })
    } finally {
      await worker.end()
    }
  },
)
