import type { ClosedState, HostedOrigin } from '../../page/hosted-payment/api.ts'

/** What the guests' page says of a bill that takes no payment. */
export const states = {
  settled: {
    status: 410,
    icon: 'check',
    tone: 'good',
    words: {
      'es-MX': { title: 'La cuenta está pagada', detail: (merchant) => `${merchant} agradece tu visita.` },
      en: { title: 'The bill is paid', detail: (merchant) => `${merchant} thanks you for your visit.` },
    },
  },
  taken: {
    status: 409,
    icon: 'clock',
    tone: 'calm',
    isHeld: true,
    words: {
      'es-MX': { title: 'Ya se está pagando', detail: () => 'Otras personas pagan lo que falta.' },
      en: { title: 'It is being paid', detail: () => 'Other guests are paying what is left.' },
    },
  },
  empty: {
    status: 409,
    icon: 'clock',
    tone: 'calm',
    words: {
      'es-MX': {
        title: 'Todavía no hay nada en la cuenta',
        detail: (merchant) => `Cuando ${merchant} anote lo que pidas, lo verás aquí.`,
      },
      en: {
        title: 'Nothing is on the bill yet',
        detail: (merchant) => `When ${merchant} writes down what you order, you will see it here.`,
      },
    },
  },
  merged: {
    status: 410,
    icon: 'info',
    tone: 'calm',
    words: {
      'es-MX': {
        title: 'Esta cuenta se juntó con otra',
        detail: (merchant) => `Vuelve a escanear el código de tu mesa para ver la cuenta de ${merchant}.`,
      },
      en: {
        title: 'This bill is a part of another one',
        detail: (merchant) => `Scan the code of your table again to see the bill of ${merchant}.`,
      },
    },
  },
  void: {
    status: 410,
    icon: 'info',
    tone: 'calm',
    words: {
      'es-MX': { title: 'Esta cuenta se anuló', detail: (merchant) => `No debes nada a ${merchant}.` },
      en: { title: 'This bill was voided', detail: (merchant) => `You owe ${merchant} nothing.` },
    },
  },
} as const satisfies Readonly<Record<string, ClosedState>>

export const words: HostedOrigin['words'] = {
  'es-MX': {
    busy: {
      title: 'Alguien más ya paga eso',
      detail: (merchant) => `Otra persona paga esa parte de la cuenta de ${merchant}. Elige otra vez.`,
    },
    changed: {
      title: 'La cuenta cambió',
      detail: (merchant) => `${merchant} la cambió. Mírala otra vez.`,
    },
  },
  en: {
    busy: {
      title: 'Somebody else is paying that',
      detail: (merchant) => `Another guest pays that part of the bill of ${merchant}. Choose again.`,
    },
    changed: {
      title: 'The bill has changed',
      detail: (merchant) => `${merchant} changed it. Look at it again.`,
    },
  },
}

/** What a table's code leads to while no bill of it is open. */
export const noBill = {
  'es-MX': {
    title: 'Aún no hay cuenta abierta',
    detail: (merchant: string) => `Pide a ${merchant} que abra la de tu mesa y vuelve a escanear el código.`,
  },
  en: {
    title: 'No bill is open yet',
    detail: (merchant: string) => `Ask ${merchant} to open the bill of your table, and scan the code again.`,
  },
} as const
