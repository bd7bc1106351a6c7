import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Stack } from '../local/stack.ts'
import { spentBy } from './interleave.ts'
import type { Merchant } from './merchant.ts'
import { asAdmin } from './money.ts'
import type { Bare } from './workerd.ts'

/** Readers that ask what to do, and tills that have some of them take a card. CPU is that of the Worker and of Postgres. */
export interface Readers {
  readonly readers: number
  readonly seconds: number
  /** Questions that were answered with nothing to do, and what one of them costs while nobody pays. */
  readonly polls: number
  readonly pollsPerSecond: number
  readonly cpuMicrosOfPoll: number
  readonly postgresMicrosOfPoll: number
  /** Payments that tills asked for, and those that a reader reported as paid. */
  readonly asked: number
  readonly paid: number
  /** The same as the books have it: payments, captures, and what is still under way. */
  readonly captured: number
  readonly doubled: number
  readonly open: number
  /** Answers that were neither expected nor "busy". */
  readonly others: number
  /** From a till's request to the reader's report. */
  readonly paymentP50Ms: number
}

export interface Shape {
  readonly merchants: number
  readonly readersOfEach: number
  readonly idleSeconds: number
  readonly seconds: number
  readonly tills: number
}

interface Reader {
  readonly id: string
  readonly credential: string
  readonly apiKey: string
}

const atOnce = 20

export async function readers(
  { stack, ours }: { readonly stack: Stack; readonly ours: Bare },
  newMerchant: () => Promise<Merchant>,
  { merchants, readersOfEach, idleSeconds, seconds, tills }: Shape,
): Promise<Readers> {
  let others = 0
  const ask = async (bearer: string, path: string, body?: object) => {
    const reply = await fetch(ours.url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: (await reply.json()) as Record<string, never> }
  }
  const made = async (bearer: string, path: string, body: object = {}) => {
    const reply = await ask(bearer, path, body)
    if (reply.status > 201) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body as unknown as { id: string; one_time_value: string }
  }
  const all: Reader[] = []
  const tenants: string[] = []
  for (let at = 0; at < merchants; at++) {
    const { apiKey, tenantId } = await newMerchant()
    tenants.push(tenantId)
    const { id: location_id } = await made(apiKey, '/v1/workspace/locations', { name: 'Roma' })
    for (let done = 0; done < readersOfEach; done += atOnce)
      all.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(atOnce, readersOfEach - done) }, async (_, next) => {
            const name = `Caja ${done + next}`
            const { id } = await made(apiKey, '/v1/terminal/readers', { name, location_id })
            const code = await made(apiKey, `/v1/terminal/readers/${id}/pairing-codes`)
            const paired = await made(code.one_time_value, '/v1/device/pair')
            return { id, credential: paired.one_time_value, apiKey }
          }),
        )),
      )
  }
  let [polls, paid, isOver] = [0, 0, false]
  const askedAt = new Map<string, number>()
  const took: number[] = []
  const reader = async ({ credential }: Reader) => {
    await delay(Math.random() * 2000)
    while (!isOver) {
      const { status, body } = await ask(credential, '/v1/device/next-action')
      const { action, ask_again_seconds } = body as unknown as {
        action: { id: string } | null
        ask_again_seconds: number
      }
      if (status !== 200) others++
      else if (action) {
        const shown = await ask(credential, '/v1/sandbox/device/present-card', { card: 'tok_sbx_approve' })
        const result = `/v1/device/actions/${action.id}/result`
        // A reader that restarts says it twice.
        for (let times = 0; times < 2; times++)
          if ((await ask(credential, result, { outcome: 'completed' })).status !== 200) others++
        if (shown.status === 200) paid++
        else others++
        took.push(performance.now() - (askedAt.get(action.id) ?? performance.now()))
      } else polls++
      await delay((ask_again_seconds ?? 2) * 1000)
    }
  }
  const running = all.map(reader)
  const processes = { pid: ours.pid, postgresPid: ours.postgresPid }
  await delay(3_000)
  const [before, pollsBefore, idleAt] = [spentBy(processes), polls, performance.now()]
  await delay(idleSeconds * 1000)
  const after = spentBy(processes)
  const idlePolls = polls - pollsBefore
  const pollsPerSecond = idlePolls / ((performance.now() - idleAt) / 1000)
  let asked = 0
  const endsAt = performance.now() + seconds * 1000
  const till = async () => {
    while (performance.now() < endsAt) {
      const { id, apiKey } = all[Math.trunc(Math.random() * all.length)]!
      const sentAt = performance.now()
      const { status, body } = await ask(apiKey, `/v1/terminal/readers/${id}/process-payment`, {
        amount: '120000',
        currency: 'mxn',
      })
      if (status === 201) {
        asked++
        askedAt.set((body as unknown as { id: string }).id, sentAt)
      } else if (status !== 409) others++
      await delay(500)
    }
  }
  await Promise.all(Array.from({ length: tills }, till))
  // What was asked last is taken with the next questions.
  for (let waits = 0; paid < asked && waits < 60; waits++) await delay(1_000)
  isOver = true
  await Promise.all(running)
  await ours.tick()
  const [found] = await asAdmin(stack, async (client) => {
    const { rows } = await client.query<{ captured: number; doubled: number; open: number }>(
      `select (select count(*)::int from payments where tenant_id = any ($1) and status = 'succeeded') as captured,
         (select count(*)::int from (select source_id from ledger_journals
            where tenant_id = any ($1) and entry_kind = 'capture' group by source_id having count(*) > 1) d) as doubled,
         (select count(*)::int from reader_actions where tenant_id = any ($1) and status = 'in_progress') as open`,
      [tenants],
    )
    return rows
  })
  return {
    readers: all.length,
    seconds,
    polls,
    pollsPerSecond,
    cpuMicrosOfPoll: (after.worker - before.worker) / idlePolls,
    postgresMicrosOfPoll: (after.postgres - before.postgres) / idlePolls,
    asked,
    paid,
    ...found!,
    others,
    paymentP50Ms: took.sort((a, b) => a - b)[Math.trunc(took.length / 2)] ?? 0,
  }
}
