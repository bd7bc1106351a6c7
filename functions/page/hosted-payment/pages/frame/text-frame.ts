/** The words of every page, and those that several have; a part of `text`. */
export const layoutEs = {
  skip: 'Saltar al contenido',
  testMode: 'Modo de prueba',
  testModeDetail: 'Ninguna tarjeta real funciona y no se cobra dinero.',
  switchLanguage: 'English',
  poweredBy: 'Pagos con Spindle',
}

export const commonEs = {
  description: 'Concepto',
  amount: 'Importe',
  total: 'Total',
  card: 'Tarjeta',
  reference: 'Folio del pago',
  merchant: 'Comercio',
  date: 'Fecha',
  cardEnding: (brand: string, last4: string) => `${brand} terminada en ${last4}`,
  mexicoCity: 'hora de la Ciudad de México',
  sending: 'Enviando…',
  tryAgain: 'Intentar de nuevo',
  notCharged: 'No se hizo ningún cargo.',
}

export const layoutEn: typeof layoutEs = {
  skip: 'Skip to content',
  testMode: 'Test mode',
  testModeDetail: 'No real card works here and no money moves.',
  switchLanguage: 'Español',
  poweredBy: 'Payments by Spindle',
}

export const commonEn: typeof commonEs = {
  description: 'For',
  amount: 'Amount',
  total: 'Total',
  card: 'Card',
  reference: 'Payment number',
  merchant: 'Merchant',
  date: 'Date',
  cardEnding: (brand, last4) => `${brand} ending in ${last4}`,
  mexicoCity: 'Mexico City time',
  sending: 'Sending…',
  tryAgain: 'Try again',
  notCharged: 'Nothing was charged.',
}
