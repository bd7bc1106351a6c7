import { mail, money } from '../../../src/kernel/declared-mail.ts'

export const mails = {
  refund_made: mail({
    to: 'buyer',
    address: 'of_payment',
    cause: 'money',
    data: ['amount', 'currency', 'at'],
    words: {
      'es-MX': (data) => ({
        subject: `${data.merchant} te hizo un reembolso`,
        paragraphs: ['Se te reembolsó un pago. Tu banco puede tardar unos días en mostrarlo.'],
        facts: [
          ['Reembolso', money(data.amount, data.currency, 'es-MX')],
          ['Comercio', data.merchant],
          ['Fecha y hora', data.at],
          ['Folio del pago', data.reference],
        ],
        button: 'Ver el pago',
        closing: 'Si tienes preguntas, escribe al comercio.',
      }),
      en: (data) => ({
        subject: `${data.merchant} made you a refund`,
        paragraphs: ['A payment was refunded to you. Your bank may take a few days to show it.'],
        facts: [
          ['Refund', money(data.amount, data.currency, 'en')],
          ['Merchant', data.merchant],
          ['Date and time', data.at],
          ['Receipt number', data.reference],
        ],
        button: 'See the payment',
        closing: 'If you have questions, write to the merchant.',
      }),
    },
  }),
}
