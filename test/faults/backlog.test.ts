import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { brokenRules } from '../support/books.ts'
import { payInCash } from '../support/cash.ts'
import { newLink, newMerchant, openLink, pay } from '../support/merchant.ts'
import { adminSql, counts, latency, trigger } from '../support/stack.ts'

// Vouchers of a day end together. `VOUCHERS=10000 npx vitest run test/faults/backlog.test.ts` says how long all of them take.

const vouchersCount = Number(process.env.VOUCHERS ?? 220)
const sql = adminSql('sandbox')
afterEach(() => latency.set({}))

/** How many of these calls were under way at once at most. */
function mostAtOnce(calls: readonly { startedAtMs: number; finishedAtMs?: number }[]): number {
  const turns = calls.flatMap(({ startedAtMs, finishedAtMs }) => [
    { at: startedAtMs, by: 1 },
    { at: finishedAtMs ?? Number.POSITIVE_INFINITY, by: -1 },
  ])
  let [now, most] = [0, 0]
  for (const { by } of turns.toSorted((one, other) => one.at - other.at || one.by - other.by)) {
    now += by
    most = Math.max(most, now)
  }
  return most
}

test('a backlog of vouchers goes many at once, in several invocations, and the unknown card is not forgotten', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use', payment_method_types: ['card', 'oxxo'] })
  let left = vouchersCount
  const buyer = async () => {
    while (left-- > 0) {
      const who = { name: 'Ana López', email: `${randomUUID()}@example.com` }
      const { status } = await payInCash(link.public_id, await openLink(link.public_id), 'oxxo', who)
      expect(status).toBe(303)
    }
  }
  await Promise.all(Array.from({ length: 20 }, buyer))
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_timeout_then_paid')
  const own = [merchant.tenantId]
  for (const over of [
    `update payment_attempts set expires_at = expires_at - interval '40 days',
       grace_ends_at = grace_ends_at - interval '40 days', next_check_at = now() - interval '1 minute' where tenant_id = $1`,
    `update vouchers set expires_at = expires_at - interval '40 days', grace_ends_at = grace_ends_at - interval '40 days'
     where tenant_id = $1`,
    `update simulator.vouchers set expires_at = expires_at - interval '40 days'
     where reference in (select id from payment_attempts where tenant_id = $1)`,
  ])
    await sql(over, own)
  const open = async () => {
    const [row] = await sql<{ open: number }>(
      `select count(*)::int as open from payment_attempts where tenant_id = $1 and status = 'pending_customer'`,
      own,
    )
    return row!.open
  }
  expect(await open()).toBe(vouchersCount)

  await latency.set({ neonMs: 20 })
  const startedMs = performance.now()
  const start = await counts.start()
  await expect.poll(() => trigger('sandbox').then(open), { timeout: 600_000 }).toBe(0)
  const seconds = (performance.now() - startedMs) / 1000
  await latency.set({})

  const { neon } = await counts.since(start)
  const asked = neon.filter(({ statements }) => statements.some((text) => text.includes('simulator')))
  // Five lanes of the run; a helper has five of its own.
  expect(mostAtOnce(asked)).toBeGreaterThan(5)
  const [card] = await sql<{ status: string }>(
    `select status from payment_attempts where tenant_id = $1 and method = 'card'`,
    own,
  )
  expect(card!.status).toBe('captured')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  if (process.env.VOUCHERS)
    console.log(`${vouchersCount} vouchers in ${seconds.toFixed(1)} s, ${mostAtOnce(asked)} at once`)
})
