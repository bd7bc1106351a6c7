import { declineReasons } from './text-declines.ts'

/** The words of the pages of a payment that was tried; a part of `text`. */
export const resultEs = {
  succeeded: { title: 'Pago aprobado', detail: (merchant: string) => `Tu pago a ${merchant} está hecho.` },
  requires_capture: {
    title: 'Pago autorizado',
    detail: (merchant: string) =>
      `Tu banco apartó el importe para ${merchant}, que lo cobrará al confirmar tu compra. No tienes que hacer nada más.`,
    until: (when: string) =>
      `Si no se cobra a más tardar el ${when} (hora de la Ciudad de México), el banco lo libera y no pagas nada.`,
  },
  partially_captured: {
    title: 'Pago aprobado',
    detail: (merchant: string) => `${merchant} cobró una parte de lo autorizado. Tu banco libera el resto.`,
    charged: 'Cobrado',
    authorized: 'Autorizado',
    surcharge: (amount: string) => `incluye un cargo de ${amount} por pagar a meses`,
  },
  refund: 'Reembolso',
  refunded: (merchant: string) =>
    `${merchant} te hizo un reembolso. Tu banco puede tardar unos días en mostrarlo.`,
  print: 'Imprimir o guardar',
  testReceipt: 'Comprobante de prueba: no se cobró dinero.',
  price: 'Precio',
  surcharge: 'Cargo por meses',
  installments: 'Plazo',
  installmentsOf: (months: number, monthly: string) => `${months} meses de ${monthly}`,
  firstPayment: 'Primer pago',
  interestFree: 'sin intereses',
  declined: {
    titles: {
      card: 'El pago no se aprobó',
      card_present: 'El pago no se aprobó',
      oxxo: 'No se pudo crear tu ficha',
      spei: 'No se pudo crear tu CLABE',
    },
  },
  refused: {
    oxxo: 'No nos dieron una ficha de OXXO para este pago. Inténtalo de nuevo o paga de otra forma.',
    spei: 'No nos dieron una CLABE para este pago. Inténtalo de nuevo o paga de otra forma.',
  },
  numbers: { oxxo: 'Referencia OXXO', spei: 'Clave de rastreo' },
  reasons: declineReasons.es,
  processing: {
    titles: {
      card: 'Estamos confirmando con tu banco',
      card_present: 'La terminal espera la tarjeta',
      oxxo: 'Estamos preparando tu ficha',
      spei: 'Estamos preparando tu CLABE',
    },
    detail: 'Suele tardar unos segundos. Esta página se actualiza sola.',
    keep: {
      card: 'Puedes cerrar la página: el pago sigue su curso. No pagues de nuevo.',
      card_present: 'Puedes cerrar la página: el pago sigue en la terminal.',
      oxxo: 'Todavía no has pagado nada. Si cierras la página, vuelve a abrir el enlace para ver tu ficha.',
      spei: 'Todavía no has pagado nada. Si cierras la página, vuelve a abrir el enlace para ver tu CLABE.',
    },
    check: 'Consultar de nuevo',
  },
  under_review: {
    title: 'Estamos revisando tu pago',
    detail:
      'La respuesta que recibimos no coincide con el importe y una persona la revisará. No pagues de nuevo.',
    keep: 'Guarda el folio por si necesitas hablar con el comercio.',
  },
  requires_action: {
    title: 'Tu banco espera tu confirmación',
    detail: (merchant: string) =>
      `Empezaste a pagar a ${merchant}. Aprueba el pago en la página de tu banco; después vuelves aquí.`,
    until: (when: string) => `Tienes hasta el ${when} (hora de la Ciudad de México).`,
    continue: 'Continuar con mi banco',
    other: 'Pagar de otra forma',
    otherDetail: 'Si pagas de otra forma, primero se cancela este intento: no se cobra dos veces.',
    over: {
      title: 'Se acabó el tiempo para confirmar',
      detail: 'Tu banco ya no espera tu respuesta. Si aprobaste el pago, lo verás aquí en un momento.',
    },
    notClosed:
      'No pudimos confirmar que este intento se canceló, así que sigue abierto. Inténtalo de nuevo en un momento.',
  },
  canceled: { title: 'Pago cancelado', detail: 'El pago se canceló antes de completarse.' },
  expired: { title: 'El pago venció', detail: 'El pago no se completó a tiempo.' },
  released: {
    title: 'El importe no se cobró',
    time: (merchant: string) =>
      `${merchant} no cobró a tiempo el importe que tu banco apartó. Tu banco lo libera; puede tardar unos días en mostrarlo.`,
    merchant: (merchant: string) =>
      `${merchant} canceló el pago sin cobrar el importe que tu banco apartó. Tu banco lo libera; puede tardar unos días en mostrarlo.`,
  },
  reversed: {
    title: 'El pago se deshizo',
    voided: (merchant: string) =>
      `Los importes no coincidían y el pago a ${merchant} no se hizo. Tu banco libera lo que apartó; puede tardar unos días en mostrarlo.`,
    refunded: (merchant: string) =>
      `Los importes no coincidían y el pago a ${merchant} no se hizo. Lo que se cobró se te devolvió; tu banco puede tardar unos días en mostrarlo.`,
    settled_elsewhere: (merchant: string) =>
      `Los importes no coincidían y ${merchant} lo resolvió por su cuenta. Si tienes dudas, muéstrale este folio.`,
  },
  closed: 'Este enlace ya no recibe pagos.',
  mayHavePaid: {
    oxxo: (merchant: string) =>
      `Si pagaste esta ficha en la tienda, no pagues de nuevo: muestra a ${merchant} tu ticket y este folio.`,
    spei: (merchant: string) =>
      `Si transferiste a la CLABE de este pago, ${merchant} puede devolvértelo: muéstrale tu comprobante y este folio.`,
  },
}

export const resultEn: typeof resultEs = {
  succeeded: {
    title: 'Payment approved',
    detail: (merchant) => `Your payment to ${merchant} is complete.`,
  },
  requires_capture: {
    title: 'Payment authorized',
    detail: (merchant) =>
      `Your bank holds the amount for ${merchant}, which charges it when it confirms your order. There is nothing more for you to do.`,
    until: (when) =>
      `If it is not charged by ${when} (Mexico City time), the bank releases it and you pay nothing.`,
  },
  partially_captured: {
    title: 'Payment approved',
    detail: (merchant) => `${merchant} charged a part of what you authorized. Your bank releases the rest.`,
    charged: 'Charged',
    authorized: 'Authorized',
    surcharge: (amount) => `includes a surcharge of ${amount} for installments`,
  },
  refund: 'Refund',
  refunded: (merchant) => `${merchant} sent you a refund. Your bank may take a few days to show it.`,
  print: 'Print or save',
  testReceipt: 'Test receipt: no money moved.',
  price: 'Price',
  surcharge: 'Installment surcharge',
  installments: 'Plan',
  installmentsOf: (months, monthly) => `${months} months of ${monthly}`,
  firstPayment: 'First payment',
  interestFree: 'interest-free',
  declined: {
    titles: {
      card: 'The payment was not approved',
      card_present: 'The payment was not approved',
      oxxo: 'Your voucher could not be made',
      spei: 'Your CLABE could not be made',
    },
  },
  refused: {
    oxxo: 'We were not given an OXXO voucher for this payment. Try again or pay in another way.',
    spei: 'We were not given a CLABE for this payment. Try again or pay in another way.',
  },
  numbers: { oxxo: 'OXXO reference', spei: 'Tracking key' },
  reasons: declineReasons.en,
  processing: {
    titles: {
      card: 'We are confirming with your bank',
      card_present: 'The reader waits for the card',
      oxxo: 'We are preparing your voucher',
      spei: 'We are preparing your CLABE',
    },
    detail: 'This usually takes a few seconds. The page updates by itself.',
    keep: {
      card: 'You can close this page; the payment continues. Do not pay again.',
      card_present: 'You can close this page; the payment continues at the reader.',
      oxxo: 'You have not paid anything yet. If you close this page, open the link again to see your voucher.',
      spei: 'You have not paid anything yet. If you close this page, open the link again to see your CLABE.',
    },
    check: 'Check again',
  },
  under_review: {
    title: 'We are reviewing your payment',
    detail: 'The answer we got does not match the amount, and a person will look into it. Do not pay again.',
    keep: 'Keep the payment ID in case you need to talk to the merchant.',
  },
  requires_action: {
    title: 'Your bank is waiting for you to confirm',
    detail: (merchant) =>
      `You started to pay ${merchant}. Approve the payment on your bank’s page; you come back here afterwards.`,
    until: (when) => `You have until ${when} (Mexico City time).`,
    continue: 'Continue to my bank',
    other: 'Pay in another way',
    otherDetail: 'If you pay in another way, this attempt is canceled first: nothing is charged twice.',
    over: {
      title: 'The time to confirm is over',
      detail:
        'Your bank no longer waits for your answer. If you approved the payment, you will see it here in a moment.',
    },
    notClosed:
      'We could not confirm that this attempt was canceled, so it is still open. Try again in a moment.',
  },
  canceled: { title: 'Payment canceled', detail: 'The payment was canceled before it was completed.' },
  expired: { title: 'The payment expired', detail: 'The payment was not completed in time.' },
  released: {
    title: 'The amount was not charged',
    time: (merchant) =>
      `${merchant} did not charge in time what your bank had held. Your bank releases it and may take a few days to show it.`,
    merchant: (merchant) =>
      `${merchant} canceled the payment without charging what your bank had held. Your bank releases it and may take a few days to show it.`,
  },
  reversed: {
    title: 'The payment was undone',
    voided: (merchant) =>
      `The amounts did not match and ${merchant} was not paid. Your bank releases what it had held and may take a few days to show it.`,
    refunded: (merchant) =>
      `The amounts did not match and ${merchant} was not paid. What was charged was sent back to you; your bank may take a few days to show it.`,
    settled_elsewhere: (merchant) =>
      `The amounts did not match and ${merchant} settled it with its own means. If you have questions, show them this payment ID.`,
  },
  closed: 'This link no longer takes payments.',
  mayHavePaid: {
    oxxo: (merchant) =>
      `If you paid this voucher at the store, do not pay again: show ${merchant} your receipt and this payment ID.`,
    spei: (merchant) =>
      `If you sent a transfer to the CLABE of this payment, ${merchant} can send it back: show them your receipt and this payment ID.`,
  },
}
