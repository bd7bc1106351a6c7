import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLink, pay } from '../support/merchant.ts'
import { trigger } from '../support/stack.ts'
import { blocks, demoTerminal, home, lines, tour } from '../support/tour.ts'

/** The numbers that the sales of a poliza have under the guide's mapping. */
async function numbered(run: (block: string) => Promise<string>) {
  await run(`POLIZA=$(api POST /v1/reporting/runs \
    '{"type":"poliza","period":{"from":"'$DAY'","to":"'$DAY'"}}' | field id)`)
  const rows = 'api GET /v1/reporting/runs/$POLIZA/rows?limit=1000'
  await expect
    .poll(() => trigger('sandbox').then(() => run(rows)), { timeout: 60_000 })
    .toContain('report_rows')
  const { data } = JSON.parse(await run(rows)) as { data: { cells: Record<string, string | null> }[] }
  const sold = data.map(({ cells }) => cells).filter(({ entry_kind }) => entry_kind === 'capture')
  expect(sold.length).toBeGreaterThanOrEqual(4)
  return sold.map(({ account_number }) => account_number)
}

test('reports, a schedule and account numbers, as their guide asks', async () => {
  const [started, verified, came, invoiced, scheduled, numbers, balance] = blocks(
    'docs/reporting.md',
    '# Close',
  ) as [string, string, string, string, string, string, string]
  const [, , decide] = blocks('docs/setting-up.md', '## Name') as [string, string, string]
  const { run, end } = await demoTerminal()
  expect(lines(await run(started))).toMatchObject([{ object: 'report_run', status: 'queued' }])
  const verifying = run(verified)
  let isDone = false
  void verifying.finally(() => {
    isDone = true
  })
  await expect.poll(() => trigger('sandbox').then(() => isDone), { timeout: 60_000 }).toBe(true)
  expect(await verifying).toBe('true')
  const [, link] = /"public_id":"(\w+)"/.exec(
    await run((tour[1] as string).replace('tour-link-1', 'tour-link-invoiced')),
  )!
  await pay(link!, await openLink(link!), 'tok_sbx_approve', 1)
  expect(lines(await run(came))).toMatchObject([{ object: 'reporting_summary' }])
  expect(readFileSync(join(home.path, 'spindle-summary.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\s*$/)
  expect(lines(await run(invoiced))).toMatchObject([
    { object: 'payment_invoice', status: 'live' },
    { data: [{ status: 'live' }, { status: 'replaced' }] },
  ])
  await run(decide)
  expect(lines(await run(scheduled))).toMatchObject([{ object: 'report_schedule', status: 'active' }])
  expect(lines(await run(numbers))).toMatchObject([{ object: 'report_account_mapping' }])
  expect(await numbered(run)).not.toContain(null)
  expect(lines(await run(balance))).toMatchObject([{ object: 'balance_at' }])
  end()
})
