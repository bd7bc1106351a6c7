import { expect, test } from 'vitest'
import { newMerchant, newNetwork } from '../../support/merchant.ts'
import { inForce, newGuarded } from '../../support/risk.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import { attemptsOf, good, inTurn, newPlace, pass, stolen, tries } from '../../support/stolen-cards.ts'

test('after five declined cards at a sale from a network the bank confirms each buyer there', async () => {
  const merchant = await newMerchant()
  const place = await newPlace(merchant)
  await inTurn(place, 5)
  expect(await attemptsOf(merchant)).toEqual(Array(5).fill('declined'))
  expect(await tries(place, stolen(5))).toBe('tried')
  expect((await attemptsOf(merchant)).at(-1)).toBe('pending_customer')
  // The bank asks no buyer elsewhere, and no buyer here after ten minutes.
  const [otherNetwork, otherSale] = [{ ...place, network: newNetwork() }, await newPlace(merchant)]
  await tries(otherNetwork, 'tok_sbx_approve')
  await tries({ ...otherSale, network: place.network }, 'tok_sbx_approve')
  await pass(merchant, '11 minutes')
  await tries(place, 'tok_sbx_approve')
  expect((await attemptsOf(merchant)).slice(-3)).toEqual(['captured', 'captured', 'captured'])
})

test('one card that is declined again and again is one card', async () => {
  const merchant = await newMerchant()
  const place = await newPlace(merchant)
  for (let at = 0; at < 6; at++) await tries(place, 'tok_sbx_decline_funds')
  await tries(place, 'tok_sbx_approve')
  expect((await attemptsOf(merchant)).at(-1)).toBe('captured')
})

test('where most cards are accepted, some declined ones ask nothing of the others', async () => {
  const merchant = await newMerchant()
  const place = await newPlace(merchant)
  // Four in ten are declined.
  for (let at = 0; at < 8; at++) await tries(place, good(at))
  await inTurn(place, 6)
  expect((await attemptsOf(merchant)).filter((status) => status === 'pending_customer')).toEqual([])
})

test('one good card, however often it pays, is one accepted card', async () => {
  const merchant = await newMerchant()
  const place = await newPlace(merchant)
  for (let at = 0; at < 10; at++) await tries(place, 'tok_sbx_approve')
  await inTurn(place, 5)
  await tries(place, stolen(5))
  expect((await attemptsOf(merchant)).at(-1)).toBe('pending_customer')
})

test('stolen cards: the first five are declined, the bank confirms the next, then cards pause there', async () => {
  const merchant = await newMerchant()
  const place = await newPlace(merchant)
  await inTurn(place, 40)
  const asked = await attemptsOf(merchant)
  expect([asked.filter((status) => status === 'declined').length, asked.length]).toEqual([5, 40])
  await pass(merchant, '1 minute')
  expect(new Set(await inTurn(place, 20, 40))).toEqual(new Set(['paused']))
  expect(await attemptsOf(merchant)).toHaveLength(40)

  const paused = await (
    await fetch(`${stack.sandbox.directUrl}/${place.link.public_id}?error=cards_paused`)
  ).text()
  expect(paused).toContain('no se reciben tarjetas')
  // The same carrier's buyers elsewhere, and those of other networks here.
  const elsewhere = { ...(await newPlace(merchant)), network: place.network }
  for (let at = 0; at < 5; at++) {
    expect(await tries(elsewhere, 'tok_sbx_approve')).toBe('tried')
    expect(await tries({ ...place, network: newNetwork() }, 'tok_sbx_approve')).toBe('tried')
  }
  await pass(merchant, '10 minutes')
  expect(await tries(place, 'tok_sbx_approve')).toBe('tried')
  expect((await attemptsOf(merchant)).at(-1)).toBe('captured')
})

test('questions of the bank that are left open pause cards, where no card was declined', async () => {
  const guarded = await newGuarded()
  await inForce(guarded, { type: 'card_brand', is: 'visa' }, 'confirm')
  const place = await newPlace(guarded.merchant)
  await inTurn(place, 40)
  expect(await attemptsOf(guarded.merchant)).toEqual(Array(40).fill('pending_customer'))
  // What is not yet answered counts as nothing.
  expect(await tries(place, stolen(40))).toBe('tried')
  await pass(guarded.merchant, '1 minute')
  expect(await tries(place, stolen(41))).toBe('paused')
})

test('fifty at once get through at most before their declines are known, and none after them', async () => {
  const merchant = await newMerchant()
  const place = await newPlace(merchant)
  await Promise.all(Array.from({ length: 50 }, (_, at) => tries(place, stolen(at))))
  const known = (await attemptsOf(merchant)).length
  await inTurn(place, 5, 100)
  expect((await attemptsOf(merchant)).slice(known)).not.toContain('declined')
})

test('ten declined cards of one address pause cards for it, wherever it is; another name of the mailbox is the same', async () => {
  const merchant = await newMerchant()
  for (let at = 0; at < 10; at++)
    expect(await tries(await newPlace(merchant), stolen(at), `ana+${at}@example.com`)).toBe('tried')
  expect(await tries(await newPlace(merchant), stolen(10), 'Ana@example.com')).toBe('paused')
  expect(await tries(await newPlace(merchant), 'tok_sbx_approve', 'luis@example.com')).toBe('tried')
  // Another workspace does not count them.
  expect(await tries(await newPlace(await newMerchant()), 'tok_sbx_approve', 'ana@example.com')).toBe('tried')
})

test('a network that fails at many sales is asked to confirm, and never paused', async () => {
  const merchant = await newMerchant()
  const network = newNetwork()
  for (let at = 0; at < 20; at++) await tries({ ...(await newPlace(merchant)), network }, stolen(at))
  await tries({ ...(await newPlace(merchant)), network }, stolen(20))
  expect((await attemptsOf(merchant)).at(-1)).toBe('pending_customer')
})

test('what was tried is kept as keyed digests, and for a day', async () => {
  const merchant = await newMerchant()
  const place = await newPlace(merchant)
  await tries(place, stolen(1), 'ana@example.com')
  const kept = () =>
    adminSql('sandbox')<{ text: string }>('select t::text as text from card_tries t where tenant_id = $1', [
      merchant.tenantId,
    ])
  const [{ text }] = (await kept()) as [{ text: string }]
  for (const plain of [place.network, 'ana', '0001']) expect(text).not.toContain(`,${plain}`)
  await pass(merchant, '25 hours')
  await trigger('sandbox')
  expect(await kept()).toEqual([])
})
