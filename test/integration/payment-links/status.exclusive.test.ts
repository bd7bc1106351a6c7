import { expect, test } from 'vitest'
import { call, type Link, newLink, newMerchant } from '../../support/merchant.ts'
import { adminSql, counts, stack } from '../../support/stack.ts'

// What an open page asks for every 10 to 60 seconds.

const ask = ({ public_id }: Link, terms: string) =>
  fetch(`${stack.sandbox.directUrl}/${public_id}/status${terms && `?terms=${terms}`}`)

/** The answers to the same question one after the other, and how many calls of the database each took. */
async function asked(link: Link, terms: string, times = 2) {
  const answers: unknown[] = []
  const trips: number[] = []
  for (let at = 0; at < times; at++) {
    const { result, calls } = await counts.during(async () => (await ask(link, terms)).json())
    answers.push(result)
    trips.push(calls.neon.length)
  }
  return { answers, trips }
}
const open = { state: 'open', terms: '1.1.1' }

test('while nothing has changed, a data center asks its database once for all who look', async () => {
  const link = await newLink(await newMerchant())
  expect(await asked(link, open.terms, 3)).toEqual({ answers: [open, open, open], trips: [1, 0, 0] })
  expect((await ask(link, open.terms)).headers.get('cache-control')).toBe('no-store')
})

test('who shows other terms, or says none, hears what holds now, every time', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  for (const terms of ['', '1.1.2', '1.1.1.1.1', 'x', '1'.repeat(300)])
    expect(await asked(link, terms)).toEqual({ answers: [open, open], trips: [1, 1] })
  await asked(link, open.terms)
  await call('POST', `/v1/payment-links/${link.id}/revoke`, { bearer: merchant.apiKey })
  expect((await asked(link, '')).answers).toEqual([closedAs('1.1.1'), closedAs('1.1.1')])
})

test('that a sale is over is not kept, nor that it is open beyond its end', async () => {
  const merchant = await newMerchant()
  const over = await newLink(merchant)
  await call('POST', `/v1/payment-links/${over.id}/revoke`, { bearer: merchant.apiKey })
  expect(await asked(over, open.terms)).toEqual({
    answers: [closedAs('1.1.1'), closedAs('1.1.1')],
    trips: [1, 1],
  })
  const ending = await newLink(merchant)
  await adminSql('sandbox')(
    `update payment_links set expires_at = now() + interval '990 milliseconds' where id = $1`,
    [ending.id],
  )
  expect((await asked(ending, open.terms)).trips).toEqual([1, 1])
})

const closedAs = (terms: string) => ({ state: 'closed', terms })
