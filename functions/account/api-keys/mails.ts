import { mail } from '../../../src/kernel/declared-mail.ts'

const about = {
  to: 'owners',
  insists: 'safety',
  data: ['environment', 'description', 'key', 'by', 'at'],
} as const

export const mails = {
  api_key_created: mail({
    ...about,
    words: {
      'es-MX': (data) => ({
        subject: 'Se creó una clave de API',
        paragraphs: ['Se creó una clave de API en tu negocio.'],
        facts: [
          ['Negocio', data.workspace],
          ['Entorno', data.environment],
          ['Descripción', data.description],
          ['Clave', data.key],
          ['Creada por', data.by],
          ['Fecha y hora', data.at],
        ],
        closing: 'Si nadie de tu equipo la creó, revócala ahora y cambia tu contraseña.',
      }),
      en: (data) => ({
        subject: 'An API key was created',
        paragraphs: ['An API key was created in your business.'],
        facts: [
          ['Business', data.workspace],
          ['Environment', data.environment],
          ['Description', data.description],
          ['Key', data.key],
          ['Created by', data.by],
          ['Date and time', data.at],
        ],
        closing: 'If your team did not create it, revoke it now and change your password.',
      }),
    },
  }),
  api_key_revoked: mail({
    ...about,
    words: {
      'es-MX': (data) => ({
        subject: 'Se revocó una clave de API',
        paragraphs: ['Se revocó una clave de API de tu negocio. Ya no funciona.'],
        facts: [
          ['Negocio', data.workspace],
          ['Entorno', data.environment],
          ['Descripción', data.description],
          ['Clave', data.key],
          ['Revocada por', data.by],
          ['Fecha y hora', data.at],
        ],
        closing: 'Si nadie de tu equipo la revocó, revisa quién tiene acceso a tu negocio.',
      }),
      en: (data) => ({
        subject: 'An API key was revoked',
        paragraphs: ['An API key of your business was revoked. It works no more.'],
        facts: [
          ['Business', data.workspace],
          ['Environment', data.environment],
          ['Description', data.description],
          ['Key', data.key],
          ['Revoked by', data.by],
          ['Date and time', data.at],
        ],
        closing: 'If your team did not revoke it, check who has access to your business.',
      }),
    },
  }),
}
