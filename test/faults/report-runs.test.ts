import { createHash, randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { survivors } from '../support/books.ts'
import type { BucketStrike } from '../support/bucket.ts'
import { beforeAndAfter, diesOnce, killReconciler, type Strike } from '../support/drills.ts'
import { writtenByHand } from '../support/kept-books.ts'
import { call, type Merchant, newLink, newMerchant, openLink, pay } from '../support/merchant.ts'
import { paidByCard, refund } from '../support/refunds.ts'
import { over, type Run, started, today, verify } from '../support/reporting.ts'
import { counted, summaryOf } from '../support/reporting-summary.ts'
import { adminSql, bucketHere, control, faults, stack, withWorkerHere } from '../support/stack.ts'

afterEach(() => faults.clear())

const sql = adminSql('sandbox')
const day = '2026-03-01'
/** Two parts of four thousand rows, and a third one. */
const [rows, parts] = [8_100, 3]

/** That many journals of the available balance on one day. */
async function booked({ tenantId }: Merchant) {
  writtenByHand(tenantId)
  await sql(`do $$ begin
    set local session_replication_role = replica;
    insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at, commit_order, booked_at)
    select '${tenantId}', md5('${tenantId}' || i)::uuid, 'payment', md5('${tenantId}' || i)::uuid, 'release', 'mxn', t.at, 1, t.at
    from generate_series(1, ${rows}) i, lateral (select timestamptz '${day} 12:00Z' + i * interval '1 second' as at) t;
    insert into ledger_postings
    select '${tenantId}', md5('${tenantId}' || i)::uuid, p.line, 'mxn', p.code, p.sign * i
    from generate_series(1, ${rows}) i,
      (values (1, 'merchant_available', 1), (2, 'processor_clearing', -1)) p (line, code, sign);
    insert into ledger_accounts
    select '${tenantId}', 'mxn', p.code, p.sign * ${(rows * (rows + 1)) / 2}
    from (values ('merchant_available', 1), ('processor_clearing', -1)) p (code, sign);
  end $$`)
}

const run = (merchant: Merchant) => started(merchant, 'balance.activity', day)

/** Both as of one commit, the later one. The second waits until `over` looks at it. */
const asOne = (first: Run, second: Run) =>
  sql(`do $$ begin
    set local session_replication_role = replica;
    update report_runs set as_of = (select max(as_of) from report_runs where id in ('${first.id}', '${second.id}'))
    where id in ('${first.id}', '${second.id}');
    update report_runs set next_check_at = now() + interval '1 hour' where id = '${second.id}';
  end $$`)

async function fileOf({ apiKey }: Merchant, { id }: Run) {
  const reply = await fetch(`${stack.sandbox.directUrl}/v1/reporting/runs/${id}/file`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  expect(reply.status).toBe(200)
  return Buffer.from(await reply.arrayBuffer())
}

/** What came of a run: rows of it, its events, what it published, and its objects where the bucket is at hand. */
async function cameOf({ tenantId }: Merchant, { id }: Run) {
  const [counts] = await sql<{ runs: number; events: string[]; steps: number }>(
    `select (select count(*)::int from report_runs where tenant_id = $1) as runs,
       (select array_agg(type) from events where tenant_id = $1 and resource_id = $2) as events,
       (select count(*)::int from audit_events where tenant_id = $1 and operation = 'report_runs.step'
          and objects = array['report_run:' || $2::text]) as steps`,
    [tenantId, id],
  )
  const files = bucketHere()
    ?.keys()
    .filter((key) => key.includes(id))
  return { ...counts!, ...(files && { files: files.length }) }
}

async function dies(strike: Strike | BucketStrike) {
  if ('contains' in strike) return killReconciler(strike)
  const { struck } = bucketHere()!.strike(strike)
  return diesOnce(
    () => struck,
    () => control.trigger('sandbox'),
    JSON.stringify(strike),
  )
}

async function survives(strike: Strike | BucketStrike) {
  const merchant = await newMerchant()
  await booked(merchant)
  const [first, second] = [await run(merchant), await run(merchant)]
  await asOne(first, second)
  const unkilled = await over(merchant, first)
  await sql('update report_runs set next_check_at = now() where id = $1', [second.id])
  await dies(strike)
  const killed = await over(merchant, second)
  expect(unkilled).toMatchObject({ status: 'succeeded', rows_count: rows })
  const { sha256, opening, closing } = unkilled
  expect(killed).toMatchObject({ status: 'succeeded', rows_count: rows, sha256, opening, closing })
  const file = await fileOf(merchant, second)
  expect(file.equals(await fileOf(merchant, first))).toBe(true)
  expect(createHash('sha256').update(file).digest('hex')).toBe(sha256)
  const came = await cameOf(merchant, second)
  expect(came).toEqual(await cameOf(merchant, first))
  expect(came).toMatchObject({ runs: 2, events: ['report_run.succeeded'], steps: parts })
  if (bucketHere()) expect(came).toMatchObject({ files: parts })
}

/** Of each part the run is read, then its rows, and the part is published; before the last one, what the accounts moved by. */
const kills = [0, 1, 2].flatMap((skip): Strike[] => [
  { contains: 'from "report_runs"', skip, mode: 'hang' },
  { contains: 'from ledger_journals j cross join lateral', skip, mode: 'hang' },
  ...beforeAndAfter.map(({ mode }) => ({ contains: 'door.publish', skip, mode })),
  ...(skip === 0 ? [{ contains: 'with moved as', mode: 'hang' as const }] : []),
])

test('the Worker is killed in each call of a run of three parts: its file is that of a run that was not killed', () =>
  survivors('Worker killed over a report', kills, survives))

/** The file's parts are written one after the other, and read again for its digest. */
const fileKills = [0, 1, 2].flatMap((skip): BucketStrike[] => [
  ...beforeAndAfter.map(({ mode }) => ({ file: 'put' as const, skip, mode })),
  { file: 'get', skip, mode: 'hang' },
])

test('the Worker is killed at each part that it puts or reads again: no part is missing, and none is there twice', () =>
  withWorkerHere(async () => {
    for (const kill of fileKills) await survives(kill)
  }))

/** Begins a run of the jobs that does not come past its put of a part, until it is released. */
async function late() {
  const { struck, release } = bucketHere()!.strike({ file: 'put', mode: 'released' })
  const job = control.trigger('sandbox').catch(() => {})
  await struck
  return async () => {
    release()
    await job
  }
}

const keysOf = ({ id }: Run) =>
  bucketHere()!
    .keys()
    .filter((key) => key.includes(id))

test('a part that is put after the removal of a canceled run is removed too', () =>
  withWorkerHere(async () => {
    const merchant = await newMerchant()
    const made = await run(merchant)
    const putLate = await late()
    const canceled = await call('POST', `/v1/reporting/runs/${made.id}/cancel`, {
      bearer: merchant.apiKey,
      headers: { 'idempotency-key': randomUUID() },
    })
    expect(canceled.status, canceled.text).toBe(200)
    await control.trigger('sandbox')
    await putLate()
    expect(keysOf(made)).toHaveLength(1)
    const [removal] = await sql<{ minutes: number }>(
      'select extract(epoch from remove_at - finished_at)::int / 60 as minutes from report_runs where id = $1',
      [made.id],
    )
    // Longer than the Worker that put it can live.
    expect(removal!.minutes).toBe(20)
    await sql(
      `update report_runs set remove_at = now(), finished_at = finished_at - interval '20 minutes' where id = $1`,
      [made.id],
    )
    await control.trigger('sandbox')
    expect(keysOf(made)).toEqual([])
    expect(await sql('select remove_at from report_runs where id = $1', [made.id])).toEqual([
      { remove_at: null },
    ])
  }))

test('a Worker that is slower than its lease puts nothing in place of a part', () =>
  withWorkerHere(async () => {
    const merchant = await newMerchant()
    const paymentId = await paidByCard(merchant, { amount: 90_000 })
    const made = await started(merchant, 'cfdi.pending', today)
    const putLate = await late()
    // The row shows what is refunded when it is read: another Worker has other bytes.
    expect((await refund(merchant, { payment_id: paymentId, amount: '20000' })).status).toBe(201)
    const ended = await over(merchant, made)
    await putLate()
    expect(keysOf(made)).toHaveLength(2)
    expect((await fileOf(merchant, made)).toString()).toContain('20000')
    expect((await verify(merchant, ended)).body).toMatchObject({ equal: true, file: 'equal' })
  }))

test('the Worker is killed while the summary is counted: each payment is counted once', () =>
  survivors(
    'Worker killed over a summary',
    beforeAndAfter.map(({ mode }) => ({ contains: 'door.follow_journals', mode })),
    async (strike) => {
      const merchant = await newMerchant()
      for (const _ of [1, 2]) {
        const link = await newLink(merchant)
        await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
        await killReconciler(strike)
      }
      await counted(merchant)
      expect(await summaryOf(merchant)).toMatchObject({ payments_count: 2, amount_gross: '240000' })
    },
  ))
