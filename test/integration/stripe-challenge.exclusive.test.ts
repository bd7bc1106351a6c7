import { expect, test } from 'vitest'
import { brokenRules } from '../support/books.ts'
import { Browser, otherWay } from '../support/challenge.ts'
import { trigger } from '../support/stack.ts'
import { challengeAction } from '../support/stripe-intents.ts'
import {
  directUrl,
  journals,
  liveLink,
  open,
  paymentOf,
  send,
  server,
  sql,
  withStripe,
} from '../support/stripe-live.ts'

withStripe({ PROCESSOR_TIMEOUT_MS: '2500' })

/** A buyer who was sent to the bank's challenge and has not answered it. */
async function challengedLive() {
  const { merchant, link } = await liveLink()
  const browser = new Browser(directUrl)
  const { form } = await open(link)
  const sent = await browser.send(`/${link.public_id}/attempts`, { ...form, card_token: 'pm_challenge' })
  const { attempt } = await paymentOf(merchant)
  const intent = server.intentFor(attempt)!
  return { merchant, link, browser, path: sent.leadsTo!, attempt, intent }
}

const statusOf = async (merchant: Parameters<typeof paymentOf>[0]) => {
  const { status, attempt_status } = await paymentOf(merchant)
  return [status, attempt_status]
}

const onTheirWay = ['requires_action', 'pending_customer']
const freed = ['requires_payment_method', 'expired']

test('on to the bank: leads to the address that Stripe now gives', async () => {
  const { merchant, link, browser, path, intent } = await challengedLive()
  expect((await browser.open(`/${link.public_id}`)).leadsTo).toBe(path)
  const moved = 'https://hooks.stripe.example/3ds/again'
  server.move(intent.id, { action: challengeAction(moved) })
  const on = await browser.open(`${path}/bank`)
  expect([on.status, on.leadsTo]).toEqual([303, moved])
  expect(on.headers.get('content-security-policy')).not.toContain('stripe')
  // Stripe does not answer: its first address may still work.
  server.failNext(/GET \/v1\/payment_intents/, '500')
  expect((await browser.open(`${path}/bank`)).leadsTo).toContain('https://hooks.stripe.example/3ds?return=')
  expect(await statusOf(merchant)).toEqual(onTheirWay)
  expect(server.complaints).toEqual([])
})

test.each([
  ['passed', { status: 'succeeded' }, ['succeeded', 'captured'], 'succeeded'],
  [
    'failed',
    { status: 'requires_payment_method', error: { code: 'payment_intent_authentication_failure' } },
    ['requires_payment_method', 'declined'],
    undefined,
  ],
] as const)('%s in another tab: the way to the bank leads to the result', async (_, moved, stands, state) => {
  const { merchant, link, browser, path, intent } = await challengedLive()
  server.move(intent.id, moved)
  expect((await browser.open(`${path}/bank`)).leadsTo).toBe(path)
  expect(await statusOf(merchant)).toEqual(stands)
  const seen = await browser.open(path)
  // A paid one is shown again as its receipt; a refused one leads to the form, which says why.
  expect([seen.state, browser.cookie !== null]).toEqual([state, state === 'succeeded'])
  if (state === undefined) expect(seen.leadsTo).toBe(`/${link.public_id}?retry=${path.split('/')[2]}`)
  // The way back with the client secret, after the outcome was recorded.
  const back = `${path}?payment_intent=${intent.id}&payment_intent_client_secret=s&redirect_status=succeeded`
  expect((await browser.open(back)).leadsTo).toBe(path)
})

test('another way: canceled at Stripe before the form is offered; the next card pays the same payment', async () => {
  const one = await challengedLive()
  const { merchant, link, browser, path, attempt, intent } = one
  const given = await otherWay(one)
  expect(given.leadsTo).toBe(`/${link.public_id}?retry=${path.split('/')[2]}`)
  expect(server.intents.get(intent.id)!.status).toBe('canceled')
  expect(server.seen.find(({ path: asked }) => asked.endsWith('/cancel'))).toMatchObject({
    key: expect.stringContaining(`${attempt}:cancel:`),
  })
  expect(await statusOf(merchant)).toEqual(freed)
  const { form } = await open(link, `?retry=${path.split('/')[2]}`)
  expect(await send(link, { ...form, card_token: 'pm_approve' })).toContain(path)
  expect((await browser.open(path)).state).toBe('succeeded')
  expect(await journals(merchant)).toBe(1)
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
  expect(server.complaints).toEqual([])
})

test('another way, and the bank was quicker: paid; while Stripe still works on it: not closed', async () => {
  const one = await challengedLive()
  server.move(one.intent.id, { status: 'processing' })
  const unclear = await otherWay(one)
  expect([unclear.status, unclear.state]).toEqual([503, 'requires_action'])
  server.move(one.intent.id, { status: 'succeeded' })
  expect((await otherWay(one)).leadsTo).toBe(one.path)
  expect(await statusOf(one.merchant)).toEqual(['succeeded', 'captured'])
  expect(await brokenRules(one.merchant.tenantId, 'live')).toEqual([])
})

test.each(['time_out', 'time_out_after', 'cut', 'cut_after', '500', '500_after', '429'] as const)(
  'another way, and Stripe does not confirm the cancel (%s): the page says so, the slot is held; asked again it is free',
  async (fault) => {
    const one = await challengedLive()
    // What is too much for Stripe is sent three times.
    server.failNext(/POST \/v1\/payment_intents\/\w+\/cancel/, fault, fault === '429' ? 3 : 1)
    const unclear = await otherWay(one)
    expect([unclear.status, unclear.headers.get('retry-after')]).toEqual([503, '1'])
    expect(unclear.html).toContain('We could not confirm that this attempt was canceled')
    expect(unclear.html).toContain(`action="${one.path}/cancel"`)
    expect(await statusOf(one.merchant)).toEqual(onTheirWay)
    const stranger = await new Browser(directUrl).open(`/${one.link.public_id}`)
    expect(stranger.status).toBe(409)
    if (fault === 'cut_after') {
      // Without another request the reconciler finds it closed.
      await sql('update payment_attempts set next_check_at = now() where id = $1', [one.attempt])
      await trigger('live')
    } else expect((await otherWay(one)).leadsTo).toContain('?retry=')
    expect(await statusOf(one.merchant)).toEqual(freed)
    expect((await new Browser(directUrl).open(`/${one.link.public_id}`)).status).toBe(200)
    expect(server.complaints).toEqual([])
  },
)
