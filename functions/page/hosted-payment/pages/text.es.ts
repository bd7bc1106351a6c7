/** es-MX, written first: the other catalogs must have its keys or the build fails. */
export const es = {
  layout: {
    skip: 'Saltar al contenido',
    testMode: 'Modo de prueba',
    testModeDetail: 'Ninguna tarjeta real funciona y no se cobra dinero.',
    switchLanguage: 'English',
    poweredBy: 'Pagos con Spindle',
  },
  common: {
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
  },
  pay: {
    title: (merchant: string) => `Pagar a ${merchant}`,
    payTo: 'Pagar a',
    expires: (when: string) => `Puedes pagar hasta el ${when}`,
    backTo: (merchant: string) => `Volver a ${merchant}`,
    renewed: (merchant: string, amount: string) =>
      `${merchant} hizo un cambio en este momento. Cuesta ${amount}.`,
    installments: (months: string) => `Puedes pagar a ${months} meses con tarjetas participantes.`,
    interestFree: (months: string) =>
      `Puedes pagar a ${months} meses sin intereses con tarjetas participantes.`,
    installmentsOnly: (months: string) => `Se paga a ${months} meses, con una tarjeta participante.`,
    interestFreeOnly: (months: string) =>
      `Se paga a ${months} meses sin intereses, con una tarjeta participante.`,
    surcharge: (amount: string, total: string) =>
      `Pagar a meses tiene un cargo de ${amount}: en total ${total}.`,
    price: (amount: string) => `Precio ${amount}. A meses se suma un cargo.`,
    composed: (price: string, surcharge: string) =>
      `Precio ${price}, más un cargo de ${surcharge} por pagar a meses.`,
    chooseAmount: {
      label: (currency: string) => `Importe (${currency})`,
      bounds: (least: string, most: string) => `De ${least} a ${most}.`,
      other: 'Cambiar el importe',
      errors: {
        not_an_amount: 'Escribe un importe, como 250 o 250.50.',
        out_of_bounds: 'Elige un importe dentro de los límites.',
      },
    },
    methods: 'Forma de pago',
    methodNames: { card: 'Tarjeta', oxxo: 'OXXO', spei: 'SPEI' },
    push: {
      oxxo: {
        heading: 'Paga en efectivo en OXXO',
        detail:
          'Te damos una ficha con código de barras para pagar en la caja de cualquier OXXO. La tienda cobra su propia comisión, aparte de este importe.',
        get: (amount: string) => `Obtener ficha por ${amount}`,
      },
      spei: {
        heading: 'Paga por transferencia SPEI',
        detail: 'Te damos una CLABE para transferir el importe desde tu banco.',
        get: (amount: string) => `Obtener CLABE para ${amount}`,
      },
    },
    buyerName: 'Nombre completo',
    buyerNameFor: 'Nombre completo (con tarjeta no hace falta)',
    buyerEmail: 'Correo electrónico',
    buyerEmailFor: 'Correo electrónico (con tarjeta es opcional)',
    buyerPrivacy:
      'Damos tu nombre y tu correo a la empresa que procesa el pago. Este navegador los recuerda media hora.',
    mails: {
      label: 'Correo para tu comprobante (opcional)',
      all: 'Ahí te enviamos las instrucciones para pagar y tu comprobante.',
    },
    pending: {
      oxxo: {
        detail:
          'Ya hay una ficha de OXXO para este pago. Si pagas de otra forma, primero se cancela. Si ya la pagaste, no pagues de nuevo.',
        show: 'Ver la ficha',
      },
      spei: {
        detail:
          'Ya hay una CLABE para este pago. Si pagas de otra forma, primero se cancela. Si ya transferiste, no pagues de nuevo.',
        show: 'Ver la CLABE',
      },
      under_way: {
        detail: 'Empezaste un pago con este enlace y no ha terminado. Si pagas aquí, será otro pago.',
        show: 'Ver ese pago',
      },
      paid: {
        detail: 'Ya pagaste con este enlace. Si pagas aquí, será otro pago.',
        show: 'Ver tu comprobante',
      },
    },
    pendingReceived: (amount: string) =>
      `En esa CLABE ya recibimos ${amount}: si pagas de otra forma, no cuentan para este pago y el comercio puede devolverlos.`,
    heading: 'Datos de la tarjeta',
    number: 'Número de tarjeta',
    expiry: 'Vencimiento',
    expiryHint: 'MM/AA',
    securityCode: 'CVC',
    securityCodeHint: '3 o 4 dígitos',
    name: 'Nombre en la tarjeta',
    pay: (amount: string) => `Pagar ${amount}`,
    continue: 'Continuar',
    neverLeaves: 'Es una página de prueba: ningún número de tarjeta se envía y no se cobra nada.',
    stripe: {
      needsScript:
        'Para pagar con tarjeta hace falta JavaScript: el número de la tarjeta va directo a Stripe, nunca a nosotros.',
      loading: 'Cargando el formulario de la tarjeta…',
      unreachable: 'No se puede cargar el formulario de la tarjeta. Revisa tu conexión e inténtalo de nuevo.',
      byStripe: 'Stripe procesa la tarjeta. El número nunca llega a nosotros.',
    },
    testCard: 'Tarjeta de prueba',
    chooseTestCard: 'Elige una tarjeta',
    testCards: 'Tarjetas de prueba',
    testCardsDetail: 'Cada una tiene un resultado distinto.',
    use: 'Usar',
    useCard: (label: string) => `Usar la tarjeta de prueba: ${label}`,
    used: (label: string) => `Tarjeta de prueba lista: ${label}`,
    missing: {
      number: 'Escribe el número de la tarjeta.',
      expiry: 'Escribe mes y año, como 08/29.',
      securityCode: 'Escribe los 3 o 4 dígitos.',
      name: 'Escribe el nombre como aparece en la tarjeta.',
    },
    past: 'Esta fecha ya pasó.',
    notATestCard: 'No es una tarjeta de prueba. Aquí no funciona ninguna tarjeta real.',
    mend: 'Revisa estos datos:',
    wrong: {
      name: 'Escribe tu nombre completo, con apellido.',
      email: 'Escribe un correo electrónico válido, como nombre@ejemplo.com.',
      receipt_email: 'Escribe un correo electrónico válido, como nombre@ejemplo.com, o deja el campo vacío.',
    },
    errors: {
      card_required: 'Elige una tarjeta de prueba para continuar.',
      card_unknown: 'No reconocimos esa tarjeta. Elige otra.',
      card_without_plan: 'Esa tarjeta no participa en los meses de este pago. Usa otra.',
      held_unpaid:
        'Los lugares que se pueden apartar sin pagar están ocupados: paga con tarjeta, o vuelve a intentarlo más tarde.',
      quote_expired: 'Esta página llevaba mucho tiempo abierta. Revisa el importe y vuelve a intentarlo.',
    },
  },
  review: {
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
  },
  result: {
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
        oxxo: 'No se pudo crear tu ficha',
        spei: 'No se pudo crear tu CLABE',
      },
    },
    refused: {
      oxxo: 'No nos dieron una ficha de OXXO para este pago. Inténtalo de nuevo o paga de otra forma.',
      spei: 'No nos dieron una CLABE para este pago. Inténtalo de nuevo o paga de otra forma.',
    },
    numbers: { oxxo: 'Referencia OXXO', spei: 'Clave de rastreo' },
    reasons: {
      insufficient_funds: 'La tarjeta no tiene fondos suficientes. Intenta con otra tarjeta.',
      card_declined: 'El banco rechazó la tarjeta. Intenta con otra o habla con tu banco.',
      expired_card: 'La tarjeta está vencida. Intenta con otra tarjeta.',
      suspected_fraud: 'El banco detuvo el pago por seguridad. Habla con tu banco o usa otra tarjeta.',
      authentication_failed:
        'El pago no quedó confirmado con tu banco. Inténtalo de nuevo o usa otra tarjeta.',
      processing_error: 'Hubo un problema al procesar el pago. Inténtalo de nuevo en unos minutos.',
    },
    processing: {
      titles: {
        card: 'Estamos confirmando con tu banco',
        oxxo: 'Estamos preparando tu ficha',
        spei: 'Estamos preparando tu CLABE',
      },
      detail: 'Suele tardar unos segundos. Esta página se actualiza sola.',
      keep: {
        card: 'Puedes cerrar la página: el pago sigue su curso. No pagues de nuevo.',
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
  },
  unapplied: {
    over: (amount: string) => `Recibimos ${amount} de más.`,
    apart: (amount: string) => `Recibimos ${amount} que no entraron en este pago.`,
    held: (amount: string, merchant: string) =>
      `Están guardados ${amount} como fondos sin aplicar. ${merchant} puede devolverlos: muéstrale tu comprobante y este folio.`,
    spent: (amount: string, merchant: string) =>
      `${merchant} ya pidió devolver ${amount}, o los usó para otro pago.`,
    overRow: 'Recibido de más',
    apartRow: 'Recibido sin aplicar',
  },
  voucher: {
    networks: {
      oxxo: {
        title: 'Paga en OXXO',
        detail: (merchant: string) => `Tu pago a ${merchant} está listo para hacerse en cualquier OXXO.`,
        steps: [
          'En la caja, di que vas a hacer un pago de OXXO Pay.',
          'Muestra el código de barras o dicta la referencia.',
          'Paga en efectivo y guarda tu ticket.',
        ],
        fee: 'La tienda cobra su propia comisión, aparte de este importe.',
        told: 'OXXO nos avisa del pago a más tardar el siguiente día hábil. Esta página se actualiza sola.',
      },
    },
    until: (when: string) => `Paga a más tardar el ${when}`,
    barcode: 'Código de barras de la referencia',
    check: 'Consultar de nuevo',
    notAsked: 'La tienda no lo pide.',
    other: 'Pagar de otra forma',
    expired: {
      title: 'Esta ficha venció',
      detail: 'Ya no se puede pagar en la tienda.',
      paid: (when: string) =>
        `Si pagaste a tiempo, no pagues de nuevo: lo verás aquí a más tardar el ${when} (hora de la Ciudad de México).`,
    },
  },
  spei: {
    title: 'Paga por SPEI',
    detail: (merchant: string) => `Transfiere exactamente este importe a la CLABE de tu pago a ${merchant}.`,
    rest: 'Transfiere lo que falta a la misma CLABE.',
    partly: (received: string) => `Recibimos ${received}. Falta:`,
    until: (when: string) => `Transfiere a más tardar el ${when}`,
    copy: 'Copiar la CLABE',
    copied: 'CLABE copiada',
    copyAmount: 'Copiar el importe',
    amountCopied: 'Importe copiado',
    notAsked: 'Tu banco no lo pide: no lo escribas en la transferencia.',
    beneficiary: 'Beneficiario',
    bank: 'Banco',
    received: 'Recibido',
    missing: 'Falta',
    steps: [
      'En la app de tu banco, da de alta la CLABE como cuenta nueva.',
      'Transfiere el importe exacto, con centavos.',
      'Guarda el comprobante con la clave de rastreo.',
    ],
    parts:
      'Si tu banco no te deja enviar todo de una vez, haz varias transferencias a la misma CLABE. La CLABE sirve solo para este pago.',
    told: 'Los bancos nos avisan en segundos o minutos. Esta página se actualiza sola.',
    expired: {
      title: 'El tiempo para transferir terminó',
      detail: 'Ya no transfieras a esta CLABE.',
      paid: (when: string) =>
        `Si transferiste a tiempo, no pagues de nuevo: lo verás aquí a más tardar el ${when} (hora de la Ciudad de México).`,
      received: (received: string, merchant: string) =>
        `Recibimos ${received}, que no completan el pago. Si no llega el resto, quedan guardados como fondos sin aplicar y ${merchant} puede devolverlos.`,
    },
  },
  state: {
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
  },
}

export type Text = typeof es
