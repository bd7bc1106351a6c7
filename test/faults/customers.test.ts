import { expect, test } from 'vitest'
import { brokenRules, survivors } from '../support/books.ts'
import { asked, letters, newCustomer } from '../support/customers.ts'
import { beforeAndAfter, killReconciler } from '../support/drills.ts'
import { newMerchant } from '../support/merchant.ts'
import { adminSql, trigger } from '../support/stack.ts'

const sql = adminSql('sandbox')

const kills = [
  { name: 'before it is read', contains: 'from "customers"', mode: 'hang' },
  ...beforeAndAfter.map(({ mode }) => ({
    name: `its publish, ${mode}`,
    contains: 'door.publish',
    mode,
  })),
] as const

test('the Worker is killed while it erases a person: afterwards all is erased, once', async () => {
  const merchant = await newMerchant()
  await survivors('Worker killed around an erasure', kills, async (kill) => {
    const name = letters()
    const { id } = await newCustomer(merchant, { name, email: `${name}@example.com` })
    await asked(merchant, 'POST', `/customers/${id}/erase`)
    await sql(`update customers set erase_at = now() - interval '1 second' where id = $1`, [id])
    await killReconciler(kill)
    const left = () =>
      sql(
        `select 1 from customers where id = $1 and status <> 'erased'
         union all select 1 from events e where e.resource_id = $1 and e::text like '%' || $2 || '%'
         union all select 1 from idempotency_claims c where c.reply_body like '%' || $2 || '%'`,
        [id, name],
      )
    await expect
      .poll(
        async () => {
          await trigger('sandbox')
          return left()
        },
        { timeout: 60_000 },
      )
      .toEqual([])
    const erased = `select from events where resource_id = $1 and type = 'customer.erased'`
    expect(await sql(erased, [id])).toHaveLength(1)
  })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
