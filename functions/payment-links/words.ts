import type { ClosedState, HostedOrigin } from '../hosted-payment/api.ts'

/** What the buyer's page says of a link that takes no payment. */
export const states = {
  expired: {
    status: 410,
    icon: 'clock',
    tone: 'calm',
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
