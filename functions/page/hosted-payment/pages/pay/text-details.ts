import type { Locale } from '../../../../../src/kernel/locale.ts'
import type { DetailProblem } from '../../details.ts'

interface DetailsText {
  readonly shipping: string
  readonly tax: string
  readonly wantsTax: string
  readonly optional: (label: string) => string
  /** Needed in one country alone. */
  readonly inMexico: (label: string) => string
  readonly choose: string
  readonly readIt: string
  /** Who receives what is asked, and what for. */
  readonly shared: (merchant: string) => string
  /** Labels by the field's name. */
  readonly labels: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<DetailProblem, string>>
}

const es: DetailsText = {
  shipping: 'Dirección de envío',
  tax: 'Datos para tu factura (CFDI)',
  wantsTax: 'Quiero factura',
  optional: (label) => `${label} (opcional)`,
  inMexico: (label) => `${label} (en México)`,
  choose: 'Elige una opción',
  readIt: 'Leer completo',
  shared: (merchant) => `Lo recibe ${merchant} para atender tu compra y escribirte sobre ella.`,
  labels: {
    'ship.name': 'Quién recibe',
    'ship.line1': 'Calle y número',
    'ship.line2': 'Interior',
    'ship.neighborhood': 'Colonia',
    'ship.city': 'Ciudad o municipio',
    'ship.state': 'Estado',
    'ship.postal_code': 'Código postal',
    'ship.country': 'País',
    'detail.name': 'Nombre completo',
    'detail.phone': 'Teléfono',
    'tax.rfc': 'RFC',
    'tax.legal_name': 'Nombre o razón social',
    'tax.regime': 'Régimen fiscal',
    'tax.cfdi_use': 'Uso del CFDI',
    'tax.postal_code': 'Código postal fiscal',
  },
  problems: {
    missing: 'Falta este dato.',
    phone: 'Escribe diez dígitos, o el número con + y la clave del país.',
    postal_code: 'Escribe los cinco dígitos del código postal.',
    rfc: 'Ese RFC no es válido. Revísalo letra por letra.',
    company_kind: 'Escríbelo como en tu constancia: sin SA de CV, S de RL u otro régimen societario.',
    regime: 'Elige el régimen que el SAT tiene para ese RFC.',
    cfdi_use: 'Ese uso no va con el régimen elegido.',
    number: 'Escribe un número, por ejemplo 12 o 12.5.',
    option: 'Elige una de las opciones.',
    consent: 'Para pagar hace falta tu acuerdo.',
    too_long: 'Es demasiado largo.',
    card_number: 'Aquí no va un número de tarjeta.',
  },
}

const en: DetailsText = {
  shipping: 'Shipping address',
  tax: 'Details for your invoice (CFDI)',
  wantsTax: 'I want an invoice',
  optional: (label) => `${label} (optional)`,
  inMexico: (label) => `${label} (in Mexico)`,
  choose: 'Choose one',
  readIt: 'Read it in full',
  shared: (merchant) => `${merchant} receives it to handle your purchase and to write to you about it.`,
  labels: {
    'ship.name': 'Who receives it',
    'ship.line1': 'Street and number',
    'ship.line2': 'Interior or apartment',
    'ship.neighborhood': 'Neighborhood (colonia)',
    'ship.city': 'City or municipality',
    'ship.state': 'State',
    'ship.postal_code': 'Postal code',
    'ship.country': 'Country',
    'detail.name': 'Full name',
    'detail.phone': 'Phone',
    'tax.rfc': 'RFC',
    'tax.legal_name': 'Name or company',
    'tax.regime': 'Tax regime',
    'tax.cfdi_use': 'Use of the CFDI',
    'tax.postal_code': 'Postal code for tax',
  },
  problems: {
    missing: 'This is missing.',
    phone: 'Write ten digits, or the number with + and the country’s code.',
    postal_code: 'Write the five digits of the postal code.',
    rfc: 'That RFC is not valid. Check it letter by letter.',
    company_kind: 'Write it as SAT has it: without SA de CV, S de RL or another kind of company.',
    regime: 'Choose the regime that SAT has for that RFC.',
    cfdi_use: 'That use does not go with the chosen regime.',
    number: 'Write a number, like 12 or 12.5.',
    option: 'Choose one of the options.',
    consent: 'Your agreement is needed to pay.',
    too_long: 'This is too long.',
    card_number: 'No card number belongs here.',
  },
}

/** The words of what a sale asks of its buyer. */
export const detailsText: Readonly<Record<Locale, DetailsText>> = { 'es-MX': es, en }
