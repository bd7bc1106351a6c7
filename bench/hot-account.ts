import { setTimeout as delay } from 'node:timers/promises'
import { bookRules } from '../test/support/book-rules.ts'
import { Client } from '../test/support/postgres.ts'
import { type LoadProcess, measure, type Rounds, type Shape } from './interleave.ts'
import { asAdmin, payments, shops, type Till } from './money.ts'

type Turn = 'link' | 'merchant' | 'spread'

export type Hot = {
  buyers: number
  /** How long each commit waits. */
  commitMs: number
  rounds: Rounds
  /** Backends that waited for another's lock, averaged over the samples. */
  waiting: Record<Turn, number>
  /** The tables whose rows they waited for, with the samples that saw each. */
  waitedFor: Record<Turn, Readonly<Record<string, number>>>
  /** Ledger rules that a merchant's rows break afterwards. */
  broken: string[]
  paid: number
}

/** Concurrent buyers of one link, of as many links of one merchant, and of a merchant each, in turn; then checks the ledger. */
export async function hotAccount(
  till: Till,
  load: LoadProcess,
  { buyers, commitMs, ...shape }: Omit<Shape, 'connections'> & Pick<Hot, 'buyers' | 'commitMs'>,
) {
  const merchants = await shops(till.stack, [1, buyers, ...Array<number>(buyers).fill(1)])
  const [link, merchant, ...others] = merchants.map(({ publicIds }) => publicIds)
  const scenarios = [
    await payments('link', till, link!),
    await payments('merchant', till, merchant!),
    await payments('spread', till, others.flat()),
  ]
  const sampler = await sampleWaits(till)
  await commitsWait(till, commitMs)
  const rounds = await measure(load, scenarios, { ...shape, connections: buyers }, sampler.during)
  const seen = await sampler.stop()
  await commitsWait(till, 0)
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
  return { buyers, commitMs, rounds, ...seen, broken, paid } satisfies Hot
}

/** Each publish appends one row to the audit trail; its deferred trigger waits where a commit waits for other machines. */
async function commitsWait({ stack }: Till, commitMs: number): Promise<void> {
  await asAdmin(stack, (client) =>
    client.query(
      commitMs === 0
        ? 'drop function if exists door.bench_commit() cascade'
        : `create function door.bench_commit() returns trigger language plpgsql as
             $$ begin perform pg_sleep(${commitMs / 1000}); return null; end $$;
           create constraint trigger bench_commit after insert on public.audit_events
             deferrable initially deferred for each row execute function door.bench_commit()`,
    ),
  )
}

/** Samples every few milliseconds how many backends wait for a lock. */
async function sampleWaits({ stack }: Till) {
  const client = new Client({ connectionString: stack.postgres.adminUrl('sandbox') })
  await client.connect()
  const seen: Record<Turn, number[]> = { link: [], merchant: [], spread: [] }
  const waitedFor: Record<Turn, Record<string, number>> = { link: {}, merchant: {}, spread: {} }
  const turn: { now: Turn | null } = { now: null }
  let stopped = false
  const sampling = (async () => {
    while (!stopped) {
      const name = turn.now
      const { rows } = await client.query<{ waiting: string; tables: string[] }>(
        `select count(*) as waiting, coalesce((select array_agg(distinct l.relation::regclass::text) from pg_locks l
           where l.locktype = 'tuple' and l.database = (select oid from pg_database where datname = current_database())),
           '{}') as tables
         from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      if (name !== null && name === turn.now) {
        seen[name].push(Number(rows[0]!.waiting))
        for (const table of rows[0]!.tables) waitedFor[name][table] = (waitedFor[name][table] ?? 0) + 1
      }
      await delay(20)
    }
    await client.end()
  })()
  const mean = (values: readonly number[]) =>
    values.reduce((sum, each) => sum + each, 0) / (values.length || 1)
  return {
    during: (name: string | null) => {
      turn.now = name as Turn | null
    },
    async stop(): Promise<Pick<Hot, 'waiting' | 'waitedFor'>> {
      stopped = true
      await sampling
      return {
        waiting: { link: mean(seen.link), merchant: mean(seen.merchant), spread: mean(seen.spread) },
        waitedFor,
      }
    },
  }
}
