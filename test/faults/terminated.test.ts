import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { survivors } from '../support/books.ts'
import { call, newLink, newMerchant } from '../support/merchant.ts'
import { Client } from '../support/postgres.ts'
import { adminSql, stack } from '../support/stack.ts'

/** Ends, as a failover does, the connections that wait for another session's lock. */
const endWaiting = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'neon-gateway' and wait_event_type = 'Lock'`

/** Holds a link's row while `work` runs, so that a publish about it waits. */
async function holding<T>(linkId: string, work: (release: () => Promise<void>) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: stack.databases.sandbox.adminUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select 1 from payment_links where id = $1 for update', [linkId])
    return await work(async () => void (await client.query('rollback')))
  } finally {
    await client.end()
  }
}

test('Postgres ends the connection in the middle of a publish: sent once more, done once', async () => {
  await survivors('connections ended by Postgres', [1, 2, 3, 4, 5], async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const headers = { 'idempotency-key': randomUUID() }
    const change = () =>
      call<{ version: number }>('PATCH', `/v1/payment-links/${link.id}`, {
        bearer: merchant.apiKey,
        headers,
        body: { metadata: { order: '1025' } },
      })
    const reply = await holding(link.id, async (release) => {
      const answer = change()
      await expect.poll(() => adminSql('sandbox')(endWaiting), { interval: 20 }).not.toEqual([])
      await release()
      return answer
    })
    expect([reply.status, reply.body.version]).toEqual([200, 2])
    expect((await change()).text).toBe(reply.text)
  })
})
