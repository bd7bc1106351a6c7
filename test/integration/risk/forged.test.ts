import { expect, test } from 'vitest'
import { newGuarded, newRule, shadowed, tried } from '../../support/risk.ts'
import { adminSql } from '../../support/stack.ts'

const visa = { type: 'card_brand', is: 'visa' }

test.each([
  ['keeps its condition', `set condition = '{"type":"card_brand","is":"amex"}'`, 'SP460'],
  ['keeps its action', `set action = 'allow'`, 'SP460'],
  ['is not switched on unseen', `set status = 'active', activated_at = now()`, '23514'],
  ['is not retired without its time', `set status = 'retired'`, '23514'],
])('the database itself holds: what is watched %s', async (_, set, code) => {
  const guarded = await newGuarded()
  const id = await shadowed(guarded, visa)
  await expect(
    adminSql('sandbox')(`update risk_rules ${set}, updated_at = now() where id = $1`, [id]),
  ).rejects.toMatchObject({ code })
})

test('at most fifty rules are not retired', async () => {
  const guarded = await newGuarded()
  for (let at = 0; at < 50; at++) await newRule(guarded, visa)
  await expect(newRule(guarded, visa)).rejects.toThrow('risk_limit_reached')
})

test('what is kept of a try has no card number, no address and no network', async () => {
  const guarded = await newGuarded()
  const { id, place } = await tried(guarded, 'tok_sbx_approve', 'ana.lopez@example.com')
  const [row] = await adminSql('sandbox')<{ text: string }>(
    'select e::text as text from risk_evaluations e where payment_id = $1',
    [id],
  )
  for (const plain of ['4242424242424242', '******4242', 'ana', place.network])
    expect(row!.text).not.toContain(plain)
})
