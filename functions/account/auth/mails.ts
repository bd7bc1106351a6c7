import { mail } from '../../../src/kernel/declared-mail.ts'

export const mails = {
  confirm_address: mail({
    to: 'account',
    data: [],
    opens: 'confirm',
    insists: 'asked',
    words: {
      'es-MX': () => ({
        subject: 'Confirma tu dirección de correo',
        paragraphs: [
          'Alguien abrió una cuenta de Spindle con esta dirección. Si fuiste tú, confirma que es tuya. El enlace sirve durante 24 horas.',
        ],
        facts: [],
        button: 'Confirmar mi dirección',
        closing: 'Si no abriste ninguna cuenta, no confirmes: ignora este mensaje.',
      }),
      en: () => ({
        subject: 'Confirm your e-mail address',
        paragraphs: [
          'A Spindle account was opened with this address. If you opened it, confirm that the address is yours. The link works for 24 hours.',
        ],
        facts: [],
        button: 'Confirm my address',
        closing: 'If you did not open an account, do not confirm: ignore this message.',
      }),
    },
  }),
  reset_password: mail({
    to: 'account',
    data: [],
    opens: 'password',
    insists: 'asked',
    words: {
      'es-MX': () => ({
        subject: 'Elige una contraseña nueva',
        paragraphs: [
          'Se pidió una contraseña nueva para tu cuenta de Spindle. El enlace sirve una vez y durante una hora. Al cambiarla se cierran todas tus sesiones.',
        ],
        facts: [],
        button: 'Elegir una contraseña',
        closing: 'Si no lo pediste, ignora este mensaje: tu contraseña sigue siendo la misma.',
      }),
      en: () => ({
        subject: 'Choose a new password',
        paragraphs: [
          'A new password was asked for your Spindle account. The link works once and for an hour. Setting a password ends all of your sessions.',
        ],
        facts: [],
        button: 'Choose a password',
        closing: 'If you did not ask for it, ignore this message: your password stays the same.',
      }),
    },
  }),
  new_sign_in: mail({
    to: 'account',
    data: ['at', 'ip_address', 'user_agent'],
    insists: 'safety',
    words: {
      'es-MX': (data) => ({
        subject: 'Nuevo inicio de sesión en tu cuenta',
        paragraphs: ['Se inició sesión en tu cuenta de Spindle desde una red nueva.'],
        facts: [
          ['Fecha y hora', data.at],
          ['Dirección IP', data.ip_address],
          ['Navegador o programa', data.user_agent],
        ],
        closing: 'Si no fuiste tú, cambia tu contraseña ahora: eso cierra todas las sesiones.',
      }),
      en: (data) => ({
        subject: 'New sign-in to your account',
        paragraphs: ['Your Spindle account was signed in to from a new network.'],
        facts: [
          ['Date and time', data.at],
          ['IP address', data.ip_address],
          ['Browser or program', data.user_agent],
        ],
        closing: 'If it was not you, change your password now: that ends all sessions.',
      }),
    },
  }),
}
