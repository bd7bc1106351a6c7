import { mail } from '../../../src/kernel/declared-mail.ts'

export const mails = {
  bank_account_added: mail({
    to: 'owners',
    insists: 'safety',
    data: ['environment', 'account', 'holder', 'by', 'at'],
    words: {
      'es-MX': (data) => ({
        subject: 'Se agregó una cuenta bancaria',
        paragraphs: [
          'Se agregó una cuenta bancaria a tu negocio. Enviamos un depósito de un centavo para verificarla, o la revisamos.',
        ],
        facts: [
          ['Negocio', data.workspace],
          ['Entorno', data.environment],
          ['CLABE', data.account],
          ['Titular', data.holder],
          ['Agregada por', data.by],
          ['Fecha y hora', data.at],
        ],
        closing: 'Si nadie de tu equipo la agregó, desactívala ahora y cambia tu contraseña.',
      }),
      en: (data) => ({
        subject: 'A bank account was added',
        paragraphs: [
          'A bank account was added to your business. We send one centavo to verify it, or look at it ourselves.',
        ],
        facts: [
          ['Business', data.workspace],
          ['Environment', data.environment],
          ['CLABE', data.account],
          ['Holder', data.holder],
          ['Added by', data.by],
          ['Date and time', data.at],
        ],
        closing: 'If your team did not add it, disable it now and change your password.',
      }),
    },
  }),
}
