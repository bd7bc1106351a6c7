import type { Locale } from '../../../../src/kernel/locale.ts'
import type { Role } from '../../../account/members/api-pure.ts'

interface Said {
  readonly title: string
  readonly detail: string
}
interface Asking extends Said {
  readonly button: string
}

interface Words {
  readonly title: string
  readonly workspace: string
  readonly role: string
  readonly roles: Readonly<Record<Role, string>>
  readonly inviter: string
  readonly expires: string
  readonly haveAccount: string
  readonly noAccount: string
  readonly unknown: string
  readonly email: string
  readonly password: string
  readonly signIn: Asking & {
    readonly forgotten: string
    readonly forgottenDetail: string
    readonly wrong: string
    readonly again: string
  }
  readonly signUp: Asking & {
    readonly name: string
    readonly nameWrong: string
    readonly passwordWrong: string
    readonly newPassword: string
  }
  readonly mailed: Asking & { readonly again: string }
  readonly unconfirmed: Said
  readonly reset: Said
  readonly code: Asking & {
    readonly label: string
    readonly wrong: string
    readonly used: string
    readonly locked: string
  }
  readonly enrol: Asking & {
    readonly open: string
    readonly scan: string
    readonly qr: string
    readonly secret: string
    readonly backup: string
    readonly backupDetail: string
    readonly label: string
  }
  readonly passkey: Said
  readonly accept: (workspace: string) => string
  readonly acceptDetail: (email: string, role: string) => string
  readonly acceptButton: string
  readonly accepted: Said
  readonly over: Said
}

export const invitationText: Readonly<Record<Locale, Words>> = {
  'es-MX': {
    title: 'Te invitaron a un negocio',
    workspace: 'Negocio',
    role: 'Rol',
    roles: { owner: 'Propietario', admin: 'Administrador', member: 'Miembro' },
    inviter: 'Te invitó',
    expires: 'Vence',
    haveAccount: 'Ya tengo una cuenta de Spindle',
    noAccount: 'Crear una cuenta',
    unknown: 'Si no conoces este negocio, cierra esta página: sin tu aceptación no pasa nada.',
    email: 'Correo electrónico',
    password: 'Contraseña',
    signIn: {
      title: 'Inicia sesión',
      detail: 'La invitación es para esta dirección de correo.',
      button: 'Iniciar sesión',
      forgotten: 'Enviarme un enlace para elegir otra contraseña',
      forgottenDetail: '¿Olvidaste la contraseña?',
      wrong: 'La contraseña no es correcta, o esta dirección todavía no tiene una cuenta.',
      again: 'Pasó demasiado tiempo. Inicia sesión otra vez.',
    },
    signUp: {
      title: 'Crea tu cuenta',
      detail: 'Te enviamos un correo para confirmar que esta dirección es tuya.',
      button: 'Crear la cuenta',
      name: 'Tu nombre',
      nameWrong: 'Escribe tu nombre, con 120 caracteres como máximo y sin números de tarjeta.',
      newPassword: 'Contraseña (al menos 12 caracteres)',
      passwordWrong: 'Escribe entre 12 y 128 caracteres.',
    },
    mailed: {
      title: 'Revisa tu correo',
      detail:
        'Abre el correo que te enviamos y confirma tu dirección. Después continúa aquí. Si esta dirección ya tenía una cuenta, no llega ningún correo: inicia sesión con su contraseña.',
      button: 'Ya confirmé mi dirección',
      again: 'Enviar el correo otra vez',
    },
    unconfirmed: {
      title: 'Confirma tu dirección',
      detail:
        'Tu cuenta todavía no tiene confirmada esta dirección. Abre el correo que te enviamos y confírmala. Después continúa aquí.',
    },
    reset: {
      title: 'Revisa tu correo',
      detail:
        'Si esta dirección tiene una cuenta, te enviamos un enlace para elegir otra contraseña. Sirve durante una hora. Después continúa aquí.',
    },
    code: {
      title: 'Escribe tu código',
      detail: 'Lo muestra tu aplicación de autenticación. También sirve un código de respaldo.',
      button: 'Continuar',
      label: 'Código',
      wrong: 'El código no es correcto. Escribe el que tu aplicación muestra ahora.',
      used: 'Ese código ya se usó. Espera al siguiente, hasta 30 segundos.',
      locked: 'Hubo demasiados códigos incorrectos. Espera 15 minutos.',
    },
    enrol: {
      title: 'Protege tu cuenta',
      detail:
        'Para aceptar necesitas un segundo factor: una aplicación de autenticación que muestra códigos de seis dígitos.',
      button: 'Guardar y continuar',
      open: 'Abrir en mi aplicación de autenticación',
      scan: 'Escanea este código con la aplicación de autenticación de tu teléfono.',
      qr: 'Código QR para la aplicación de autenticación',
      secret: 'O escribe esta clave en la aplicación:',
      backup: 'Códigos de respaldo',
      backupDetail:
        'Guárdalos en un lugar seguro: no se muestran otra vez. Cada uno reemplaza a la aplicación una vez.',
      label: 'Código de seis dígitos que muestra la aplicación',
    },
    passkey: {
      title: 'Tu cuenta usa una llave de acceso',
      detail:
        'Esta página todavía no puede leer llaves de acceso. Agrega una aplicación de autenticación a tu cuenta, o acepta la invitación con la interfaz de Spindle.',
    },
    accept: (workspace) => `¿Quieres ser parte de ${workspace}?`,
    acceptDetail: (email, role) => `Entras con ${email} y el rol ${role}.`,
    acceptButton: 'Aceptar la invitación',
    accepted: {
      title: 'Invitación aceptada',
      detail: 'Ya eres parte del negocio. Puedes cerrar esta página.',
    },
    over: {
      title: 'La invitación ya no sirve',
      detail: 'Se revocó, venció o el enlace no se copió completo. Pide otra a quien te invitó.',
    },
  },
  en: {
    title: 'You are invited to join a business',
    workspace: 'Business',
    role: 'Role',
    roles: { owner: 'Owner', admin: 'Administrator', member: 'Member' },
    inviter: 'Invited by',
    expires: 'Expires',
    haveAccount: 'I have a Spindle account',
    noAccount: 'Create an account',
    unknown: 'If you do not know this business, close this page: nothing happens unless you accept.',
    email: 'E-mail address',
    password: 'Password',
    signIn: {
      title: 'Sign in',
      detail: 'The invitation is for this e-mail address.',
      button: 'Sign in',
      forgotten: 'Mail me a link to choose another password',
      forgottenDetail: 'Forgot the password?',
      wrong: 'The password is wrong, or this address has no account yet.',
      again: 'That took too long. Sign in again.',
    },
    signUp: {
      title: 'Create your account',
      detail: 'We mail you a link to confirm that this address is yours.',
      button: 'Create the account',
      name: 'Your name',
      nameWrong: 'Enter your name, in at most 120 characters and without card numbers.',
      newPassword: 'Password (at least 12 characters)',
      passwordWrong: 'Enter 12 to 128 characters.',
    },
    mailed: {
      title: 'Check your mail',
      detail:
        'Open the mail that we sent you and confirm your address. Then go on here. If this address had an account already, no mail arrives: sign in with its password.',
      button: 'I confirmed my address',
      again: 'Send the mail again',
    },
    unconfirmed: {
      title: 'Confirm your address',
      detail:
        'This address of your account is not confirmed yet. Open the mail that we sent you and confirm it. Then go on here.',
    },
    reset: {
      title: 'Check your mail',
      detail:
        'If this address has an account, we mailed you a link to choose another password. It works for an hour. Then go on here.',
    },
    code: {
      title: 'Enter your code',
      detail: 'Your authenticator app shows it. A backup code works too.',
      button: 'Continue',
      label: 'Code',
      wrong: 'The code is wrong. Enter the one that your app shows now.',
      used: 'That code has been used. Wait up to 30 seconds for the next one.',
      locked: 'There were too many wrong codes. Wait 15 minutes.',
    },
    enrol: {
      title: 'Protect your account',
      detail: 'Accepting takes a second factor: an authenticator app that shows codes of six digits.',
      button: 'Save and continue',
      open: 'Open in my authenticator app',
      scan: 'Scan this code with the authenticator app on your phone.',
      qr: 'QR code for the authenticator app',
      secret: 'Or type this key into the app:',
      backup: 'Backup codes',
      backupDetail: 'Keep them in a safe place: they are not shown again. Each stands in for the app once.',
      label: 'Six digits that the app shows',
    },
    passkey: {
      title: 'Your account uses a passkey',
      detail:
        'This page cannot read passkeys yet. Add an authenticator app to your account, or accept the invitation through Spindle’s interface.',
    },
    accept: (workspace) => `Join ${workspace}?`,
    acceptDetail: (email, role) => `You join as ${email} with the role ${role}.`,
    acceptButton: 'Accept the invitation',
    accepted: {
      title: 'Invitation accepted',
      detail: 'You belong to the business. You can close this page.',
    },
    over: {
      title: 'This invitation does not work any more',
      detail: 'It was revoked, has expired, or the link was not copied whole. Ask for another one.',
    },
  },
}
