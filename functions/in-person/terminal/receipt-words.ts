import type { CardReading } from '../../../drizzle/schema/payments.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import type { receiptMarks } from './contract-receipt.ts'

type Mark = (typeof receiptMarks)[number]

interface ReceiptWords {
  readonly marks: Readonly<Record<Mark, string>>
  readonly entry: Readonly<Record<CardReading['entry_mode'], string>>
  readonly verification: Readonly<Record<CardReading['cardholder_verification'], string>>
  readonly funding: Readonly<Record<string, string>>
  readonly location: string
  readonly address: string
  readonly tip: string
  readonly authorized: string
  readonly captured: string
  readonly term: string
  readonly months: (months: number) => string
  readonly kind: string
  readonly read: string
  readonly verified: string
  readonly authorization: string
  readonly application: string
  readonly reference: string
  readonly refund: (day: string) => string
  readonly underWay: string
  readonly signature: string
}

/** The words of a receipt from a device beside those of the buyer’s page. */
export const receiptWords: Readonly<Record<Locale, ReceiptWords>> = {
  'es-MX': {
    marks: {
      authorized: 'AUTORIZADO',
      canceled: 'CANCELADO',
      refund_pending: 'REEMBOLSO EN PROCESO',
      partially_refunded: 'REEMBOLSADO EN PARTE',
      refunded: 'REEMBOLSADO',
    },
    entry: {
      contact_emv: 'Chip',
      contactless_emv: 'Sin contacto',
      magnetic_stripe_fallback: 'Banda magnética',
    },
    verification: {
      none: 'No se pidió',
      pin: 'NIP',
      signature: 'Firma',
      on_device: 'En el teléfono o reloj',
    },
    funding: { credit: 'Crédito', debit: 'Débito', prepaid: 'Prepago' },
    location: 'Sucursal',
    address: 'Dirección',
    tip: 'Propina',
    authorized: 'Autorizado',
    captured: 'Cobrado',
    term: 'A meses',
    months: (months) => `${months} meses sin intereses`,
    kind: 'Tipo',
    read: 'Lectura',
    verified: 'Verificación',
    authorization: 'Autorización',
    application: 'Aplicación',
    reference: 'Referencia',
    refund: (day) => `Reembolso del ${day}`,
    underWay: 'en proceso',
    signature: 'Firma',
  },
  en: {
    marks: {
      authorized: 'AUTHORIZED',
      canceled: 'CANCELED',
      refund_pending: 'REFUND UNDER WAY',
      partially_refunded: 'PARTLY REFUNDED',
      refunded: 'REFUNDED',
    },
    entry: {
      contact_emv: 'Chip',
      contactless_emv: 'Contactless',
      magnetic_stripe_fallback: 'Magnetic stripe',
    },
    verification: {
      none: 'Not asked',
      pin: 'PIN',
      signature: 'Signature',
      on_device: 'On the phone or watch',
    },
    funding: { credit: 'Credit', debit: 'Debit', prepaid: 'Prepaid' },
    location: 'Location',
    address: 'Address',
    tip: 'Tip',
    authorized: 'Authorized',
    captured: 'Charged',
    term: 'Installments',
    months: (months) => `${months} months, interest-free`,
    kind: 'Kind',
    read: 'Read by',
    verified: 'Verified by',
    authorization: 'Authorization',
    application: 'Application',
    reference: 'Reference',
    refund: (day) => `Refund of ${day}`,
    underWay: 'under way',
    signature: 'Signature',
  },
}
