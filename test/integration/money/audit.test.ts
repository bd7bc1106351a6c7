import { expect, test } from 'vitest'
import { brokenRules } from '../../support/book-rules.ts'
import { adminSql } from '../../support/stack.ts'
import type { Command } from './commands.ts'
import { newWorld, settle, take } from './world.ts'

const sql = adminSql('sandbox')

/** Some of everything that moves money. */
const history: readonly Command[] = [
  { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 900_000, months: 1 },
  { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 300_000, months: 1 },
  { kind: 'oxxo', amount: 50_000 },
  { kind: 'spei', amount: 40_000 },
  { kind: 'voucher', which: 0, what: 'pay' },
  { kind: 'oxxo', amount: 60_000 },
  { kind: 'deposit', which: 0, part: 'half', twice: true },
  // Two bank days, whatever the day of the week.
  { kind: 'clock', hours: 168 },
  { kind: 'dashboard_refund', which: 0, part: 'third' },
  { kind: 'dispute', which: 1 },
  { kind: 'resolve', which: 0, outcome: 'lost' },
  { kind: 'transfer', part: 'third', to: 'clabe' },
  { kind: 'transfer', part: 'third', to: 'tenant' },
  { kind: 'clock', hours: 24 },
  { kind: 'payout' },
]

const charge = 'reference in (select id from payment_attempts where tenant_id = $1)'
const refund = `charge_${charge}`
const order = (table: string) => `reference in (select id from ${table} where tenant_id = $1)`

/** A change on either side, how to undo it, and the rule that finds it. */
const lies: readonly [rule: string, lie: string, truth: string][] = [
  [
    'balance',
    'ledger_accounts set balance_minor = balance_minor + 1 where tenant_id = $1',
    'balance_minor - 1',
  ],
  ['outside', `simulator.bank_orders set state = 'failed' where ${order('transfers')}`, `'paid'`],
  [
    'charge: in exactly',
    `simulator.charges set amount_minor = amount_minor + 1 where ${charge}`,
    'amount_minor - 1',
  ],
  ['payment: captured by a card', `simulator.charges set state = 'declined' where ${charge}`, `'captured'`],
  ['voucher', `simulator.vouchers set state = 'paid' where amount_minor = 60000 and ${charge}`, `'pending'`],
  [
    'deposit: each',
    'simulator.spei_deposits set amount_minor = amount_minor + 1 where account = door.workspace_id($1)',
    'amount_minor - 1',
  ],
  [
    'refund: each',
    `simulator.refunds set amount_minor = amount_minor + 1 where ${refund}`,
    'amount_minor - 1',
  ],
  ['refund: to a card', `simulator.refunds set state = 'failed' where ${refund}`, `'succeeded'`],
  ['dispute: each', `simulator.disputes set state = 'won' where ${charge}`, `'lost'`],
  [
    'dispute: takes',
    `simulator.disputes set amount_minor = amount_minor - 1 where ${charge}`,
    'amount_minor + 1',
  ],
  [
    'bank: an order that we did not send',
    `simulator.bank_orders set amount_minor = amount_minor + 1 where ${order('payouts')}`,
    'amount_minor - 1',
  ],
  [
    'bank: an order that stands',
    `simulator.bank_orders set state = 'returned' where ${order('payouts')}`,
    `'paid'`,
  ],
  [
    'bank: paid in the books',
    `simulator.bank_orders set state = 'processing' where ${order('payouts')}`,
    `'paid'`,
  ],
  [
    'workspace',
    "transfers set amount_minor = amount_minor + 1 where destination_type = 'tenant' and tenant_id = $1",
    'amount_minor - 1',
  ],
  ['news', `simulator.refunds set confirmed_state = null where ${refund}`, 'state'],
]

test('books and bank agree, and whatever either of them changes alone is found', async () => {
  const world = await newWorld()
  for (const one of history) await take(world, one)
  const both = [world.merchant.tenantId, world.other.tenantId]
  await settle(both)
  expect(await brokenRules(sql, both)).toEqual([])
  // The schema refuses this lie by itself.
  await sql('alter table transfers disable trigger made_with')
  for (const [rule, lie, truth] of lies) {
    const changed = await sql(`update ${lie} returning 1`, [world.merchant.tenantId])
    const found = await brokenRules(sql, both)
    expect(
      [changed.length > 0, found.some((line) => line.startsWith(rule))],
      `${lie}\n${found.join('\n')}`,
    ).toEqual([true, true])
    await sql(`update ${lie.replace(/ set (\w+) = .*? where /, ` set $1 = ${truth} where `)}`, [
      world.merchant.tenantId,
    ])
  }
  await sql('alter table transfers enable trigger made_with')
  expect(await brokenRules(sql, both)).toEqual([])
})
