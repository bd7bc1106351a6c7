import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLink, pay } from '../support/merchant.ts'
import { adminSql, trigger } from '../support/stack.ts'
import { blocks, demoTerminal, home, lines, tour } from '../support/tour.ts'

test('a rule from its draft to its decision, a list, and a review, as their guide asks', async () => {
  const [drafted, activated, listed, rejected] = blocks(
    'docs/what-payments-say.md',
    '## A rule, step by step',
  ) as [string, string, string, string]
  const [, , decide] = blocks('docs/setting-up.md', '## Name') as [string, string, string]
  rmSync(join(home.path, 'demo.json'), { force: true }) // another demo merchant: the backtest counts all its tries
  const terminal = await demoTerminal()
  const { end } = terminal
  const email = await terminal.run('demo email')
  // The code of the next half minute works too, and what was used is forgotten: nothing is waited for.
  const ahead = join(home.path, 'ahead')
  const code = `code() { echo x >> ${ahead}; npm run -s totp -- $(demo totp_secret) $(($(wc -l < ${ahead}) - 1)); }`
  const [wait = ''] = /^code.*$/m.exec(decide) ?? []
  const run = async (block: string) => {
    rmSync(ahead, { force: true })
    await adminSql('identity')(
      'delete from totp_uses where user_id = (select id from users where email = $1)',
      [email],
    )
    return terminal.run(block)
  }
  const paid = async (key: string) => {
    const [, link] = /"public_id":"(\w+)"/.exec(
      await run((tour[1] as string).replace('tour-link-1', `tour-link-${key}`)),
    )!
    expect(await pay(link!, await openLink(link!), 'tok_sbx_approve', 1)).toMatchObject({ status: 303 })
  }
  await paid('tried')
  await run(decide.replace(wait, code))
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
})
