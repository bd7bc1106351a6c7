import type { Locale } from '../../../src/kernel/locale.ts'
import type { OutgoingRow } from './plan.ts'
import type { MailKind } from './store.ts'
import { buyersEn, buyersEs } from './words-buyers.ts'
import { type Data, facts, hello, hola, type MailWords } from './words-form.ts'
import { noticesEn, noticesEs, rolEs, roleEn } from './words-notices.ts'

type Written = Readonly<Record<MailKind | OutgoingRow['kind'], (name: string, data: Data) => MailWords>>

const es: Written = {
  ...buyersEs,
  ...noticesEs,
  confirm_address: (name) => ({
    subject: 'Confirma tu dirección de correo',
    paragraphs: [
      hola(name),
      'Alguien abrió una cuenta de Spindle con esta dirección. Si fuiste tú, confirma que es tuya. El enlace sirve durante 24 horas.',
    ],
    facts: [],
    button: 'Confirmar mi dirección',
    closing: 'Si no abriste ninguna cuenta, no confirmes: ignora este mensaje.',
  }),
  reset_password: (name) => ({
    subject: 'Elige una contraseña nueva',
    paragraphs: [
      hola(name),
      'Se pidió una contraseña nueva para tu cuenta de Spindle. El enlace sirve una vez y durante una hora. Al cambiarla se cierran todas tus sesiones; tu segundo factor sigue siendo necesario.',
    ],
    facts: [],
    button: 'Elegir una contraseña',
    closing: 'Si no lo pediste, ignora este mensaje: tu contraseña sigue siendo la misma.',
  }),
  new_sign_in: (name, data) => ({
    subject: 'Nuevo inicio de sesión en tu cuenta',
    paragraphs: [hola(name), 'Se inició sesión en tu cuenta de Spindle desde una red nueva.'],
    facts: [
      ['Fecha y hora', data.at ?? ''],
      ['Dirección IP', data.ip_address ?? ''],
      ['Navegador o programa', data.user_agent ?? ''],
    ],
    closing: 'Si no fuiste tú, cambia tu contraseña ahora: eso cierra todas las sesiones.',
  }),
  api_key_created: (name, data) => ({
    subject: 'Se creó una clave de API',
    paragraphs: [hola(name), 'Se creó una clave de API en tu negocio.'],
    facts: keyFacts(['Negocio', 'Entorno', 'Descripción', 'Clave', 'Creada por', 'Fecha y hora'], data),
    closing: 'Si nadie de tu equipo la creó, revócala ahora y cambia tu contraseña.',
  }),
  api_key_revoked: (name, data) => ({
    subject: 'Se revocó una clave de API',
    paragraphs: [hola(name), 'Se revocó una clave de API de tu negocio. Ya no funciona.'],
    facts: keyFacts(['Negocio', 'Entorno', 'Descripción', 'Clave', 'Revocada por', 'Fecha y hora'], data),
    closing: 'Si nadie de tu equipo la revocó, revisa quién tiene acceso a tu negocio.',
  }),
  workspace_decided: (name, data) => ({
    subject: 'Cambió el estado de tu negocio',
    paragraphs: [hola(name), decisionsEs[data.decision ?? ''] ?? ''],
    facts: facts(
      { workspace: 'Negocio', environment: 'Entorno', reason: 'Motivo', at: 'Fecha y hora' },
      data,
    ),
    closing: 'Si tienes preguntas, responde a este mensaje.',
  }),
  bank_account_added: (name, data) => ({
    subject: 'Se agregó una cuenta bancaria',
    paragraphs: [
      hola(name),
      'Se agregó una cuenta bancaria a tu negocio. Enviamos un depósito de un centavo para verificarla, o la revisamos.',
    ],
    facts: facts(
      {
        workspace: 'Negocio',
        environment: 'Entorno',
        account: 'CLABE',
        holder: 'Titular',
        by: 'Agregada por',
        at: 'Fecha y hora',
      },
      data,
    ),
    closing: 'Si nadie de tu equipo la agregó, desactívala ahora y cambia tu contraseña.',
  }),
  workspace_invitation: (name, data) => ({
    subject: 'Te invitaron a un negocio',
    paragraphs: [
      hola(name),
      'Te invitaron a ser parte de un negocio en Spindle. Abre el enlace para ver la invitación y aceptarla. Sirve durante 7 días.',
    ],
    facts: [
      ['Negocio', data.workspace ?? ''],
      ['Rol', rolEs[data.role ?? ''] ?? ''],
      ['Te invitó', data.inviter ?? ''],
      ['Vence', data.expires_at ?? ''],
    ],
    button: 'Ver la invitación',
    closing: 'Si no conoces este negocio, ignora este mensaje: sin tu aceptación no pasa nada.',
  }),
}

const decisionsEs: Data = {
  approve: 'Aprobamos tu negocio: ya puede recibir pagos reales.',
  decline: 'Aún no pudimos aprobar tu negocio. Corrige lo que dice el motivo y vuelve a solicitarlo.',
  suspend:
    'Suspendimos tu negocio: no recibe pagos nuevos, y sus depósitos y transferencias se detienen. Puedes reembolsar, y cobrar lo que ya se autorizó.',
  reinstate: 'Tu negocio recibe pagos de nuevo, y los depósitos que se detuvieron siguen su curso.',
  close: 'Cerramos tu negocio: no recibe pagos nuevos. Puedes reembolsar, y retirar lo que quede.',
}
const decisionsEn: Data = {
  approve: 'We approved your business: it can take live payments.',
  decline: 'We could not approve your business yet. Correct what the reason names and ask again.',
  suspend:
    'We suspended your business: it takes no new payments, and its payouts and transfers are held. You can refund, and capture what is authorized.',
  reinstate: 'Your business takes payments again, and payouts that were held go on.',
  close: 'We closed your business: it takes no new payments. You can refund, and be paid what is left.',
}

const en: Written = {
  ...buyersEn,
  ...noticesEn,
  confirm_address: (name) => ({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      hello(name),
      'A Spindle account was opened with this address. If you opened it, confirm that the address is yours. The link works for 24 hours.',
    ],
    facts: [],
    button: 'Confirm my address',
    closing: 'If you did not open an account, do not confirm: ignore this message.',
  }),
  reset_password: (name) => ({
    subject: 'Choose a new password',
    paragraphs: [
      hello(name),
      'A new password was asked for your Spindle account. The link works once and for an hour. Setting a password ends all of your sessions; your second factor is still needed.',
    ],
    facts: [],
    button: 'Choose a password',
    closing: 'If you did not ask for it, ignore this message: your password stays the same.',
  }),
  new_sign_in: (name, data) => ({
    subject: 'New sign-in to your account',
    paragraphs: [hello(name), 'Your Spindle account was signed in to from a new network.'],
    facts: [
      ['Date and time', data.at ?? ''],
      ['IP address', data.ip_address ?? ''],
      ['Browser or program', data.user_agent ?? ''],
    ],
    closing: 'If it was not you, change your password now: that ends all sessions.',
  }),
  api_key_created: (name, data) => ({
    subject: 'An API key was created',
    paragraphs: [hello(name), 'An API key was created in your business.'],
    facts: keyFacts(['Business', 'Environment', 'Description', 'Key', 'Created by', 'Date and time'], data),
    closing: 'If your team did not create it, revoke it now and change your password.',
  }),
  api_key_revoked: (name, data) => ({
    subject: 'An API key was revoked',
    paragraphs: [hello(name), 'An API key of your business was revoked. It works no more.'],
    facts: keyFacts(['Business', 'Environment', 'Description', 'Key', 'Revoked by', 'Date and time'], data),
    closing: 'If your team did not revoke it, check who has access to your business.',
  }),
  workspace_decided: (name, data) => ({
    subject: 'The status of your business has changed',
    paragraphs: [hello(name), decisionsEn[data.decision ?? ''] ?? ''],
    facts: facts(
      { workspace: 'Business', environment: 'Environment', reason: 'Reason', at: 'Date and time' },
      data,
    ),
    closing: 'If you have questions, reply to this message.',
  }),
  bank_account_added: (name, data) => ({
    subject: 'A bank account was added',
    paragraphs: [
      hello(name),
      'A bank account was added to your business. We send one centavo to verify it, or look at it ourselves.',
    ],
    facts: facts(
      {
        workspace: 'Business',
        environment: 'Environment',
        account: 'CLABE',
        holder: 'Holder',
        by: 'Added by',
        at: 'Date and time',
      },
      data,
    ),
    closing: 'If your team did not add it, disable it now and change your password.',
  }),
  workspace_invitation: (name, data) => ({
    subject: 'You are invited to join a business',
    paragraphs: [
      hello(name),
      'You are invited to join a business at Spindle. Open the link to see the invitation and accept it. It works for 7 days.',
    ],
    facts: [
      ['Business', data.workspace ?? ''],
      ['Role', roleEn[data.role ?? ''] ?? ''],
      ['Invited by', data.inviter ?? ''],
      ['Expires', data.expires_at ?? ''],
    ],
    button: 'See the invitation',
    closing: 'If you do not know this business, ignore this message: nothing happens unless you accept.',
  }),
}

const keyFields = ['workspace', 'environment', 'description', 'key', 'by', 'at'] as const

const keyFacts = (labels: readonly string[], data: Data) =>
  keyFields.map((field, at) => [labels[at]!, data[field] ?? ''] as const)

/** What a buyer's mail of the sandbox says first. */
export const testMode: Readonly<Record<Locale, string>> = {
  'es-MX': 'Modo de prueba: este mensaje es un ensayo y no se mueve dinero.',
  en: 'Test mode: this message is a rehearsal and no money moves.',
}

export const mailWords: Readonly<Record<Locale, Written>> = { 'es-MX': es, en }
