import type { ReportTypeName } from '../../../drizzle/schema/reporting.ts'
import { type MailData, mail } from '../../../src/kernel/declared-mail.ts'

const ready = ['name', 'report', 'from', 'to', 'removes_at', 'link_id', 'secret_version'] as const
const paused = ['name', 'report', 'reason', 'at'] as const

const days = ({ from, to }: MailData<(typeof ready)[number]>) => (from === to ? from : `${from} – ${to}`)

/** Short names for a mail; each is shown with the one by which the report is run. */
const reportsEs: Readonly<Record<ReportTypeName, string>> = {
  'balance.activity': 'Movimientos del saldo',
  'balance.summary': 'Resumen del saldo',
  fees_and_iva: 'Comisiones e IVA',
  iva_collected: 'IVA cobrado',
  'payout.reconciliation': 'Conciliación de retiros',
  'payments.detail': 'Detalle de pagos',
  method_mix: 'Cobros por método',
  'msi.terms': 'Cobros por plazo de meses sin intereses',
  refunds: 'Reembolsos',
  disputes: 'Contracargos',
  unapplied_funds: 'Depósitos sin aplicar',
  'tips.staff': 'Propinas del personal',
  shifts: 'Turnos de caja',
  offline_losses: 'Pérdidas de cobros sin red',
  poliza: 'Póliza',
  customers: 'Clientes',
  'cfdi.pending': 'Pagos sin CFDI',
}
const reportEs = (type: string) => {
  const name = reportsEs[type as ReportTypeName] as string | undefined
  return name === undefined ? type : `${name} (${type})`
}

const reasonsEs: Readonly<Record<string, string>> = {
  creator_left: 'La persona que la programó ya no es parte del negocio.',
  failures: 'Fallaron tres reportes seguidos.',
}
const reasonsEn: Readonly<Record<string, string>> = {
  creator_left: 'The person who scheduled it does not belong to the business any more.',
  failures: 'Three reports in a row failed.',
}

export const mails = {
  report_ready: mail({
    to: 'person',
    cause: 'report',
    opens: 'report',
    data: ready,
    words: {
      'es-MX': (data) => ({
        subject: 'Tu reporte está listo',
        paragraphs: ['El reporte que pediste de forma periódica está listo. Descárgalo con el botón.'],
        facts: [
          ['Negocio', data.workspace],
          ['Nombre', data.name],
          ['Reporte', reportEs(data.report)],
          ['Días', days(data)],
          ['El enlace sirve hasta', data.removes_at],
        ],
        button: 'Descargar el reporte',
        closing:
          'No reenvíes este mensaje: el enlace es tuyo y sirve mientras seas parte del negocio. Un administrador puede dejar de enviártelo.',
      }),
      en: (data) => ({
        subject: 'Your report is ready',
        paragraphs: ['The report that is scheduled for you is ready. Download it with the button.'],
        facts: [
          ['Business', data.workspace],
          ['Name', data.name],
          ['Report', data.report],
          ['Days', days(data)],
          ['The link works until', data.removes_at],
        ],
        button: 'Download the report',
        closing:
          'Do not forward this message: the link is yours and works while you belong to the business. An administrator can stop sending it to you.',
      }),
    },
  }),
  report_paused: mail({
    to: 'owners',
    data: paused,
    words: {
      'es-MX': (data) => ({
        subject: 'Un reporte periódico se detuvo',
        paragraphs: ['Ya no se hace ni se envía hasta que un administrador lo reanude.'],
        facts: [
          ['Negocio', data.workspace],
          ['Entorno', data.environment],
          ['Nombre', data.name],
          ['Reporte', reportEs(data.report)],
          ['Motivo', reasonsEs[data.reason] ?? data.reason],
          ['Fecha y hora', data.at],
        ],
        closing: 'Los días que terminen mientras tanto no tienen reporte: puedes pedirlos después.',
      }),
      en: (data) => ({
        subject: 'A scheduled report stopped',
        paragraphs: ['It is not made and not sent any more until an administrator resumes it.'],
        facts: [
          ['Business', data.workspace],
          ['Environment', data.environment],
          ['Name', data.name],
          ['Report', data.report],
          ['Reason', reasonsEn[data.reason] ?? data.reason],
          ['Date and time', data.at],
        ],
        closing: 'Days that end meanwhile have no report: you can run them later.',
      }),
    },
  }),
}
