import { expect, test } from 'vitest'
import { openLink, pay } from '../support/merchant.ts'
import { trigger } from '../support/stack.ts'
import { blocks, demoTerminal, lines, tour } from '../support/tour.ts'

test('a rule from its draft to its decision, a list, and a review, as their guide asks', async () => {
  const [drafted, activated, listed, rejected] = blocks(
    'docs/what-payments-say.md',
    '## A rule, step by step',
  ) as [string, string, string, string]
  const [, , decide] = blocks('docs/setting-up.md', '## Name') as [string, string, string]
  const { run, end } = await demoTerminal()
  const paid = async (key: string) => {
    const [, link] = /"public_id":"(\w+)"/.exec(
      await run((tour[1] as string).replace('tour-link-1', `tour-link-${key}`)),
    )!
    expect(await pay(link!, await openLink(link!), 'tok_sbx_approve', 1)).toMatchObject({ status: 303 })
  }
  await paid('tried')
  await run(decide)
  expect(lines(await run(drafted))).toMatchObject([
    { object: 'risk_rule', status: 'shadow' },
    { object: 'risk_backtest', tries_count: 1 },
  ])
  expect(lines(await run(activated))).toMatchObject([{ object: 'risk_rule', status: 'active' }])
  expect(lines(await run(listed))).toMatchObject([{ object: 'risk_list_item', status: 'active' }])
  await paid('reviewed')
  await trigger('sandbox')
  expect(lines(await run(rejected))).toMatchObject([
    { object: 'risk_review', status: 'rejected' },
    { object: 'risk_rule', status: 'retired' },
  ])
  end()
}, 300_000) // a code works once: five are waited for, up to half a minute each
