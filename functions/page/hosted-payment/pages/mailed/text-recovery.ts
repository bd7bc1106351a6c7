import type { Locale } from '../../../../../src/kernel/locale.ts'

interface RecoveryText {
  readonly later: string
  readonly email: string
  readonly consent: (merchant: string) => string
  readonly save: string
  readonly given: (merchant: string) => string
  readonly withdraw: string
  readonly problems: Readonly<Record<'email' | 'consent', string>>
  readonly title: string
  readonly detail: (merchant: string) => string
  readonly open: string
  readonly over: string
  readonly overDetail: string
}

/** Words of a mail that leads back to a session which ended unpaid. */
export const recoveryText: Readonly<Record<Locale, RecoveryText>> = {
  'es-MX': {
    later: '¿No puedes terminar ahora?',
    email: 'Tu correo',
    consent: (merchant) =>
      `Acepto que ${merchant} me escriba una sola vez a este correo si no termino esta compra.`,
    save: 'Avísame',
    given: (merchant) => `${merchant} te escribirá una vez si no terminas esta compra.`,
    withdraw: 'Ya no quiero ese correo',
    problems: {
      email: 'Escribe un correo como nombre@ejemplo.com.',
      consent: 'Marca la casilla: sin tu acuerdo no te escribimos.',
    },
    title: 'Seguir con tu compra',
    detail: (merchant) =>
      `Abrimos tu compra en ${merchant} otra vez, con los precios y la existencia de ahora. Abrirla no cobra nada.`,
    open: 'Seguir con mi compra',
    over: 'El enlace ya no sirve',
    overDetail: 'Su tiempo terminó, la compra ya se pagó o algo de ella ya no se vende. No se cobró nada.',
  },
  en: {
    later: 'Cannot finish now?',
    email: 'Your e-mail address',
    consent: (merchant) =>
      `I agree that ${merchant} writes to this address once if I do not finish this purchase.`,
    save: 'Remind me',
    given: (merchant) => `${merchant} writes to you once if you do not finish this purchase.`,
    withdraw: 'I do not want that mail any more',
    problems: {
      email: 'Write an address like name@example.com.',
      consent: 'Tick the box: without your consent nothing is sent.',
    },
    title: 'Go on with your purchase',
    detail: (merchant) =>
      `Your purchase at ${merchant} is opened again, with the prices and the stock of now. Opening it charges nothing.`,
    open: 'Go on with my purchase',
    over: 'This link does not work any more',
    overDetail:
      'Its time is over, the purchase has been paid, or something of it is not for sale any more. Nothing was charged.',
  },
}
