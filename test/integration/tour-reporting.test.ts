import { expect, test } from 'vitest'
import { trigger } from '../support/stack.ts'
import { blocks, demoTerminal, lines } from '../support/tour.ts'

test('reports, a schedule and account numbers, as their guide asks', async () => {
  const [started, verified, scheduled, numbers, balance] = blocks('docs/reporting.md', '# Close') as [
    string,
    string,
    string,
    string,
    string,
  ]
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
  await run(decide)
  expect(lines(await run(scheduled))).toMatchObject([{ object: 'report_schedule', status: 'active' }])
  expect(lines(await run(numbers))).toMatchObject([{ object: 'report_account_mapping' }])
  expect(lines(await run(balance))).toMatchObject([{ object: 'balance_at' }])
  end()
})
