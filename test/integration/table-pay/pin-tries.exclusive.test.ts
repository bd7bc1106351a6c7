import { afterAll, beforeAll, expect, test } from 'vitest'
import { newMerchant } from '../../support/merchant.ts'
import { open } from '../../support/pages.ts'
import { control } from '../../support/stack.ts'
import { billOf } from '../../support/table-pay.ts'

const limit = 5
const rate = (most: number) => ({ limit: most, period: 60 })
beforeAll(() =>
  control.reconfigure('sandbox', {
    rateLimits: { RATE_AUTH: rate(2), RATE_PUBLIC: rate(limit), RATE_STRANGER: rate(1_000) },
  }),
)
afterAll(() => control.reconfigure('sandbox'))

test('the PIN of a bill is not guessed from many addresses: its tries count together', async () => {
  const bill = await billOf(await newMerchant(), [10_000], { pin: '482135' })
  const statuses: number[] = []
  for (let at = 0; at < 3 * limit; at++) {
    const { status } = await open(`/${bill.address}/unlock`, {
      method: 'POST',
      headers: { 'cf-connecting-ip': `198.51.100.${at}` },
      body: new URLSearchParams({ password: String(100_000 + at) }),
    })
    statuses.push(status)
  }
  expect(statuses).toContain(429)
})

test('who tries PINs at one address keeps nobody at another one out', async () => {
  const bill = await billOf(await newMerchant(), [10_000], { pin: '482135' })
  const tried = (from: string, password: string) =>
    open(`/${bill.address}/unlock`, {
      method: 'POST',
      headers: { 'cf-connecting-ip': from },
      body: new URLSearchParams({ password }),
    }).then(({ status }) => status)
  const statuses: number[] = []
  for (let at = 0; at < 3 * limit; at++) statuses.push(await tried('198.51.100.200', String(100_000 + at)))
  expect(statuses).toContain(429)
  expect(await tried('198.51.100.201', '482135')).toBe(303)
})
