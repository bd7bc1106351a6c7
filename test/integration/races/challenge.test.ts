import { expect, test } from 'vitest'
import { answerBank } from '../../support/bank.ts'
import {
  attemptsOf,
  brokenRules,
  chargesOf,
  journalsOf,
  paymentsOf,
  settleAttempts,
} from '../../support/books.ts'
import { Browser, type Challenged, challenged, otherWay } from '../../support/challenge.ts'
import { call, openLink, pay } from '../../support/merchant.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))

const presses = ({ path }: Challenged) => times(() => otherWay({ browser: new Browser(), path }))

/** One outcome: the money and a paid link, or neither and a link that is free. */
async function oneOutcome({ merchant, link }: Challenged): Promise<'paid' | 'free'> {
  const charges = (await chargesOf(link.public_id)).map(({ state }) => state)
  const [payment, ...more] = await paymentsOf(merchant.tenantId)
  const read = await call<{ status: string }>('GET', `/v1/payment-links/${link.id}`, {
    bearer: merchant.apiKey,
  })
  expect(more).toEqual([])
  const isPaid = charges.includes('captured')
  expect(charges.filter((state) => state === 'captured')).toHaveLength(isPaid ? 1 : 0)
  expect(charges).not.toContain('challenge')
  expect([payment!.status, read.body.status]).toEqual(
    isPaid ? ['succeeded', 'paid'] : ['requires_payment_method', 'active'],
  )
  expect(await journalsOf(merchant.tenantId)).toEqual(isPaid ? { capture: 1 } : {})
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  return isPaid ? 'paid' : 'free'
}

test('50 ask for another way at once: the challenge is closed once, and all get the form', async () => {
  const one = await challenged()
  const answers = await presses(one)
  expect(new Set(answers.map(({ status, leadsTo }) => `${status} ${leadsTo}`))).toEqual(
    new Set([`303 /${one.link.public_id}?retry=${one.reference}`]),
  )
  expect(await oneOutcome(one)).toBe('free')
  expect((await attemptsOf(one.merchant.tenantId)).map(({ status }) => status)).toEqual(['expired'])
  const events = await adminSql('sandbox')(
    `select type from events where tenant_id = $1 and type = 'payment.declined'`,
    [one.merchant.tenantId],
  )
  expect(events).toHaveLength(1)
})

test('50 ask for another way while the challenge is passed: the bank decides, and all get the same reply', async () => {
  for (const looks of [0, 0, 1, 2, 3, 4]) {
    const one = await challenged()
    const approve = async () => {
      for (let at = 0; at < looks; at++) await one.browser.open(`/simulator/3ds/${one.attemptId}`)
      await answerBank(one.attemptId, 'approve')
    }
    const [answers] = await Promise.all([presses(one), approve()])
    const outcome = await oneOutcome(one)
    const led = outcome === 'paid' ? one.path : `/${one.link.public_id}?retry=${one.reference}`
    expect(new Set(answers.map(({ status, leadsTo }) => `${status} ${leadsTo}`))).toEqual(
      new Set([`303 ${led}`]),
    )
  }
})

test('50 ask for another way and pay by another card at once, beside the challenge: no buyer is charged twice', async () => {
  for (let round = 0; round < 3; round++) {
    const one = await challenged()
    const { merchant, link } = one
    const buyers = times(async (at) => {
      const { leadsTo } = await otherWay({ browser: new Browser(), path: one.path })
      if (!leadsTo?.includes('?retry=')) return
      const form = await openLink(link.public_id, leadsTo.slice(leadsTo.indexOf('?'))).catch(() => null)
      if (form) await pay(link.public_id, form, at % 2 ? 'tok_sbx_approve' : 'tok_sbx_3ds_challenge')
    })
    await Promise.all([buyers, answerBank(one.attemptId, 'approve'), trigger('sandbox')])
    // A buyer who is still at the bank gives up as well.
    const last = (await attemptsOf(merchant.tenantId)).at(-1)!
    if (last.status === 'pending_customer')
      await otherWay({ browser: new Browser(), path: one.path }, String(last.number))
    await settleAttempts(merchant.tenantId, 3)
    await oneOutcome(one)
  }
})

/** All records of the payment, and its events. */
async function recorded({ merchant: { tenantId }, attemptId }: Challenged) {
  const of = (text: string) => adminSql('sandbox')(text, [tenantId])
  const [attempt] = await adminSql('sandbox')('select * from payment_attempts where id = $1', [attemptId])
  return {
    attempt,
    payments: await of('select * from payments where tenant_id = $1'),
    events: (await of('select type from events where tenant_id = $1 order by type')).map(({ type }) => type),
  }
}

test.each([
  ['automatic', 'succeeded', 'captured', ['payment.created', 'payment.requires_action', 'payment.succeeded']],
  [
    'manual',
    'requires_capture',
    'authorized',
    ['payment.authorized', 'payment.created', 'payment.requires_action'],
  ],
] as const)(
  '%s capture: 50 answers, the buyer who comes back and the reconciler at once, and 50 late hints',
  async (capture_method, status, taken, events) => {
    const one = await challenged({ capture_method })
    const { attemptId, path, browser } = one
    const sql = adminSql('sandbox')
    const poll = async () => {
      await sql(
        'update payment_attempts set next_check_at = now() where id = $1 and next_check_at is not null',
        [attemptId],
      )
      await trigger('sandbox')
    }
    const [answers, pages] = await Promise.all([
      times(() => answerBank(attemptId, 'approve')),
      times(() => browser.open(path)),
      poll(),
      poll(),
    ])
    expect(new Set(answers.map(({ status: answered, location }) => `${answered} ${location}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(303)
    expect(new Set(pages.map((page) => page.status))).toEqual(new Set([200]))
    expect((await chargesOf(one.link.public_id)).map(({ state }) => state)).toEqual([taken])
    const before = await recorded(one)
    expect([before.payments[0]!.status, before.attempt!.status]).toEqual([status, taken])
    expect(before.events.filter((type) => String(type).startsWith('payment.'))).toEqual(events)
    const again = await times(() => answerBank(attemptId, 'approve'))
    expect(new Set(again.map((answer) => answer.status))).toEqual(new Set([303]))
    expect(await recorded(one)).toEqual(before)
    expect(await brokenRules(one.merchant.tenantId)).toEqual([])
  },
)
