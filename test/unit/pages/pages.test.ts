import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { challengePage } from '../../../functions/developer/simulator/pages/challenge.ts'
import type { ClosedState } from '../../../functions/page/hosted-payment/api.ts'
import { pageHeaders } from '../../../functions/page/hosted-payment/pages/frame/headers.ts'
import { payPage } from '../../../functions/page/hosted-payment/pages/pay/pay.ts'
import { reviewPage } from '../../../functions/page/hosted-payment/pages/pay/review.ts'
import { resultPage } from '../../../functions/page/hosted-payment/pages/result/result.ts'
import { statePage, stateStatus } from '../../../functions/page/hosted-payment/pages/state/state.ts'
import { text } from '../../../functions/page/hosted-payment/pages/text.ts'
import { speiPage } from '../../../functions/page/hosted-payment/pages/waiting/spei.ts'
import { voucherPage } from '../../../functions/page/hosted-payment/pages/waiting/voucher.ts'
import { states as linkStates, words as linkWords } from '../../../functions/selling/payment-links/words.ts'
import { minified } from '../../../local/assets.ts'
import { containsCardNumber } from '../../../src/kernel/card-number.ts'
import { testCards } from '../../../src/processors/simulator/cards.ts'
import { linkState, payView, termsOf } from './sample-states.ts'
import {
  authorizedView,
  challengeView,
  declineCodes,
  everyPage,
  partlyCapturedView,
  paymentFacts,
  reviewView,
  speiView,
  succeededView,
  voucherView,
} from './samples.ts'

const assets = fileURLToPath(new URL('../../../functions/page/hosted-payment/pages/assets/', import.meta.url))
const weights = Object.fromEntries(
  readdirSync(assets).map((file) => [file, Buffer.byteLength(minified(assets + file))]),
)
const pages = Object.entries(everyPage)

describe.each(pages)('%s', (_name, render) => {
  it.each(['es-MX', 'en'] as const)(
    '%s: one document, one h1, in its language, nothing inline',
    async (locale) => {
      const page = String(await render({ locale }))
      expect(page).toMatch(/^<!doctype html>/)
      expect(page).toContain(`<html lang="${locale}">`)
      expect(page.match(/<h1[ >]/g)).toHaveLength(1)
      expect(page).toMatch(/<title>[^<]+<\/title>/)
      expect(page).not.toMatch(/undefined|\[object|NaN/)
      expect(page).not.toMatch(/\son[a-z]+=|\sstyle=|<style|<script(?![^>]*\ssrc="\/assets\/)|javascript:/i)
      const merchants = 'href="https://cafeazul.example"'
      expect(page.replaceAll(merchants, '')).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\//)
    },
  )

  it('shows the test mode in sandbox and not in live', async () => {
    expect(String(await render({ testMode: true }))).toContain('class="test-mode"')
    expect(String(await render({ testMode: false }))).not.toContain('class="test-mode"')
  })

  it('weighs less than 54 KB with everything it loads, as it is served', async () => {
    const page = String(await render({}))
    const loaded = Object.keys(weights).filter((file) => page.includes(`/assets/${file}`))
    expect(loaded).toContain('pay.css')
    const weight = loaded.reduce((sum, file) => sum + weights[file]!, Buffer.byteLength(page))
    expect(weight).toBeLessThan(54 * 1024)
  })
})

describe('hostile text from a merchant', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&\u202e{{1}}`
  const [merchantName, description] = [`Café ${hostile}`, `Curso ${hostile}`]
  const escaped =
    '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;\u202e{{1}}'

  it.each([
    ['pay', payPage(payView({ merchantName, description }))],
    ['review', reviewPage(reviewView({ merchantName, description }))],
    ['receipt', resultPage({ ...succeededView(), merchantName, description })],
    ['voucher', voucherPage(voucherView({ merchantName, description }))],
    ['spei', speiPage(speiView({ merchantName, description, beneficiary: merchantName }))],
    ['state', statePage(linkState('revoked', { merchantName }))],
    ['challenge', challengePage({ ...challengeView(), merchantName })],
  ])('%s: shown as text, isolated from ours', async (_name, rendered) => {
    const page = String(await rendered)
    expect(page).toContain(`<bdi>Café ${escaped}</bdi>`)
    expect(page).not.toMatch(/<script>|<img/)
  })

  it('is harmless in attributes too', async () => {
    const page = String(
      await payPage(payView({ sealedQuote: hostile, attemptKey: hostile, path: `/${hostile}` })),
    )
    expect(page).toContain(`name="quote" value="${escaped}"`)
    expect(page).not.toMatch(/<script>|<img/)
  })

  it.each(['', ' ', '👩‍🍳 Cocina', '\u0000', '$& $1'])('the name %j does no harm', async (name) => {
    const page = String(await statePage(linkState('expired', { merchantName: name })))
    expect(page).toContain('<bdi>')
    expect(String(await payPage(payView({ merchantName: name })))).toContain('<bdi>')
  })
})

describe('the card form', () => {
  it("gives no name to a field that a card is typed into; the payer's details are sent, and come back", async () => {
    const page = String(await payPage(payView()))
    const inputs = [...page.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag)
    const typed = inputs.filter((tag) => !tag.includes('type="hidden"'))
    expect(typed).toHaveLength(5)
    const names = typed.map((tag) => [/id="([^"]+)"/.exec(tag)?.[1], /\sname="([^"]+)"/.exec(tag)?.[1]])
    expect(names).toEqual([
      ['receipt_email', 'receipt_email'],
      ['card-number', undefined],
      ['card-expiry', undefined],
      ['card-cvc', undefined],
      ['card-name', 'card_name'],
    ])
    const again = String(await payPage(payView({ buyer: { name: 'Ana "López"', email: '' } })))
    expect(again).toContain('value="Ana &quot;López&quot;"')
    expect(inputs.filter((tag) => !typed.includes(tag)).map((tag) => /name="(\w+)"/.exec(tag)?.[1])).toEqual([
      'quote',
      'attempt_key',
      'locale',
    ])
  })

  it('sends no card number: no named field has one as its value', async () => {
    const page = String(await payPage(payView()))
    for (const [, value] of page.matchAll(/<(?:input|option)\b[^>]*\svalue="([^"]*)"/g)) {
      expect(containsCardNumber(value ?? '')).toBe(false)
    }
  })

  it('offers the terms of the amount in a list that needs no script; one month where there are none', async () => {
    const { publicId } = payView()
    const page = String(await payPage(payView()))
    expect(page).toContain(`action="/${publicId}/attempts"`)
    const options = [...page.matchAll(/<option value="(\d+)" data-total="([^"]+)">([^<]+)/g)]
    expect(options.map(([, ...option]) => option)).toEqual([
      ['1', '$1,200.00 MXN', 'Un solo pago de $1,200.00'],
      ['3', '$1,200.00 MXN', '3 meses de $400.00 sin intereses'],
      ['6', '$1,200.00 MXN', '6 meses de $200.00 sin intereses'],
      ['9', '$1,200.00 MXN', '9 meses de $133.33 sin intereses'],
      ['12', '$1,200.00 MXN', '12 meses de $100.00 sin intereses'],
    ])
    const without = String(await payPage(payView({ installments: null })))
    expect(without).toContain('<input type="hidden" name="months" value="1">')
  })

  it('offers every test card with and without JavaScript', async () => {
    const page = String(await payPage(payView()))
    for (const { token, number } of testCards) {
      expect(page).toContain(`<option value="${token}">`)
      expect(page).toContain(`data-number="${number}" data-token="${token}"`)
    }
  })
})

describe('test cards', () => {
  it.each(testCards.map((card) => [card.token, card] as const))('%s', (_token, card) => {
    expect(card.number).toMatch(/^\d{16}$/)
    expect(containsCardNumber(card.number)).toBe(true)
    expect([card.bin6, card.last4]).toEqual([card.number.slice(0, 6), card.number.slice(-4)])
  })

  it('all differ', () => {
    const distinct = (values: string[]) => expect(new Set(values).size).toBe(testCards.length)
    distinct(testCards.map(({ token }) => token))
    distinct(testCards.map(({ number }) => number))
    distinct(testCards.map(({ label }) => label['es-MX']))
    distinct(testCards.map(({ label }) => label.en))
  })
})

describe('terms', () => {
  it('speaks of no interest only when the merchant absorbs it', async () => {
    for (const [locale, words] of [
      ['es-MX', /sin intereses/i],
      ['en', /interest-free/i],
    ] as const) {
      const months = termsOf([3, 6], { interestFree: false })
      expect(String(await payPage(payView({ locale, installments: months })))).not.toMatch(words)
      expect(String(await payPage(payView({ locale })))).toMatch(words)
      expect(String(await reviewPage(reviewView({ locale, interestFree: false })))).not.toMatch(words)
      expect(String(await reviewPage(reviewView({ locale })))).toMatch(words)
    }
  })

  it('shows first payment, monthly payment and total of each, exactly', async () => {
    const offers = [{ months: 12, firstMinor: 9133n, monthlyMinor: 9127n, totalMinor: 109530n }]
    const page = String(await reviewPage(reviewView({ amountMinor: 100000n, offers, interestFree: false })))
    expect(page).toContain('12 meses de $91.27')
    expect(page).toContain('Primer pago $91.33')
    expect(page).toContain('Total $1,095.30 MXN')
    expect(page).toMatch(/<input type="radio" name="months" value="1"[^>]* checked>/)
  })

  it('sends one month when there is nothing to choose', async () => {
    const page = String(await reviewPage(reviewView({ offers: [], noOffers: 'amount_too_low' })))
    expect(page).toContain('<input type="hidden" name="months" value="1">')
    expect(page).not.toContain('type="radio"')
  })
})

describe('results', () => {
  it('an authorized payment reads as done, and shows until when it may be charged; a partial capture shows what was charged', async () => {
    const held = String(await resultPage(authorizedView()))
    expect(held).toContain('<h1 id="outcome">Pago autorizado</h1>')
    expect(held).toContain('27 de noviembre de 2026')
    expect(held).not.toContain(text['es-MX'].common.notCharged)
    const part = String(await resultPage(partlyCapturedView()))
    expect(part).toMatch(/<dt>Cobrado<\/dt><dd><strong>\$500\.00 MXN/)
    expect(part).toMatch(/<dt>Autorizado<\/dt><dd>\$1,200\.00 MXN/)
  })

  it.each(declineCodes)('%s has a reason of its own and a way to continue', async (code) => {
    const view = {
      ...paymentFacts,
      state: 'declined' as const,
      method: 'card' as const,
      code,
      retryPath: '/splink_x',
    }
    const page = String(await resultPage(view))
    expect(page).toContain(text['es-MX'].result.reasons[code])
    expect(page).toContain('href="/splink_x?lang=es"')
    expect(String(await resultPage({ ...view, retryPath: null }))).not.toContain('href="/splink_x')
  })

  it('a receipt shows what was refunded', async () => {
    const words = text['es-MX'].result
    const page = String(await everyPage['result-refunded']!({}))
    expect(page).toMatch(/<dt>Reembolso<\/dt><dd><strong>\$500\.00 MXN/)
    expect(page).toContain(words.refunded('<bdi>Café Azul de Coyoacán</bdi>'))
    expect(String(await everyPage['result-succeeded']!({}))).not.toContain(`<dt>${words.refund}`)
  })

  it.each(['canceled', 'expired'] as const)(
    '%s: after a voucher or a CLABE the page does not say that nothing was paid',
    async (state) => {
      for (const push of ['oxxo', 'spei'] as const) {
        const page = String(await resultPage({ ...paymentFacts, state, retryPath: null, push }))
        expect(page).not.toContain(text['es-MX'].common.notCharged)
        expect(page).toContain(text['es-MX'].result.mayHavePaid[push]('<bdi>Café Azul de Coyoacán</bdi>'))
      }
      const card = String(await resultPage({ ...paymentFacts, state, retryPath: null, push: null }))
      expect(card).toContain(text['es-MX'].common.notCharged)
    },
  )

  it('only the confirming page refreshes itself', async () => {
    for (const [name, render] of pages) {
      expect(String(await render({})).includes('http-equiv="refresh" content="3"'), name).toBe(
        /^result-processing(-oxxo)?$/.test(name),
      )
    }
  })
})

describe('states', () => {
  it('answers 410 where the link is over and 409 where it may come back', () => {
    const own = Object.entries<ClosedState>(linkStates).map(([name, { status }]) => [name, status])
    expect(Object.fromEntries(own)).toEqual({
      discount_lost: 409,
      not_open: 409,
      sold_out: 409,
      off_sale: 409,
      taken: 409,
      used_up: 410,
      expired: 410,
      revoked: 410,
      already_paid: 410,
      archived: 410,
      inactive: 409,
    })
    expect(stateStatus).toEqual({
      own: 410,
      busy: 409,
      changed: 409,
      not_found: 404,
      bad_request: 400,
      foreign_form: 403,
      no_payments: 403,
      wrong_method: 405,
      too_many_requests: 429,
      not_set_up: 503,
      error: 500,
    })
  })

  it('reveals nothing of an archived link, even when its data is passed in', async () => {
    expect(String(await statePage({ ...payView(), ...linkState('archived') }))).not.toMatch(
      /Café|Curso|1,200/,
    )
  })

  const sentences = {
    expired: linkStates.expired.words['es-MX'],
    revoked: linkStates.revoked.words['es-MX'],
    inactive: linkStates.inactive.words['es-MX'],
    already_paid: linkStates.already_paid.words['es-MX'],
    not_set_up: text['es-MX'].state.not_set_up,
    no_payments: text['es-MX'].state.no_payments,
    ...linkWords['es-MX'],
  }

  it.each(Object.keys(sentences) as (keyof typeof sentences)[])(
    "%s: a sentence with the merchant's name in its place",
    async (state) => {
      const page = String(await everyPage[`state-${state}`]!({}))
      const { detail } = sentences[state]
      expect(page).toContain(`<p>${detail('<bdi>Café Azul de Coyoacán</bdi>')}</p>`)
    },
  )

  it('changed: shows what changed, before and now', async () => {
    const page = String(await everyPage['state-changed']!({}))
    const rows = [...page.matchAll(/<dt>([^<]+)<\/dt><dd>([^<]+)/g)].map((row) => row.slice(1, 3))
    expect(rows).toEqual([
      ['Importe', 'Antes: $1,200.00 MXN. Ahora: $1,300.00 MXN.'],
      ['Formas de pago', 'Antes: Tarjeta. Ahora: Tarjeta u OXXO.'],
      ['Pago a meses', 'Antes: 3 o 6 meses. Ahora: ninguno.'],
      ['Cargo por meses', 'Antes: $95.30 MXN. Ahora: ninguno.'],
      ['Cuándo se cobra', 'Antes: al pagar. Ahora: el comercio aparta el importe y lo cobra después.'],
    ])
  })

  it.each(['expired', 'revoked', 'inactive', 'already_paid', 'archived'] as const)(
    '%s: says that nothing was charged after a form was sent, not after a mere visit',
    async (state) => {
      for (const locale of ['es-MX', 'en'] as const) {
        const page = (refused: boolean) => statePage(linkState(state, { locale, refused }))
        expect(String(await page(true))).toContain(text[locale].state.refused)
        expect(String(await page(false))).not.toContain(text[locale].state.refused)
      }
    },
  )

  it('busy: a buyer who sent a form was not charged; a visitor may be the one who pays', async () => {
    const { common, state } = text['es-MX']
    const refused = String(await everyPage['state-busy']!({}))
    expect(refused).toContain(common.notCharged)
    expect(refused).not.toContain(state.busy.own)
    const seen = String(await everyPage['state-busy-seen']!({}))
    expect(seen).toContain(state.busy.own)
    expect(seen).not.toContain(common.notCharged)
  })

  it('resends a form of unknown outcome under its own key', async () => {
    const page = String(await everyPage['state-error-resend']!({}))
    expect(page).toContain('name="attempt_key" value="attempt-key-0001"')
  })
})

it('the headers allow our own origin only', () => {
  expect(pageHeaders['Content-Security-Policy']).not.toMatch(/unsafe|https?:|\*/)
  expect(pageHeaders['Content-Security-Policy']).toContain("default-src 'none'")
})

it('the scripts store nothing, send nothing and name no other origin', () => {
  for (const file of ['pay.js', 'sandbox-card.js']) {
    const script = readFileSync(assets + file, 'utf8')
    expect(script).not.toMatch(
      /localStorage|sessionStorage|cookie|sendBeacon|XMLHttpRequest|WebSocket|https?:/,
    )
  }
  expect(readFileSync(`${assets}sandbox-card.js`, 'utf8')).not.toMatch(/fetch|\d{6}/)
})
