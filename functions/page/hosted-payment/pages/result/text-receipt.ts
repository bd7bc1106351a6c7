import type { Locale } from '../../../../../src/kernel/locale.ts'

/** The words of a receipt beside a result's; a part of `text`. */
export const receiptEs = {
  title: 'Comprobante de pago',
  folio: 'Folio',
  folioFor: 'Dilo o escríbelo al comercio para encontrar este pago.',
  received: 'Recibido en total',
  remains: 'Queda pagado',
  pdf: 'Descargar PDF',
  withheld:
    'El PDF y lo que haya para descargar se ven en el navegador con el que pagaste, o desde el enlace de tu correo.',
  lines: 'Qué se pagó',
  notFiscal: 'Este comprobante no es una factura (CFDI).',
}

export type ReceiptWords = typeof receiptEs

export const receiptEn: ReceiptWords = {
  title: 'Payment receipt',
  folio: 'Receipt number',
  folioFor: 'Tell it or write it to the merchant to find this payment.',
  received: 'Received in all',
  remains: 'Still paid',
  pdf: 'Download PDF',
  withheld:
    'The PDF and anything to download are shown in the browser you paid with, or from the link in your mail.',
  lines: 'What was paid for',
  notFiscal: 'This receipt is no tax invoice (CFDI).',
}

interface TaxWords {
  readonly iva: (percent: string) => string
  readonly base: (amount: string) => string
  readonly exempt: string
}

/** The tax in what was paid. */
export const taxText: Readonly<Record<Locale, TaxWords>> = {
  'es-MX': {
    iva: (percent) => `Incluye IVA ${percent}\u00a0%`,
    base: (amount) => `sobre ${amount}`,
    exempt: 'Exento de IVA',
  },
  en: {
    iva: (percent) => `Includes IVA ${percent}\u00a0%`,
    base: (amount) => `on ${amount}`,
    exempt: 'Exempt from IVA',
  },
}
