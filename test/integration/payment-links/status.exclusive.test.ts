import { expect, test } from 'vitest'
import { chargesOf } from '../../support/books.ts'
import { call, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { counts, stack } from '../../support/stack.ts'

type Status = { state: string; terms: string }

const statusOf = async (publicId: string, terms = ''): Promise<Status> => {
  const reply = await fetch(`${stack.sandbox.directUrl}/${publicId}/status${terms && `?terms=${terms}`}`)
  return (await reply.json()) as Status
}
const asked = (publicId: string, terms: string) => counts.during(() => statusOf(publicId, terms))

test('what many open pages ask costs one trip while nothing changes, and none after it', async () => {
  const { public_id } = await newLink(await newMerchant(), { usage: 'multi_use' })
  const { terms } = await statusOf(public_id)
  const first = await asked(public_id, terms)
  expect([first.result, first.trips]).toEqual([{ state: 'open', terms }, 1])
  await expect.poll(async () => (await asked(public_id, terms)).trips).toBe(0)
  expect((await asked(public_id, terms)).result).toEqual({ state: 'open', terms })
})

test('a page with other terms than those of now is answered by the database', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use' })
  const { terms } = await statusOf(link.public_id)
  for (let times = 0; times < 2; times++) {
    const old = await asked(link.public_id, '900.1.1')
    expect([old.result, old.trips]).toEqual([{ state: 'open', terms }, 1])
  }
})

test('an answer that is kept takes no money: the database decides when a form is sent', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use' })
  const { terms } = await statusOf(link.public_id)
  await expect.poll(async () => (await asked(link.public_id, terms)).trips).toBe(0)
  const form = await openLink(link.public_id)
  const revoked = await call('POST', `/v1/payment-links/${link.id}/revoke`, { bearer: merchant.apiKey })
  expect(revoked.status).toBe(200)
  expect((await pay(link.public_id, form, 'tok_sbx_approve')).status).toBe(410)
  expect(await chargesOf(link.public_id)).toEqual([])
})
