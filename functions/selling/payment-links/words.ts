import { type ClosedState, discountLost, type HostedOrigin, offSale } from '../../page/hosted-payment/api.ts'

/** What the buyer's page says of a link that takes no payment. */
export const states = {
  expired: {
    status: 410,
    icon: 'clock',
    tone: 'calm',
    namesSold: true,
    words: {
      'es-MX': {
        title: 'Este enlace venció',
        detail: (merchant) => `Pide a ${merchant} un enlace nuevo para pagar.`,
      },
      en: { title: 'This link has expired', detail: (merchant) => `Ask ${merchant} for a new link to pay.` },
    },
  },
  revoked: {
    status: 410,
    icon: 'cross',
    tone: 'calm',
    namesSold: true,
    words: {
      'es-MX': {
        title: 'Este enlace se canceló',
        detail: (merchant) => `${merchant} lo canceló. Si aún tienes que pagar, pídele un enlace nuevo.`,
      },
      en: {
        title: 'This link was withdrawn',
        detail: (merchant) => `${merchant} withdrew it. If you still have to pay, ask them for a new link.`,
      },
    },
  },
  inactive: {
    status: 409,
    icon: 'pause',
    tone: 'calm',
    words: {
      'es-MX': {
        title: 'Este enlace está en pausa',
        detail: (merchant) => `Por ahora ${merchant} no recibe pagos con este enlace. Vuelve más tarde.`,
      },
      en: {
        title: 'This link is paused',
        detail: (merchant) => `${merchant} is not taking payments with this link for now. Come back later.`,
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
        detail: (merchant) => `No se cobró nada. ${merchant} ya no tiene suficiente.`,
      },
      en: {
        title: 'Sold out',
        detail: (merchant) => `Nothing was charged. ${merchant} does not have enough of it left.`,
      },
    },
  },
  off_sale: offSale,
  discount_lost: discountLost,
  not_open: {
    status: 409,
    icon: 'clock',
    tone: 'calm',
    words: {
      'es-MX': {
        title: 'Todavía no se puede pagar',
        detail: (merchant, opensAt = 'más tarde') => `${merchant} recibe pagos aquí desde: ${opensAt}.`,
      },
      en: {
        title: 'This link is not open yet',
        detail: (merchant, opensAt = 'later') => `${merchant} takes payments here from: ${opensAt}.`,
      },
    },
  },
  taken: {
    status: 409,
    isHeld: true,
    icon: 'pause',
    tone: 'calm',
    words: {
      'es-MX': {
        title: 'Los últimos lugares están apartados',
        detail: (merchant) =>
          `Otras personas están pagando lo último que ${merchant} ofrece aquí. Si alguna no completa su pago, podrás pagar tú: vuelve más tarde.`,
      },
      en: {
        title: 'The last places are being paid',
        detail: (merchant) =>
          `Others are paying the last of what ${merchant} offers here. If one of them does not complete the payment, you can pay: come back later.`,
      },
    },
  },
  used_up: {
    status: 410,
    icon: 'pause',
    tone: 'calm',
    namesSold: true,
    words: {
      'es-MX': {
        title: 'Ya no quedan lugares',
        detail: (merchant) => `Se pagó todo lo que ${merchant} ofrecía con este enlace. No se te cobró nada.`,
      },
      en: {
        title: 'Nothing is left',
        detail: (merchant) =>
          `Everything that ${merchant} offered with this link has been paid. You were not charged.`,
      },
    },
  },
  already_paid: {
    status: 410,
    icon: 'check',
    tone: 'good',
    words: {
      'es-MX': {
        title: 'Este enlace ya se pagó',
        detail: (merchant) => `${merchant} ya recibió el pago. No tienes que hacer nada más.`,
      },
      en: {
        title: 'This link has been paid',
        detail: (merchant) => `${merchant} already received the payment. There is nothing more to do.`,
      },
    },
  },
  archived: {
    status: 410,
    icon: 'info',
    tone: 'calm',
    isHidden: true,
    words: {
      'es-MX': {
        title: 'Este enlace ya no está disponible',
        detail: () => 'Quien te lo envió puede darte otro.',
      },
      en: {
        title: 'This link is no longer available',
        detail: () => 'Ask the person who sent it to you for another one.',
      },
    },
  },
} as const satisfies Record<string, ClosedState>

export const words: HostedOrigin['words'] = {
  'es-MX': {
    busy: {
      title: 'Alguien está pagando este enlace',
      detail: (merchant) =>
        `Este enlace de ${merchant} solo se paga una vez. Si ese pago no se completa, podrás pagar tú.`,
    },
    changed: {
      title: 'El enlace cambió',
      detail: (merchant) =>
        `${merchant} lo modificó después de que lo abriste. Revisa los datos antes de pagar.`,
    },
  },
  en: {
    busy: {
      title: 'Someone is paying this link',
      detail: (merchant) =>
        `This link from ${merchant} can be paid only once. If that payment does not go through, you can pay.`,
    },
    changed: {
      title: 'The link has changed',
      detail: (merchant) => `${merchant} changed it after you opened it. Check the details before paying.`,
    },
  },
}
