import { afterEach, expect, test } from 'vitest'
import { brokenRules, settleAttempts, survivors } from '../support/books.ts'
import {
  forwards,
  listOffline,
  newOfflineCounter,
  offlineBooks,
  outcomes,
  stores,
} from '../support/offline.ts'
import { adminSql, control, faults } from '../support/stack.ts'
import { eventsOf } from '../support/terminal.ts'

afterEach(() => faults.clear())

const modes = ['hang', 'late-commit'] as const
/** Before and after each step: the batch is recorded, each card sent, each answer recorded. */
const steps = [
  { contains: 'door.publish', skip: 0 },
  { contains: 'simulator.forward', skip: 0 },
  { contains: 'simulator.forward', skip: 1 },
  { contains: 'door.publish', skip: 1 },
  { contains: 'door.publish', skip: 2 },
]

test('the Worker is killed while a reader forwards: each payment is made once, and each loss', async () => {
  const kills = steps.flatMap((step) => modes.map((mode) => ({ ...step, mode })))
  await survivors('Worker killed while a reader forwards', kills, async ({ contains, skip, mode }) => {
    const counter = await newOfflineCounter()
    const { merchant } = counter
    const tokens = ['tok_sbx_approve', 'tok_sbx_decline_funds', 'tok_sbx_approve']
    const batch = await Promise.all(tokens.map((token) => stores(counter, { token })))
    const send = () => forwards(counter, batch)
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains }, skip })
    const unanswered = send().catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    await unanswered
    await faults.clear()
    // The reader got no answer, and sends it again: at once, and when we have asked the processor.
    expect((await send()).status).toBe(200)
    await settleAttempts(merchant.tenantId, 4)
    expect(outcomes(await send())).toEqual(['succeeded', 'declined', 'succeeded'])
    expect(await offlineBooks(merchant)).toEqual({
      payments: 3,
      captured: '24000',
      charged: '24000',
      losses: 1,
      lost: '12000',
    })
    expect(await listOffline(merchant)).toHaveLength(3)
    await expect
      .poll(
        async () => {
          await adminSql('sandbox')('delete from due_failures where tenant_id = $1', [merchant.tenantId])
          await control.trigger('sandbox')
          return (await eventsOf(merchant, 'offline_payment')).sort()
        },
        { timeout: 60_000 },
      )
      .toEqual(['created', 'created', 'created', 'declined', 'succeeded', 'succeeded'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})
