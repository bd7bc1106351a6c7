import type { Locale } from '../../../src/kernel/locale.ts'
import type { Role } from '../plan.ts'

interface Words {
  readonly title: string
  readonly workspace: string
  readonly role: string
  readonly roles: Readonly<Record<Role, string>>
  readonly inviter: string
  readonly expires: string
  readonly how: string
  readonly steps: readonly string[]
  readonly session: string
  readonly key: string
  readonly unknown: string
  readonly accepted: { readonly title: string; readonly detail: string }
  readonly over: { readonly title: string; readonly detail: string }
}

export const invitationText: Readonly<Record<Locale, Words>> = {
  'es-MX': {
    title: 'Te invitaron a un negocio',
    workspace: 'Negocio',
    role: 'Rol',
    roles: { owner: 'Propietario', admin: 'Administrador', member: 'Miembro' },
    inviter: 'Te invitó',
    expires: 'Vence',
    how: 'Cómo aceptar',
    steps: [
      'Inicia sesión con la cuenta de Spindle de esta dirección de correo, o abre una y confirma la dirección.',
      'Muestra tu segundo factor; si la cuenta no tiene uno, agrégalo.',
      'Antes de diez minutos, acepta la invitación con esa sesión:',
    ],
    session: '{el token de la sesión}',
    key: '{al menos 8 caracteres}',
    unknown: 'Si no conoces este negocio, cierra esta página: sin tu aceptación no pasa nada.',
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
    how: 'How to accept',
    steps: [
      'Sign in with the Spindle account of this e-mail address, or open one and confirm the address.',
      'Show your second factor; if the account has none, enrol one.',
      'Within ten minutes, accept the invitation with that session:',
    ],
    session: '{the session’s token}',
    key: '{at least 8 characters}',
    unknown: 'If you do not know this business, close this page: nothing happens unless you accept.',
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
