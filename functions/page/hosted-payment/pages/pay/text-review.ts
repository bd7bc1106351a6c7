/** The words of the page that shows what a card is charged; a part of `text`. */
export const reviewEs = {
  title: 'Revisa y paga',
  change: 'Cambiar tarjeta',
  terms: '¿En cuántos pagos?',
  onlyTerm: 'Forma de pago',
  single: 'Una sola exhibición',
  installments: (months: number, monthly: string) => `${months} meses de ${monthly}`,
  interestFree: 'sin intereses',
  first: (amount: string) => `Primer pago ${amount}`,
  surcharge: (amount: string) => `Cargo por meses ${amount}`,
  total: (amount: string) => `Total ${amount}`,
  eachTotal: 'Se cobra el total que dice la opción que elijas.',
  noOffers: {
    terms_unknown: 'No vemos si esta tarjeta tiene meses. Paga en una exhibición o intenta más tarde.',
    card_not_eligible: 'Esta tarjeta no participa en pagos a meses. Se cobrará en una sola exhibición.',
    amount_too_low: 'El importe no alcanza el mínimo para meses. Se cobrará en una sola exhibición.',
  },
  errors: { term_unavailable: 'Ese plazo ya no está disponible. Elige otro.' },
}

export const reviewEn: typeof reviewEs = {
  title: 'Review and pay',
  change: 'Change card',
  terms: 'In how many payments?',
  onlyTerm: 'How it is paid',
  single: 'One payment',
  installments: (months, monthly) => `${months} months of ${monthly}`,
  interestFree: 'interest-free',
  first: (amount) => `First payment ${amount}`,
  surcharge: (amount) => `Installment surcharge ${amount}`,
  total: (amount) => `Total ${amount}`,
  eachTotal: 'You are charged the total of the option that you choose.',
  noOffers: {
    terms_unknown: 'We cannot see now whether this card has installment plans. Pay at once, or try later.',
    card_not_eligible: 'This card has no installment plans. It will be charged in one payment.',
    amount_too_low: 'The amount is below the minimum for installments. It will be charged in one payment.',
  },
  errors: { term_unavailable: 'That plan is no longer available. Choose another one.' },
}
