import { type MailData, type MailWords, mail, money } from '../../../src/kernel/declared-mail.ts'
import { brandName } from '../../../src/kernel/format.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import { hasFlow, isMethod } from '../../../src/kernel/payment-methods.ts'
import { oneLine } from '../../../src/platform/mail.ts'
import type { PaidRow, TaxRow } from '../../account/mails/api-pure.ts'

const receiptFields = ['currency', 'description', 'method', 'price', 'surcharge', 'received', 'at'] as const
/** `amount`: what is left to pay; `number`: of the voucher, or the CLABE with its bank and account holder. */
const pushFields = [
  'currency',
  'description',
  'method',
  'amount',
  'number',
  'bank',
  'holder',
  'expires_at',
] as const

type Receipt = MailData<(typeof receiptFields)[number]>
type Push = MailData<(typeof pushFields)[number]>
type Facts = MailWords['facts']

/** The label of each kind of row. */
type Parts = Readonly<Record<PaidRow[0], (name: string) => string>>
/** The IVA in what was paid, by rate. */
interface TaxWords {
  readonly iva: (percent: string) => string
  readonly on: (iva: string, base: string) => string
  readonly exempt: string
}

const partsEs: Parts = {
  line: (name) => name,
  discount: (code) => `Descuento ${code}`.trim(),
  shipping: (name) => `Envío: ${name}`,
  tip: () => 'Propina',
}
const partsEn: Parts = {
  line: (name) => name,
  discount: (code) => `Discount ${code}`.trim(),
  shipping: (name) => `Shipping: ${name}`,
  tip: () => 'Tip',
}
const taxEs: TaxWords = {
  iva: (percent) => `Incluye IVA ${percent} %`,
  on: (iva, base) => `${iva} (sobre ${base})`,
  exempt: 'Exento de IVA',
}
const taxEn: TaxWords = {
  iva: (percent) => `Includes IVA ${percent} %`,
  on: (iva, base) => `${iva} (on ${base})`,
  exempt: 'Exempt from IVA',
}

/** What is paid for, line by line; nothing where no lines are known. */
const paidRows = ({ rows, currency }: Receipt, locale: Locale, words: Parts): Facts =>
  (JSON.parse(rows || '[]') as PaidRow[]).map(([kind, name, amount]) => [
    words[kind](oneLine(name)),
    money(amount, currency, locale),
  ])

const taxRows = ({ taxes, currency }: Receipt, locale: Locale, words: TaxWords): Facts =>
  (JSON.parse(taxes || '[]') as TaxRow[]).map(([rate, base, iva]) => {
    const [on, tax] = [money(base, currency, locale), money(iva, currency, locale)]
    return rate === 'exempt' ? [words.exempt, on] : [words.iva(rate), words.on(tax, on)]
  })

const surcharge = (data: Receipt, locale: Locale) =>
  data.surcharge === '0' ? '' : money(data.surcharge, data.currency, locale)

const isVoucher = ({ method }: Push) => isMethod(method) && hasFlow(method, 'voucher')
/** As the page groups it: a CLABE by bank, place and account. */
const grouped = (data: Push) =>
  data.number.replace(isVoucher(data) ? /.{4}(?=.)/g : /^...|(?<=^...)...|.{4}(?=.)/g, '$& ')

const aboutEs = (data: MailData<'description'>): Facts => [
  ['Comercio', data.merchant],
  ['Concepto', data.description],
  ['Folio del pago', data.reference],
]
const aboutEn = (data: MailData<'description'>): Facts => [
  ['Merchant', data.merchant],
  ['For', data.description],
  ['Receipt number', data.reference],
]

const receiptEs = (data: Receipt) => ({
  subject: `Comprobante de tu pago a ${data.merchant}`,
  paragraphs: ['Tu pago está completo. Este es tu comprobante.'],
  facts: [
    ...paidRows(data, 'es-MX', partsEs),
    ['Recibido', money(data.received, data.currency, 'es-MX')],
    ['Precio', money(data.price, data.currency, 'es-MX')],
    ['Cargo por pagar a meses', surcharge(data, 'es-MX')],
    ...taxRows(data, 'es-MX', taxEs),
    ...aboutEs(data),
    ['Tarjeta', data.last4 && `${brandName(data.brand)} terminada en ${data.last4}`],
    ['Fecha y hora', data.at],
  ] satisfies Facts,
  button: 'Ver el pago',
})
const receiptEn = (data: Receipt) => ({
  subject: `Receipt of your payment to ${data.merchant}`,
  paragraphs: ['Your payment is complete. This is your receipt.'],
  facts: [
    ...paidRows(data, 'en', partsEn),
    ['Received', money(data.received, data.currency, 'en')],
    ['Price', money(data.price, data.currency, 'en')],
    ['Surcharge for installments', surcharge(data, 'en')],
    ...taxRows(data, 'en', taxEn),
    ...aboutEn(data),
    ['Card', data.last4 && `${brandName(data.brand)} ending in ${data.last4}`],
    ['Date and time', data.at],
  ] satisfies Facts,
  button: 'See the payment',
})

const toPayEs = (data: Push) => ({
  facts: [
    ['Importe', money(data.amount, data.currency, 'es-MX')],
    [isVoucher(data) ? 'Referencia' : 'CLABE', grouped(data)],
    ['Banco', data.bank],
    ['Titular', data.holder],
    ['Vence', data.expires_at],
    ...aboutEs(data),
  ] satisfies Facts,
  button: 'Ver las instrucciones',
})
const toPayEn = (data: Push) => ({
  facts: [
    ['Amount', money(data.amount, data.currency, 'en')],
    [isVoucher(data) ? 'Reference' : 'CLABE', grouped(data)],
    ['Bank', data.bank],
    ['Account holder', data.holder],
    ['Expires', data.expires_at],
    ...aboutEn(data),
  ] satisfies Facts,
  button: 'See the instructions',
})

export const mails = {
  payment_receipt: mail({
    to: 'buyer',
    address: 'of_payment',
    cause: 'money',
    isReceipt: true,
    data: receiptFields,
    words: {
      'es-MX': (data) => ({
        ...receiptEs(data),
        closing: 'Recibes este mensaje porque diste tu correo al pagar.',
      }),
      en: (data) => ({
        ...receiptEn(data),
        closing: 'You get this message because you gave your address when you paid.',
      }),
    },
  }),
  payment_receipt_copy: mail({
    to: 'buyer',
    address: 'either',
    cause: 'sent',
    isReceipt: true,
    data: receiptFields,
    words: {
      'es-MX': (data) => ({
        ...receiptEs(data),
        closing: 'Recibes este mensaje porque el comercio te lo envió otra vez.',
      }),
      en: (data) => ({
        ...receiptEn(data),
        closing: 'You get this message because the merchant sent it again.',
      }),
    },
  }),
  payment_instructions: mail({
    to: 'buyer',
    address: 'of_payment',
    cause: 'form',
    isReminded: true,
    data: pushFields,
    words: {
      'es-MX': (data) => ({
        subject: isVoucher(data)
          ? `Tu ficha para pagar a ${data.merchant} en tienda`
          : `Los datos para tu transferencia a ${data.merchant}`,
        paragraphs: [
          isVoucher(data)
            ? 'Muestra esta referencia en la caja. La tienda cobra una comisión aparte. El código de barras está en la página.'
            : 'Transfiere el importe exacto a esta CLABE desde tu banco.',
        ],
        ...toPayEs(data),
        closing: 'Recibes este mensaje porque pediste las instrucciones al pagar.',
      }),
      en: (data) => ({
        subject: isVoucher(data)
          ? `Your voucher to pay ${data.merchant} at a store`
          : `The details for your transfer to ${data.merchant}`,
        paragraphs: [
          isVoucher(data)
            ? 'Show this reference at the till. The store charges its own fee. The barcode is on the page.'
            : 'Transfer the exact amount to this CLABE from your bank.',
        ],
        ...toPayEn(data),
        closing: 'You get this message because you asked for the instructions when you paid.',
      }),
    },
  }),
  payment_reminder: mail({
    to: 'buyer',
    address: 'of_payment',
    cause: 'form',
    isReminder: true,
    data: pushFields,
    words: {
      'es-MX': (data) => ({
        subject: `Tu pago a ${data.merchant} vence pronto`,
        paragraphs: ['Todavía no recibimos tu pago. Si ya pagaste, ignora este mensaje.'],
        ...toPayEs(data),
        closing: 'Recibes este recordatorio porque pediste las instrucciones al pagar.',
        ending: 'No recibir más recordatorios de este comercio',
      }),
      en: (data) => ({
        subject: `Your payment to ${data.merchant} expires soon`,
        paragraphs: ['We have not received your payment yet. If you have paid, ignore this message.'],
        ...toPayEn(data),
        closing: 'You get this reminder because you asked for the instructions when you paid.',
        ending: 'Get no more reminders of this merchant',
      }),
    },
  }),
}
