import type { Locale } from '../../../../src/kernel/locale.ts'

interface Words {
  readonly confirm: { readonly title: string; readonly detail: string; readonly button: string }
  readonly confirmed: { readonly title: string; readonly detail: string }
  readonly password: {
    readonly title: string
    readonly detail: string
    readonly label: string
    readonly wrong: string
    readonly button: string
  }
  readonly changed: { readonly title: string; readonly detail: string }
  readonly invalid: { readonly title: string; readonly detail: string }
  /** In the browser that signs up for an invitation. */
  readonly invited: {
    readonly confirmed: string
    readonly changed: string
    readonly button: string
  }
}

export const accountText: Readonly<Record<Locale, Words>> = {
  'es-MX': {
    confirm: {
      title: '¿Es tuya esta dirección de correo?',
      detail:
        'Confirma solo si tú abriste una cuenta de Spindle con ella. Los segundos factores que ya tenga la cuenta se quitan y sus sesiones se cierran: los pudo agregar otra persona.',
      button: 'Confirmar mi dirección',
    },
    confirmed: {
      title: 'Dirección confirmada',
      detail:
        'Inicia sesión y agrega un segundo factor. Si te invitaron a un negocio, vuelve a abrir el enlace de esa invitación. Si la contraseña de la cuenta no es tuya, pide un correo para elegir otra.',
    },
    password: {
      title: 'Elige una contraseña nueva',
      detail:
        'Al cambiarla se cierran todas tus sesiones. Tu segundo factor sigue siendo necesario, salvo que tu dirección no estuviera confirmada, o lo esté desde hace menos de una semana: entonces puede quitarse.',
      label: 'Contraseña nueva (al menos 12 caracteres)',
      wrong: 'Escribe entre 12 y 128 caracteres.',
      button: 'Guardar la contraseña',
    },
    changed: { title: 'Contraseña cambiada', detail: 'Inicia sesión con la contraseña nueva.' },
    invalid: {
      title: 'El enlace ya no sirve',
      detail: 'Ya se usó, es demasiado antiguo o no se copió completo. Pide un correo nuevo.',
    },
    invited: {
      confirmed: 'Ya puedes aceptar tu invitación: inicia sesión y agrega un segundo factor.',
      changed: 'Ya puedes aceptar tu invitación: inicia sesión con la contraseña nueva.',
      button: 'Continuar con la invitación',
    },
  },
  en: {
    confirm: {
      title: 'Is this e-mail address yours?',
      detail:
        'Confirm only if you opened a Spindle account with it. Second factors that the account has are removed and its sessions end, since another person may have added them.',
      button: 'Confirm my address',
    },
    confirmed: {
      title: 'Address confirmed',
      detail:
        'Sign in and enrol a second factor. If you were invited to a business, open the link of that invitation again. If the account’s password is not yours, ask for a mail to choose another.',
    },
    password: {
      title: 'Choose a new password',
      detail:
        'Setting it ends all of your sessions. Your second factor is still needed, unless your address was not confirmed, or has been for less than a week: then it may be removed.',
      label: 'New password (at least 12 characters)',
      wrong: 'Enter 12 to 128 characters.',
      button: 'Save the password',
    },
    changed: { title: 'Password changed', detail: 'Sign in with the new password.' },
    invalid: {
      title: 'This link does not work any more',
      detail: 'It was used, is too old or was not copied whole. Ask for a new mail.',
    },
    invited: {
      confirmed: 'You can accept your invitation now: sign in and enrol a second factor.',
      changed: 'You can accept your invitation now: sign in with the new password.',
      button: 'Go on with the invitation',
    },
  },
}
