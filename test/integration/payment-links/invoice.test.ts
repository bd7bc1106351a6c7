import { describe, expect, test } from 'vitest'
import { mailsTo } from '../../../local/mailbox.ts'
import { Browser } from '../../support/challenge.ts'
import { newSession } from '../../support/checkout.ts'
import { newEmail } from '../../support/customer.ts'
import { newDiscount } from '../../support/discounts.ts'
import { newLink, newMerchant, openLink } from '../../support/merchant.ts'
import { wordsIn } from '../../support/pdf.ts'
import { begins, cardFields, cashIn, pushFields } from '../../support/sold-once.ts'
import { stack, trigger } from '../../support/stack.ts'

/* What a buyer gives for a CFDI stands on their receipt, and on nobody else's. */

const given = {
  'tax.rfc': 'eku9003173c9',
  'tax.legal_name': 'Escuela Kemper Urgate',
  'tax.regime': '601',
  'tax.cfdi_use': 'G03',
  'tax.postal_code': '42501',
}
const said = [
  'EKU9003173C9',
  'Escuela Kemper Urgate',
  '601 General de Ley Personas Morales',
  'G03 Gastos en general',
  '42501',
]
const headings = { es: 'Datos para tu factura (CFDI)', en: 'Details for your invoice (CFDI)' } as const
const languages = ['es', 'en'] as const

const fileAt = async (path: string, lang: string, { cookie }: Browser) => {
  const headers = cookie ? { cookie } : {}
  const reply = await fetch(`${stack.sandbox.directUrl}${path}/receipt.pdf?lang=${lang}`, {
    redirect: 'manual',
    headers,
  })
  return reply.status === 200 ? wordsIn(new Uint8Array(await reply.arrayBuffer())) : null
}

async function tells(browser: Browser, path: string): Promise<void> {
  for (const lang of languages) {
    const { html } = await browser.open(`${path}?lang=${lang}`)
    const file = await fileAt(path, lang, browser)
    for (const each of [headings[lang], ...said]) {
      expect(html).toContain(each)
      expect(file).toContain(each)
    }
  }
}

async function keeps(browser: Browser, path: string): Promise<void> {
  for (const lang of languages) {
    const { html, status } = await browser.open(`${path}?lang=${lang}`)
    expect(status).toBe(200)
    const file = (await fileAt(path, lang, browser)) ?? []
    for (const each of [headings[lang], ...said]) {
      expect(html).not.toContain(each)
      expect(file).not.toContain(each)
    }
  }
}

describe.each(['card', 'oxxo'] as const)('paid by %s', (method) => {
  test('the payer’s page and file tell what they gave for a CFDI, and who has the address alone sees none of it', async () => {
    const merchant = await newMerchant()
    const { id, public_id: publicId } = await newLink(merchant, {
      payment_method_types: ['card', 'oxxo'],
      collects: { tax_data: 'optional' },
    })
    const sale = { merchant, id, publicId, method: 'oxxo' as const }
    const [payer, lurker] = [new Browser(), new Browser()]
    const own = newEmail()
    const way = method === 'card' ? cardFields(own) : pushFields(sale, own)
    const answers = { ...way, ...given, 'tax.wanted': 'yes' }
    const path = await begins(payer, sale, answers, method === 'card' ? '' : '?method=oxxo')
    if (method === 'oxxo') {
      // The voucher is shown to be paid, also by others.
      for (const lang of languages)
        expect((await payer.open(`${path}?lang=${lang}`)).html).not.toContain(said[0])
      await cashIn(sale)
    }
    await trigger('sandbox')
    await tells(payer, path)
    await keeps(lurker, path)

    // Another browser of the payer, by the link of the receipt's mail.
    await expect.poll(async () => receiptsOf(own)).toHaveLength(1)
    const [mail] = await receiptsOf(own)
    const { pathname, search } = new URL(/https:\/\/\S+\/spcs_\S+/.exec(mail!.text)![0])
    const reader = new Browser()
    await reader.open(pathname + search)
    await tells(reader, path)
  })
})

const receiptsOf = async (to: string) =>
  (await mailsTo(stack.mailboxUrl, to)).filter(({ subject }) => /^Receipt/.test(subject))

test('of several attempts the last one counts; where none was wanted there is nothing', async () => {
  const merchant = await newMerchant()
  const { id, public_id: publicId } = await newLink(merchant, { collects: { tax_data: 'optional' } })
  const sale = { merchant, id, publicId, method: 'oxxo' as const }
  const payer = new Browser()
  const declined = await begins(payer, sale, {
    card_token: 'tok_sbx_decline_generic',
    ...given,
    'tax.wanted': 'yes',
  })
  const reference = /spcs_[a-z0-9]{32}/.exec(declined)![0]
  const path = await begins(payer, sale, cardFields(null), `?retry=${reference}`)
  expect(path).toContain(reference)
  await keeps(payer, path)
})

test('the receipt of an order that cost nothing tells it too, to its payer alone', async () => {
  const merchant = await newMerchant()
  const { code } = await newDiscount(merchant, { percent_off_bps: 10_000 })
  const session = await newSession(merchant, {
    amount: '10000',
    discounts: [{ code }],
    collects: { tax_data: 'required' },
  })
  const payer = new Browser()
  const form = await openLink(session.public_id)
  const sent = await payer.send(`/${session.public_id}/complete`, { ...form, ...given })
  expect(sent.status).toBe(303)
  await tells(payer, sent.leadsTo!)
  await keeps(new Browser(), sent.leadsTo!)
})
