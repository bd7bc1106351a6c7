import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Stack } from '../local/stack.ts'
import { spentBy } from './interleave.ts'
import { fill } from './lists.ts'
import type { Merchant } from './merchant.ts'
import { postmasterOf } from './postgres-cpu.ts'

/** One report of a month, made and verified. CPU is that of the Worker's process with its file store. */
export interface Report {
  readonly rows: number
  readonly seconds: number
  readonly cpuMicros: number
  readonly postgresMicros: number
  readonly verifySeconds: number
  readonly verifyCpuMicros: number
  readonly verifyPostgresMicros: number
  readonly fileBytes: number
  /** Resident memory of the Worker's process: before the run, and the most that was seen in it. */
  readonly residentBefore: number
  readonly residentMost: number
}

const turnsMax = 1_000
export const month = { from: '2026-01-01', to: '2026-01-31' }

/** A month of `rows` movements of one merchant: `balance.activity` as CSV. */
export async function monthReport(stack: Stack, merchant: Merchant, rows: number): Promise<Report> {
  await fillMonth(stack, merchant.tenantId, rows)
  const { worker, vars } = stack.sandbox
  const processes = { pid: worker.pid(), postgresPid: postmasterOf(vars.DATABASE_URL!) }
  const resident = () => residentOf(processes.pid)
  const spent = async (work: () => Promise<unknown>) => {
    const [startedMs, before] = [performance.now(), spentBy(processes)]
    await work()
    const after = spentBy(processes)
    return {
      seconds: (performance.now() - startedMs) / 1000,
      cpuMicros: after.worker - before.worker,
      postgresMicros: after.postgres - before.postgres,
    }
  }
  const reporting = async <Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body> => {
    const reply = await fetch(`${stack.sandbox.directUrl}/v1/reporting${path}`, {
      method,
      headers: {
        authorization: `Bearer ${merchant.apiKey}`,
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return JSON.parse(text) as Body
  }
  const residentBefore = resident()
  let residentMost = residentBefore
  let isOver = false
  const watching = (async () => {
    for (; !isOver; await delay(200)) residentMost = Math.max(residentMost, resident())
  })()
  const { id } = await reporting<{ id: string }>('POST', '/runs', { type: 'balance.activity', period: month })
  const made = await spent(async () => {
    for (let turns = 0; turns < turnsMax; turns++) {
      await stack.sandbox.trigger()
      const { status } = await reporting<{ status: string }>('GET', `/runs/${id}`)
      if (status === 'succeeded') return
      if (!['queued', 'running'].includes(status)) throw new Error(`the run has ${status}`)
    }
    throw new Error(`the run did not end in ${turnsMax} turns`)
  })
  const verified = await spent(async () => {
    const { equal } = await reporting<{ equal: boolean }>('POST', `/runs/${id}/verify`)
    if (!equal) throw new Error('the run is not what the books say')
  })
  isOver = true
  await watching
  const file = await fetch(`${stack.sandbox.directUrl}/v1/reporting/runs/${id}/file`, {
    headers: { authorization: `Bearer ${merchant.apiKey}` },
  })
  let fileBytes = 0
  for await (const chunk of file.body!) fileBytes += (chunk as Uint8Array).length
  return {
    rows,
    ...made,
    verifySeconds: verified.seconds,
    verifyCpuMicros: verified.cpuMicros,
    verifyPostgresMicros: verified.postgresMicros,
    fileBytes,
    residentBefore,
    residentMost,
  }
}

/** Bytes. */
function residentOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

/** Journals of the available balance, spread over the month, in the days of Mexico City. */
export async function fillMonth({ postgres }: Stack, tenantId: string, rows: number): Promise<void> {
  await fill(
    postgres,
    ['ledger_journals'],
    `insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at, commit_order,
       booked_at)
     select $1, n.id, 'payment', n.id, 'release', 'mxn', n.at, 1, n.at
     from (select gen_random_uuid() as id, timestamptz '2026-01-01 06:00Z' + n * interval '31 days' / ($2::int + 1) as at
           from generate_series(1, $2::int) n) n`,
    [tenantId, rows],
  )
  await fill(
    postgres,
    ['ledger_postings'],
    `insert into ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
     select j.tenant_id, j.id, l.line, 'mxn', l.code, l.sign * 10000
     from ledger_journals j cross join (values (1, 'merchant_available', 1), (2, 'processor_clearing', -1)) l (line, code, sign)
     where j.tenant_id = $1`,
    [tenantId],
  )
  await fill(
    postgres,
    ['ledger_accounts'],
    `insert into ledger_accounts (tenant_id, currency, code, balance_minor)
     values ($1, 'mxn', 'merchant_available', $2::bigint * 10000), ($1, 'mxn', 'processor_clearing', $2::bigint * -10000)`,
    [tenantId, rows],
  )
}
