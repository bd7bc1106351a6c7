import { mail } from '../../../src/kernel/declared-mail.ts'

const rolesEs: Readonly<Record<string, string>> = {
  owner: 'Propietario',
  admin: 'Administrador',
  member: 'Miembro',
}
const rolesEn: Readonly<Record<string, string>> = { owner: 'Owner', admin: 'Administrator', member: 'Member' }

const about = { to: 'owners', insists: 'safety', data: ['member', 'role', 'by', 'at'] } as const

export const mails = {
  workspace_invitation: mail({
    to: 'person',
    cause: 'invitation',
    opens: 'invitation',
    data: ['role', 'inviter', 'expires_at', 'link_id', 'secret_version'],
    words: {
      'es-MX': (data) => ({
        subject: 'Te invitaron a un negocio',
        paragraphs: [
          'Te invitaron a ser parte de un negocio en Spindle. Abre el enlace para ver la invitación y aceptarla. Sirve durante 7 días.',
        ],
        facts: [
          ['Negocio', data.workspace],
          ['Rol', rolesEs[data.role] ?? ''],
          ['Te invitó', data.inviter],
          ['Vence', data.expires_at],
        ],
        button: 'Ver la invitación',
        closing: 'Si no conoces este negocio, ignora este mensaje: sin tu aceptación no pasa nada.',
      }),
      en: (data) => ({
        subject: 'You are invited to join a business',
        paragraphs: [
          'You are invited to join a business at Spindle. Open the link to see the invitation and accept it. It works for 7 days.',
        ],
        facts: [
          ['Business', data.workspace],
          ['Role', rolesEn[data.role] ?? ''],
          ['Invited by', data.inviter],
          ['Expires', data.expires_at],
        ],
        button: 'See the invitation',
        closing: 'If you do not know this business, ignore this message: nothing happens unless you accept.',
      }),
    },
  }),
  member_joined: mail({
    ...about,
    words: {
      'es-MX': (data) => ({
        subject: 'Una persona se unió a tu negocio',
        paragraphs: ['Una persona aceptó la invitación y ya es parte de tu negocio.'],
        facts: [
          ['Persona', data.member],
          ['Rol', rolesEs[data.role] ?? data.role],
          ['Negocio', data.workspace],
          ['Entorno', data.environment],
          ['Invitada por', data.by],
          ['Fecha y hora', data.at],
        ],
        closing: 'Si no la conoces, quítala del negocio ahora.',
      }),
      en: (data) => ({
        subject: 'A person joined your business',
        paragraphs: ['A person accepted the invitation and belongs to your business.'],
        facts: [
          ['Person', data.member],
          ['Role', rolesEn[data.role] ?? data.role],
          ['Business', data.workspace],
          ['Environment', data.environment],
          ['Invited by', data.by],
          ['Date and time', data.at],
        ],
        closing: 'If you do not know this person, remove them from the business now.',
      }),
    },
  }),
  member_removed: mail({
    ...about,
    words: {
      'es-MX': (data) => ({
        subject: 'Una persona dejó tu negocio',
        paragraphs: ['Esta persona ya no es parte de tu negocio.'],
        facts: [
          ['Persona', data.member],
          ['Rol', rolesEs[data.role] ?? data.role],
          ['Negocio', data.workspace],
          ['Entorno', data.environment],
          ['Decidido por', data.by],
          ['Fecha y hora', data.at],
        ],
        closing: 'Las claves de API que creó siguen funcionando: revoca las que conozca.',
      }),
      en: (data) => ({
        subject: 'A person left your business',
        paragraphs: ['This person does not belong to your business any more.'],
        facts: [
          ['Person', data.member],
          ['Role', rolesEn[data.role] ?? data.role],
          ['Business', data.workspace],
          ['Environment', data.environment],
          ['Decided by', data.by],
          ['Date and time', data.at],
        ],
        closing: 'API keys that they created still work: revoke those that they know.',
      }),
    },
  }),
}
