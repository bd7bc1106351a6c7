import { expect, test } from 'vitest'
import { offersOf } from '../../../functions/in-person/terminal/plan-actions.ts'

const tips = { presets: [{ bps: 1000 }, { amount: '3000' }], allows_other: true, allows_none: true }

test.each([
  ['mxn', ['4500', '3000']],
  ['usd', ['4500']],
])('a configured amount is offered in its own currency alone: asked in %s', (currency, amounts) => {
  const asked = { amount: '45000', currency, expires_in_seconds: 60 }
  const offered = offersOf(asked, { tips, currency: 'mxn' })
  if ('refused' in offered) throw new Error('nothing is offered')
  expect(offered.input.offers.presets.map(({ amount }) => amount)).toEqual(amounts)
})
