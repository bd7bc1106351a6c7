/** The words of a page that takes no payment, and says why; a part of `text`. */
export const stateEs = {
  not_set_up: {
    title: 'Todavía no se puede pagar aquí',
    detail: (merchant: string) => `${merchant} aún no puede recibir pagos con tarjeta.`,
  },
  no_payments: {
    title: 'No se puede pagar aquí',
    detail: (merchant: string) =>
      `${merchant} no puede recibir pagos por aquí. Pregúntale de qué otra forma puedes pagar.`,
  },
  busy: {
    own: 'Si eres tú, no pagues de nuevo: vuelve a la página en la que empezaste el pago.',
  },
  changed: {
    was: (before: string, now: string) => `Antes: ${before}. Ahora: ${now}.`,
    none: 'ninguno',
    months: (months: string) => `${months} meses`,
    what: {
      amount: 'Importe',
      methods: 'Formas de pago',
      installments: 'Pago a meses',
      surcharge: 'Cargo por meses',
      capture: 'Cuándo se cobra',
    },
    capture: { automatic: 'al pagar', manual: 'el comercio aparta el importe y lo cobra después' },
  },
  not_found: {
    title: 'No encontramos esta página',
    detail: 'Revisa que la dirección esté completa, tal como la recibiste.',
  },
  bad_request: {
    title: 'No pudimos leer el formulario',
    detail: 'Vuelve a abrir el enlace e inténtalo de nuevo.',
  },
  foreign_form: {
    title: 'Este formulario no se envió desde nuestra página',
    detail: 'Otro sitio lo envió, así que no lo atendimos. Abre el enlace y sigue desde ahí.',
  },
  wrong_method: {
    title: 'Aquí no hay nada que enviar',
    detail: 'Vuelve a la página anterior e inténtalo desde ahí.',
  },
  too_many_requests: {
    title: 'Demasiados intentos',
    detail: (seconds: number) =>
      `Espera ${seconds === 1 ? 'un segundo' : `${seconds} segundos`} e inténtalo de nuevo.`,
  },
  error: {
    title: 'Algo salió mal de nuestro lado',
    detail: 'Inténtalo de nuevo en un momento.',
    resend: 'No sabemos si tu pago llegó. Inténtalo desde aquí: el mismo pago no se cobra dos veces.',
    request: 'Identificador de la solicitud',
  },
  refused: 'Con este intento no se hizo ningún cargo.',
  openLink: 'Abrir el enlace',
  reviewAgain: 'Revisar y pagar',
}

export const stateEn: typeof stateEs = {
  not_set_up: {
    title: 'Payments are not available here yet',
    detail: (merchant) => `${merchant} cannot take card payments yet.`,
  },
  no_payments: {
    title: 'You cannot pay here',
    detail: (merchant) => `${merchant} cannot take payments here. Ask them how else you can pay.`,
  },
  busy: {
    own: 'If that is you, do not pay again: go back to the page where you began.',
  },
  changed: {
    was: (before, now) => `Before: ${before}. Now: ${now}.`,
    none: 'none',
    months: (months) => `${months} months`,
    what: {
      amount: 'Amount',
      methods: 'Ways to pay',
      installments: 'Monthly installments',
      surcharge: 'Installment surcharge',
      capture: 'When it is charged',
    },
    capture: { automatic: 'when you pay', manual: 'the merchant holds the amount and charges it later' },
  },
  not_found: {
    title: 'We could not find this page',
    detail: 'Check that the address is complete, just as you received it.',
  },
  bad_request: {
    title: 'We could not read the form',
    detail: 'Open the link again and retry.',
  },
  foreign_form: {
    title: 'This form was not sent from our page',
    detail: 'Another site sent it, so we did nothing with it. Open the link and go on from there.',
  },
  wrong_method: {
    title: 'There is nothing to send here',
    detail: 'Go back to the page before and try from there.',
  },
  too_many_requests: {
    title: 'Too many attempts',
    detail: (seconds) => `Wait ${seconds === 1 ? 'one second' : `${seconds} seconds`} and try again.`,
  },
  error: {
    title: 'Something went wrong on our side',
    detail: 'Try again in a moment.',
    resend:
      'We do not know if your payment went through. Retry from here: the same payment is never charged twice.',
    request: 'Request identifier',
  },
  refused: 'Nothing was charged by this attempt.',
  openLink: 'Open the link',
  reviewAgain: 'Review and pay',
}
