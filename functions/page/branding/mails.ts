import { mail } from '../../../src/kernel/declared-mail.ts'

export const mails = {
  logo_changed: mail({
    to: 'owners',
    data: ['environment', 'at'],
    words: {
      'es-MX': (data) => ({
        subject: 'Datos de tu negocio',
        paragraphs: ['Cambió el logotipo de tu negocio.'],
        facts: [
          ['Negocio', data.workspace],
          ['Entorno', data.environment],
          ['Fecha y hora', data.at],
        ],
        closing: 'Si nadie de tu equipo lo pidió, revisa quién tiene acceso a tu negocio y escríbenos.',
      }),
      en: (data) => ({
        subject: 'Details of your business',
        paragraphs: ['The logo of your business was changed.'],
        facts: [
          ['Business', data.workspace],
          ['Environment', data.environment],
          ['Date and time', data.at],
        ],
        closing: 'If your team did not ask for this, check who has access to your business and write to us.',
      }),
    },
  }),
}
