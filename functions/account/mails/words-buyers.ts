import { brandName } from '../../../src/kernel/format.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import { hasFlow, isMethod } from '../../../src/kernel/payment-methods.ts'
import {
  type Data,
  hello,
  hola,
  type MailWords,
  money,
  type Parts,
  paidRows,
  type TaxWords,
  taxRows,
} from './words-form.ts'

/* What the buyer of a payment is mailed. */

type Written = Readonly<Record<string, (name: string, data: Data) => MailWords>>

const surcharge = (data: Data, locale: Locale) =>
  data.surcharge === '0' ? '' : money(data, 'surcharge', locale)
const discount = (data: Data, locale: Locale) =>
  data.discount === '0' ? '' : money(data, 'discount', locale)
/** As the page groups it: a CLABE by bank, place and account. */
const grouped = (data: Data) =>
  (data.number ?? '').replace(isVoucher(data) ? /.{4}(?=.)/g : /^...|(?<=^...)...|.{4}(?=.)/g, '$& ')
const isVoucher = ({ method = '' }: Data) => isMethod(method) && hasFlow(method, 'voucher')

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

const receiptEs = (name: string, data: Data): MailWords => ({
  subject: `Comprobante de tu pago a ${data.merchant ?? ''}`,
  paragraphs: [hola(name), 'Tu pago está completo. Este es tu comprobante.'],
  facts: [
    ...paidRows(data, 'es-MX', partsEs),
    ['Recibido', money(data, 'received', 'es-MX')],
    ['Precio', money(data, 'price', 'es-MX')],
    ['Cargo por pagar a meses', surcharge(data, 'es-MX')],
    ...taxRows(data, 'es-MX', taxEs),
    ...aboutEs(data),
    ['Tarjeta', data.last4 ? `${brandName(data.brand ?? '')} terminada en ${data.last4}` : ''],
    ['Fecha y hora', data.at ?? ''],
  ],
  button: 'Ver el pago',
  closing: 'Recibes este mensaje porque diste tu correo al pagar.',
})

export const buyersEs = {
  payment_link: (name, data) => ({
    subject: `${data.merchant ?? ''} te envió un enlace para pagar`,
    paragraphs: [hola(name), 'Paga en línea con el botón: eliges cómo en la página.'],
    facts: [
      ['Comercio', data.merchant ?? ''],
      ['Concepto', data.description ?? ''],
      ['Importe', money(data, 'amount', 'es-MX')],
      ['Mensaje del comercio', data.message ?? ''],
    ],
    button: 'Pagar',
    closing: 'Si no esperabas este mensaje, ignóralo: no se te cobra nada.',
  }),
  payment_receipt: receiptEs,
  payment_receipt_copy: (name, data) => ({
    ...receiptEs(name, data),
    closing: 'Recibes este mensaje porque el comercio te lo envió otra vez.',
  }),
  payment_instructions: (name, data) => ({
    subject: isVoucher(data)
      ? `Tu ficha para pagar a ${data.merchant ?? ''} en tienda`
      : `Los datos para tu transferencia a ${data.merchant ?? ''}`,
    paragraphs: [
      hola(name),
      isVoucher(data)
        ? 'Muestra esta referencia en la caja. La tienda cobra una comisión aparte. El código de barras está en la página.'
        : 'Transfiere el importe exacto a esta CLABE desde tu banco.',
    ],
    facts: toPayEs(data),
    button: 'Ver las instrucciones',
    closing: 'Recibes este mensaje porque pediste las instrucciones al pagar.',
  }),
  payment_reminder: (name, data) => ({
    subject: `Tu pago a ${data.merchant ?? ''} vence pronto`,
    paragraphs: [hola(name), 'Todavía no recibimos tu pago. Si ya pagaste, ignora este mensaje.'],
    facts: toPayEs(data),
    button: 'Ver las instrucciones',
    closing: 'Recibes este recordatorio porque pediste las instrucciones al pagar.',
    ending: 'No recibir más recordatorios de este comercio',
  }),
  checkout_recovery: (name, data) => ({
    subject: `Tu compra en ${data.merchant ?? ''} te espera`,
    paragraphs: [
      hola(name),
      'No terminaste tu compra. Ábrela otra vez con el botón: se muestra el precio de ahora y no se cobra nada hasta que pagues.',
    ],
    facts: [
      ['Comercio', data.merchant ?? ''],
      ['Compra', data.description ?? ''],
      ['El enlace sirve hasta', data.valid_until_at ?? ''],
    ],
    button: 'Seguir con mi compra',
    closing: 'Recibes este mensaje una sola vez, porque lo aceptaste en la página de pago.',
    ending: 'No recibir más recordatorios de este comercio',
  }),
  order_receipt: (name, data) => ({
    subject: `Comprobante de tu pedido a ${data.merchant ?? ''}`,
    paragraphs: [hola(name), 'Tu pedido está completo y no se cobró nada. Este es tu comprobante.'],
    facts: [
      ['Precio', money(data, 'price', 'es-MX')],
      ['Descuento', discount(data, 'es-MX')],
      ['Total', money(data, 'total', 'es-MX')],
      ['Comercio', data.merchant ?? ''],
      ['Concepto', data.description ?? ''],
      ['Folio del pedido', data.reference ?? ''],
      ['Fecha y hora', data.at ?? ''],
    ],
    button: 'Ver el pedido',
    closing: 'Recibes este mensaje porque pediste el comprobante al completar el pedido.',
  }),
  refund_made: (name, data) => ({
    subject: `${data.merchant ?? ''} te hizo un reembolso`,
    paragraphs: [hola(name), 'Se te reembolsó un pago. Tu banco puede tardar unos días en mostrarlo.'],
    facts: [
      ['Reembolso', money(data, 'amount', 'es-MX')],
      ['Comercio', data.merchant ?? ''],
      ['Fecha y hora', data.at ?? ''],
      ['Folio del pago', data.reference ?? ''],
    ],
    button: 'Ver el pago',
    closing: 'Si tienes preguntas, escribe al comercio.',
  }),
} satisfies Written

const aboutEs = (data: Data): [string, string][] => [
  ['Comercio', data.merchant ?? ''],
  ['Concepto', data.description ?? ''],
  ['Folio del pago', data.reference ?? ''],
]

const toPayEs = (data: Data): [string, string][] => [
  ['Importe', money(data, 'amount', 'es-MX')],
  [isVoucher(data) ? 'Referencia' : 'CLABE', grouped(data)],
  ['Banco', data.bank ?? ''],
  ['Titular', data.holder ?? ''],
  ['Vence', data.expires_at ?? ''],
  ...aboutEs(data),
]

const receiptEn = (name: string, data: Data): MailWords => ({
  subject: `Receipt of your payment to ${data.merchant ?? ''}`,
  paragraphs: [hello(name), 'Your payment is complete. This is your receipt.'],
  facts: [
    ...paidRows(data, 'en', partsEn),
    ['Received', money(data, 'received', 'en')],
    ['Price', money(data, 'price', 'en')],
    ['Surcharge for installments', surcharge(data, 'en')],
    ...taxRows(data, 'en', taxEn),
    ...aboutEn(data),
    ['Card', data.last4 ? `${brandName(data.brand ?? '')} ending in ${data.last4}` : ''],
    ['Date and time', data.at ?? ''],
  ],
  button: 'See the payment',
  closing: 'You get this message because you gave your address when you paid.',
})

export const buyersEn = {
  payment_link: (name, data) => ({
    subject: `${data.merchant ?? ''} sent you a link to pay`,
    paragraphs: [hello(name), 'Pay online with the button: you choose how on the page.'],
    facts: [
      ['Merchant', data.merchant ?? ''],
      ['Description', data.description ?? ''],
      ['Amount', money(data, 'amount', 'en')],
      ['The merchant’s message', data.message ?? ''],
    ],
    button: 'Pay',
    closing: 'If you did not expect this message, ignore it: nothing is charged.',
  }),
  payment_receipt: receiptEn,
  payment_receipt_copy: (name, data) => ({
    ...receiptEn(name, data),
    closing: 'You get this message because the merchant sent it again.',
  }),
  payment_instructions: (name, data) => ({
    subject: isVoucher(data)
      ? `Your voucher to pay ${data.merchant ?? ''} at a store`
      : `The details for your transfer to ${data.merchant ?? ''}`,
    paragraphs: [
      hello(name),
      isVoucher(data)
        ? 'Show this reference at the till. The store charges its own fee. The barcode is on the page.'
        : 'Transfer the exact amount to this CLABE from your bank.',
    ],
    facts: toPayEn(data),
    button: 'See the instructions',
    closing: 'You get this message because you asked for the instructions when you paid.',
  }),
  payment_reminder: (name, data) => ({
    subject: `Your payment to ${data.merchant ?? ''} expires soon`,
    paragraphs: [
      hello(name),
      'We have not received your payment yet. If you have paid, ignore this message.',
    ],
    facts: toPayEn(data),
    button: 'See the instructions',
    closing: 'You get this reminder because you asked for the instructions when you paid.',
    ending: 'Get no more reminders of this merchant',
  }),
  checkout_recovery: (name, data) => ({
    subject: `Your purchase at ${data.merchant ?? ''} is waiting`,
    paragraphs: [
      hello(name),
      'You did not finish your purchase. Open it again with the button: it shows the price of now, and nothing is charged until you pay.',
    ],
    facts: [
      ['Merchant', data.merchant ?? ''],
      ['Purchase', data.description ?? ''],
      ['The link works until', data.valid_until_at ?? ''],
    ],
    button: 'Go on with my purchase',
    closing: 'You get this message once, because you agreed to it on the payment page.',
    ending: 'Get no more reminders of this merchant',
  }),
  order_receipt: (name, data) => ({
    subject: `Receipt of your order at ${data.merchant ?? ''}`,
    paragraphs: [hello(name), 'Your order is complete and nothing was charged. This is your receipt.'],
    facts: [
      ['Price', money(data, 'price', 'en')],
      ['Discount', discount(data, 'en')],
      ['Total', money(data, 'total', 'en')],
      ['Merchant', data.merchant ?? ''],
      ['Description', data.description ?? ''],
      ['Receipt number', data.reference ?? ''],
      ['Date and time', data.at ?? ''],
    ],
    button: 'View the order',
    closing: 'You get this message because you asked for the receipt when you completed the order.',
  }),
  refund_made: (name, data) => ({
    subject: `${data.merchant ?? ''} made you a refund`,
    paragraphs: [hello(name), 'A payment was refunded to you. Your bank may take a few days to show it.'],
    facts: [
      ['Refund', money(data, 'amount', 'en')],
      ['Merchant', data.merchant ?? ''],
      ['Date and time', data.at ?? ''],
      ['Receipt number', data.reference ?? ''],
    ],
    button: 'See the payment',
    closing: 'If you have questions, write to the merchant.',
  }),
} satisfies Written

const aboutEn = (data: Data): [string, string][] => [
  ['Merchant', data.merchant ?? ''],
  ['For', data.description ?? ''],
  ['Receipt number', data.reference ?? ''],
]

const toPayEn = (data: Data): [string, string][] => [
  ['Amount', money(data, 'amount', 'en')],
  [isVoucher(data) ? 'Reference' : 'CLABE', grouped(data)],
  ['Bank', data.bank ?? ''],
  ['Account holder', data.holder ?? ''],
  ['Expires', data.expires_at ?? ''],
  ...aboutEn(data),
]
