import { expect, test } from 'vitest'
import { newLink, newMerchant, openLink } from '../support/merchant.ts'
import { adminSql, counts } from '../support/stack.ts'

// While a version is deployed the database may have other functions than the Worker asks for.

test('where the database has no function of a query, the query itself is asked', async () => {
  const sql = adminSql('sandbox')
  const { public_id } = await newLink(await newMerchant())
  await openLink(public_id)
  const { trips } = await counts.during(() => openLink(public_id))
  const functions = await sql<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p
     where pronamespace = 'door'::regnamespace and proname like 'planned\\_%'`,
  )
  for (const { signature } of functions) await sql(`drop function ${signature}`)
  expect((await openLink(public_id)).quote).not.toBe('')
  // Asked once in vain; after that the isolate knows.
  const again = await counts.during(() => openLink(public_id))
  expect(again.trips).toBe(trips)
})
