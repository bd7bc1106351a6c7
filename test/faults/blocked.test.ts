import { afterEach, expect, test } from 'vitest'
import { survivors } from '../support/books.ts'
import { inForce, newGuarded, paymentsAt, riskOf } from '../support/risk.ts'
import { adminSql, control, faults, trigger } from '../support/stack.ts'
import { newPlace, tries } from '../support/stolen-cards.ts'

afterEach(() => faults.clear())

/** The first publish asks and is refused, the second records the try, the third its end. */
const kills = [
  { name: 'before it is recorded', contains: 'door.publish', skip: 1, mode: 'hang', payments: 0 },
  {
    name: 'between its record and its end',
    contains: 'door.publish',
    skip: 1,
    mode: 'late-commit',
    payments: 1,
  },
  { name: 'before its end', contains: 'door.publish', skip: 2, mode: 'hang', payments: 1 },
] as const

test('the Worker is killed while a rule blocks a card: it is blocked, and no bank is asked', async () => {
  await survivors('a blocked card', kills, async ({ contains, skip, mode, payments }) => {
    const guarded = await newGuarded()
    await inForce(guarded, { type: 'card_brand', is: 'visa' })
    const place = await newPlace(guarded.merchant)
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains }, skip })
    const asked = tries(place, 'tok_sbx_approve').catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    await asked
    await faults.clear()
    await expect
      .poll(
        async () => {
          await adminSql('sandbox')(
            `update payment_attempts set next_check_at = now() where tenant_id = $1 and next_check_at is not null`,
            [guarded.merchant.tenantId],
          )
          await trigger('sandbox')
          return (await paymentsAt(place)).map(({ decline_code }) => decline_code)
        },
        { timeout: 60_000 },
      )
      .toEqual(Array(payments).fill('blocked'))
    for (const { id } of await paymentsAt(place)) expect((await riskOf(guarded, id)).decision).toBe('block')
  })
})
