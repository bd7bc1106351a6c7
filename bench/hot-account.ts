import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { bookRules } from '../test/support/book-rules.ts'
import { type LoadProcess, measure, type Rounds, type Shape } from './interleave.ts'
import { asAdmin, payments, shops, type Till } from './money.ts'

const BUYERS = 50

export type Hot = {
  rounds: Rounds
  /** Backends that waited for another's lock, averaged over the samples, and what they waited for. */
  waiting: Record<'one' | 'spread', number>
  /** Ledger rules that a merchant's rows break afterwards. */
  broken: string[]
  paid: number
}

/** Fifty concurrent buyers of one merchant, and fifty of a merchant each, in turn; then checks the ledger. */
export async function hotAccount(till: Till, load: LoadProcess, shape: Omit<Shape, 'connections'>) {
  const merchants = await shops(till.stack, BUYERS + 1)
  const [one, ...others] = merchants.map(({ publicId }) => publicId)
  const scenarios = [await payments('one', till, [one!]), await payments('spread', till, others)]
  const sampler = await sampleWaits(till)
  const rounds = await measure(load, scenarios, { ...shape, connections: BUYERS }, sampler.during)
  const waiting = await sampler.stop()
  const broken: string[] = []
  let paid = 0
  await asAdmin(till.stack, async (client) => {
    for (const { tenantId } of merchants) {
      const { rows } = await client.query<{ rule: string; about: string }>(bookRules, [tenantId])
      broken.push(...rows.map(({ rule, about }) => `${rule}: ${about}`))
      const captured = await client.query(
        `select from payments where tenant_id = $1 and status = 'succeeded'`,
        [tenantId],
      )
      paid += captured.rowCount ?? 0
    }
  })
  return { rounds, waiting, broken, paid } satisfies Hot
}

/** Samples every few milliseconds how many backends wait for a lock. */
async function sampleWaits({ stack }: Till) {
  const client = new pg.Client({ connectionString: stack.postgres.adminUrl('sandbox') })
  await client.connect()
  const seen: Record<string, number[]> = { one: [], spread: [] }
  let current: string | null = null
  let stopped = false
  const sampling = (async () => {
    while (!stopped) {
      const name: string | null = current
      const { rows } = await client.query<{ waiting: string }>(
        `select count(*) as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      if (name !== null && name === current) seen[name]?.push(Number(rows[0]!.waiting))
      await delay(20)
    }
    await client.end()
  })()
  const mean = (values: readonly number[]) =>
    values.reduce((sum, each) => sum + each, 0) / (values.length || 1)
  return {
    during: (name: string | null) => {
      current = name
    },
    async stop(): Promise<Hot['waiting']> {
      stopped = true
      await sampling
      return { one: mean(seen.one!), spread: mean(seen.spread!) }
    },
  }
}
