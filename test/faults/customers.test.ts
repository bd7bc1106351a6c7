import { expect, test } from 'vitest'
import { brokenRules, survivors } from '../support/books.ts'
import { asked, letters, newCustomer, storedBatches } from '../support/customers.ts'
import { beforeAndAfter, dies } from '../support/drills.ts'
import { newMerchant } from '../support/merchant.ts'
import { adminSql, control, trigger } from '../support/stack.ts'

const sql = adminSql('sandbox')

const slices = 3

/** Each slice and the end are read for, then published. */
const kills = Array.from({ length: slices + 1 }, (_, skip) => [
  { name: `before step ${skip} is read for`, contains: 'from "customers"', mode: 'hang', skip } as const,
  ...beforeAndAfter.map(({ mode }) => ({
    name: `step ${skip} is published, ${mode}`,
    contains: 'door.publish',
    mode,
    skip,
  })),
]).flat()

test('the Worker is killed while it erases a person: afterwards all is erased, once', async () => {
  await survivors('Worker killed around an erasure', kills, async (kill) => {
    const merchant = await newMerchant()
    const name = letters()
    const { id } = await newCustomer(merchant, { name, email: `${name}@example.com` })
    await storedBatches(merchant, id, 1200)
    await asked(merchant, 'POST', `/customers/${id}/erase`)
    await sql(`update customers set erase_at = now() - interval '1 second' where id = $1`, [id])
    // A busy machine may not come to every step in one run.
    await dies(kill, async () => {
      for (let run = 0; run < slices; run++) await control.trigger('sandbox')
    })
    const left = () =>
      sql(
        `select status as what from customers where id = $1::uuid and status <> 'erased'
         union all select e.type from events e where e.resource_id = $1::uuid and e::text like '%' || $2 || '%'
         union all select c.operation from idempotency_claims c where c.reply_body like any (array['%' || $1 || '%', '%' || $2 || '%'])`,
        [id, name],
      )
    await expect
      .poll(
        async () => {
          // A step that failed waits for a minute or more: those pass.
          await sql('delete from due_failures where id = $1', [id])
          await trigger('sandbox')
          return left()
        },
        { timeout: 60_000 },
      )
      .toEqual([])
    const erased = `select from events where resource_id = $1 and type = 'customer.erased'`
    expect(await sql(erased, [id])).toHaveLength(1)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})
