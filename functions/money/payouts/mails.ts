import { type MailData, mail, money } from '../../../src/kernel/declared-mail.ts'

const about = {
  to: 'admins',
  data: ['amount', 'currency', 'account', 'failure', 'reference', 'at'],
} as const
type Data = MailData<(typeof about.data)[number]>

const failuresEs: Readonly<Record<string, string>> = {
  account_closed: 'La cuenta está cerrada.',
  account_not_found: 'La cuenta no existe.',
  holder_mismatch: 'El titular no es el de la cuenta.',
  declined_by_bank: 'El banco no lo aceptó.',
  processing_error: 'El banco no pudo procesarlo.',
}
const failuresEn: Readonly<Record<string, string>> = {
  account_closed: 'The account is closed.',
  account_not_found: 'The account does not exist.',
  holder_mismatch: 'The holder is not that of the account.',
  declined_by_bank: 'The bank did not accept it.',
  processing_error: 'The bank could not process it.',
}

const restEs = (data: Data) => ({
  facts: [
    ['Monto', money(data.amount, data.currency, 'es-MX')],
    ['CLABE', data.account],
    ['Motivo', failuresEs[data.failure] ?? data.failure],
    ['Negocio', data.workspace],
    ['Entorno', data.environment],
    ['ID del depósito', data.reference],
    ['Fecha y hora', data.at],
  ] as const,
  closing: 'El dinero está disponible de nuevo y va en tu próximo depósito. Revisa la cuenta antes.',
})
const restEn = (data: Data) => ({
  facts: [
    ['Amount', money(data.amount, data.currency, 'en')],
    ['CLABE', data.account],
    ['Reason', failuresEn[data.failure] ?? data.failure],
    ['Business', data.workspace],
    ['Environment', data.environment],
    ['Payout ID', data.reference],
    ['Date and time', data.at],
  ] as const,
  closing: 'The money is available again and goes into your next payout. Check the account before.',
})

export const mails = {
  payout_failed: mail({
    ...about,
    words: {
      'es-MX': (data) => ({
        subject: 'Un depósito a tu cuenta falló',
        paragraphs: ['El banco no pudo entregar un depósito a la cuenta de tu negocio.'],
        ...restEs(data),
      }),
      en: (data) => ({
        subject: 'A payout to your account failed',
        paragraphs: ['The bank could not deliver a payout to the account of your business.'],
        ...restEn(data),
      }),
    },
  }),
  payout_returned: mail({
    ...about,
    words: {
      'es-MX': (data) => ({
        subject: 'Tu banco devolvió un depósito',
        paragraphs: ['Un depósito que ya se había pagado fue devuelto por el banco que lo recibió.'],
        ...restEs(data),
      }),
      en: (data) => ({
        subject: 'Your bank returned a payout',
        paragraphs: ['The receiving bank returned a payout that had been paid.'],
        ...restEn(data),
      }),
    },
  }),
}
