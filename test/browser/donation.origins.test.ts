import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { text } from '../../functions/page/hosted-payment/pages/text.ts'
import { publicId, uuidv7 } from '../../src/kernel/ids.ts'
import { brokenRules } from '../support/books.ts'
import { vouchersOf } from '../support/cash.ts'
import { call, newMerchant } from '../support/merchant.ts'
import { donationOrigin } from '../support/origins/donation.ts'
import { deposit } from '../support/spei.ts'
import { adminSql } from '../support/stack.ts'
import { asBuyer, books, choose, press, sendCard } from './buyer.ts'
import { chromiumPath, launchChromium } from './support.ts'

let browser: Browser

async function collection() {
  const merchant = await newMerchant({ name: 'Cruz Ñandú' })
  const [id, address] = [uuidv7(Date.now()), publicId(donationOrigin.publicIdPrefix)]
  await adminSql('sandbox')(
    `insert into donations (tenant_id, id, public_id, status, title, amount_minor_min, amount_minor_max, metadata, client_reference_id)
     values ($1, $2, $3, 'open', 'Colecta de invierno', 2000, 500000, '{"campaign":"winter"}', 'campaign-7')`,
    [merchant.tenantId, id, address],
  )
  const raised = async () =>
    (
      await adminSql('sandbox')<{ raised: string }>(
        'select raised_minor::text as raised from donations where id = $1',
        [id],
      )
    )[0]!.raised
  return { merchant, id, address, raised }
}

async function give(page: Page, amount: string) {
  await page.fill('#amount', amount)
  await press(page, 'button.primary')
}

async function fillBuyer(page: Page) {
  await page.fill('#buyer-name', 'Ana López')
  await page.fill('#buyer-email', 'ana@example.com')
}

/** The books keep every rule, and the payment is the donation's: its kind, its metadata, its reference. */
async function booked({ merchant, id, raised }: Awaited<ReturnType<typeof collection>>, amount: string) {
  const { tenantId, apiKey } = merchant
  expect(await books(tenantId)).toEqual({
    payments: [{ status: 'succeeded', amount, attempts: 'captured' }],
    journals: expect.arrayContaining(['0']),
  })
  expect(await brokenRules(tenantId)).toEqual([])
  expect(await raised()).toBe(amount)
  const listed = await call('GET', `/v1/payment-operations/payments?donation_id=${id}`, { bearer: apiKey })
  expect(listed.status).toBe(200)
  expect(listed.body).toMatchObject({
    data: [
      {
        status: 'succeeded',
        amount,
        origin: { type: 'donation', id },
        metadata: { campaign: 'winter' },
        client_reference_id: 'campaign-7',
      },
    ],
  })
}

describe.skipIf(!chromiumPath)('a second origin: a donation whose amount the buyer chooses', () => {
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  it.each(['es-MX', 'en'] as const)('%s: by card', async (lang) => {
    const words = text[lang]
    const donation = await collection()
    await asBuyer(browser, { lang }, async (buyer) => {
      const { page } = buyer
      await buyer.open(donation.address)
      await buyer.looksRight()
      await give(page, '1')
      expect(await page.textContent('[role="alert"]')).toBe(words.pay.chooseAmount.errors.out_of_bounds)
      await give(page, '1,250.50')
      expect(await page.textContent('.amount')).toBe('$1,250.50 MXN')
      await buyer.looksRight()
      await sendCard(page, 'tok_sbx_approve')
      expect(await buyer.heading()).toBe(words.result.succeeded.title)
      await buyer.looksRight()
    })
    await booked(donation, '125050')
  })

  it('en: at OXXO, without JavaScript', async () => {
    const donation = await collection()
    await asBuyer(browser, { lang: 'en', javaScriptEnabled: false }, async (buyer) => {
      const { page } = buyer
      await buyer.open(donation.address)
      await give(page, '250')
      await choose(page, 'oxxo')
      expect(await page.textContent('.amount')).toBe('$250.00 MXN')
      await fillBuyer(page)
      await press(page, 'button.primary')
      expect(await buyer.heading()).toBe(text.en.voucher.networks.oxxo.title)
      const [voucher] = await vouchersOf(donation.merchant.tenantId)
      const paid = await call('POST', `/v1/sandbox/oxxo/${voucher!.reference}/pay`, {
        bearer: donation.merchant.apiKey,
        body: {},
      })
      expect(paid.status).toBe(200)
      await press(page, `a.secondary:has-text("${text.en.voucher.check}")`)
      expect(await buyer.heading()).toBe(text.en.result.succeeded.title)
    })
    await booked(donation, '25000')
  })

  it('es-MX: by SPEI', async () => {
    const donation = await collection()
    const words = text['es-MX']
    await asBuyer(browser, {}, async (buyer) => {
      const { page } = buyer
      await buyer.open(donation.address)
      await give(page, '300')
      await choose(page, 'spei')
      await fillBuyer(page)
      await press(page, 'button.primary')
      expect(await buyer.heading()).toBe(words.spei.title)
      await buyer.looksRight()
      const clabe = (await page.textContent('.clabe .digits'))!.replaceAll(' ', '')
      expect((await deposit(donation.merchant, clabe, 30_000)).status).toBeLessThan(300)
      await page.reload()
      expect(await buyer.heading()).toBe(words.result.succeeded.title)
    })
    await booked(donation, '30000')
  })

  it('over: its own words and status', async () => {
    const { address, id } = await collection()
    await adminSql('sandbox')(`update donations set status = 'ended' where id = $1`, [id])
    await asBuyer(browser, { lang: 'en' }, async (buyer) => {
      const shown = buyer.page.waitForResponse((response) => response.url().includes(address))
      await buyer.open(address)
      expect((await shown).status()).toBe(410)
      expect(await buyer.heading()).toBe(donationOrigin.states.ended!.words.en.title)
    })
  })
})
