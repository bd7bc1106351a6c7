import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginning, type Command, command } from '../integration/money/commands.ts'
import { newWorld, settle, take, type World } from '../integration/money/world.ts'
import { brokenRules } from '../support/book-rules.ts'
import { below, oneOf } from '../support/random.ts'
import { adminSql, control, faults, stack } from '../support/stack.ts'
import { isLong, random, rounds, timeoutMs } from './time.ts'

/*
 * Random histories of money, several at once for each merchant, while the Worker is killed, its database connections
 * are ended and Redis fails. A request without an answer is sent again under its key. Afterwards every rule of the
 * books holds.
 */

const merchantsCount = isLong ? 8 : 3
const historiesEach = 2
const commandsEach = isLong ? 40 : 12

beforeAll(() => control.reconfigure('sandbox', { vars: { DATABASE_TIMEOUT_MS: '1000' } }))
afterAll(() => control.reconfigure('sandbox'))

const killed = { workers: 0, connections: 0, redis: 0 }

const endConnections = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'neon-gateway' and random() < 0.5`

const isUp = () =>
  fetch(`${stack.sandbox.directUrl}/v1`).then(
    (response) => response.arrayBuffer().then(() => true),
    () => false,
  )

/** Breaks something at random every now and then, until `until.done`; on a busy machine once something was done since. */
async function killing(until: { done: boolean; commands: number }): Promise<void> {
  while (!until.done) {
    const { commands } = until
    await delay(300 + below(random, 1_500))
    while (!until.done && until.commands === commands) await delay(100)
    const what = below(random, 4)
    if (what === 0) {
      await control.crash('sandbox')
      killed.workers += 1
      // On a busy machine a start takes longer than the next kill: nothing would be done between them.
      while (!until.done && !(await isUp())) await delay(100)
    } else if (what < 3) {
      killed.connections += (await adminSql('sandbox')(endConnections)).length
    } else {
      const mode = oneOf(random, ['refuse', 'hang', 'reset', 'nonsense', 'stale', 'swapped'] as const)
      await faults.redis({ mode, match: { database: 'sandbox' }, times: 1 + below(random, 20) })
      killed.redis += 1
    }
  }
}

/** The commands that come next in this run's random order. */
const history = (): Command[] => fc.sample(command, { numRuns: commandsEach, seed: below(random, 2 ** 31) })

async function live(world: World, until: { commands: number }): Promise<void> {
  for (const one of history()) {
    await take(world, one)
    until.commands += 1
  }
}

test('no peso is lost, doubled or stuck while servers die', { timeout: timeoutMs }, async () => {
  let commands = 0
  const done = await rounds('money', async () => {
    const worlds: World[] = []
    for (let at = 0; at < merchantsCount; at++) {
      const world = await newWorld(true)
      for (const one of beginning) await take(world, one)
      worlds.push(world)
    }
    const until = { done: false, commands: 0 }
    const chaos = killing(until)
    const lives = worlds.flatMap((world) => Array.from({ length: historiesEach }, () => live(world, until)))
    const ended = await Promise.allSettled(lives)
    until.done = true
    await chaos
    await faults.clear()
    const failed = ended.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
    commands += until.commands
    expect(failed).toEqual([])
    const tenants = worlds.flatMap(({ merchant, other }) => [merchant.tenantId, other.tenantId])
    await settle(tenants)
    expect(await brokenRules(adminSql('sandbox'), tenants)).toEqual([])
  })
  console.log(`money: ${commands} commands in ${done} rounds, killed ${JSON.stringify(killed)}, books exact`)
  expect(commands).toBeGreaterThan(0)
})
