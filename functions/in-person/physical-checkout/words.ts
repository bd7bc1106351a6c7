import type { ClosedState, HostedOrigin } from '../../page/hosted-payment/api.ts'

/** What the page says of an order that takes no payment. */
export const states = {
  already_paid: {
    status: 410,
    icon: 'check',
    tone: 'good',
    words: {
      'es-MX': {
        title: 'Ya está pagado',
        detail: (merchant) => `${merchant} recibió el pago de este pedido.`,
      },
      en: {
        title: 'It is paid',
        detail: (merchant) => `${merchant} has received the payment of this order.`,
      },
    },
  },
  expired: {
    status: 410,
    icon: 'clock',
    tone: 'calm',
    namesSold: true,
    words: {
      'es-MX': {
        title: 'Se acabó el tiempo para pagar',
        detail: (merchant) => `Si no has pagado, pide a ${merchant} que vuelva a cobrarte.`,
      },
      en: {
        title: 'The time to pay is over',
        detail: (merchant) => `If you have not paid, ask ${merchant} to ring it up again.`,
      },
    },
  },
  canceled: {
    status: 410,
    icon: 'info',
    tone: 'calm',
    words: {
      'es-MX': {
        title: 'Este pedido se canceló',
        detail: (merchant) => `No debes nada a ${merchant} por él.`,
      },
      en: { title: 'This order was canceled', detail: (merchant) => `You owe ${merchant} nothing for it.` },
    },
  },
  sold_out: {
    status: 409,
    icon: 'info',
    tone: 'calm',
    namesSold: true,
    words: {
      'es-MX': { title: 'Ya no hay suficiente', detail: (merchant) => `Pregunta a ${merchant} en la caja.` },
      en: { title: 'There is not enough left', detail: (merchant) => `Ask ${merchant} at the counter.` },
    },
  },
} as const satisfies Readonly<Record<string, ClosedState>>

export const words: HostedOrigin['words'] = {
  'es-MX': {
    busy: {
      title: 'Alguien más ya lo está pagando',
      detail: (merchant) => `Otra persona paga este pedido de ${merchant} en este momento.`,
    },
    changed: {
      title: 'El pedido cambió',
      detail: (merchant) => `${merchant} lo cambió. Míralo otra vez.`,
    },
  },
  en: {
    busy: {
      title: 'Somebody else is paying it',
      detail: (merchant) => `Another person is paying this order of ${merchant} right now.`,
    },
    changed: {
      title: 'The order has changed',
      detail: (merchant) => `${merchant} changed it. Look at it again.`,
    },
  },
}

/** What a register's printed code leads to while the register shows nothing that is paid by it. */
export const noOrder = {
  'es-MX': {
    title: 'Aún no hay nada que pagar',
    detail: (merchant: string) => `Cuando ${merchant} te cobre en esta caja, vuelve a escanear el código.`,
  },
  en: {
    title: 'There is nothing to pay yet',
    detail: (merchant: string) => `When ${merchant} rings you up at this register, scan the code again.`,
  },
} as const

/** What a display says. */
export const display = {
  'es-MX': {
    welcome: 'Te damos la bienvenida',
    idle: 'Tu cuenta aparecerá aquí.',
    scan: 'Escanea el código con tu teléfono para pagar',
    total: 'Total',
    paying: 'Alguien está pagando. Espera un momento.',
    paid: 'Pagado',
    thanks: 'Gracias por tu compra.',
    code: 'Código para pagar este pedido',
    changed: 'La pantalla cambió.',
    offline: 'Sin conexión. Pregunta en la caja.',
  },
  en: {
    welcome: 'Welcome',
    idle: 'Your order will appear here.',
    scan: 'Scan the code with your phone to pay',
    total: 'Total',
    paying: 'Somebody is paying. One moment.',
    paid: 'Paid',
    thanks: 'Thank you for your purchase.',
    code: 'Code to pay this order',
    changed: 'The display has changed.',
    offline: 'No connection. Ask at the counter.',
  },
} as const
