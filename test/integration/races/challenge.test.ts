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

test('50 ask for another way at once: closed once, everybody gets the form', async () => {
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

test('50 ask for another way while the challenge is passed: the bank decides, and everybody is told the same', async () => {
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

test('50 ask for another way and pay by another card at once, beside the challenge: nobody is charged twice', async () => {
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
    // Whoever is at the bank by now gives up as well.
    const last = (await attemptsOf(merchant.tenantId)).at(-1)!
    if (last.status === 'pending_customer')
      await otherWay({ browser: new Browser(), path: one.path }, String(last.number))
    await settleAttempts(merchant.tenantId, 3)
    await oneOutcome(one)
  }
})
