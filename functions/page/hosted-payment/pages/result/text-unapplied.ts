/** The words for money that came and was not applied; a part of `text`. */
export const unappliedEs = {
  over: (amount: string) => `Recibimos ${amount} de más.`,
  apart: (amount: string) => `Recibimos ${amount} que no entraron en este pago.`,
  held: (amount: string, merchant: string) =>
    `Están guardados ${amount} como fondos sin aplicar. ${merchant} puede devolverlos: muéstrale tu comprobante y este folio.`,
  spent: (amount: string, merchant: string) =>
    `${merchant} ya pidió devolver ${amount}, o los usó para otro pago.`,
  overRow: 'Recibido de más',
  apartRow: 'Recibido sin aplicar',
}

export const unappliedEn: typeof unappliedEs = {
  over: (amount) => `We received ${amount} too much.`,
  apart: (amount) => `We received ${amount} that is not part of this payment.`,
  held: (amount, merchant) =>
    `${amount} is kept as unapplied funds. ${merchant} can send it back: show them your receipt and the number on this page.`,
  spent: (amount, merchant) =>
    `${merchant} has asked for ${amount} to be sent back, or used it for another payment.`,
  overRow: 'Received too much',
  apartRow: 'Not applied',
}
