import { randomUUID } from 'node:crypto'
import type { Stack } from '../local/stack.ts'
import { spentBy } from './interleave.ts'
import type { Merchant } from './merchant.ts'
import { asAdmin } from './money.ts'
import { postmasterOf } from './postgres-cpu.ts'

/** A drop: all buyers have the page open, and then all of them pay. CPU is that of the Worker and of Postgres. */
export interface Drop {
  readonly buyers: number
  readonly units: number
  /** How many were sent to the page of their payment, and how many read that it is sold out. */
  readonly sold: number
  readonly soldOut: number
  /** Any other answer, by status. */
  readonly others: readonly number[]
  readonly succeeded: number
  readonly left: number
  readonly submitP50Ms: number
  readonly seconds: number
  readonly cpuMicrosOfBuyer: number
  readonly postgresMicrosOfBuyer: number
}

const atOnce = 50

export async function drop(
  stack: Stack,
  { apiKey, tenantId }: Merchant,
  { buyers, units }: Pick<Drop, 'buyers' | 'units'>,
): Promise<Drop> {
  const { directUrl, worker, vars } = stack.sandbox
  const asked = async <Body>(path: string, body: object = {}): Promise<Body> => {
    const reply = await fetch(`${directUrl}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as Body
  }
  const catalog = await asked<{ id: string }>('/v1/digital-catalogs', { name: 'Drop' })
  const item = await asked<{ id: string }>(`/v1/digital-catalogs/${catalog.id}/items`, {
    kind: 'physical_count',
    name: 'Taza numerada',
    price: { amount: '58000' },
  })
  await asked(`/v1/digital-catalogs/${catalog.id}/publish`)
  await asked('/v1/inventory/adjustments', { item_id: item.id, quantity: units })

  const processes = { pid: worker.pid(), postgresPid: postmasterOf(vars.DATABASE_URL!) }
  const [startedMs, before] = [performance.now(), spentBy(processes)]
  const open = await inTurns(buyers, async () => {
    const line_items = [{ item_id: item.id }]
    const { public_id } = await asked<{ public_id: string }>('/v1/hosted-checkout/sessions', { line_items })
    const html = await (await fetch(`${directUrl}/${public_id}`)).text()
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
    return { public_id, quote: field('quote'), attempt_key: field('attempt_key') }
  })
  const answers = await inTurns(buyers, async (at) => {
    const { public_id, ...form } = open[at]!
    const body = new URLSearchParams({ ...form, card_token: 'tok_sbx_approve', locale: 'en' })
    const sentMs = performance.now()
    const reply = await fetch(`${directUrl}/${public_id}/attempts`, {
      method: 'POST',
      body,
      redirect: 'manual',
    })
    const isSoldOut = (await reply.text()).includes('Sold out')
    return { status: reply.status, isSoldOut, ms: performance.now() - sentMs }
  })
  const seconds = (performance.now() - startedMs) / 1000
  const after = spentBy(processes)
  const [found] = await asAdmin(stack, async (client) => {
    const { rows } = await client.query<{ succeeded: number; left: number }>(
      `select (select count(*)::int from payments where tenant_id = $1 and status = 'succeeded') as succeeded,
         (select on_hand from stock_levels where tenant_id = $1) as left`,
      [tenantId],
    )
    return rows
  })
  const wasSold = ({ status }: (typeof answers)[number]) => status === 303
  const wasSoldOut = ({ status, isSoldOut }: (typeof answers)[number]) => status === 409 && isSoldOut
  return {
    buyers,
    units,
    sold: answers.filter(wasSold).length,
    soldOut: answers.filter(wasSoldOut).length,
    others: answers.filter((each) => !wasSold(each) && !wasSoldOut(each)).map(({ status }) => status),
    ...found!,
    submitP50Ms: answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.trunc(buyers / 2)]!,
    seconds,
    cpuMicrosOfBuyer: (after.worker - before.worker) / buyers,
    postgresMicrosOfBuyer: (after.postgres - before.postgres) / buyers,
  }
}

/** Does the work of every buyer, so many at once. */
async function inTurns<T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  let next = 0
  const one = async () => {
    while (next < count) {
      const at = next++
      done[at] = await work(at)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return done
}
