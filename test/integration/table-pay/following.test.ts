import { expect, test } from 'vitest'
import { open, pageOf } from '../../support/pages.ts'
import { dish, newBill } from '../../support/table-pay.ts'

const tagOf = async (address: string) =>
  /data-terms="([\d.]+)"/.exec((await pageOf(`/${address}?lang=en`)).html)![1]!

const statusOf = async (address: string, terms: string) =>
  (await open(`/${address}/status?terms=${terms}`)).json() as Promise<{ state: string; terms: string }>

test('the page of the parts learns of a new line, a discount and what others pay', async () => {
  const bill = await newBill(10_000, 5_000)
  const tags = [await tagOf(bill.address)]
  for (const change of [
    () => bill.ask('POST', '/lines', { line_items: [dish(700)] }),
    () => bill.ask('PUT', '/discount', { amount: '100' }),
    () => bill.pay(`line=${bill.lines[0]}`),
    () => bill.pay('amount=10'),
    () => bill.ask('POST', '/external-payments', { method: 'cash', amount: '500' }),
  ]) {
    await change()
    const told = await statusOf(bill.address, tags.at(-1)!)
    expect(told).toEqual({ state: 'open', terms: await tagOf(bill.address) })
    tags.push(told.terms)
  }
  expect(new Set(tags).size).toBe(tags.length)
})

test('the form of a part that is chosen does not change with them', async () => {
  const bill = await newBill(10_000, 5_000)
  const form = await pageOf(`/${bill.address}?line=${bill.lines[0]}&lang=en`)
  const terms = /data-terms="([\d.]+)"/.exec(form.html)![1]!
  await bill.ask('POST', '/lines', { line_items: [dish(700)] })
  await bill.pay(`line=${bill.lines[1]}`)
  expect(await statusOf(bill.address, terms)).toEqual({ state: 'open', terms })
})

test('the page of the parts of a bill that was closed learns so', async () => {
  const bill = await newBill(10_000)
  const terms = await tagOf(bill.address)
  await bill.ask('POST', '/void')
  expect((await statusOf(bill.address, terms)).state).toBe('closed')
})
