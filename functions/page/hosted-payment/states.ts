import type { ClosedState } from './hosted-origin.ts'

/** A discount that the buyer was shown is used up or over; they may go on without it. */
export const discountLost = {
  status: 409,
  icon: 'pause',
  tone: 'calm',
  isAdjusted: true,
  words: {
    'es-MX': {
      title: 'El descuento ya no está disponible',
      detail: (merchant) => `No se cobró nada. El descuento de ${merchant} se agotó o terminó.`,
    },
    en: {
      title: 'The discount is no longer available',
      detail: (merchant) => `Nothing was charged. The discount of ${merchant} is used up or over.`,
    },
  },
} as const satisfies ClosedState

/** The merchant has taken something of it off sale. */
export const offSale = {
  status: 409,
  icon: 'pause',
  tone: 'calm',
  namesSold: true,
  words: {
    'es-MX': {
      title: 'No está a la venta por ahora',
      detail: (merchant) => `No se cobró nada. ${merchant} dejó de venderlo. Vuelve más tarde.`,
    },
    en: {
      title: 'Not for sale now',
      detail: (merchant) => `Nothing was charged. ${merchant} has taken it off sale. Come back later.`,
    },
  },
} as const satisfies ClosedState
