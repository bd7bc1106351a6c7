import type { Locale } from '../../../src/kernel/locale.ts'
import { type Data, facts, hello, hola, type MailWords, money } from './words-form.ts'

/* What the members of a workspace are mailed about its money, its webhooks and its team. */

type Written = Readonly<Record<string, (name: string, data: Data) => MailWords>>

export const rolEs: Data = { owner: 'Propietario', admin: 'Administrador', member: 'Miembro' }
export const roleEn: Data = { owner: 'Owner', admin: 'Administrator', member: 'Member' }

const failuresEs: Data = {
  account_closed: 'La cuenta está cerrada.',
  account_not_found: 'La cuenta no existe.',
  holder_mismatch: 'El titular no es el de la cuenta.',
  declined_by_bank: 'El banco no lo aceptó.',
  processing_error: 'El banco no pudo procesarlo.',
}
const failuresEn: Data = {
  account_closed: 'The account is closed.',
  account_not_found: 'The account does not exist.',
  holder_mismatch: 'The holder is not that of the account.',
  declined_by_bank: 'The bank did not accept it.',
  processing_error: 'The bank could not process it.',
}

const detailsEs: Data = {
  requested: 'Se pidió un cambio de los datos de tu negocio. Lo revisamos antes de que valga.',
  changed: 'Cambiaron los datos de tu negocio.',
  approved: 'Aprobamos el cambio de los datos de tu negocio.',
  declined: 'No aprobamos el cambio de los datos de tu negocio: siguen los que revisamos.',
  logo: 'Cambió el logotipo de tu negocio.',
}
const detailsEn: Data = {
  requested: 'A change of the details of your business was requested. We look at it before it holds.',
  changed: 'The details of your business were changed.',
  approved: 'We approved the change of the details of your business.',
  declined: 'We did not approve the change of the details of your business: those that we reviewed stay.',
  logo: 'The logo of your business was changed.',
}

/** Codes as words, and the amount in the reader's language. */
const readable = (data: Data, words: Readonly<Record<string, Data>>, locale: Locale): Data => ({
  ...data,
  amount: money(data, 'amount', locale),
  ...Object.fromEntries(
    Object.entries(words).map(([field, known]) => [field, known[data[field] ?? ''] ?? data[field] ?? '']),
  ),
})

const placeEs = { workspace: 'Negocio', environment: 'Entorno' }
const placeEn = { workspace: 'Business', environment: 'Environment' }

const payoutEs = (data: Data) =>
  facts(
    {
      amount: 'Monto',
      account: 'CLABE',
      failure: 'Motivo',
      ...placeEs,
      reference: 'ID del depósito',
      at: 'Fecha y hora',
    },
    readable(data, { failure: failuresEs }, 'es-MX'),
  )
const payoutEn = (data: Data) =>
  facts(
    {
      amount: 'Amount',
      account: 'CLABE',
      failure: 'Reason',
      ...placeEn,
      reference: 'Payout ID',
      at: 'Date and time',
    },
    readable(data, { failure: failuresEn }, 'en'),
  )
const reviewEs = 'El dinero está disponible de nuevo y va en tu próximo depósito. Revisa la cuenta antes.'
const reviewEn = 'The money is available again and goes into your next payout. Check the account before.'

const memberEs = (data: Data, by: string) =>
  facts(
    { member: 'Persona', role: 'Rol', ...placeEs, by, at: 'Fecha y hora' },
    readable(data, { role: rolEs }, 'es-MX'),
  )
const memberEn = (data: Data, by: string) =>
  facts(
    { member: 'Person', role: 'Role', ...placeEn, by, at: 'Date and time' },
    readable(data, { role: roleEn }, 'en'),
  )

export const noticesEs = {
  workspace_details: (name, data) => ({
    subject: 'Datos de tu negocio',
    paragraphs: [hola(name), detailsEs[data.decision ?? ''] ?? ''],
    facts: facts(
      {
        name: 'Nombre',
        brand: 'Marca',
        website: 'Sitio',
        fiscal: 'Datos fiscales',
        reason: 'Motivo',
        by: 'Pedido por',
        ...placeEs,
        at: 'Fecha y hora',
      },
      data,
    ),
    closing: 'Si nadie de tu equipo lo pidió, revisa quién tiene acceso a tu negocio y escríbenos.',
  }),
  payout_failed: (name, data) => ({
    subject: 'Un depósito a tu cuenta falló',
    paragraphs: [hola(name), 'El banco no pudo entregar un depósito a la cuenta de tu negocio.'],
    facts: payoutEs(data),
    closing: reviewEs,
  }),
  payout_returned: (name, data) => ({
    subject: 'Tu banco devolvió un depósito',
    paragraphs: [hola(name), 'Un depósito que ya se había pagado fue devuelto por el banco que lo recibió.'],
    facts: payoutEs(data),
    closing: reviewEs,
  }),
  webhook_endpoint_disabled: (name, data) => ({
    subject: 'Se desactivó un endpoint de webhooks',
    paragraphs: [hola(name), 'Dejamos de enviar eventos a esta dirección.'],
    facts: facts(
      { url: 'Dirección', reason: 'Motivo', ...placeEs, at: 'Fecha y hora' },
      readable(
        data,
        {
          reason: {
            gone: 'Respondió 410: ya no existe.',
            failing: 'Falló durante cinco días seguidos.',
            secret: 'No podemos leer su secreto: cámbialo por uno nuevo.',
          },
        },
        'es-MX',
      ),
    ),
    closing: 'Corrige tu servidor, activa el endpoint y recupera los eventos que no se enviaron.',
  }),
  member_joined: (name, data) => ({
    subject: 'Una persona se unió a tu negocio',
    paragraphs: [hola(name), 'Una persona aceptó la invitación y ya es parte de tu negocio.'],
    facts: memberEs(data, 'Invitada por'),
    closing: 'Si no la conoces, quítala del negocio ahora.',
  }),
  member_removed: (name, data) => ({
    subject: 'Una persona dejó tu negocio',
    paragraphs: [hola(name), 'Esta persona ya no es parte de tu negocio.'],
    facts: memberEs(data, 'Decidido por'),
    closing: 'Las claves de API que creó siguen funcionando: revoca las que conozca.',
  }),
} satisfies Written

export const noticesEn = {
  workspace_details: (name, data) => ({
    subject: 'Details of your business',
    paragraphs: [hello(name), detailsEn[data.decision ?? ''] ?? ''],
    facts: facts(
      {
        name: 'Name',
        brand: 'Brand name',
        website: 'Site',
        fiscal: 'Fiscal profile',
        reason: 'Reason',
        by: 'Requested by',
        ...placeEn,
        at: 'Date and time',
      },
      data,
    ),
    closing: 'If your team did not ask for this, check who has access to your business and write to us.',
  }),
  payout_failed: (name, data) => ({
    subject: 'A payout to your account failed',
    paragraphs: [hello(name), 'The bank could not deliver a payout to the account of your business.'],
    facts: payoutEn(data),
    closing: reviewEn,
  }),
  payout_returned: (name, data) => ({
    subject: 'Your bank returned a payout',
    paragraphs: [hello(name), 'The receiving bank returned a payout that had been paid.'],
    facts: payoutEn(data),
    closing: reviewEn,
  }),
  webhook_endpoint_disabled: (name, data) => ({
    subject: 'A webhook endpoint was disabled',
    paragraphs: [hello(name), 'We send no more events to this address.'],
    facts: facts(
      { url: 'Address', reason: 'Reason', ...placeEn, at: 'Date and time' },
      readable(
        data,
        {
          reason: {
            gone: 'It answered 410: it is gone.',
            failing: 'It failed for five days on end.',
            secret: 'We cannot read its secret: rotate it.',
          },
        },
        'en',
      ),
    ),
    closing: 'Repair your server, enable the endpoint and recover the events that were not sent.',
  }),
  member_joined: (name, data) => ({
    subject: 'A person joined your business',
    paragraphs: [hello(name), 'A person accepted the invitation and belongs to your business.'],
    facts: memberEn(data, 'Invited by'),
    closing: 'If you do not know this person, remove them from the business now.',
  }),
  member_removed: (name, data) => ({
    subject: 'A person left your business',
    paragraphs: [hello(name), 'This person does not belong to your business any more.'],
    facts: memberEn(data, 'Decided by'),
    closing: 'API keys that they created still work: revoke those that they know.',
  }),
} satisfies Written
