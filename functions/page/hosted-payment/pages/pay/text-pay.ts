import { declineReasons } from '../result/text-declines.ts'

/** The words of the page to pay; a part of `text`. */
export const payEs = {
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
  methodNames: { card: 'Tarjeta', card_present: 'Tarjeta presente', oxxo: 'OXXO', spei: 'SPEI' },
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
    card_blocked: declineReasons.es.blocked,
    card_without_plan: 'Esa tarjeta no participa en los meses de este pago. Usa otra.',
    cards_paused:
      'Por seguridad, aquí no se reciben tarjetas por un rato. No se cobró nada. Paga de otra forma o vuelve más tarde.',
    held_unpaid:
      'Los lugares que se pueden apartar sin pagar están ocupados: paga con tarjeta, o vuelve a intentarlo más tarde.',
    quote_expired: 'Esta página llevaba mucho tiempo abierta. Revisa el importe y vuelve a intentarlo.',
  },
}

export const payEn: typeof payEs = {
  title: (merchant) => `Pay ${merchant}`,
  payTo: 'Pay',
  expires: (when) => `You can pay until ${when}`,
  backTo: (merchant) => `Back to ${merchant}`,
  renewed: (merchant, amount) => `${merchant} changed this just now. It costs ${amount}.`,
  installments: (months) => `You can pay in ${months} monthly installments with participating cards.`,
  interestFree: (months) =>
    `You can pay in ${months} interest-free monthly installments with participating cards.`,
  installmentsOnly: (months) => `It is paid in ${months} monthly installments, with a participating card.`,
  interestFreeOnly: (months) =>
    `It is paid in ${months} interest-free monthly installments, with a participating card.`,
  surcharge: (amount, total) => `Installments have a surcharge of ${amount}: ${total} in total.`,
  price: (amount) => `Price ${amount}. Installments add a surcharge.`,
  composed: (price, surcharge) => `Price ${price}, plus a surcharge of ${surcharge} for installments.`,
  chooseAmount: {
    label: (currency) => `Amount (${currency})`,
    bounds: (least, most) => `From ${least} to ${most}.`,
    other: 'Change the amount',
    errors: {
      not_an_amount: 'Enter an amount, like 250 or 250.50.',
      out_of_bounds: 'Choose an amount within the limits.',
    },
  },
  methods: 'Payment method',
  methodNames: { card: 'Card', card_present: 'Card present', oxxo: 'OXXO', spei: 'SPEI' },
  push: {
    oxxo: {
      heading: 'Pay in cash at OXXO',
      detail:
        'You get a voucher with a barcode to pay at the till of any OXXO store. The store charges its own fee on top of this amount.',
      get: (amount) => `Get a voucher for ${amount}`,
    },
    spei: {
      heading: 'Pay by SPEI transfer',
      detail: 'You get a CLABE to which you transfer the amount from your bank.',
      get: (amount) => `Get a CLABE for ${amount}`,
    },
  },
  buyerName: 'Full name',
  buyerNameFor: 'Full name (not needed for a card)',
  buyerEmail: 'E-mail address',
  buyerEmailFor: 'E-mail address (optional for a card)',
  buyerPrivacy:
    'We give your name and address to the company that processes the payment. This browser remembers them for half an hour.',
  mails: {
    label: 'E-mail for your receipt (optional)',
    all: 'We send the instructions for paying and your receipt there.',
  },
  pending: {
    oxxo: {
      detail:
        'There is an OXXO voucher for this payment. Paying in another way cancels it first. If you have paid it already, do not pay again.',
      show: 'Show the voucher',
    },
    spei: {
      detail:
        'There is a CLABE for this payment. Paying in another way cancels it first. If you have sent the transfer already, do not pay again.',
      show: 'Show the CLABE',
    },
    under_way: {
      detail: 'You started a payment with this link and it is not finished. Paying here is another payment.',
      show: 'Show that payment',
    },
    paid: {
      detail: 'You have paid with this link. Paying here is another payment.',
      show: 'Show your receipt',
    },
  },
  pendingReceived: (amount) =>
    `${amount} has arrived on that CLABE: if you pay in another way, it does not count towards this payment and the merchant can send it back.`,
  heading: 'Card details',
  number: 'Card number',
  expiry: 'Expiry date',
  expiryHint: 'MM/YY',
  securityCode: 'CVC',
  securityCodeHint: '3 or 4 digits',
  name: 'Name on card',
  pay: (amount) => `Pay ${amount}`,
  continue: 'Continue',
  neverLeaves: 'This is a test page: no card number is sent and nothing is charged.',
  stripe: {
    needsScript: 'Paying by card needs JavaScript: the card number goes straight to Stripe, never to us.',
    loading: 'Loading the card form…',
    unreachable: 'The card form cannot be reached. Check your connection and try again.',
    byStripe: 'Stripe processes the card. The card number never reaches us.',
  },
  testCard: 'Test card',
  chooseTestCard: 'Choose a card',
  testCards: 'Test cards',
  testCardsDetail: 'Each one ends differently.',
  use: 'Use',
  useCard: (label) => `Use the test card: ${label}`,
  used: (label) => `Test card ready: ${label}`,
  missing: {
    number: 'Enter the card number.',
    expiry: 'Enter month and year, like 08/29.',
    securityCode: 'Enter the 3 or 4 digits.',
    name: 'Enter the name as it appears on the card.',
  },
  past: 'This date has passed.',
  notATestCard: 'This is not a test card. No real card works here.',
  mend: 'Check these fields:',
  wrong: {
    name: 'Enter your full name, with your surname.',
    email: 'Enter a valid e-mail address, like name@example.com.',
    receipt_email: 'Enter a valid e-mail address, like name@example.com, or leave the field empty.',
  },
  errors: {
    card_required: 'Choose a test card to continue.',
    card_unknown: 'We did not recognize that card. Choose another one.',
    card_blocked: declineReasons.en.blocked,
    card_without_plan: 'That card does not take part in the installments of this payment. Use another one.',
    cards_paused:
      'For security no cards are taken here for a while. Nothing was charged. Pay another way, or come back later.',
    held_unpaid: 'What may be held without paying is taken: pay by card, or try again later.',
    quote_expired: 'This page was open for a long time. Check the amount and try again.',
  },
}
