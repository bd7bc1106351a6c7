/** The words of the form's rows, the head and the ways to reach a merchant; a part of `text`. */
export const rowsEs = {
  choose: '¿Cómo quieres pagar?',
  promise: {
    card: 'Crédito o débito',
    voucher: (day: string) => `Efectivo · vence el ${day}`,
    bank_transfer: 'Transferencia · se confirma en segundos',
  },
  upTo: (months: number, monthly: string) => `hasta ${months} × ${monthly}`,
  upToFree: (months: number, monthly: string) => `hasta ${months} × ${monthly} sin intereses`,
  times: (months: number, monthly: string) => `${months} × ${monthly}`,
  timesFree: (months: number, monthly: string) => `${months} × ${monthly} sin intereses`,
  months: '¿En cuántos pagos?',
  atOnce: (amount: string) => `Un solo pago de ${amount}`,
  term: (months: number, monthly: string, total: string) => `${months} meses de ${monthly} · total ${total}`,
  termFree: (months: number, monthly: string) => `${months} meses de ${monthly} sin intereses`,
  again: 'O paga así:',
  instead: 'También puedes pagar así:',
  contact: 'Contacto',
  questions: '¿Dudas? Habla con el comercio:',
  preview: (amount: string, what: string) => `${amount} · ${what}`,
  previewPlain: 'Paga en línea de forma segura.',
  site: 'Sitio web',
  mixedMails: 'Ahí te enviamos tu comprobante y, si no pagas con tarjeta, antes las instrucciones.',
}

export type RowWords = typeof rowsEs

export const rowsEn: RowWords = {
  choose: 'How do you want to pay?',
  promise: {
    card: 'Credit or debit',
    voucher: (day) => `Cash · pay by ${day}`,
    bank_transfer: 'Bank transfer · confirmed in seconds',
  },
  upTo: (months, monthly) => `up to ${months} × ${monthly}`,
  upToFree: (months, monthly) => `up to ${months} × ${monthly} interest-free`,
  times: (months, monthly) => `in ${months} × ${monthly}`,
  timesFree: (months, monthly) => `in ${months} × ${monthly} interest-free`,
  months: 'In how many payments?',
  atOnce: (amount) => `One payment of ${amount}`,
  term: (months, monthly, total) => `${months} months of ${monthly} · ${total} in total`,
  termFree: (months, monthly) => `${months} months of ${monthly} interest-free`,
  again: 'Or pay this way:',
  instead: 'You can also pay this way:',
  contact: 'Contact',
  questions: 'Questions? Ask the merchant:',
  preview: (amount, what) => `${amount} · for ${what}`,
  previewPlain: 'Pay online, securely.',
  site: 'Website',
  mixedMails: 'We send your receipt there and, unless you pay by card, the instructions before it.',
}
