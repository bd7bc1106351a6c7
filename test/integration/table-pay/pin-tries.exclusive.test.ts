import { afterAll, beforeAll, expect, test } from 'vitest'
import { newMerchant } from '../../support/merchant.ts'
import { open } from '../../support/pages.ts'
import { control } from '../../support/stack.ts'
import { billOf } from '../../support/table-pay.ts'

const limit = 5
const rate = (most: number) => ({ limit: most, period: 60 })
beforeAll(() =>
  control.reconfigure('sandbox', {
    rateLimits: { RATE_AUTH: rate(limit), RATE_PUBLIC: rate(1_000), RATE_STRANGER: rate(1_000) },
  }),
)
afterAll(() => control.reconfigure('sandbox'))

test('the PIN of a bill is not guessed from many addresses: its tries count together', async () => {
  const bill = await billOf(await newMerchant(), [10_000], { pin: '48213' })
  const statuses: number[] = []
  for (let at = 0; at < 3 * limit; at++) {
    const { status } = await open(`/${bill.address}/unlock`, {
      method: 'POST',
      headers: { 'cf-connecting-ip': `198.51.100.${at}` },
      body: new URLSearchParams({ password: String(10_000 + at) }),
    })
    statuses.push(status)
  }
  expect(statuses).toContain(429)
})
