import type { ClosedState, HostedOrigin } from '../../page/hosted-payment/api.ts'

const spanish = {
  title: 'Se paga en la terminal',
  detail: (merchant: string) => `Presenta tu tarjeta en la terminal de ${merchant}.`,
}
const english = {
  title: 'It is paid at the reader',
  detail: (merchant: string) => `Present your card at the reader of ${merchant}.`,
}

/** What its page says where no receipt is asked for. */
export const states = {
  in_person: {
    status: 410,
    icon: 'info',
    tone: 'calm',
    isHidden: true,
    words: { 'es-MX': spanish, en: english },
  },
} as const satisfies Readonly<Record<string, ClosedState>>

export const words: HostedOrigin['words'] = {
  'es-MX': { busy: spanish, changed: spanish },
  en: { busy: english, changed: english },
}
