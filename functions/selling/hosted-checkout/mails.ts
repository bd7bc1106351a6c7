import { type MailData, mail, money } from '../../../src/kernel/declared-mail.ts'
import type { Locale } from '../../../src/kernel/locale.ts'

/** The discount is negative. */
const discount = (data: MailData<'discount' | 'currency'>, locale: Locale) =>
  data.discount === '0' ? '' : money(data.discount, data.currency, locale)

export const mails = {
  checkout_recovery: mail({
    to: 'buyer',
    address: 'named',
    cause: 'form',
    isReminder: true,
    opens: 'recover',
    data: ['description', 'valid_until_at'],
    words: {
      'es-MX': (data) => ({
        subject: `Tu compra en ${data.merchant} te espera`,
        paragraphs: [
          'No terminaste tu compra. Ábrela otra vez con el botón: se muestra el precio de ahora y no se cobra nada hasta que pagues.',
        ],
        facts: [
          ['Comercio', data.merchant],
          ['Compra', data.description],
          ['El enlace sirve hasta', data.valid_until_at],
        ],
        button: 'Seguir con mi compra',
        closing: 'Recibes este mensaje una sola vez, porque lo aceptaste en la página de pago.',
        ending: 'No recibir más recordatorios de este comercio',
      }),
      en: (data) => ({
        subject: `Your purchase at ${data.merchant} is waiting`,
        paragraphs: [
          'You did not finish your purchase. Open it again with the button: it shows the price of now, and nothing is charged until you pay.',
        ],
        facts: [
          ['Merchant', data.merchant],
          ['Purchase', data.description],
          ['The link works until', data.valid_until_at],
        ],
        button: 'Go on with my purchase',
        closing: 'You get this message once, because you agreed to it on the payment page.',
        ending: 'Get no more reminders of this merchant',
      }),
    },
  }),
  order_receipt: mail({
    to: 'buyer',
    address: 'named',
    cause: 'form',
    data: ['reference', 'currency', 'description', 'price', 'discount', 'total', 'at'],
    words: {
      'es-MX': (data) => ({
        subject: `Comprobante de tu pedido a ${data.merchant}`,
        paragraphs: ['Tu pedido está completo y no se cobró nada. Este es tu comprobante.'],
        facts: [
          ['Precio', money(data.price, data.currency, 'es-MX')],
          ['Descuento', discount(data, 'es-MX')],
          ['Total', money(data.total, data.currency, 'es-MX')],
          ['Comercio', data.merchant],
          ['Concepto', data.description],
          ['Folio del pedido', data.reference],
          ['Fecha y hora', data.at],
        ],
        button: 'Ver el pedido',
        closing: 'Recibes este mensaje porque pediste el comprobante al completar el pedido.',
      }),
      en: (data) => ({
        subject: `Receipt of your order at ${data.merchant}`,
        paragraphs: ['Your order is complete and nothing was charged. This is your receipt.'],
        facts: [
          ['Price', money(data.price, data.currency, 'en')],
          ['Discount', discount(data, 'en')],
          ['Total', money(data.total, data.currency, 'en')],
          ['Merchant', data.merchant],
          ['Description', data.description],
          ['Receipt number', data.reference],
          ['Date and time', data.at],
        ],
        button: 'View the order',
        closing: 'You get this message because you asked for the receipt when you completed the order.',
      }),
    },
  }),
}
