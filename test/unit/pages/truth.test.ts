import { describe, expect, it } from 'vitest'
import type { PageBase, StateView } from '../../../functions/page/hosted-payment/pages/frame/view.ts'
import { payPage } from '../../../functions/page/hosted-payment/pages/pay/pay.ts'
import { resultPage } from '../../../functions/page/hosted-payment/pages/result/result.ts'
import { statePage } from '../../../functions/page/hosted-payment/pages/state/state.ts'
import { text } from '../../../functions/page/hosted-payment/pages/text.ts'
import { speiPage } from '../../../functions/page/hosted-payment/pages/waiting/spei.ts'
import { voucherPage } from '../../../functions/page/hosted-payment/pages/waiting/voucher.ts'
import { linkState, order, payView, termsOf } from './sample-states.ts'
import { everyPage, paymentFacts, speiView, voucherView } from './samples.ts'

describe('a form that came back, or is tried again', () => {
  const words = text['es-MX']
  const cash = (over: Parameters<typeof payView>[0]) => {
    const methods = ['card', 'oxxo', 'spei'] as const
    return payPage(payView({ methods, method: 'oxxo', installments: null, ...over }))
  }

  it.each([[['name', 'email']], [['name']], [['email']], [[]]] as ('name' | 'email')[][][])(
    '%j: each error at its field, all at once, and in a summary that links to them',
    async (wrong) => {
      const page = String(await cash({ wrong, buyer: { name: 'A', email: 'ana@' } }))
      expect(page).toContain('novalidate')
      for (const id of ['name', 'email'] as const) {
        const is = wrong.includes(id)
        expect(page.includes(`aria-invalid="true" aria-describedby="buyer-${id}-error`), id).toBe(is)
        expect(
          page.includes(`<p class="field-error" id="buyer-${id}-error">${words.pay.wrong[id]}</p>`),
          id,
        ).toBe(is)
        expect(page.includes(`<a href="#buyer-${id}">${words.pay.wrong[id]}</a>`), id).toBe(is)
      }
      expect(page).toContain('value="ana@"')
      expect(page.match(/autofocus/g) ?? []).toHaveLength(wrong.length > 0 ? 1 : 0)
    },
  )

  it.each([
    ['card', 'card', 'El banco rechazó la tarjeta'],
    ['card', 'oxxo', 'El banco rechazó la tarjeta'],
    ['oxxo', 'oxxo', 'No se pudo crear tu ficha'],
    ['spei', 'card', 'No se pudo crear tu CLABE'],
  ] as const)(
    'refused by %s, tried again by %s: the reason stands on the form',
    async (refused, method, says) => {
      const declined = { method: refused, code: 'card_declined' } as const
      const page = String(await cash({ method, declined }))
      const [alert] = page.match(/<div class="alert declined" role="alert".*?<\/div>/s)!
      expect(alert).toContain(says)
      expect(alert).toContain(words.common.notCharged)
      const others = (['card', 'oxxo', 'spei'] as const).filter((other) => other !== method)
      expect([...alert.matchAll(/data-open="by-(\w+)"/g)].map(([, other]) => other)).toEqual(others)
    },
  )

  it('current errors are shown, not the reason of the earlier refusal', async () => {
    const page = String(
      await cash({
        method: 'card',
        error: 'card_unknown',
        declined: { method: 'card', code: 'card_declined' },
      }),
    )
    expect(page.match(/class="alert"/g)).toHaveLength(1)
    expect(page).toContain(words.pay.errors.card_unknown)
  })
})

describe('the surcharge of installments', () => {
  const installments = termsOf([3, 6], { interestFree: false, surchargeMinor: 9_530n }, 109_530n)

  it('is named before paying, both where a term may be chosen and where one is required', async () => {
    const free = String(await payPage(payView({ amountMinor: 100_000n, installments })))
    expect(free).toContain('<p class="amount">$1,000.00 MXN</p>')
    expect(free).toContain('un cargo de $95.30 MXN: en total $1,095.30 MXN.')
    const demanded = { ...installments, required: true }
    const only = String(
      await payPage(payView({ amountMinor: 109_530n, priceMinor: 100_000n, installments: demanded })),
    )
    expect(only).toContain('<p class="amount">$1,095.30 MXN</p>')
    expect(only).toContain('Precio $1,000.00 MXN, más un cargo de $95.30 MXN por pagar a meses.')
    expect(String(await payPage(payView()))).not.toContain('cargo')
  })

  it('is named with each term; the headline is what the chosen one costs', async () => {
    const page = String(await everyPage['review-markup']!({}))
    expect(page).toContain('<p class="amount" data-charged>$1,000.00 MXN</p>')
    expect(page.match(/Cargo por meses \$95\.30/g)).toHaveLength(4)
    expect(page.match(/Total \$1,095\.30 MXN/g)).toHaveLength(4)
    expect(page).toContain(`<noscript><p class="muted">${text['es-MX'].review.eachTotal}</p></noscript>`)
    expect(page).toContain('>Pagar <span data-charged data-preselected>$1,000.00 MXN</span></button>')
    expect(String(await everyPage.review!({}))).toContain(
      '>Pagar <span data-charged>$1,200.00 MXN</span></button>',
    )
    const only = String(await everyPage['review-plan']!({}))
    expect(only).toContain('>Pagar <span data-charged>$1,095.30 MXN</span></button>')
    expect(only).toContain('<p class="amount">$1,095.30 MXN</p>')
    expect(only).toContain('Precio $1,000.00 MXN, más un cargo de $95.30 MXN por pagar a meses.')
    expect(String(await everyPage.review!({}))).not.toContain('Cargo')
  })

  it('stands on the receipt: price, surcharge, total, monthly and first payment', async () => {
    const page = String(await everyPage['result-installments']!({}))
    const rows = [...page.matchAll(/<dt>([^<]+)<\/dt><dd>(?:<strong>)?([^<]+)/g)].map((row) =>
      row.slice(1, 3),
    )
    expect(rows.slice(0, 3)).toEqual([
      ['Precio', '$1,000.00 MXN'],
      ['Cargo por meses', '$95.30 MXN'],
      ['Total', '$1,095.30 MXN'],
    ])
    expect(rows).toContainEqual(['Plazo', '12 meses de $91.27'])
    expect(rows).toContainEqual(['Primer pago', '$91.33 MXN'])
  })
})

describe('SPEI', () => {
  it('copies the CLABE and the amount that is missing as a bank takes them', async () => {
    const page = String(await speiPage(speiView({ receivedMinor: 50_001n })))
    const copied = [...page.matchAll(/data-copy="([^"]*)"/g)].map(([, value]) => value)
    expect(copied).toEqual(['699.99', '646180000000000012', 'Curso de barismo grupo de los sabados'])
  })

  it('the page says that the payment number is for neither bank nor till', async () => {
    for (const [page, words] of [
      [speiPage(speiView()), text['es-MX'].spei.notAsked],
      [voucherPage(voucherView()), text['es-MX'].voucher.notAsked],
    ] as const) {
      expect(String(await page)).toContain(words)
      expect(String(await page)).not.toContain('<dt>Referencia</dt>')
    }
  })

  it('names what arrived beside the payment: too much, or too little in time', async () => {
    const over = String(await everyPage['result-overpaid']!({}))
    expect(over).toContain('Recibimos $300.00 MXN de más.')
    expect(over).toMatch(/<dt>Recibido de más<\/dt><dd><strong>\$300\.00 MXN/)
    const less = String(await everyPage['result-incomplete-spei']!({}))
    expect(less).toContain('Recibimos $500.00 MXN que no entraron en este pago.')
    expect(less).toContain('ya pidió devolver $300.00 MXN')
    expect(less).toMatch(/<dt>Recibido sin aplicar<\/dt><dd><strong>\$500\.00 MXN/)
    expect(less).not.toContain(text['es-MX'].common.notCharged)
    expect(less).not.toContain('Si transferiste')
  })
})

describe('a payment that is over, for which money has arrived all the same', () => {
  const retryPath = '/splink_x'
  const canceled = { ...paymentFacts, state: 'canceled', retryPath, push: 'oxxo' } as const
  const unapplied = { receivedMinor: 120_000n, heldMinor: 120_000n }

  it.each([
    ['none', null, 'primary'],
    ['all of it', unapplied, 'secondary'],
  ] as const)('%s: how prominent paying again is', async (_what, come, look) => {
    const page = String(await resultPage({ ...canceled, unapplied: come }))
    expect(page).toContain(`<a class="button ${look}" href="${retryPath}`)
  })
})

describe('the order beside the form', () => {
  it('has a line with the number of things and the total; below it a total and its IVA', async () => {
    const page = String(await everyPage['pay-order']!({}))
    const shown = /<details class="order" id="order" open>.*?<\/details>\s*<p/s.exec(page)![0]
    const [line] = shown.split('</summary>')
    expect(line).toContain('2 artículos')
    expect(line).toContain('$1,200.00')
    expect(shown).toMatch(/<strong>Total<\/strong> <strong>\$1,200\.00 MXN/)
    expect(shown).toMatch(/Incluye IVA 16\u00a0%<\/span> <span>\$146\.21 MXN/)
    expect(shown).toContain('\u2212$100.00 MXN')
  })

  it.each([
    ['open where a tip may be added', 1, true],
    ['folded where its lines would push the form out of sight', 5, false],
  ])('is %s', async (_, count, isOpen) => {
    const { adjustable } = order
    const lines = Array.from({ length: count }, () => order.lines![0]!)
    const page = String(await payPage(payView({ ...order, adjustable, lines })))
    expect(page.includes('id="order" open>')).toBe(isOpen)
  })

  it('is open where something of it is wrong', async () => {
    const unadjusted = { problem: 'code.unknown', typed: { code: 'NADA' } } as const
    expect(String(await payPage(payView({ ...order, unadjusted })))).toContain('id="order" open>')
  })
})

describe('a sale that is over', () => {
  const payee = { name: 'Taller', website: 'https://taller.example' } as PageBase['payee']

  it('says what was for sale and leads to the merchant’s site', async () => {
    const page = String(
      await statePage({ ...linkState('revoked'), sold: 'Silla <azul>', payee } as StateView),
    )
    expect(page).toContain('<p class="description"><bdi>Silla &lt;azul&gt;</bdi></p>')
    expect(page).toContain('class="button primary" href="https://taller.example"')
  })
})
