import { type ClosedState, discountLost, type HostedOrigin, offSale } from '../../page/hosted-payment/api.ts'

/** What the buyer's page says of a session that takes no payment. */
export const states = {
  expired: {
    status: 410,
    icon: 'clock',
    tone: 'calm',
    namesSold: true,
    words: {
      'es-MX': {
        title: 'El tiempo para pagar terminó',
        detail: (merchant) => `No se cobró nada. Vuelve con ${merchant} para empezar de nuevo.`,
      },
      en: {
        title: 'The time to pay is over',
        detail: (merchant) => `Nothing was charged. Go back to ${merchant} to start again.`,
      },
    },
  },
  already_paid: {
    status: 410,
    icon: 'check',
    tone: 'good',
    words: {
      'es-MX': {
        title: 'Esta compra ya se pagó',
        detail: (merchant) => `${merchant} ya recibió el pago. No tienes que hacer nada más.`,
      },
      en: {
        title: 'This purchase has been paid',
        detail: (merchant) => `${merchant} already received the payment. There is nothing more to do.`,
      },
    },
  },
  already_complete: {
    status: 410,
    icon: 'check',
    tone: 'good',
    words: {
      'es-MX': {
        title: 'Este pedido ya se completó',
        detail: (merchant) => `${merchant} ya lo recibió. No tienes que hacer nada más.`,
      },
      en: {
        title: 'This order has been completed',
        detail: (merchant) => `${merchant} already received it. There is nothing more to do.`,
      },
    },
  },
  discount_lost: discountLost,
  off_sale: offSale,
  discount_over: {
    status: 409,
    icon: 'pause',
    tone: 'calm',
    words: {
      'es-MX': {
        title: 'El descuento ya no está disponible',
        detail: (merchant) =>
          `No se cobró nada. El descuento de esta compra se agotó o terminó. Vuelve con ${merchant} para empezar de nuevo.`,
      },
      en: {
        title: 'The discount is no longer available',
        detail: (merchant) =>
          `Nothing was charged. The discount of this purchase is used up or over. Go back to ${merchant} to start again.`,
      },
    },
  },
  sold_out: {
    status: 409,
    icon: 'pause',
    tone: 'calm',
    namesSold: true,
    words: {
      'es-MX': {
        title: 'Se agotó',
        detail: (merchant) => `No se cobró nada. ${merchant} ya no tiene suficiente de lo que pediste.`,
      },
      en: {
        title: 'Sold out',
        detail: (merchant) => `Nothing was charged. ${merchant} does not have enough of it left.`,
      },
    },
  },
} as const satisfies Readonly<Record<string, ClosedState>>

/** A payment of another buyer is under way; the merchant changed the session meanwhile. */
export const words: HostedOrigin['words'] = {
  'es-MX': {
    busy: {
      title: 'Ya hay un pago en curso',
      detail: () => 'Espera a que termine y vuelve a abrir esta página.',
    },
    changed: {
      title: 'La compra cambió',
      detail: (merchant) => `${merchant} la cambió mientras la tenías abierta. Revísala antes de pagar.`,
    },
  },
  en: {
    busy: {
      title: 'A payment is under way',
      detail: () => 'Wait until it is over and open this page again.',
    },
    changed: {
      title: 'The purchase has changed',
      detail: (merchant) => `${merchant} changed it while you had it open. Review it before you pay.`,
    },
  },
}
