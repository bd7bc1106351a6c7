import { expect, test } from 'vitest'
import { inPerson, newCounter, paymentOf, present, process } from '../../support/terminal.ts'

const declined = { card: 'tok_sbx_decline_funds' }

test('a payment in person that was declined stays so when it is canceled', async () => {
  const counter = await newCounter()
  const { body: action } = await process(counter)
  await present(counter, declined)
  const { body } = await inPerson(counter, action, 'cancel')
  expect(body.status).toBe('declined')
  expect(body).toEqual((await inPerson(counter, action)).body)
  expect((await paymentOf(counter, action)).status).toBe('canceled')
})
