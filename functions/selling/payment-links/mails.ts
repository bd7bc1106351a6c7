import { mail, money } from '../../../src/kernel/declared-mail.ts'

export const mails = {
  payment_link: mail({
    to: 'buyer',
    address: 'named',
    cause: 'sent',
    // No amount where the buyer chooses it.
    data: ['description', 'currency', 'amount', 'message'],
    words: {
      'es-MX': (data) => ({
        subject: `${data.merchant} te envió un enlace para pagar`,
        paragraphs: ['Paga en línea con el botón: eliges cómo en la página.'],
        facts: [
          ['Comercio', data.merchant],
          ['Concepto', data.description],
          ['Importe', money(data.amount, data.currency, 'es-MX')],
          ['Mensaje del comercio', data.message],
        ],
        button: 'Pagar',
        closing: 'Si no esperabas este mensaje, ignóralo: no se te cobra nada.',
      }),
      en: (data) => ({
        subject: `${data.merchant} sent you a link to pay`,
        paragraphs: ['Pay online with the button: you choose how on the page.'],
        facts: [
          ['Merchant', data.merchant],
          ['Description', data.description],
          ['Amount', money(data.amount, data.currency, 'en')],
          ['The merchant’s message', data.message],
        ],
        button: 'Pay',
        closing: 'If you did not expect this message, ignore it: nothing is charged.',
      }),
    },
  }),
}
