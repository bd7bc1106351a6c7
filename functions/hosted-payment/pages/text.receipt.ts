/** The words of a receipt beside a result's; a part of `text`. */
export const receiptEs = {
  title: 'Comprobante de pago',
  folio: 'Folio',
  id: 'Identificador',
  folioFor: 'Dilo o escríbelo al comercio para encontrar este pago.',
  received: 'Recibido en total',
  remains: 'Queda pagado',
  pdf: 'Descargar PDF',
  lines: 'Qué se pagó',
  notFiscal: 'Este comprobante no es una factura (CFDI).',
}

export type ReceiptWords = typeof receiptEs

export const receiptEn: ReceiptWords = {
  title: 'Payment receipt',
  folio: 'Receipt number',
  id: 'Payment ID',
  folioFor: 'Tell it or write it to the merchant to find this payment.',
  received: 'Received in all',
  remains: 'Still paid',
  pdf: 'Download PDF',
  lines: 'What was paid for',
  notFiscal: 'This receipt is no tax invoice (CFDI).',
}
