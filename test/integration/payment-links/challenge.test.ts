import { describe, expect, test } from 'vitest'
import { answerBank } from '../../support/bank.ts'
import { brokenRules, chargesOf, paymentsOf } from '../../support/books.ts'
import { buyer, newVoucher } from '../../support/cash.ts'
import { answeredUnheard, atTheBank, Browser, challenged, otherWay } from '../../support/challenge.ts'
import {
  call,
  type Link,
  type Merchant,
  newLink,
  newMerchant,
  openLink,
  pay,
} from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'
import { ends } from '../payments/story.ts'

const move = (merchant: Merchant, link: Link, verb: string) =>
  call('POST', `/v1/payment-links/${link.id}/${verb}`, { bearer: merchant.apiKey })

const challengeIsOver = ({ tenantId }: Merchant) =>
  adminSql('sandbox')(
    `update payment_attempts set expires_at = now() - interval '1 second' where tenant_id = $1`,
    [tenantId],
  )

const open = {
  payment: 'requires_action',
  attempts: ['pending_customer'],
  page: 'requires_action',
  link: 'active',
  journals: {},
  charges: ['challenge'],
}

const freed = { ...open, payment: 'requires_payment_method', attempts: ['expired'], charges: ['canceled'] }

const paid = {
  payment: 'succeeded',
  attempts: ['captured'],
  page: 'succeeded',
  link: 'paid',
  journals: { capture: 1 },
  charges: ['captured'],
}

describe('the browser that began a payment finds it again', () => {
  test("by a cookie for this link alone, which holds only the payment's address", async () => {
    const { merchant, link, browser, reference, path } = await challenged()
    const form = await openLink((await newLink(merchant)).public_id)
    expect(browser.cookie).toMatch(new RegExp(`^spindle_payment=${reference}\\.[0-9a-f]{64}$`))
    const other = new Browser()
    const sent = await other.send(`/${link.public_id}/attempts`, { ...form, card_token: 'tok_sbx_approve' })
    expect(sent.headers.get('set-cookie')).toBeNull()
    const twin = await newLink(merchant)
    const began = await other.send(`/${twin.public_id}/attempts`, {
      ...(await openLink(twin.public_id)),
      card_token: 'tok_sbx_3ds_challenge',
    })
    expect(began.headers.get('set-cookie')).toBe(
      `${other.cookie}; Max-Age=2592000; Path=/${twin.public_id}; HttpOnly; Secure; SameSite=Lax`,
    )
    expect((await browser.open(`/${link.public_id}`)).leadsTo).toBe(path)
    expect((await browser.open(`/${link.public_id}?retry=${reference}`)).leadsTo).toBe(path)
  })

  test('but no other browser: without a cookie, with a broken one, or with that of another payment', async () => {
    const { merchant, link } = await challenged()
    const elsewhere = await atTheBank(merchant, await newLink(merchant))
    const multiUse = await newLink(merchant, { usage: 'multi_use' })
    const stranger = new Browser()
    const unknown = `spindle_payment=spcs_${'0'.repeat(32)}`
    for (const cookie of [null, 'spindle_payment=x', elsewhere.browser.cookie, unknown]) {
      stranger.cookie = cookie
      expect(await stranger.open(`/${link.public_id}?lang=en`)).toMatchObject({
        status: 409,
        title: 'Someone is paying this link',
      })
      expect((await stranger.open(`/${multiUse.public_id}`)).html).not.toContain('class="notice"')
    }
  })

  test('a form that was open meanwhile, or is sent again, leads there too', async () => {
    const { merchant, link, browser, path } = await challenged({ usage: 'single_use' })
    const twin = await newLink(merchant)
    const forms = [await openLink(twin.public_id), await openLink(twin.public_id)]
    const began = await atTheBank(merchant, twin)
    for (const form of forms) {
      const again = await began.browser.send(`/${twin.public_id}/attempts`, {
        ...form,
        card_token: 'tok_sbx_approve',
      })
      expect([again.status, again.leadsTo]).toEqual([303, began.path])
    }
    expect((await browser.open(`/${link.public_id}`)).leadsTo).toBe(path)
    expect(await chargesOf(twin.public_id)).toHaveLength(1)
  })

  test('so does a payment whose bank is slow', async () => {
    const link = await newLink(await newMerchant())
    const browser = new Browser()
    const form = await openLink(link.public_id)
    const sent = await browser.send(`/${link.public_id}/attempts`, {
      ...form,
      card_token: 'tok_sbx_timeout_then_paid',
    })
    expect((await browser.open(`/${link.public_id}`)).leadsTo).toBe(sent.leadsTo)
  })

  test.each([
    ['deactivate', true],
    ['revoke', true],
    ['archive', false],
  ])('after %s: %s', async (verb, leads) => {
    const { merchant, link, browser, path } = await challenged()
    await move(merchant, link, verb)
    expect((await browser.open(`/${link.public_id}`)).leadsTo).toBe(leads ? path : null)
  })

  test('once paid, as its receipt, whatever happens to the link; others read that it is paid', async () => {
    const { merchant, link, browser, path, attemptId } = await challenged({ description: 'Silla' })
    await answerBank(attemptId, 'approve')
    for (const verb of [null, 'archive']) {
      if (verb) await move(merchant, link, verb)
      for (const query of ['', '?retry=x', '?method=card'])
        expect((await browser.open(`/${link.public_id}${query}`)).leadsTo, String(verb)).toBe(path)
      const seen = await browser.open(path)
      expect([seen.state, browser.cookie !== null]).toEqual(['succeeded', true])
      const stranger = await new Browser().open(`/${link.public_id}?lang=en`)
      expect(stranger.title).toBe(verb ? 'This link is no longer available' : 'This link has been paid')
      expect(stranger.html).not.toMatch(/spcs_|\b3184\b|Silla/)
    }
  })

  test('on a multi-use link, as a notice beside the form', async () => {
    const { link, browser, path, attemptId } = await challenged({ usage: 'multi_use' })
    await answerBank(attemptId, 'approve')
    await browser.open(path)
    const again = await browser.open(`/${link.public_id}?lang=en`)
    expect(again.html).toContain('You have paid with this link.')
    expect(again.html).toContain(`href="${path}?lang=en"`)
    expect(again.html).toContain('name="quote"')
  })

  test('a voucher that expired, once the link is closed too', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant, { payment_method_types: ['oxxo'] })
    const browser = new Browser()
    const sent = await browser.send(`/${link.public_id}/attempts`, {
      ...(await openLink(link.public_id)),
      ...buyer,
      method: 'oxxo',
    })
    const [payment] = await paymentsOf(merchant.tenantId)
    await call('POST', `/v1/payments/${payment!.id}/cancel`, { bearer: merchant.apiKey })
    expect((await browser.open(`/${link.public_id}?lang=en`)).html).toContain('name="quote"')
    await move(merchant, link, 'revoke')
    expect((await browser.open(`/${link.public_id}`)).leadsTo).toBe(sent.leadsTo)
    expect((await new Browser().open(`/${link.public_id}?lang=en`)).title).toBe('This link was withdrawn')
  })

  test('a voucher is replaced as before', async () => {
    const merchant = await newMerchant()
    const { link, reference } = await newVoucher(merchant)
    const [payment] = await paymentsOf(merchant.tenantId)
    const browser = new Browser()
    browser.cookie = `spindle_payment=${payment!.public_id}`
    expect((await browser.open(`/${link.public_id}`)).leadsTo).toBe(
      `/${link.public_id}/${payment!.public_id}`,
    )
    const form = await browser.open(`/${link.public_id}?retry=${payment!.public_id}`)
    expect(form.html).toContain('name="quote"')
    expect(reference).not.toBe('')
  })
})

describe('on to the bank', () => {
  test('leads to the challenge, as often as it is opened, and changes nothing', async () => {
    const one = await challenged()
    const { merchant, link, browser, path, attemptId } = one
    const page = await browser.open(`${path}?lang=en`)
    expect(page.html).toContain(`href="${path}/bank?lang=en"`)
    expect(page.html).toContain(`action="${path}/cancel"`)
    const rows = () =>
      adminSql('sandbox')('select * from payment_attempts where tenant_id = $1', [merchant.tenantId])
    const before = await rows()
    for (const _ of [1, 2]) {
      const sent = await browser.open(`${path}/bank?lang=en`)
      expect([sent.status, sent.leadsTo]).toEqual([303, `/simulator/3ds/${attemptId}`])
    }
    expect(await rows()).toEqual(before)
    expect(await ends(merchant, link, path)).toEqual(open)
  })

  test.each([
    [true, 'succeeded'],
    [false, 'declined'],
  ])('answered meanwhile (approved: %s): the result', async (approved, state) => {
    const { browser, path, attemptId, link, reference } = await challenged()
    await answeredUnheard(attemptId, approved)
    expect((await browser.open(`${path}/bank`)).leadsTo).toBe(path)
    const shown = await browser.open(path)
    const form = `/${link.public_id}?retry=${reference}`
    expect(shown.leadsTo).toBe(approved ? null : form)
    expect((approved ? shown : await browser.open(form)).state).toBe(state)
    expect((await browser.open(`${path}/bank`)).leadsTo).toBe(path)
  })

  test('past its time the page no longer leads to the bank, only to another way to pay', async () => {
    const { merchant, browser, path } = await challenged()
    await challengeIsOver(merchant)
    const page = await browser.open(`${path}?lang=en`)
    expect(page.html).not.toContain('/bank')
    expect(page.title).toBe('The time to confirm is over')
    expect((await browser.open(`${path}/bank`)).leadsTo).toBe(path)
    expect((await otherWay({ browser, path })).leadsTo).toContain('?retry=')
  })

  test("back from the bank, the browser goes on to the address without a query, whatever the payment's state", async () => {
    const { browser, path, attemptId } = await challenged()
    const back = `${path}?payment_intent_client_secret=secret&redirect_status=succeeded`
    expect((await browser.open(back)).leadsTo).toBe(path)
    expect((await browser.open(path)).state).toBe('requires_action')
    await answerBank(attemptId, 'approve')
    expect((await browser.open(back)).leadsTo).toBe(path)
  })
})

describe('another way to pay', () => {
  test('closes the challenge at the processor, then offers the form: the same payment, its next attempt', async () => {
    const one = await challenged()
    const { merchant, link, browser, path, reference, attemptId } = one
    const given = await otherWay(one)
    expect([given.status, given.leadsTo]).toEqual([303, `/${link.public_id}?retry=${reference}`])
    expect(browser.cookie).toBeNull()
    expect(await ends(merchant, link, path)).toEqual({ ...freed, page: 'declined' })
    // The bank's page, still open in another tab, shows it closed.
    await answerBank(attemptId, 'approve')
    expect(await ends(merchant, link, path)).toEqual({ ...freed, page: 'declined' })
    const form = await openLink(link.public_id, `?retry=${reference}`)
    const { location } = await pay(link.public_id, form, 'tok_sbx_approve')
    expect(location).toContain(reference)
    expect(await ends(merchant, link, path)).toEqual({
      ...paid,
      attempts: ['expired', 'captured'],
      charges: ['canceled', 'captured'],
    })
  })

  test.each([
    ['automatic', paid],
    [
      'manual',
      {
        ...paid,
        payment: 'requires_capture',
        attempts: ['authorized'],
        page: 'requires_capture',
        link: 'active',
        journals: {},
        charges: ['authorized'],
      },
    ],
  ])('the bank was quicker, capture %s: its decision counts', async (captureMethod, becomes) => {
    const one = await challenged({ capture_method: captureMethod })
    await answeredUnheard(one.attemptId)
    const given = await otherWay(one)
    expect([given.status, given.leadsTo]).toEqual([303, one.path])
    expect(await ends(one.merchant, one.link, one.path)).toEqual(becomes)
  })

  test('the bank refused meanwhile: the form', async () => {
    const one = await challenged()
    await answeredUnheard(one.attemptId, false)
    expect((await otherWay(one)).leadsTo).toBe(`/${one.link.public_id}?retry=${one.reference}`)
    const ended = await ends(one.merchant, one.link, one.path)
    expect(ended).toMatchObject({ attempts: ['declined'], charges: ['declined'] })
  })

  test('a form that already had its effect does not close what came after it', async () => {
    const one = await challenged()
    await otherWay(one)
    const form = await openLink(one.link.public_id, `?retry=${one.reference}`)
    await pay(one.link.public_id, form, 'tok_sbx_3ds_challenge')
    for (const attempt of ['1', '', '1x']) expect((await otherWay(one, attempt)).leadsTo).toBe(one.path)
    expect(await ends(one.merchant, one.link, one.path)).toMatchObject({
      attempts: ['expired', 'pending_customer'],
      charges: ['canceled', 'challenge'],
    })
    expect((await otherWay(one, '2')).leadsTo).toContain('?retry=')
  })

  test.each(['deactivate', 'revoke', 'archive'])(
    'a link that no longer takes payments after %s: the challenge stays open',
    async (verb) => {
      const one = await challenged()
      await move(one.merchant, one.link, verb)
      const page = await one.browser.open(one.path)
      expect(page.html).not.toContain('/cancel')
      expect(page.html).toContain('/bank')
      expect((await otherWay(one)).leadsTo).toBe(one.path)
      expect((await chargesOf(one.link.public_id)).map(({ state }) => state)).toEqual(['challenge'])
    },
  )

  test('a merchant who cancels meanwhile: canceled, once', async () => {
    const one = await challenged()
    const [payment] = await paymentsOf(one.merchant.tenantId)
    const canceled = await call('POST', `/v1/payments/${payment!.id}/cancel`, { bearer: one.merchant.apiKey })
    expect(canceled.status).toBe(200)
    expect((await otherWay(one)).leadsTo).toBe(one.path)
    expect((await one.browser.open(one.path)).state).toBe('canceled')
  })

  test('of nothing: 404; of a payment under another link: 404; looked at: the payment', async () => {
    const one = await challenged()
    const other = await newLink(one.merchant)
    const elsewhere = `/${other.public_id}/${one.reference}`
    const { browser } = one
    const nothing = `/${one.link.public_id}/spcs_${'0'.repeat(32)}`
    for (const path of [elsewhere, nothing]) {
      expect((await otherWay({ browser, path })).status).toBe(404)
      expect((await browser.open(`${path}/bank`)).status).toBe(404)
    }
    expect((await browser.open(`${one.path}/cancel`)).leadsTo).toBe(one.path)
    expect(await ends(one.merchant, one.link, one.path)).toEqual(open)
  })
})

test('a multi-use link: the page mentions the payment that was begun, which never blocks another', async () => {
  const one = await challenged({ usage: 'multi_use' })
  const { merchant, link, browser, path, attemptId } = one
  const page = await browser.open(`/${link.public_id}?lang=en`)
  expect(page.html).toContain('class="notice"')
  expect(page.html).toContain(`href="${path}?lang=en"`)
  expect(page.html).toContain('name="quote"')
  const second = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  expect(second.location).not.toContain(one.reference)
  expect((await otherWay(one)).leadsTo).toBe(`/${link.public_id}?retry=${one.reference}`)
  await answerBank(attemptId, 'approve')
  const statuses = (await paymentsOf(merchant.tenantId)).map(({ status }) => status)
  expect(statuses).toEqual(['requires_payment_method', 'succeeded'])
  browser.cookie = `spindle_payment=${one.reference}`
  expect((await browser.open(`/${link.public_id}`)).html).not.toContain('class="notice"')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
