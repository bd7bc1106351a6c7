import { mail } from '../../../src/kernel/declared-mail.ts'

const reasonsEs: Readonly<Record<string, string>> = {
  gone: 'Respondió 410: ya no existe.',
  failing: 'Falló durante cinco días seguidos.',
  secret: 'No podemos leer su secreto: cámbialo por uno nuevo.',
}
const reasonsEn: Readonly<Record<string, string>> = {
  gone: 'It answered 410: it is gone.',
  failing: 'It failed for five days on end.',
  secret: 'We cannot read its secret: rotate it.',
}

export const mails = {
  webhook_endpoint_disabled: mail({
    to: 'admins',
    data: ['url', 'reason', 'at'],
    words: {
      'es-MX': (data) => ({
        subject: 'Se desactivó un endpoint de webhooks',
        paragraphs: ['Dejamos de enviar eventos a esta dirección.'],
        facts: [
          ['Dirección', data.url],
          ['Motivo', reasonsEs[data.reason] ?? data.reason],
          ['Negocio', data.workspace],
          ['Entorno', data.environment],
          ['Fecha y hora', data.at],
        ],
        closing: 'Corrige tu servidor, activa el endpoint y recupera los eventos que no se enviaron.',
      }),
      en: (data) => ({
        subject: 'A webhook endpoint was disabled',
        paragraphs: ['We send no more events to this address.'],
        facts: [
          ['Address', data.url],
          ['Reason', reasonsEn[data.reason] ?? data.reason],
          ['Business', data.workspace],
          ['Environment', data.environment],
          ['Date and time', data.at],
        ],
        closing: 'Repair your server, enable the endpoint and recover the events that were not sent.',
      }),
    },
  }),
}
