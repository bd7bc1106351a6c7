import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { pageHeaders } from '../../functions/page/hosted-payment/pages/frame/headers.ts'
import type { Locale } from '../../src/kernel/locale.ts'
import type { Method } from '../../src/kernel/payment-methods.ts'
import { type SandboxCardToken, testCards } from '../../src/processors/simulator/cards.ts'
import { newLink, newMerchant } from '../support/merchant.ts'
import { adminSql, stack } from '../support/stack.ts'
import { axeProblems, foreignRequests, overflowX, watched } from './support.ts'

/** The public address that buyers use; the bank's challenge is served there too. */
export const origin = stack.sandbox.baseUrl

export const phone = { width: 360, height: 740 }
export const desktop = { width: 1280, height: 900 }

type Options = BrowserContextOptions & {
  lang?: Locale
  /** The one other origin that pages may reach, with what it adds to their policy. */
  partner?: string
}

export type Buyer = {
  readonly page: Page
  readonly lang: Locale
  open(publicId: string): Promise<void>
  /** The page's heading; on a form that came back after a refusal, what that says. */
  heading(): Promise<string>
  /** Axe finds nothing, nothing scrolls sideways, and the page is in the buyer's language. */
  looksRight(): Promise<void>
}

/**
 * A buyer in a browser of their own that prefers the other language, so that the pages must keep the chosen one.
 * Throughout, no request leaves the origin or carries a card number, and each page has its headers.
 */
export async function asBuyer(
  browser: Browser,
  { lang = 'es-MX', partner, ...options }: Options,
  act: (buyer: Buyer) => Promise<void>,
): Promise<void> {
  const context = await contextFor(browser, { locale: lang === 'en' ? 'es-MX' : 'en-US', ...options })
  const tab = watched(await context.newPage())
  const { page } = tab
  const sent: string[] = []
  const unframed: string[] = []
  page.on('request', (request) => {
    sent.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers()))
  })
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'document') return
    if (partner && response.url().startsWith(partner)) return
    const headers = response.headers()
    const added = partner ? [`; frame-src ${partner}`, ` ${partner}`] : []
    for (const [name, value] of Object.entries(pageHeaders)) {
      const own = added.reduce((text, part) => text?.replace(part, ''), headers[name.toLowerCase()])
      if (own !== value) unframed.push(`${response.url()}: ${name}`)
    }
  })
  try {
    await act({
      page,
      lang,
      open: async (publicId) => {
        await page.goto(`${origin}/${publicId}?lang=${lang === 'en' ? 'en' : 'es'}`)
      },
      heading: async () => (await page.locator('.declined strong, h1').last().textContent()) ?? '',
      looksRight: async () => {
        // Unit tests cover the other language's words; here axe checks each page once.
        if (lang === 'es-MX') expect(await axeProblems(page), page.url()).toEqual([])
        expect(await overflowX(page), page.url()).toBe(0)
        expect(await page.evaluate('document.documentElement.lang')).toBe(lang)
      },
    })
    const foreign = foreignRequests(tab, new URL(origin).origin)
    expect(foreign.filter((url) => !partner || !url.startsWith(partner))).toEqual([])
    expect(unframed).toEqual([])
    expect(tab.problems.filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([])
    const everything = sent.map(decodeURIComponent).join('\n').replaceAll(/[ +-]/g, '')
    for (const { number } of testCards) expect(everything.includes(number), number).toBe(false)
  } finally {
    await tab.close()
  }
}

const contexts = new WeakMap<Browser, Map<string, Promise<BrowserContext>>>()

/** Buyers with the same browser settings share its cache: a context each would fetch every asset again. */
function contextFor(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const known = contexts.get(browser) ?? new Map<string, Promise<BrowserContext>>()
  contexts.set(browser, known)
  const key = JSON.stringify(options)
  const context = known.get(key) ?? browser.newContext({ viewport: phone, ...options })
  known.set(key, context)
  return context
}

const numberOf = (token: SandboxCardToken) => testCards.find((card) => card.token === token)!.number

/** Types a test card, its number digit by digit as a person would. */
export async function typeCard(page: Page, token: SandboxCardToken): Promise<void> {
  await page.locator('#card-number').pressSequentially(numberOf(token))
  await page.fill('#card-expiry', '1234')
  await page.fill('#card-cvc', '123')
  await page.fill('#card-name', 'Ana Prueba')
}

/** Types a card and sends the form; waits for the page that follows. */
export async function sendCard(page: Page, token: SandboxCardToken): Promise<void> {
  await typeCard(page, token)
  await press(page, 'button.primary')
}

/** Pays by a card whose bank asks: its page follows by itself. */
export async function payAtBank(page: Page): Promise<void> {
  await typeCard(page, 'tok_sbx_3ds_challenge')
  await page.click('button.primary >> visible=true')
  await page.waitForSelector('button[value="approve"]')
}

/** Opens the row of a method: no page follows. */
export const choose = (page: Page, method: Method) => page.click(`#by-${method} summary`)

/** Presses something that leads to another page, and waits for that page. */
export async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click(`${selector} >> visible=true`)])
}

export async function sale(fields: Record<string, unknown> = {}) {
  const merchant = await newMerchant({ name: 'Papelería Ñandú' })
  const link = await newLink(merchant, { description: 'Silla de jardín', ...fields })
  const { tenantId } = merchant
  return { merchant, tenantId, link, publicId: link.public_id }
}

/** What the books say about a tenant: each payment with its attempts, and the journals. */
export async function books(tenantId: string) {
  const payments = await adminSql('sandbox')<{ status: string; amount: string; attempts: string }>(
    `select p.status, p.amount_minor::text as amount,
       (select string_agg(a.status, ' ' order by a.number) from payment_attempts a
        where a.tenant_id = p.tenant_id and a.payment_id = p.id) as attempts
     from payments p where p.tenant_id = $1 order by p.id`,
    [tenantId],
  )
  const journals = await adminSql('sandbox')<{ sum: string }>(
    'select sum(amount_minor)::text as sum from ledger_postings where tenant_id = $1 group by journal_id',
    [tenantId],
  )
  return { payments, journals: journals.map(({ sum }) => sum) }
}

/** Makes what waits for the bank due now. */
export const dueNow = (tenantId: string) =>
  adminSql('sandbox')(
    `update payment_attempts set next_check_at = now() - interval '1 second'
     where tenant_id = $1 and next_check_at is not null`,
    [tenantId],
  )
