import { mail } from '../../../src/kernel/declared-mail.ts'

export const mails = {
  workspace_decided: mail({
    to: 'owners',
    data: ['environment', 'decision', 'reason', 'at'],
    words: {
      'es-MX': (data) => ({
        subject: 'Cambió el estado de tu negocio',
        paragraphs: [decidedEs[data.decision] ?? ''],
        facts: [
          ['Negocio', data.workspace],
          ['Entorno', data.environment],
          ['Motivo', data.reason],
          ['Fecha y hora', data.at],
        ],
        closing: 'Si tienes preguntas, responde a este mensaje.',
      }),
      en: (data) => ({
        subject: 'The status of your business has changed',
        paragraphs: [decidedEn[data.decision] ?? ''],
        facts: [
          ['Business', data.workspace],
          ['Environment', data.environment],
          ['Reason', data.reason],
          ['Date and time', data.at],
        ],
        closing: 'If you have questions, reply to this message.',
      }),
    },
  }),
  workspace_details: mail({
    to: 'owners',
    data: ['environment', 'decision', 'name', 'brand', 'website', 'fiscal', 'by', 'reason', 'at'],
    words: {
      'es-MX': (data) => ({
        subject: 'Datos de tu negocio',
        paragraphs: [detailsEs[data.decision] ?? ''],
        facts: [
          ['Nombre', data.name],
          ['Marca', data.brand],
          ['Sitio', data.website],
          ['Datos fiscales', data.fiscal],
          ['Motivo', data.reason],
          ['Pedido por', data.by],
          ['Negocio', data.workspace],
          ['Entorno', data.environment],
          ['Fecha y hora', data.at],
        ],
        closing: 'Si nadie de tu equipo lo pidió, revisa quién tiene acceso a tu negocio y escríbenos.',
      }),
      en: (data) => ({
        subject: 'Details of your business',
        paragraphs: [detailsEn[data.decision] ?? ''],
        facts: [
          ['Name', data.name],
          ['Brand name', data.brand],
          ['Site', data.website],
          ['Fiscal profile', data.fiscal],
          ['Reason', data.reason],
          ['Requested by', data.by],
          ['Business', data.workspace],
          ['Environment', data.environment],
          ['Date and time', data.at],
        ],
        closing: 'If your team did not ask for this, check who has access to your business and write to us.',
      }),
    },
  }),
}

const decidedEs: Readonly<Record<string, string>> = {
  approve: 'Aprobamos tu negocio: ya puede recibir pagos reales.',
  decline: 'Aún no pudimos aprobar tu negocio. Corrige lo que dice el motivo y vuelve a solicitarlo.',
  suspend:
    'Suspendimos tu negocio: no recibe pagos nuevos, y sus depósitos y transferencias se detienen. Puedes reembolsar, y cobrar lo que ya se autorizó.',
  reinstate: 'Tu negocio recibe pagos de nuevo, y los depósitos que se detuvieron siguen su curso.',
  close: 'Cerramos tu negocio: no recibe pagos nuevos. Puedes reembolsar, y retirar lo que quede.',
}
const decidedEn: Readonly<Record<string, string>> = {
  approve: 'We approved your business: it can take live payments.',
  decline: 'We could not approve your business yet. Correct what the reason names and ask again.',
  suspend:
    'We suspended your business: it takes no new payments, and its payouts and transfers are held. You can refund, and capture what is authorized.',
  reinstate: 'Your business takes payments again, and payouts that were held go on.',
  close: 'We closed your business: it takes no new payments. You can refund, and be paid what is left.',
}

const detailsEs: Readonly<Record<string, string>> = {
  requested: 'Se pidió un cambio de los datos de tu negocio. Lo revisamos antes de que valga.',
  changed: 'Cambiaron los datos de tu negocio.',
  approved: 'Aprobamos el cambio de los datos de tu negocio.',
  declined: 'No aprobamos el cambio de los datos de tu negocio: siguen los que revisamos.',
}
const detailsEn: Readonly<Record<string, string>> = {
  requested: 'A change of the details of your business was requested. We look at it before it holds.',
  changed: 'The details of your business were changed.',
  approved: 'We approved the change of the details of your business.',
  declined: 'We did not approve the change of the details of your business: those that we reviewed stay.',
}
